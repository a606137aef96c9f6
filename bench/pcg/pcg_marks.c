/* The marks that `sinew bench pcg --part marks` holds itself against, all in one run: whole solves to a true residual
 * of 1e-8 (or --rtol), the library's in the same run, what an iteration costs over its bytes, what 8 bits cost in
 * iterations. A mark counts at the full size only; at others the figures stand without a verdict. */
#include "bench/pcg/pcg.h"

#include <stdio.h>
#include <string.h>

enum { FULL = 100, SMALL_PERCENT = 19 };
static const int32_t DEGREES[] = {8, 16, 24, 32};
static const double MARK_BYTES = 1.15, MARK_EIGHT_BITS = 1.03, MARK_LIBRARY = 12, MARK_SMALL_US = 6;

/* ms of solve on one H200. */
static const struct {
  const char *mesh;
  double ms;
} SOLVE[] = {{"hex", 10}, {"tet", 22}, {"quad", 15}, {"tri", 120}};

static double solve_mark(const char *mesh) {
  for (size_t i = 0; i < sizeof SOLVE / sizeof *SOLVE; ++i)
    if (!strcmp(SOLVE[i].mesh, mesh)) return SOLVE[i].ms;
  return 0;
}

static void verdict(const PcgBench *bench, const char *mesh, const char *what, double value, double mark,
                    bool at_least) {
  const bool met = at_least ? value >= mark : value <= mark;
  const char *word = bench->percent != FULL ? "" : met ? "met" : "missed";
  fprintf(bench->out,
          bench->params->markdown ? "| %s | %s | %.4g | %s %g | %s |\n" : "mark %-5s %-52s %9.4g  %s %-5g %s\n", mesh,
          what, value, at_least ? "at least" : "at most", mark, word);
  json_object(bench->json, NULL);
  json_string(bench->json, "mesh", mesh);
  json_string(bench->json, "mark", what);
  json_number(bench->json, "value", value);
  json_number(bench->json, "wanted", mark);
  json_bool(bench->json, "at_least", at_least);
  json_end(bench->json);
}

static Status row(const PcgBench *bench, PcgPlace *p, const char *preconditioner, const char *inner, int32_t degree,
                  PcgFigure *f) {
  char note[64] = "";
  const PcgWish wish = {
      .format = "sbell", .preconditioner = preconditioner, .inner = inner, .degree = degree, .rtol = bench->rtol};
  TRY(pcg_measure(p, &wish, f));
  if (!strcmp(inner, "auto")) snprintf(note, sizeof note, "in %s", f->stored);
  pcg_print(bench, p, f, note);
  pcg_write(bench, p, f, "mark");
  return OK;
}

static double over_bytes(const PcgPlace *p, const PcgFigure *f) { return pcg_each(f) / (f->bytes / (1e9 * p->copy)); }

/* The library's Jacobi-PCG; 0: there is none here. */
static Status library(const PcgBench *bench, PcgPlace *p, double *seconds) {
  RivalSolve r;
  *seconds = 0;
  TRY(pcg_place_format(p, "csr"));
  TRY(rival_pcg(p->exec, elasticity_pattern(p->problem.elasticity), p->a, p->b, p->x, bench->rtol, &r));
  if (*r.why) {
    fprintf(bench->out, "the library's Jacobi-PCG: not measured: %s\n", r.why);
    return OK;
  }
  *seconds = r.seconds;
  fprintf(bench->out, "the library's Jacobi-PCG: %lld iterations, %.3f ms\n", (long long)r.iterations, 1e3 * r.seconds);
  return OK;
}

Status pcg_marks(const PcgBench *bench, PcgPlace *p) {
  PcgFigure jacobi, exact, single, bits, f, best = {0}, chosen;
  const char *mesh = p->problem.name;
  const char *polynomial = precond_name(0);
  double rival;
  TRY(row(bench, p, "jacobi", "double", 0, &jacobi));
  TRY(row(bench, p, polynomial, "double", DEGREES[0], &exact));
  TRY(row(bench, p, polynomial, "float", DEGREES[0], &single));
  TRY(row(bench, p, polynomial, "int8", DEGREES[0], &bits));
  for (size_t i = 0; i < sizeof DEGREES / sizeof *DEGREES; ++i) {
    TRY(row(bench, p, polynomial, "auto", DEGREES[i], &f));
    if (pcg_converged(&f) && (!best.runs || f.seconds < best.seconds)) best = f;
  }
  TRY(row(bench, p, "auto", "auto", 0, &chosen));
  if (strcmp(chosen.preconditioner, "amg") != 0) TRY(row(bench, p, "amg", "auto", 0, &f));
  else f = chosen;
  TRY(library(bench, p, &rival));
  verdict(bench, mesh, "polynomial, its best degree: ms of solve", 1e3 * best.seconds, solve_mark(mesh), false);
  if (pcg_converged(&f)) verdict(bench, mesh, "amg: ms of solve", 1e3 * f.seconds, solve_mark(mesh), false);
  if (pcg_converged(&chosen))
    verdict(bench, mesh, "preconditioner: auto, ms of solve", 1e3 * chosen.seconds, solve_mark(mesh), false);
  if (rival > 0 && pcg_converged(&chosen))
    verdict(bench, mesh, "preconditioner: auto over the library's, setup apart", rival / chosen.seconds, MARK_LIBRARY,
            true);
  if (rival > 0 && best.seconds > 0)
    verdict(bench, mesh, "polynomial over the library's", rival / best.seconds, MARK_LIBRARY, true);
  if (pcg_converged(&jacobi))
    verdict(bench, mesh, "Jacobi: an iteration over its bytes", over_bytes(p, &jacobi), MARK_BYTES, false);
  if (pcg_converged(&single))
    verdict(bench, mesh, "polynomial in float: an iteration over its bytes", over_bytes(p, &single), MARK_BYTES, false);
  if (pcg_converged(&bits) && pcg_converged(&exact))
    verdict(bench, mesh, "8 bits: iterations over those in double", (double)bits.iterations / (double)exact.iterations,
            MARK_EIGHT_BITS, false);
  return OK;
}

Status pcg_marks_small(const PcgBench *bench) {
  PcgPlace p;
  PcgFigure f;
  TRY(pcg_place_create(bench->exec, pcg_problem("hex"), SMALL_PERCENT, &p));
  p.copy = bench->copy;
  p.repeat = 21;
  Status status = row(bench, &p, "jacobi", "double", 0, &f);
  if (status == OK && pcg_converged(&f))
    verdict(bench, "small", "Jacobi, about 3,600 unknowns: us an iteration", 1e6 * pcg_each(&f), MARK_SMALL_US, false);
  pcg_place_release(&p);
  return status;
}
