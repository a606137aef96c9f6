/* `sinew bench spmv`: every format and variant on every matrix (spmv.h says which file does what), checked against a
 * reference product, and the regret of choosing without measuring. */
#include "bench/spmv/spmv.h"
#include "core/memory.h"

#include <stdio.h>

/* Where what comes of the matrices goes. */
typedef struct SpmvOutput {
  FILE *out, *dump; /* dump: NULL where none is asked for */
  Json *json;
  SpmvVerdicts *verdicts;
} SpmvOutput;

static Status run_pattern(SpmvRun *run, const SpmvOutput *to) {
  TRY(spmv_run_create(run));
  TRY(spmv_variants(run));
  const double most = spmv_limit(run);
  for (int i = 0; i < run->n_figure; ++i) {
    if (spmv_predicted(run, &run->figure[i]) > most) snprintf(run->figure[i].cannot, SPMV_TEXT, "left out by --quick");
    else TRY(spmv_measure(run, &run->figure[i]));
  }
  TRY(spmv_rivals(run));
  spmv_print(run, run->params->markdown, to->out);
  spmv_write(run, to->json);
  if (to->dump) spmv_dump(run, to->dump);
  spmv_verdict_add(to->verdicts, run);
  return OK;
}

static Status run_source(SpmvRun run, const SpmvOutput *to) {
  char why[SPMV_TEXT];
  Pattern *pattern = NULL;
  TRY_CONTEXT(spmv_pattern(run.params, run.source, &pattern, why), "while making the matrix '%s'", run.source->name);
  if (!pattern) {
    fprintf(to->out, "\n%s: not measured: %s\n", run.source->name, why);
    json_object(to->json, NULL);
    json_string(to->json, "matrix", run.source->name);
    json_string(to->json, "cannot", why);
    json_end(to->json);
    return OK;
  }
  run.pattern = pattern;
  const Status status = run_pattern(&run, to);
  spmv_run_release(&run);
  pattern_destroy(&pattern);
  return status;
}

static Status run_all(Exec *exec, const BenchParams *params, const SpmvOutput *to) {
  SpmvSource *source = NULL;
  int n = 0;
  Status status;
  SpmvRun run = {.exec = exec, .params = params, .machine = format_machine(!exec_is_host(exec))};
  TRY(spmv_sources(params, &source, &n));
  TRY_DONE(bench_copy(exec, &run.copy));
  fprintf(
      to->out,
      "%s: copy %.0f GB/s. MB: values, structure and both vectors once. model us: what the choice expects (* marks\n"
      "what it takes). build: host, from the pattern; fill: new values from CSR order; paid: products after which\n"
      "that is won back against the vendor's CSR (on the CPU: ours). error: of a row, against |A||x|.\n",
      exec->device, run.copy);
  json_string(to->json, "device", exec->device);
  json_number(to->json, "copy_gb_per_s", run.copy);
  json_array(to->json, "matrices");
  for (int i = 0; i < n; ++i) {
    run.source = &source[i];
    TRY_DONE(run_source(run, to));
  }
  json_end(to->json);
  spmv_verdict_report(to->verdicts, to->out, to->json);
done:
  FREE(source);
  return status;
}

static Status open_dump(const char *path, FILE **out) {
  if (!path) return OK;
  *out = fopen(path, "w");
  CHECK(*out, ERR_IO, "%s: cannot be written", path);
  spmv_dump_head(*out);
  return OK;
}

Status bench_spmv(Exec *exec, const BenchParams *params, FILE *out) {
  SpmvOutput to = {.out = out};
  Status status;
  TRY_DONE(open_dump(params->dump, &to.dump));
  TRY_DONE(json_create(&to.json));
  ALLOC_DONE(to.verdicts, 1, "verdicts on the choice");
  json_string(to.json, "bench", "spmv");
  json_string(to.json, "version", params->version);
  json_string(to.json, "commit", params->commit);
  json_integer(to.json, "percent", params->percent > 0 ? params->percent : 100);
  TRY_DONE(run_all(exec, params, &to));
  if (params->json) TRY_DONE(json_save(to.json, params->json));
done:
  if (to.dump && fclose(to.dump) && status == OK) status = FAIL(ERR_IO, "%s: cannot be written", params->dump);
  FREE(to.verdicts);
  json_destroy(&to.json);
  return status;
}
