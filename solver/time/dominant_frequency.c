/* Sums on the Exec and three kernels. */
#include "solver/time/dominant_frequency.h"
#include "core/collect.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/time/rows.h"

#include <math.h>

struct DominantFrequency {
  Exec *exec; /* borrowed */
  int64_t n;
  RankRun run; /* the unknowns of this rank among those of all */
  DominantFrequencyParams params;
  int32_t n_bin;
  double *data;         /* owned, on the Exec, [2 n_bin + 1][n] */
  double *table, *leak; /* owned, on the Exec, [2 n_bin + 1] */
};

static double dominant_frequency_length(const DominantFrequencyParams *p) { return p->end - p->begin; }

int64_t dominant_frequency_frequencies(const DominantFrequencyParams *p) {
  return 1 + (int64_t)floor((p->to - p->from) * dominant_frequency_length(p) * (1 + 1e-9) + 1e-9);
}

static int64_t dominant_frequency_vectors(const DominantFrequency *s) { return 2 * (int64_t)s->n_bin + 1; }

Status dominant_frequency_create(Exec *exec, int64_t n, const DominantFrequencyParams *params,
                                 DominantFrequency **out) {
  *out = NULL;
  DominantFrequency *s = NULL;
  ALLOC(s, 1, "spectra");
  s->exec = exec, s->n = n, s->params = *params, s->n_bin = (int32_t)dominant_frequency_frequencies(params);
  const int64_t k = dominant_frequency_vectors(s);
  Status status = exec_alloc(exec, k * n, sizeof *s->data, "spectra", (void **)&s->data);
  if (status == OK) status = exec_alloc(exec, k, sizeof *s->table, "spectra", (void **)&s->table);
  if (status == OK) status = exec_alloc(exec, k, sizeof *s->leak, "spectra", (void **)&s->leak);
  if (status == OK) status = rank_run_find(exec->comm, n, &s->run);
  if (status == OK) status = exec_zero(exec, s->data, (size_t)(k * n) * sizeof *s->data);
  if (status == OK) status = exec_zero(exec, s->leak, (size_t)k * sizeof *s->leak);
  if (status != OK) dominant_frequency_destroy(&s);
  *out = s;
  return status;
}

void dominant_frequency_destroy(DominantFrequency **frequency) {
  DominantFrequency *s = *frequency;
  if (!s) return;
  EXEC_RELEASE(s->exec, s->data, dominant_frequency_vectors(s) * s->n);
  EXEC_RELEASE(s->exec, s->table, dominant_frequency_vectors(s));
  EXEC_RELEASE(s->exec, s->leak, dominant_frequency_vectors(s));
  FREE(*frequency);
}

static DominantFrequencyArgs dominant_frequency_args(const DominantFrequency *s) {
  return (DominantFrequencyArgs){.n = s->n,
                                 .n_bin = s->n_bin,
                                 .first = s->params.from,
                                 .step = 1 / dominant_frequency_length(&s->params),
                                 .length = dominant_frequency_length(&s->params),
                                 .least = s->params.least,
                                 .table = s->table,
                                 .leak = s->leak,
                                 .part = s->data,
                                 .constant = s->data + 2 * s->n_bin * s->n};
}

Status dominant_frequency_add(DominantFrequency *s, double time, const double *u) {
  DominantFrequencyArgs args = dominant_frequency_args(s);
  args.u = u, args.since = time - s->params.begin;
  if (args.since < 0 || args.since > args.length) return OK;
  TRY(exec_rows(s->exec, &dominant_frequency_table_kernel, &args, s->n_bin + 1));
  return exec_rows(s->exec, &dominant_frequency_add_kernel, &args, s->n);
}

Status dominant_frequency_peak(DominantFrequency *s, double time, double *peak) {
  DominantFrequencyArgs args = dominant_frequency_args(s);
  args.peak = peak;
  if (time < s->params.end - 1e-9 * dominant_frequency_length(&s->params)) return vec_fill(s->exec, s->n, -1, peak);
  return exec_rows(s->exec, &dominant_frequency_peak_kernel, &args, s->n);
}

int64_t dominant_frequency_state_size(const DominantFrequency *s) {
  return dominant_frequency_vectors(s) * (s->run.all + 1);
}

Status dominant_frequency_save(const DominantFrequency *s, double *host) {
  const int64_t k = dominant_frequency_vectors(s);
  for (int64_t v = 0; v < k; ++v)
    TRY(exec_collect(s->exec, &s->run, sizeof *host, s->data + v * s->n, host ? host + v * s->run.all : NULL));
  return host ? exec_download(s->exec, host + k * s->run.all, s->leak, (size_t)k * sizeof *host) : OK;
}

Status dominant_frequency_restore(DominantFrequency *s, const double *host) {
  const int64_t k = dominant_frequency_vectors(s);
  for (int64_t v = 0; v < k; ++v)
    TRY(exec_deal(s->exec, &s->run, sizeof *host, host + v * s->run.all, s->data + v * s->n));
  return exec_upload(s->exec, s->leak, host + k * s->run.all, (size_t)k * sizeof *host);
}
