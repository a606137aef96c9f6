/* Sizes by counting: padded entries of the format, vectors of the solver, the plan of assembly. */
#include "app/memory_table.h"
#include "app/results.h"
#include "app/wording.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 32 };

static int descending(const void *a, const void *b) {
  const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
  return (left < right) - (left > right);
}

/* Blocks of SBELL: rows sorted by length in slices of 32, each padded to its longest. */
static Status padded_blocks(const Pattern *pattern, int64_t *out) {
  int32_t *length = NULL;
  *out = 0;
  ALLOC(length, pattern->n, "row lengths");
  for (int32_t i = 0; i < pattern->n; ++i) length[i] = (int32_t)(pattern->start[i + 1] - pattern->start[i]);
  qsort(length, (size_t)pattern->n, sizeof *length, descending);
  for (int32_t i = 0; i < pattern->n; i += SLICE) *out += (int64_t)SLICE * length[i];
  FREE(length);
  return OK;
}

/* The matrix and the solver. `copies` more arrays of its values belong to a run in time. */
static Status add_system(const Case *c, const Pattern *pattern, int copies, MemoryPlan *plan) {
  const char *preconditioner = c->solver.preconditioner.type.text;
  const int64_t blocks = pattern->start[pattern->n], square = (int64_t)pattern->block * pattern->block;
  const int64_t n = (int64_t)pattern->n * pattern->block, size = c->solver.precision.text[0] == 'd' ? 8 : 4;
  const bool csr = strcmp(c->solver.format.text, "csr") == 0;
  int64_t padded = blocks;
  if (!csr) TRY(padded_blocks(pattern, &padded));
  TRY(memory_plan_add(plan, "matrix values", 8 * padded * square, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "matrix columns", 4 * (csr ? blocks * square : padded), true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "slots of the matrix entries", 8 * (blocks + (csr ? pattern->n : 1)), false, MEMORY_KEPT));
  if (copies) TRY(memory_plan_add(plan, "conduction and capacity matrices", 8 * copies * padded * square, true, MEMORY_KEPT));
  if (strcmp(preconditioner, "jacobi") != 0 && strcmp(preconditioner, "none") != 0) {
    TRY(memory_plan_add(plan, "matrix of the preconditioner", padded * square * size, true, MEMORY_KEPT));
    TRY(memory_plan_add(plan, "vectors of the preconditioner", 5 * n * size, true, MEMORY_KEPT));
  }
  return memory_plan_add(plan, "vectors of the solver", 4 * n * 8, true, MEMORY_KEPT);
}

Status memory_table_fill(const Case *c, const Elasticity *elasticity, int64_t mesh_bytes, MemoryPlan *plan) {
  const SlotMap slots = {.same_step = strcmp(c->solver.format.text, "csr") != 0}; /* all that the plan asks of it */
  const int64_t n = elasticity_dofs(elasticity);
  TRY(memory_plan_add(plan, "mesh", mesh_bytes, false, MEMORY_KEPT));
  TRY(elasticity_memory(elasticity, &slots, results_needed(c), plan));
  TRY(add_system(c, elasticity_pattern(elasticity), 0, plan));
  TRY(memory_plan_add(plan, "displacement", n * 8, true, MEMORY_KEPT));
  return memory_plan_add(plan, "residual and increment", 2 * n * 8, true, MEMORY_SOLVE);
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
