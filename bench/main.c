/* sinew-bench NAME: what `sinew bench NAME` hands over to, with the same options. */
#include "app/run/backend.h"
#include "app/run/ranks.h"
#include "app/commands/commands.h"
#include "app/process.h"
#include "app/report/report.h"
#include "bench/bench.h"
#include "core/memory.h"

static Status bench_command(const Options *o, Guard guard) {
  (void)guard;
  const BenchType *bench = bench_by_name(o->operand[0]);
  if (!bench) return options_topic(COMMAND_BENCH, o->operand[0]);
  CHECK(comm_size(o->comm) == 1 || bench->run == bench_peers, ERR_USAGE,
        "'sinew bench %s' is the work of one process, and %d were started\n  'sinew bench peers' is what several do",
        bench->name, comm_size(o->comm));
  RunParams ranks = {.comm = o->comm, .threads = o->threads};
  Device machine;
  ranks_settle(&ranks);
  TRY(device_open(o->backend, ranks.threads, &machine));
  if (*machine.note && comm_rank(o->comm) == 0) printf("note: %s\n", machine.note);
  const BenchParams params = {.percent = o->percent,
                              .repeat = o->repeat,
                              .only = o->only,
                              .json = o->json,
                              .dump = o->dump,
                              .meshes = o->meshes,
                              .numbering = o->numbering,
                              .window = o->window,
                              .matrix = o->matrix,
                              .markdown = o->markdown,
                              .quick = o->quick,
                              .part = o->part,
                              .petsc = o->petsc,
                              .rtol = o->rtol,
                              .version = sinew_version(),
                              .commit = sinew_commit(),
                              .comm = o->comm};
  const Status status = bench->run(machine.exec, &params, stdout);
  comm_fail(o->comm, status);
  device_close(&machine);
  return status;
}

/* The command line of `sinew bench`: the word "bench" stands in front of the others. */
static int bench_main(int argc, char **argv, int (*guard)(int on)) {
  char **word = NULL;
  if (mem_alloc(argc + 2, sizeof *word, "the command line of a bench", (void **)&word) != OK) return ERR_MEMORY;
  word[0] = argv[0];
  word[1] = (char *)"bench";
  for (int i = 1; i < argc; ++i) word[i + 1] = argv[i];
  const int code = app_line(argc + 1, word, guard, bench_command);
  FREE(word);
  return code;
}

int main(int argc, char **argv) { return process_run(argc, argv, bench_main); }
