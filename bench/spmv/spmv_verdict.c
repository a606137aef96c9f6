/* What choosing a format without measuring costs: per matrix the fastest, the chosen one and the vendor's, then the
 * mean and the worst over the matrices of the fit and the others (spmv_graphs.c). Regret: time of the choice over that of the fastest
 * that keeps the natural numbering, less one. And every figure as a line of a file, to fit the rule with. */
#include "bench/spmv/spmv.h"

#include <string.h>

static const char *const HALF[] = {"fitted on", "judged on"}, *const KEY[] = {"fit", "judged"},
                         *const PRECISION[] = {"double", "float"};

void spmv_verdict_add(SpmvVerdicts *all, const SpmvRun *run) {
  for (int p = 0; p < 2; ++p) {
    const int best = spmv_best(run, p, true), chosen = run->choice[p];
    if (best < 0 || chosen < 0 || *run->figure[chosen].cannot || all->n == SPMV_VERDICTS) continue;
    SpmvVerdict *v = &all->verdict[all->n++];
    *v = (SpmvVerdict){.precision = p,
                       .judged = run->source->judged,
                       .best = run->figure[best].seconds[p],
                       .chosen = run->figure[chosen].seconds[p],
                       .vendor = spmv_vendor(run, p)};
    memcpy(v->matrix, run->source->name, sizeof v->matrix);
    memcpy(v->best_label, run->figure[best].label, sizeof v->best_label);
    memcpy(v->chosen_label, run->figure[chosen].label, sizeof v->chosen_label);
  }
}

static double regret_of(const SpmvVerdict *v) { return v->chosen / v->best - 1; }

static void print_verdicts(const SpmvVerdicts *all, int precision, bool judged, FILE *out) {
  for (int i = 0; i < all->n; ++i) {
    const SpmvVerdict *v = &all->verdict[i];
    if (v->precision != precision || v->judged != judged) continue;
    fprintf(out, "%-24s %-22s %8.1f  %-22s %8.1f %8.1f", v->matrix, v->best_label, 1e6 * v->best, v->chosen_label,
            1e6 * v->chosen, 100 * regret_of(v));
    if (v->vendor > 0) fprintf(out, " %8.1f %6.2f\n", 1e6 * v->vendor, v->vendor / v->chosen);
    else fprintf(out, " %8s %6s\n", "-", "-");
  }
}

/* Over one half in one precision. */
typedef struct HalfSum {
  int n, n_vendor, n_slower; /* matrices, with the vendor's time, where the choice is slower than that */
  double mean, worst, against;
  const char *worst_matrix, *against_matrix;
} HalfSum;

static HalfSum half_sum(const SpmvVerdicts *all, int precision, bool judged) {
  HalfSum s = {.worst_matrix = "", .against_matrix = ""};
  for (int i = 0; i < all->n; ++i) {
    const SpmvVerdict *v = &all->verdict[i];
    if (v->precision != precision || v->judged != judged) continue;
    s.mean += regret_of(v);
    if (!s.n++ || regret_of(v) > s.worst) s.worst = regret_of(v), s.worst_matrix = v->matrix;
    if (v->vendor <= 0) continue;
    if (!s.n_vendor++ || v->vendor / v->chosen < s.against)
      s.against = v->vendor / v->chosen, s.against_matrix = v->matrix;
    s.n_slower += v->vendor < v->chosen;
  }
  if (s.n) s.mean /= s.n;
  return s;
}

static void half_write(const HalfSum *s, const char *key, Json *json) {
  json_object(json, key);
  json_integer(json, "matrices", s->n);
  json_number(json, "mean", s->mean);
  json_number(json, "worst", s->worst);
  json_string(json, "worst_matrix", s->worst_matrix);
  if (s->n_vendor) {
    json_number(json, "least_vendor_over_chosen", s->against);
    json_string(json, "least_vendor_matrix", s->against_matrix);
    json_integer(json, "slower_than_vendor", s->n_slower);
  }
  json_end(json);
}

void spmv_verdict_report(const SpmvVerdicts *all, FILE *out, Json *json) {
  for (int p = 0; p < 2; ++p)
    for (int judged = 0; judged < 2; ++judged) {
      const HalfSum s = half_sum(all, p, judged);
      char key[32];
      if (!s.n) continue;
      fprintf(out, "\n%-24s %-22s %8s  %-22s %8s %8s %8s %6s\n", PRECISION[p], "fastest", "us", "chosen", "us",
              "regret %", "cuSPARSE", "vs cuS");
      print_verdicts(all, p, judged, out);
      fprintf(out, "regret of the choice in %s over %d matrices that it is %s: mean %.1f %%, worst %.1f %% (%s)\n",
              PRECISION[p], s.n, HALF[judged], 100 * s.mean, 100 * s.worst, s.worst_matrix);
      if (s.n_vendor)
        fprintf(out, "  slower than cuSPARSE's best on %d of %d, at worst %.2f of its speed (%s)\n", s.n_slower,
                s.n_vendor, s.against, s.against_matrix);
      snprintf(key, sizeof key, "regret_%s_%s", PRECISION[p], KEY[judged]);
      half_write(&s, key, json);
    }
}

/* Row lengths as LENGTH:ROWS, with blanks between. */
static void dump_profile(const SpmvRun *run, FILE *file) {
  const RowProfile *p = &run->profile;
  fprintf(file, "matrix,%s,%s,%d,%d,%lld,%d,%d,%lld,%lld,%lld,", run->source->name, KEY[run->source->judged], p->n,
          p->block, (long long)p->entries, p->shortest, p->longest, (long long)p->natural[0], (long long)p->natural[1],
          (long long)p->natural[2]);
  const char *blank = "";
  for (int32_t l = 0; l <= p->longest; ++l) {
    if (!p->count[l]) continue;
    fprintf(file, "%s%d:%lld", blank, l, (long long)p->count[l]);
    blank = " ";
  }
  fprintf(file, "\n");
}

static void dump_product(const SpmvRun *run, int p, const char *label, double seconds, double predicted, FILE *file) {
  if (seconds > 0)
    fprintf(file, "product,%s,%s,%s,%.3f,%.3f\n", run->source->name, PRECISION[p], label, 1e6 * seconds,
            1e6 * predicted);
}

void spmv_dump(const SpmvRun *run, FILE *file) {
  dump_profile(run, file);
  for (int p = 0; p < 2; ++p) {
    for (int i = 0; i < run->n_figure; ++i) {
      const SpmvFigure *f = &run->figure[i];
      if (!*f->cannot && f->natural) dump_product(run, p, f->label, f->seconds[p], f->predicted[p], file);
    }
    dump_product(run, p, "cuSPARSE CSR", run->rival[p].csr, 0, file);
    dump_product(run, p, "cuSPARSE BSR", run->rival[p].bsr, 0, file);
    dump_product(run, p, "cuSPARSE SELL", run->rival[p].sell, 0, file);
  }
  fflush(file);
}

void spmv_dump_head(FILE *file) {
  fprintf(file,
          "# matrix,NAME,HALF,block rows,block,blocks,shortest,longest,blocks with padding in slices of 32,of 64,of "
          "96,row lengths\n# product,NAME,PRECISION,FORMAT,us,us of the model (0: not in it)\n");
}
