/* See memory_table.h. */
#include "app/run/memory_table.h"
#include "core/memory.h"
#include "output/wording.h"

#include <stdio.h>
#include <stdlib.h>

/* Lines below this part of the largest are told together. */
static const double SMALL = 5e-3;

Status memory_plan_add(MemoryPlan *plan, const char *name, int64_t bytes, bool on_exec, bool kept) {
  if (bytes <= 0) return OK;
  CHECK(plan->n < MEMORY_PLAN_MAX, ERR_BUG, "more than %d arrays in a memory plan", MEMORY_PLAN_MAX);
  MemoryItem *item = &plan->item[plan->n++];
  *item = (MemoryItem){.bytes = bytes, .on_exec = on_exec, .kept = kept};
  snprintf(item->name, sizeof item->name, "%s", name);
  return OK;
}

void memory_plan_share(MemoryPlan *plan, double part) {
  for (int32_t i = 0; i < plan->n; ++i)
    if (plan->item[i].on_exec) plan->item[i].bytes = (int64_t)(part * (double)plan->item[i].bytes);
  plan->peak[1] = (int64_t)(part * (double)plan->peak[1]);
}

static int by_size(const void *left, const void *right) {
  const MemoryItem *a = left, *b = right;
  return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

static void add_line(const MemoryItem *item, bool on_gpu, Text *out) {
  char bytes[32];
  text_add(out, "  %-40s %10s%s%s\n", item->name, bytes_text((double)item->bytes, bytes),
           on_gpu && item->on_exec ? "  GPU" : "", item->kept ? "" : "  (for a while)");
}

Status memory_table_text(const MemoryPlan *plan, bool on_gpu, int32_t most_rows, Text *out) {
  MemoryPlan *sorted = NULL;
  MemoryItem rest[2] = {{.name = "others"}, {.name = "others", .on_exec = true}};
  char bytes[32];
  ALLOC(sorted, 1, "the memory table");
  *sorted = *plan;
  qsort(sorted->item, (size_t)sorted->n, sizeof *sorted->item, by_size);
  for (int32_t i = 0; i < sorted->n; ++i) {
    const MemoryItem *item = &sorted->item[i];
    MemoryItem *other = &rest[on_gpu && item->on_exec];
    if (i < most_rows && (double)item->bytes >= SMALL * (double)sorted->item[0].bytes) add_line(item, on_gpu, out);
    else other->bytes += item->bytes, other->kept |= item->kept;
  }
  for (int k = 0; k < 2; ++k)
    if (rest[k].bytes) add_line(&rest[k], on_gpu, out);
  text_add(out, "  %-40s %10s\n", "most at one time, on the host", bytes_text((double)plan->peak[0], bytes));
  if (on_gpu) text_add(out, "  %-40s %10s\n", "most at one time, on the GPU", bytes_text((double)plan->peak[1], bytes));
  FREE(sorted);
  return out->status == OK ? OK : FAIL(ERR_MEMORY, "not enough memory for the memory table");
}

Status memory_table_check(const MemoryPlan *plan, double free_bytes, const char *device) {
  static const double EXACT = 0.1; /* of a forecast: what may fit is tried */
  const double needed = (double)plan->peak[1];
  if (needed <= (1 + EXACT) * free_bytes) return OK;
  char a[32], b[32];
  Text text = {0};
  Status status = memory_table_text(plan, true, MEMORY_ROWS_TOLD, &text);
  if (status == OK)
    status = FAIL(
        ERR_GPU,
        "this case needs %s on %s, where %s are free\n%s  use --backend cpu, a coarser mesh or a GPU with more memory",
        bytes_text(needed, a), device, bytes_text(free_bytes, b), text.data);
  text_release(&text);
  return status;
}
