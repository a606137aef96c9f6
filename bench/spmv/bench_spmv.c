/* `sinew bench spmv`: every format and variant on every matrix (spmv.h says which file does what), checked against a
 * reference product, and the regret of choosing without measuring. */
#include "bench/spmv/spmv.h"
#include "core/memory.h"

#include <string.h>

/* Regret over the matrices so far, [0] double, [1] float. */
typedef struct Regret {
  double sum[2], worst[2];
  char where[2][SPMV_NAME];
  int n[2];
} Regret;

static void regret_add(Regret *all, const SpmvRun *run) {
  for (int p = 0; p < 2; ++p) {
    const int best = spmv_best(run, p, true), chosen = run->choice[p];
    if (best < 0 || chosen < 0 || *run->figure[chosen].cannot) continue;
    const double regret = run->figure[chosen].seconds[p] / run->figure[best].seconds[p] - 1;
    all->sum[p] += regret;
    all->n[p] += 1;
    if (regret < all->worst[p] && all->n[p] > 1) continue;
    all->worst[p] = regret;
    memcpy(all->where[p], run->source->name, sizeof all->where[p]);
  }
}

static void regret_report(const Regret *all, FILE *out, Json *json) {
  for (int p = 0; p < 2; ++p) {
    if (!all->n[p]) continue;
    const char *precision = p ? "float" : "double";
    fprintf(out, "%sregret of the choice in %s over %d matrices: mean %.1f %%, worst %.1f %% (%s)\n", p ? "" : "\n",
            precision, all->n[p], 100 * all->sum[p] / all->n[p], 100 * all->worst[p], all->where[p]);
    json_object(json, p ? "regret_float" : "regret_double");
    json_integer(json, "matrices", all->n[p]);
    json_number(json, "mean", all->sum[p] / all->n[p]);
    json_number(json, "worst", all->worst[p]);
    json_string(json, "worst_matrix", all->where[p]);
    json_end(json);
  }
}

static Status run_pattern(SpmvRun *run, Regret *regret, FILE *out, Json *json) {
  TRY(spmv_run_create(run));
  TRY(spmv_variants(run));
  for (int i = 0; i < run->n_figure; ++i) TRY(spmv_measure(run, &run->figure[i]));
  TRY(spmv_rivals(run));
  spmv_print(run, run->params->markdown, out);
  spmv_write(run, json);
  regret_add(regret, run);
  return OK;
}

static Status run_source(SpmvRun run, Regret *regret, FILE *out, Json *json) {
  char why[SPMV_TEXT];
  Pattern *pattern = NULL;
  TRY_CONTEXT(spmv_pattern(run.params, run.source, &pattern, why), "while making the matrix '%s'", run.source->name);
  if (!pattern) {
    fprintf(out, "\n%s: not measured: %s\n", run.source->name, why);
    json_object(json, NULL);
    json_string(json, "matrix", run.source->name);
    json_string(json, "cannot", why);
    json_end(json);
    return OK;
  }
  run.pattern = pattern;
  const Status status = run_pattern(&run, regret, out, json);
  spmv_run_release(&run);
  pattern_destroy(&pattern);
  return status;
}

static Status run_all(Exec *exec, const BenchParams *params, FILE *out, Json *json) {
  SpmvSource *source = NULL;
  int n = 0;
  Regret regret = {0};
  Status status;
  SpmvRun run = {.exec = exec, .params = params, .machine = format_machine(!exec_is_host(exec))};
  TRY(spmv_sources(params, &source, &n));
  TRY_DONE(bench_copy(exec, &run.copy));
  fprintf(
      out,
      "%s: copy %.0f GB/s. MB: values, structure and both vectors once. model us: what the choice expects (* marks\n"
      "what it takes). build: host, from the pattern; fill: new values from CSR order; paid: products after which\n"
      "that is won back against the vendor's CSR (on the CPU: ours). error: of a row, against |A||x|.\n",
      exec->device, run.copy);
  json_string(json, "device", exec->device);
  json_number(json, "copy_gb_per_s", run.copy);
  json_array(json, "matrices");
  for (int i = 0; i < n; ++i) {
    run.source = &source[i];
    TRY_DONE(run_source(run, &regret, out, json));
  }
  json_end(json);
  regret_report(&regret, out, json);
done:
  FREE(source);
  return status;
}

Status bench_spmv(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status;
  TRY_DONE(json_create(&json));
  json_string(json, "bench", "spmv");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_integer(json, "percent", params->percent > 0 ? params->percent : 100);
  TRY_DONE(run_all(exec, params, out, json));
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
