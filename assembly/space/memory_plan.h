/* What a run will allocate, array by array, so that it can be told (and refused) before anything is taken. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { MEMORY_PLAN_MAX = 96 };
/* In the order of a run: matrix and gather map are built, the system is solved, fields are recovered. */
enum { MEMORY_KEPT, MEMORY_BIND, MEMORY_SOLVE, MEMORY_RECOVER, MEMORY_PHASES };

typedef struct MemoryItem {
  const char *name; /* borrowed, static text: "element matrices" */
  int64_t bytes;
  bool on_exec;  /* else on the host; a CPU executor's memory is host memory too */
  int32_t phase; /* MEMORY_KEPT: to the end; else taken during that phase only */
  int32_t since; /* of what is kept: the first phase that has it; 0: all */
} MemoryItem;

typedef struct MemoryPlan {
  int32_t n;
  MemoryItem item[MEMORY_PLAN_MAX];
} MemoryPlan;

/* Appends a line; bytes <= 0 are left out. ERR_BUG when the plan is full. */
Status memory_plan_add(MemoryPlan *plan, const char *name, int64_t bytes, bool on_exec, int32_t phase);
/* Kept to the end, but not taken before a phase. */
Status memory_plan_add_since(MemoryPlan *plan, const char *name, int64_t bytes, bool on_exec, int32_t since);
/* Most bytes in use at one time: the phase that takes the most, with all that is kept by then. */
int64_t memory_plan_bytes(const MemoryPlan *plan, bool on_exec);
