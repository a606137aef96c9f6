/* What `sinew bench pcg` tries on a mesh: every preconditioner of the registry in every precision at its default degree
 * and at the best one, and every format. Degrees are all tried for the default preconditioner in every precision, and
 * for the others in float; their other precisions take the degree that was best there. */
#include "bench/pcg/pcg.h"

#include <stdio.h>
#include <string.h>

static const int32_t DEGREES[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32};
static const int32_t QUICK_DEGREES[] = {1, 4, 8};
static const char *const FORMAT = "sbell";

/* Fastest of the degrees on the way, as a text for the last column. */
typedef struct Best {
  int32_t degree;
  double seconds;
} Best;

static void keep_best(Best *best, const PcgFigure *f) {
  if (!pcg_converged(f) || (best->degree && f->seconds >= best->seconds)) return;
  *best = (Best){f->degree, f->seconds};
}

static Status one(const PcgBench *bench, PcgPlace *p, const PcgWish *wish, const char *role, PcgFigure *f) {
  TRY(pcg_measure(p, wish, f));
  pcg_write(bench, p, f, role);
  return OK;
}

/* A degree that a preconditioner does not have is no figure. */
static Status degrees(const PcgBench *bench, PcgPlace *p, const PcgWish *like, int32_t most, Best *best) {
  const bool quick = bench->params->quick;
  const int32_t *list = quick ? QUICK_DEGREES : DEGREES;
  const int n = quick ? (int)(sizeof QUICK_DEGREES / sizeof *list) : (int)(sizeof DEGREES / sizeof *list);
  const int32_t repeat = p->repeat;
  Status status = OK;
  p->repeat = 1;
  for (int i = 0; status == OK && i < n && list[i] <= most; ++i) {
    PcgWish wish = *like;
    PcgFigure f;
    wish.degree = list[i];
    status = pcg_measure(p, &wish, &f);
    if (status != OK) break;
    if (!pcg_converged(&f) && f.runs == 0 && strstr(f.cannot, "must lie in")) continue;
    pcg_write(bench, p, &f, "degree");
    keep_best(best, &f);
  }
  p->repeat = repeat;
  return status;
}

/* The default degree with the best one beside it, then the best one itself. */
static Status precision(const PcgBench *bench, PcgPlace *p, PcgWish wish, int32_t most, Best *best, bool search) {
  PcgFigure f;
  char note[64] = "";
  TRY(one(bench, p, &wish, "default", &f));
  keep_best(best, &f);
  if (search && most) TRY(degrees(bench, p, &wish, most, best));
  if (best->degree) snprintf(note, sizeof note, "best degree %d: %.3f ms", (int)best->degree, 1e3 * best->seconds);
  if (!search || !most) snprintf(note, sizeof note, strcmp(wish.inner, "auto") ? "" : "in %s", f.stored);
  pcg_print(bench, p, &f, note);
  if (!most || !best->degree || best->degree == f.degree) return OK;
  wish.degree = best->degree;
  TRY(one(bench, p, &wish, "best", &f));
  pcg_print(bench, p, &f, "best degree");
  return OK;
}

/* 'none' is for tests; what has no degree and no inner matrix is the same in all precisions. */
static Status preconditioner(const PcgBench *bench, PcgPlace *p, int32_t index) {
  const PrecondType *type = precond_type(index);
  const bool first = index == 0;
  PcgWish wish = {.format = FORMAT, .preconditioner = precond_name(index), .rtol = bench->rtol};
  Best best = {0};
  if (type->unit) return OK;
  for (int k = -1; k < 0 || pcg_inner_name(k); ++k) {
    /* float before the others, so that its best degree is known */
    wish.inner = k < 0 ? "float" : pcg_inner_name(k);
    const bool is_float = !strcmp(wish.inner, "float");
    if ((is_float && k >= 0) || (type->diagonal && strcmp(wish.inner, "double") != 0)) continue;
    /* without a degree there is no matrix inside: vectors in float or double is all the difference */
    if (!type->degree_max && !is_float && strcmp(wish.inner, "double") != 0) continue;
    Best own = first || is_float ? (Best){0} : best;
    TRY(precision(bench, p, wish, type->degree_max, &own, first || is_float));
    if (is_float) best = own;
  }
  return OK;
}

static Status formats(const PcgBench *bench, PcgPlace *p) {
  const char *const inside[] = {"double", "float"};
  PcgFigure f;
  for (int32_t i = 0; i < mat_format_count(); ++i) {
    if (!strcmp(mat_format_name(i), FORMAT)) continue;
    PcgWish wish = {.format = mat_format_name(i), .preconditioner = "jacobi", .inner = "double", .rtol = bench->rtol};
    TRY(one(bench, p, &wish, "format", &f));
    pcg_print(bench, p, &f, "");
    for (int k = 0; k < 2; ++k) {
      wish.preconditioner = precond_name(0);
      wish.inner = inside[k];
      TRY(one(bench, p, &wish, "format", &f));
      pcg_print(bench, p, &f, "");
    }
  }
  return OK;
}

Status pcg_sweep(const PcgBench *bench, PcgPlace *p) {
  for (int32_t i = 0; i < precond_count(); ++i)
    if (!precond_type(i)->dominant && !precond_type(i)->host) TRY(preconditioner(bench, p, i));
  return formats(bench, p);
}

/* hex8 boxes of 3, 4, 6, 8, 10, 14, 19 and 28 cells a side: 144 to 70,644 unknowns. In per cent of 54. */
Status pcg_small(const PcgBench *bench) {
  static const int32_t percent[] = {6, 8, 12, 15, 19, 26, 36, 52};
  const char *const wanted[][2] = {{"jacobi", "double"}, {precond_name(0), "float"}, {precond_name(0), "int8"}};
  const int n = bench->params->quick ? 2 : (int)(sizeof percent / sizeof *percent);
  const int hex = pcg_problem("hex");
  fprintf(bench->out, "\nSmall systems: hex8 boxes, what an iteration costs beyond its bytes.\n");
  pcg_header(bench);
  json_array(bench->json, "small");
  for (int i = 0; i < n; ++i) {
    PcgPlace p;
    TRY(pcg_place_create(bench->exec, hex, percent[i], &p));
    p.copy = bench->copy;
    p.repeat = bench->params->repeat > 0 ? bench->params->repeat : bench->params->quick ? 1 : 21;
    Status status = OK;
    for (int k = 0; status == OK && k < 3; ++k) {
      const PcgWish wish = {
          .format = FORMAT, .preconditioner = wanted[k][0], .inner = wanted[k][1], .rtol = bench->rtol};
      PcgFigure f;
      char note[64];
      snprintf(note, sizeof note, "%lld unknowns", (long long)elasticity_unknowns(p.problem.elasticity));
      status = one(bench, &p, &wish, "small", &f);
      if (status == OK) pcg_print(bench, &p, &f, note);
    }
    pcg_place_release(&p);
    TRY(status);
  }
  json_end(bench->json);
  return OK;
}
