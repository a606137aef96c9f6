/* Sizes by counting: padded entries of the format, vectors of the solver, the plan of assembly. */
#include "app/run/memory_table.h"
#include "app/input/case_format.h"
#include "output/wording.h"
#include "app/run/run.h"
#include "core/memory.h"
#include "output/recorder.h"
#include "algebra/mat.h"
#include "solver/precond/precond.h"

#include <stdlib.h>

/* Levels of `amg`, about: what they need depends on how nodes can be put together. Measured on boxes: a node's row of P
 * has 5 to 6 blocks in 3D and 3 in 2D, of A P 14 and 9, and the levels below the first hold at most half as much as
 * that. */
static Status add_hierarchy(const Pattern *pattern, const MatForecast *f, int64_t size, MemoryPlan *plan) {
  const int64_t b = pattern->block, nodes = pattern->n, blocks = pattern->start[nodes];
  const int64_t modes = b == 3 ? 6 : b == 2 ? 3 : 1, p = b == 3 ? 6 : 3, ap = b == 3 ? 14 : 9;
  const bool copied = !mat_format_has(f->format, MAT_SLICED_BLOCKS); /* else level 0 is read where it is */
  const int64_t graph = copied ? 4 * blocks + 8 * (nodes + f->n_slot + f->n_row_step) : 0,
                transfer = p * (2 * b * modes * size + 16);
  const int64_t product = 8 * nodes * b * modes * ap, most = (int64_t)1 << 30; /* in parts beyond */
  TRY(memory_plan_add(plan, "hierarchy of the preconditioner, about",
                      graph + nodes * (size * b * modes + 8 * b * b + transfer + 4 * ap) + blocks * b * b * size / 2,
                      true, MEMORY_KEPT));
  return memory_plan_add(plan, "its numbers while it is set up, about",
                         (copied ? 8 * blocks * b * b : 0) + 8 * nodes * b * modes + (product < most ? product : most),
                         true, MEMORY_SOLVE);
}

/* One order below another and what is below that, about: P has two blocks a node, A P about ten; the matrix of the
 * lower order and all that is below it a sixth of the entries at most, in double and in the precision of the cycle. */
static Status add_lower_order(const Pattern *pattern, const MatForecast *f, int64_t size, MemoryPlan *plan) {
  const int64_t b = pattern->block, nodes = pattern->n, blocks = pattern->start[nodes], b2 = b * b;
  const int64_t graph = 4 * blocks + 8 * (nodes + f->n_slot + f->n_row_step), transfer = 2 * (2 * b2 * size + 20);
  /* the last level is solved directly: at most 800 unknowns, rigid motions at a ninth of the nodes above, in space a
   * 27th */
  const int64_t modes = b == 3 ? 6 : b == 2 ? 3 : 1, fewer = b == 3 ? 27 : 9;
  int64_t last = nodes * b / (b == 3 ? 8 : 4);
  while (last > 800) last = last * modes / (b * fewer);
  TRY(memory_plan_add(plan, "last level of the preconditioner, about", last * last * size, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "its matrix while it is set up", last * last * 8, false, MEMORY_SOLVE));
  TRY(memory_plan_add(plan, "lower orders of the preconditioner, about",
                      graph + nodes * (transfer + 8 * b2 + 4 * 10) + blocks / 6 * (b2 * (8 + size) + 20), true,
                      MEMORY_KEPT));
  return memory_plan_add(plan, "their numbers while they are set up, about", 8 * b2 * nodes * 12, true, MEMORY_SOLVE);
}

/* The preconditioner: a copy of the values in its own precision, and its vectors. */
static Status add_preconditioner(const Case *c, const char *name, const Pattern *pattern, const MatForecast *f,
                                 MemoryPlan *plan) {
  LinearParams linear;
  TRY(linear_params_of_case(c, &linear));
  const PrecondType *type = precond_named(name);
  const int64_t n = (int64_t)pattern->n * pattern->block, size = linear.mixed ? 4 : 8;
  if (type && type->diagonal) return OK;
  TRY(memory_plan_add(plan, "matrix of the preconditioner", f->n_value * size, true, MEMORY_KEPT));
  if (type && type->aggregates) TRY(add_hierarchy(pattern, f, size, plan));
  if (type && type->needs & PRECOND_ORDERS) TRY(add_lower_order(pattern, f, size, plan));
  return memory_plan_add(plan, "vectors of the preconditioner", 5 * n * size, true, MEMORY_KEPT);
}

