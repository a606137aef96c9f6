/* What a run will take, name by name, as `sinew check` shows it and as a GPU that is too small is refused. */
#pragma once
#include "output/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct MemoryItem {
  char name[64];
  int64_t bytes; /* the most at a time */
  bool on_exec;  /* else on the host; a CPU executor's memory is host memory too */
  bool kept;     /* to the end */
} MemoryItem;

enum { MEMORY_PLAN_MAX = 512 };
typedef struct MemoryPlan {
  int32_t n;
  MemoryItem item[MEMORY_PLAN_MAX];
  int64_t peak[2]; /* most at one time: on the host, on the Exec of a GPU */
} MemoryPlan;

/* Appends a line; bytes <= 0 are left out. ERR_BUG when the plan is full. */
Status memory_plan_add(MemoryPlan *plan, const char *name, int64_t bytes, bool on_exec, bool kept);
/* What a rank takes of it on its Exec that has this part of the nodes. */
void memory_plan_share(MemoryPlan *plan, double part);

/* Lines "  name   bytes", largest first, at most so many, the small ones together, with where and when, and the most in use at one
 * time. */
enum { MEMORY_ROWS_ALL = MEMORY_PLAN_MAX, MEMORY_ROWS_TOLD = 10 /* in a message */ };
Status memory_table_text(const MemoryPlan *plan, bool on_gpu, int32_t most_rows, Text *out);
/* ERR_GPU with the table when what is on the Exec at one time is more than free_bytes. */
Status memory_table_check(const MemoryPlan *plan, double free_bytes, const char *device);
