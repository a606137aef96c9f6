/* What is tried on each matrix: every format of the registry, with the variants and parameters that the papers vary. A
 * format without a line here is tried as it comes. */
#include "bench/spmv/spmv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const MatParams TABLE[] = {
    {.format = "csr", .variant = "scalar"},
    {.format = "csr", .variant = "vector", .threads = 4},
    {.format = "csr", .variant = "vector", .threads = 8},
    {.format = "csr", .variant = "vector", .threads = 16},
    {.format = "csr", .variant = "vector", .threads = 32},
    {.format = "csr-balanced", .threshold = 128},
    {.format = "csr-balanced", .threshold = 256},
    {.format = "csr-balanced", .threshold = 512},
    {.format = "csr-balanced", .threshold = 1024},
    {.format = "sell", .slice = 32},
    {.format = "sell", .slice = 64},
    {.format = "sell", .slice = 96},
    {.format = "sbell", .slice = 32},
    {.format = "sbell", .slice = 64},
    {.format = "sbell", .slice = 96},
    {.format = "sliced-ellr-t", .slice = 32, .threads = 1},
    {.format = "sliced-ellr-t", .slice = 32, .threads = 2},
    {.format = "sliced-ellr-t", .slice = 32, .threads = 4},
    {.format = "sliced-ellr-t", .slice = 32, .threads = 8},
    {.format = "sliced-ellr-t", .slice = 32, .threads = 16},
    {.format = "ell-warp", .variant = "k1"},
    {.format = "ell-warp", .variant = "k1", .gpu_block = 64},
    {.format = "ell-warp", .variant = "k1", .gpu_block = 256},
    {.format = "ell-warp", .variant = "k1r"},
    {.format = "ell-warp", .variant = "k1rs"},
    {.format = "ell-warp", .variant = "k2"},
    {.format = "ell-warp", .variant = "k2r"},
    {.format = "ell-warp", .variant = "k2rs"},
    {.format = "segspmv"},
    {.format = "segspmv", .variant = "r"},
};
enum { N_TABLE = sizeof TABLE / sizeof *TABLE };

/* Besides in windows, of --window or else this many block rows. */
static const MatParams WINDOWED[] = {
    {.format = "ell-warp", .variant = "k1"},
    {.format = "ell-warp", .variant = "k2"},
    {.format = "ell-warp", .variant = "k2r"},
    {.format = "sell", .slice = 32}, /* these two choose their windows, and are tried with others when asked to */
    {.format = "sbell", .slice = 32},
};
enum { N_WINDOWED = sizeof WINDOWED / sizeof *WINDOWED, N_WARPS = 3, WINDOW = 1024 };

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static bool same_way(const MatParams *a, const MatParams *b) {
  return same_text(a->format, b->format) && same_text(a->variant, b->variant) && a->slice == b->slice &&
         a->threads == b->threads && a->threshold == b->threshold && a->gpu_block == b->gpu_block &&
         a->window == b->window;
}

static bool registered(const char *format) {
  for (int32_t i = 0; i < mat_format_count(); ++i)
    if (!strcmp(mat_format_name(i), format)) return true;
  return false;
}

static void describe(const MatParams *p, char *label) {
  int n = snprintf(label, SPMV_NAME, "%s", p->format);
  if (p->variant) n += snprintf(label + n, (size_t)(SPMV_NAME - n), " %s", p->variant);
  if (p->slice) n += snprintf(label + n, (size_t)(SPMV_NAME - n), " S%d", p->slice);
  if (p->threads) n += snprintf(label + n, (size_t)(SPMV_NAME - n), " T%d", p->threads);
  if (p->threshold) n += snprintf(label + n, (size_t)(SPMV_NAME - n), " L%d", p->threshold);
  if (p->gpu_block) n += snprintf(label + n, (size_t)(SPMV_NAME - n), " B%d", p->gpu_block);
  if (p->window) snprintf(label + n, (size_t)(SPMV_NAME - n), " W%d", p->window);
}

/* The place of this way to store the matrix, added when it is new; -1 when there is no room. */
static int place_of(SpmvRun *run, const MatParams *params) {
  for (int i = 0; i < run->n_figure; ++i)
    if (same_way(&run->figure[i].params, params)) return i;
  if (run->n_figure == SPMV_VARIANTS) return -1;
  SpmvFigure *f = &run->figure[run->n_figure];
  *f = (SpmvFigure){.params = *params};
  f->params.precision = PRECISION_DOUBLE;
  describe(&f->params, f->label);
  return run->n_figure++;
}

static void add_windowed(SpmvRun *run) {
  const int32_t window = run->params->window;
  for (int k = 0; k < (window ? N_WINDOWED : N_WARPS); ++k) {
    MatParams p = WINDOWED[k];
    p.window = window ? window : WINDOW;
    (void)place_of(run, &p);
  }
}

static void add_all(SpmvRun *run) {
  for (int32_t f = 0; f < mat_format_count(); ++f) {
    bool listed = false;
    for (int k = 0; k < N_TABLE; ++k)
      if (!strcmp(TABLE[k].format, mat_format_name(f))) {
        listed = true;
        (void)place_of(run, &TABLE[k]);
      }
    if (!listed) (void)place_of(run, &(MatParams){.format = mat_format_name(f)});
  }
}

double spmv_predicted(const SpmvRun *run, const SpmvFigure *figure) {
  FormatCost cost;
  MatParams params = figure->params;
  params.window = 0; /* about the same */
  return format_predict(&run->profile, &params, &run->machine, &cost) ? cost.seconds : 0;
}

/* What takes ten times the least of all will not be the fastest. */
double spmv_limit(const SpmvRun *run) {
  double least = HUGE_VAL;
  for (int i = 0; i < run->n_figure; ++i) {
    const double t = spmv_predicted(run, &run->figure[i]);
    if (t > 0 && t < least) least = t;
  }
  return run->params->quick ? 10 * least : HUGE_VAL;
}

Status spmv_variants(SpmvRun *run) {
  run->n_figure = 0;
  if (!run->params->quick) add_all(run);
  add_windowed(run);
  /* thresholds and segments that fit the rows */
  for (int32_t i = 0;; ++i) {
    const MatParams candidate = format_candidate(&run->profile, i);
    if (!candidate.format) break;
    if (registered(candidate.format)) (void)place_of(run, &candidate);
  }
  for (int p = 0; p < 2; ++p) {
    MatParams chosen;
    TRY(format_choose_on(run->pattern, p ? PRECISION_FLOAT : PRECISION_DOUBLE, &run->machine, &chosen));
    run->choice[p] = place_of(run, &chosen);
  }
  return OK;
}
