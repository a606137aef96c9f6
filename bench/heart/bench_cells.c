/* What a step of cells costs: each ionic model by the kernel that hearts step it with, states first, at potentials from rest
 * to the plateau; and cell by cell as `sinew cell` has them. A model from a file, by its program, on request. */
#include "assembly/monodomain/imported_program.h"
#include "assembly/monodomain/monodomain_rows.h"
#include "assembly/monodomain/rows.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "output/json.h"
#include "physics/import/imported.h"
#include "physics/ionic.h"

#include <string.h>

enum { GPU_CELLS = 1 << 20, CPU_CELLS = 1 << 16, ALONE = 4096 };
static const double STEP = 0.02; /* ms */

static const RowKernel *const kernel_of[] = {
#define IONIC(name, text, n) &monodomain_first_##name##_kernel,
#include "physics/ionics.def"
#undef IONIC
};

typedef struct Cells {
  Exec *exec;
  const IonicType *type;
  int64_t n;
  MonodomainImportedArgs args; /* of a model that is compiled in: args.first alone */
  IonicConstants constants;
  double *host; /* owned, states of one cell */
} Cells;

static Status cells_step(void *context) {
  const Cells *c = context;
  return c->type->program
             ? exec_rows(c->exec, &monodomain_first_imported_kernel, &c->args, (c->n + IONIC_FEW - 1) / IONIC_FEW)
             : exec_rows(c->exec, kernel_of[c->constants.kind], &c->args.first, c->n);
}

/* Seconds of a step of a single cell, on the host. */
static double cell_alone(const Cells *c) {
  double by_V;
  const double begin = bench_now();
  for (int k = 0; k < ALONE; ++k) c->type->first(&c->constants, -80 + 100. * k / ALONE, 0, STEP, c->host, &by_V);
  return (bench_now() - begin) / ALONE;
}

/* All arrays as one: V, current, force, gradient, states twice, numbers. */
static Status cells_fill(Cells *c, double *at, IonicConstants *constants, int32_t *turn) {
  Status status = OK;
  const int64_t n = c->n, states = c->type->n_state * n;
  const double numbers[] = {0.5, 1 / STEP, 0, STEP};
  double *host = NULL;
  ALLOC_DONE(host, 4 * n + 2 * states, "cells");
  c->type->rest(&c->constants, c->host);
  for (int64_t k = 0; k < n; ++k) {
    host[k] = -80 + 100. * (double)k / (double)n;
    for (int j = 0; j < c->type->n_state; ++j) host[4 * n + j * n + k] = host[4 * n + states + j * n + k] = c->host[j];
  }
  TRY_DONE(exec_upload(c->exec, at, host, (size_t)(4 * n + 2 * states) * sizeof *host));
  TRY_DONE(exec_upload(c->exec, at + 4 * n + 2 * states, numbers, sizeof numbers));
  TRY_DONE(exec_upload(c->exec, constants, &c->constants, sizeof c->constants));
  TRY_DONE(exec_zero(c->exec, turn, sizeof *turn));
  c->args.first = (MonodomainFirstArgs){.cells = {.constants = constants,
                                                  .state = at + 4 * n,
                                                  .stride = n,
                                                  .numbers = at + 4 * n + 2 * states,
                                                  .turn = turn,
                                                  .size = states},
                                        .V = at,
                                        .current = at + n,
                                        .force = at + 2 * n,
                                        .gradient = at + 3 * n};
done:
  FREE(host);
  return status;
}

/* The program of a model from a file, on the Exec. */
static Status program_upload(Cells *c) {
  c->args.kind = c->constants.kind;
  c->args.n_cell = c->n;
  return c->type->program ? imported_program_create(c->exec, c->type->program, &c->args.program) : OK;
}

static Status cells_measure(Exec *exec, int kind, int32_t repeat, double seconds[2]) {
  Cells c = {.exec = exec,
             .type = ionic_type(kind),
             .n = exec_is_host(exec) ? CPU_CELLS : GPU_CELLS,
             .constants = ionic_constants(kind, 0)};
  const int64_t room = 4 * c.n + 2 * c.type->n_state * c.n + 4;
  Status status = OK;
  IonicConstants *constants = NULL;
  int32_t *turn = NULL;
  double *at = NULL;
  ALLOC_DONE(c.host, c.type->n_state, "cells");
  TRY_DONE(exec_alloc(exec, room, sizeof *at, "cells", (void **)&at));
  TRY_DONE(exec_alloc(exec, 1, sizeof *constants, "constants", (void **)&constants));
  TRY_DONE(exec_alloc(exec, 1, sizeof *turn, "which states are those of now", (void **)&turn));
  TRY_DONE(program_upload(&c));
  TRY_DONE(cells_fill(&c, at, constants, turn));
  TRY_DONE(bench_time(exec, cells_step, &c, repeat, &seconds[0]));
  seconds[0] /= (double)c.n;
  seconds[1] = cell_alone(&c);
done:
  FREE(c.host);
  imported_program_release(c.exec, &c.args.program);
  EXEC_RELEASE(exec, at, room);
  EXEC_RELEASE(exec, constants, 1);
  EXEC_RELEASE(exec, turn, 1);
  return status;
}

static Status cells_row(Exec *exec, int kind, int32_t repeat, Json *json, FILE *out) {
  const IonicType *type = ionic_type(kind);
  double seconds[2];
  TRY(cells_measure(exec, kind, repeat, seconds));
  fprintf(out, "%-20s %8d %10.3f %16.1f\n", type->name, type->n_state, seconds[0] * 1e9, seconds[1] * 1e9);
  json_object(json, NULL);
  json_string(json, "model", type->name);
  json_integer(json, "states", type->n_state);
  json_number(json, "together_seconds", seconds[0]);
  json_number(json, "alone_seconds", seconds[1]);
  json_end(json);
  return OK;
}

Status bench_cells(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status;
  int file = -1;
  CHECK(!params->only || ionic_by_name(params->only) >= 0, ERR_USAGE,
        "'--only %s' is no ionic model\n  remedy: one of those that 'sinew list ionic' prints", params->only);
  if (params->part) TRY(imported_open(&(ImportParams){.path = params->part}, &file));
  TRY_DONE(json_create(&json));
  fprintf(out, "%s; ns a cell and step\n%-20s %8s %10s %16s\n", exec->device, "", "states", "together",
          "one by one, CPU");
  json_string(json, "bench", "cells");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_array(json, "models");
  for (int kind = 0; kind < ionic_count(); ++kind)
    if (bench_wants(params, ionic_type(kind)->name)) TRY_DONE(cells_row(exec, kind, params->repeat, json, out));
  if (params->part) TRY_DONE(cells_row(exec, file, params->repeat, json, out));
  json_end(json);
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  imported_close(file);
  json_destroy(&json);
  return status;
}