Status memory_table_preconditioner(const Case *c, const char *preconditioner, const Pattern *pattern, bool on_gpu,
                                   MemoryPlan *plan) {
  MatForecast forecast;
  const MatParams format = case_mat_params(c);
  TRY(mat_forecast(&format, pattern, on_gpu, &forecast));
  return add_preconditioner(c, preconditioner, pattern, &forecast, plan);
}

Status memory_table_output(int64_t bytes, bool on_gpu, MemoryPlan *plan) {
  const int64_t ring = recorder_slots(bytes) * bytes;
  TRY(memory_plan_add(plan, "results on their way to the files", ring, true, MEMORY_KEPT));
  return memory_plan_add(plan, "results on the host", bytes + (on_gpu ? ring : 0), false, MEMORY_KEPT);
}

bool memory_table_bound(const char *preconditioner) {
  const PrecondType *type = precond_named(preconditioner);
  return !type || type->bounded; /* of auto nothing is known */
}

Status memory_table_system(const Case *c, const char *preconditioner, const Pattern *pattern, bool on_gpu, int copies,
                           SlotMap *slots, MemoryPlan *plan) {
  const int64_t n = (int64_t)pattern->n * pattern->block;
  MatForecast forecast, *f = &forecast;
  const MatParams format = case_mat_params(c);
  TRY(mat_forecast(&format, pattern, on_gpu, f));
  *slots = (SlotMap){.n_value = f->n_value, .per_scalar = f->per_scalar, .same_step = f->same_step};
  TRY(memory_plan_add(plan, "matrix values", 8 * f->n_value, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "matrix columns and starts", f->structure_bytes, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "slots of the matrix entries", 8 * (f->n_slot + f->n_row_step), false, MEMORY_KEPT));
  if (copies)
    TRY(memory_plan_add(plan, "conduction and capacity matrices", 8 * copies * f->n_value, true, MEMORY_KEPT));
  TRY(add_preconditioner(c, preconditioner, pattern, f, plan));
  return memory_plan_add(plan, "vectors of the solver", 4 * n * 8, true, MEMORY_KEPT);
}

static int by_size(const void *left, const void *right) {
  const MemoryItem *a = left, *b = right;
  return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

static void add_line(const MemoryItem *item, bool on_gpu, Text *out) {
  static const char *const phases[MEMORY_PHASES] = {"", "  (while the matrix is prepared)", "  (while solving)",
                                                    "  (at the end)"};
  char bytes[32];
  text_add(out, "  %-40s %10s%s%s\n", item->name, bytes_text((double)item->bytes, bytes),
           on_gpu && item->on_exec ? "  GPU" : "", phases[item->phase]);
}

Status memory_table_text(const MemoryPlan *plan, bool on_gpu, Text *out) {
  MemoryPlan *sorted = NULL;
  char bytes[32];
  ALLOC(sorted, 1, "the memory table");
  *sorted = *plan;
  if (!on_gpu)
    for (int32_t i = 0; i < sorted->n; ++i) sorted->item[i].on_exec = false;
  qsort(sorted->item, (size_t)sorted->n, sizeof *sorted->item, by_size);
  for (int32_t i = 0; i < sorted->n; ++i) add_line(&sorted->item[i], on_gpu, out);
  text_add(out, "  %-40s %10s\n", "most at one time, on the host",
           bytes_text((double)memory_plan_bytes(sorted, false), bytes));
  if (on_gpu)
    text_add(out, "  %-40s %10s\n", "most at one time, on the GPU",
             bytes_text((double)memory_plan_bytes(sorted, true), bytes));
  FREE(sorted);
  return out->status == OK ? OK : FAIL(ERR_MEMORY, "not enough memory for the memory table");
}

Status memory_table_check(const MemoryPlan *plan, double free_bytes, const char *device) {
  const double needed = (double)memory_plan_bytes(plan, true);
  if (needed <= free_bytes) return OK;
  char a[32], b[32];
  Text text = {0};
  Status status = memory_table_text(plan, true, &text);
  if (status == OK)
    status = FAIL(
        ERR_GPU,
        "this case needs %s on %s, where %s are free\n%s  use --backend cpu, a coarser mesh or a GPU with more memory",
        bytes_text(needed, a), device, bytes_text(free_bytes, b), text.data);
  text_release(&text);
  return status;
}
