/* The tables of `sinew bench spmv`: per matrix every variant beside the copy and the vendor, what the choice picks and
 * what that costs against the best of all. The same figures go into the JSON file that bench/plot.py draws. */
#include "bench/spmv/spmv.h"

#include <stdio.h>

int spmv_best(const SpmvRun *run, int precision, bool natural) {
  int best = -1;
  for (int i = 0; i < run->n_figure; ++i) {
    const SpmvFigure *f = &run->figure[i];
    if (*f->cannot || (natural && !f->natural)) continue;
    if (best < 0 || f->seconds[precision] < run->figure[best].seconds[precision]) best = i;
  }
  return best;
}

double spmv_vendor(const SpmvRun *run, int precision) {
  const RivalTimes *r = &run->rival[precision];
  double best = 0;
  for (int k = 0; k < 3; ++k) {
    const double t = k == 0 ? r->csr : k == 1 ? r->bsr : r->sell;
    if (t > 0 && (best <= 0 || t < best)) best = t;
  }
  return best;
}

double spmv_paid_off(double spent, double seconds, double rival) {
  return seconds < rival ? spent / (rival - seconds) : 0;
}

/* What conversion is measured against: the vendor's CSR, on the CPU our own, since both start from CSR. */
static double rival_of(const SpmvRun *run, int precision) {
  if (run->rival[precision].csr > 0) return run->rival[precision].csr;
  double best = 0;
  for (int i = 0; i < run->n_figure; ++i) {
    const SpmvFigure *f = &run->figure[i];
    if (*f->cannot || f->params.format[0] != 'c' || f->params.format[1] != 's') continue;
    if (best <= 0 || f->seconds[precision] < best) best = f->seconds[precision];
  }
  return best;
}

static void print_number(FILE *out, const char *bar, int width, int digits, double value) {
  if (value > 0) fprintf(out, "%s%*.*f", bar, width, digits, value);
  else fprintf(out, "%s%*s", bar, width, "-");
}

static void print_row(const SpmvRun *run, int i, bool markdown, FILE *out) {
  const SpmvFigure *f = &run->figure[i];
  const char *bar = markdown ? " | " : " ";
  char label[SPMV_NAME + 2];
  snprintf(label, sizeof label, "%s%s", f->label, i == run->choice[0] ? " *" : "");
  fprintf(out, markdown ? "| %s" : "%-26s", label);
  if (*f->cannot) {
    fprintf(out, markdown ? " | cannot: %s | | | | | | | | | | |\n" : " cannot: %s\n", f->cannot);
    return;
  }
  const double vendor = spmv_vendor(run, 0), rival = rival_of(run, 0);
  fprintf(out, "%s%7.3f%s%8.2f%s%9.1f%s%7.0f%s%6.0f", bar, f->padding, bar, 1e-6 * f->bytes[0], bar,
          1e6 * f->seconds[0], bar, 2e-9 * (double)run->entries / f->seconds[0], bar,
          1e-7 * f->bytes[0] / f->seconds[0] / run->copy);
  print_number(out, bar, 6, 2, vendor > 0 ? vendor / f->seconds[0] : 0);
  fprintf(out, "%s%9.1f", bar, 1e6 * f->seconds[1]);
  print_number(out, bar, 9, 1, 1e6 * f->predicted[0]);
  fprintf(out, "%s%8.1f%s%8.1f", bar, 1e3 * f->build, bar, 1e6 * f->refresh[0]);
  print_number(out, bar, 8, 0, spmv_paid_off(f->build, f->seconds[0], rival));
  print_number(out, bar, 7, 1, spmv_paid_off(f->refresh[0], f->seconds[0], rival));
  fprintf(out, "%s%.0e%s\n", bar, f->error[0], markdown ? " |" : "");
}

static void print_choice(const SpmvRun *run, FILE *out) {
  for (int p = 0; p < 2; ++p) {
    const int best = spmv_best(run, p, true), any = spmv_best(run, p, false), chosen = run->choice[p];
    if (best < 0) continue;
    const SpmvFigure *b = &run->figure[best], *a = &run->figure[any];
    fprintf(out, "%s: fastest %s %.1f us", p ? "float" : "double", b->label, 1e6 * b->seconds[p]);
    if (any != best) fprintf(out, " (with a numbering of its own %s %.1f us)", a->label, 1e6 * a->seconds[p]);
    if (chosen < 0 || *run->figure[chosen].cannot) fprintf(out, "; the choice was not measured");
    else
      fprintf(out, "; chosen %s %.1f us, regret %.1f %%", run->figure[chosen].label,
              1e6 * run->figure[chosen].seconds[p], 100 * (run->figure[chosen].seconds[p] / b->seconds[p] - 1));
    const RivalTimes *r = &run->rival[p];
    if (spmv_vendor(run, p) > 0)
      fprintf(out, "; cuSPARSE CSR %.1f, BSR %.1f, SELL %.1f us", 1e6 * r->csr, 1e6 * r->bsr, 1e6 * r->sell);
    if (*r->why) fprintf(out, "; cuSPARSE: %s", r->why);
    fprintf(out, "\n");
  }
}

static void print_low(const SpmvRun *run, FILE *out) {
  for (int i = 0; i < run->n_figure; ++i)
    for (Precision p = PRECISION_HALF; p <= PRECISION_INT8; ++p) {
      const SpmvFigure *f = &run->figure[i];
      if (f->seconds[p] <= 0) continue;
      fprintf(out, "%s in %s: %.1f us, %.2f MB, %.0f %% of copy, error %.0e\n", f->label, precision_name(p),
              1e6 * f->seconds[p], 1e-6 * f->bytes[p], 1e-7 * f->bytes[p] / f->seconds[p] / run->copy, f->error[p]);
    }
}

