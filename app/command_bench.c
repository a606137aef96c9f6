/* sinew bench */
#include "app/commands.h"
#include "app/backend.h"
#include "app/report.h"

#include <stdio.h>
#include <string.h>

#ifdef SINEW_HAVE_BENCH
#include "bench/bench.h"
#include "core/nearest.h"

static Status unknown_bench(const char *name) {
  enum { MOST = 32 };
  const char *names[MOST];
  char list[512] = "";
  int n = 0;
  for (; n < bench_count() && n < MOST; ++n) {
    names[n] = bench_type(n)->name;
    snprintf(list + strlen(list), sizeof list - strlen(list), "\n    %-10s %s", names[n], bench_type(n)->meaning);
  }
  const char *near = nearest_name(name, n, names);
  FAIL(ERR_USAGE, "sinew: unknown bench '%.40s'\n  allowed:%s", name, list);
  return near ? status_context(ERR_USAGE, "did you mean '%s'?", near) : ERR_USAGE;
}

Status command_bench(const Options *options) {
  const BenchType *bench = bench_by_name(options->operand[0]);
  if (!bench) return unknown_bench(options->operand[0]);
  Machine machine;
  TRY(machine_open(options->backend, options->threads, &machine));
  if (*machine.note) printf("note: %s\n", machine.note);
  const BenchParams params = {.percent = options->percent,
                              .repeat = options->repeat,
                              .only = options->only,
                              .json = options->json,
                              .dump = options->dump,
                              .meshes = options->meshes,
                              .numbering = options->numbering,
                              .window = options->window,
                              .matrix = options->matrix,
                              .markdown = options->markdown,
                              .quick = options->quick,
                              .part = options->part,
                              .petsc = options->petsc,
                              .rtol = options->rtol,
                              .version = sinew_version(),
                              .commit = sinew_commit()};
  const Status status = bench->run(machine.exec, &params, stdout);
  machine_close(&machine);
  return status;
}
#else
Status command_bench(const Options *options) {
  return FAIL(ERR_USAGE, "sinew: this Sinew was built without benchmarks ('%.40s')", options->operand[0]);
}
#endif
