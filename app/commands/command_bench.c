/* sinew bench */
#include "app/commands/commands.h"
#include "app/run/backend.h"
#include "app/report/report.h"

#include <stdio.h>

#ifdef SINEW_HAVE_BENCH
#include "bench/bench.h"

Status command_bench(const Options *options) {
  const BenchType *bench = bench_by_name(options->operand[0]);
  if (!bench) return options_topic(COMMAND_BENCH, options->operand[0]);
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