void spmv_print(const SpmvRun *run, bool markdown, FILE *out) {
  const RowProfile *p = &run->profile;
  fprintf(out, "%s%s: %lld rows, %lld entries, blocks of %d; a block row has %d to %d, on average %.1f blocks\n",
          markdown ? "\n### " : "\n", run->source->name, (long long)run->n, (long long)run->entries, p->block,
          p->shortest, p->longest, p->n ? (double)p->entries / p->n : 0.0);
  static const char *const heads[] = {"padding",  "MB",       "us f64",  "GFLOP/s",  "%copy",   "vs cuS", "us f32",
                                      "model us", "build ms", "fill us", "paid bld", "paid fl", "error"};
  static const int widths[] = {7, 8, 9, 7, 6, 6, 9, 9, 8, 8, 8, 7, 5};
  fprintf(out, markdown ? "\n| format" : "%-26s", "format");
  for (int k = 0; k < 13; ++k) fprintf(out, markdown ? " | %*s" : " %*s", markdown ? 0 : widths[k], heads[k]);
  fprintf(out, markdown ? " |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n" : "\n");
  for (int i = 0; i < run->n_figure; ++i) print_row(run, i, markdown, out);
  if (markdown) fprintf(out, "\n");
  print_low(run, out);
  print_choice(run, out);
  fflush(out);
}

static void write_figure(const SpmvRun *run, const SpmvFigure *f, Json *json) {
  json_object(json, NULL);
  json_string(json, "label", f->label);
  json_string(json, "format", f->params.format);
  json_string(json, "variant", f->params.variant);
  json_integer(json, "slice", f->params.slice);
  json_integer(json, "threads", f->params.threads);
  json_integer(json, "threshold", f->params.threshold);
  json_integer(json, "gpu_block", f->params.gpu_block);
  json_integer(json, "window", f->params.window);
  json_string(json, "cannot", *f->cannot ? f->cannot : NULL);
  if (!*f->cannot) {
    json_bool(json, "natural_numbering", f->natural);
    json_number(json, "padding", f->padding);
    json_number(json, "build_s", f->build);
    for (int p = 0; p < 2; ++p) {
      json_object(json, p ? "float" : "double");
      json_number(json, "us", 1e6 * f->seconds[p]);
      json_number(json, "bytes", f->bytes[p]);
      json_number(json, "gflop_per_s", 2e-9 * (double)run->entries / f->seconds[p]);
      json_number(json, "share_of_copy", 1e-9 * f->bytes[p] / f->seconds[p] / run->copy);
      json_number(json, "vendor_best_over_this", spmv_vendor(run, p) / f->seconds[p]);
      json_number(json, "refresh_us", 1e6 * f->refresh[p]);
      json_number(json, "products_until_build_paid", spmv_paid_off(f->build, f->seconds[p], rival_of(run, p)));
      json_number(json, "products_until_refresh_paid", spmv_paid_off(f->refresh[p], f->seconds[p], rival_of(run, p)));
      json_number(json, "predicted_us", 1e6 * f->predicted[p]);
      json_number(json, "error", f->error[p]);
      json_end(json);
    }
    for (Precision p = PRECISION_HALF; p <= PRECISION_INT8; ++p) {
      if (f->seconds[p] <= 0) continue;
      json_object(json, precision_name(p));
      json_number(json, "us", 1e6 * f->seconds[p]);
      json_number(json, "bytes", f->bytes[p]);
      json_number(json, "gflop_per_s", 2e-9 * (double)run->entries / f->seconds[p]);
      json_number(json, "share_of_copy", 1e-9 * f->bytes[p] / f->seconds[p] / run->copy);
      json_number(json, "error", f->error[p]);
      json_end(json);
    }
  }
  json_end(json);
}

static void write_choice(const SpmvRun *run, int p, Json *json) {
  const int best = spmv_best(run, p, true), any = spmv_best(run, p, false), chosen = run->choice[p];
  json_object(json, p ? "float" : "double");
  json_number(json, "cusparse_csr_us", 1e6 * run->rival[p].csr);
  json_number(json, "cusparse_bsr_us", 1e6 * run->rival[p].bsr);
  json_number(json, "cusparse_sell_us", 1e6 * run->rival[p].sell);
  json_string(json, "cusparse_why_not", *run->rival[p].why ? run->rival[p].why : NULL);
  json_string(json, "best", best >= 0 ? run->figure[best].label : NULL);
  json_string(json, "best_any_numbering", any >= 0 ? run->figure[any].label : NULL);
  json_string(json, "chosen", chosen >= 0 ? run->figure[chosen].label : NULL);
  if (best >= 0 && chosen >= 0 && !*run->figure[chosen].cannot)
    json_number(json, "regret", run->figure[chosen].seconds[p] / run->figure[best].seconds[p] - 1);
  json_end(json);
}

void spmv_write(const SpmvRun *run, Json *json) {
  const RowProfile *p = &run->profile;
  json_object(json, NULL);
  json_string(json, "matrix", run->source->name);
  json_integer(json, "rows", run->n);
  json_integer(json, "entries", run->entries);
  json_integer(json, "block", p->block);
  json_integer(json, "shortest_block_row", p->shortest);
  json_integer(json, "longest_block_row", p->longest);
  for (int k = 0; k < 2; ++k) write_choice(run, k, json);
  json_array(json, "formats");
  for (int i = 0; i < run->n_figure; ++i) write_figure(run, &run->figure[i], json);
  json_end(json);
  json_end(json);
}
