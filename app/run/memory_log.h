/* The time line of what is allocated, by name: on the host by a watch of this thread's memory, on an Exec whose
 * allocations are marked. A forecast replays it with each name scaled to the whole problem. */
#pragma once
#include "core/memory.h"

enum { MEMORY_NAME = 64 };

/* All blocks of one name. */
typedef struct MemoryRow {
  char name[MEMORY_NAME];
  bool on_exec;
  int64_t now, most; /* bytes in use, and the most at a time */
} MemoryRow;

typedef struct MemoryEvent {
  int32_t row;
  int64_t bytes; /* taken, or given back where negative */
} MemoryEvent;

typedef struct MemoryLog MemoryLog;
/* Watches from now on. */
Status memory_log_open(MemoryLog **out);
/* Watches no more; what is in use then counts as kept. ERR_MEMORY where the log is not whole. */
Status memory_log_end(MemoryLog *log);
/* Accepts NULL, sets NULL. */
void memory_log_close(MemoryLog **log);
/* What this thread takes from now on is of the Exec. */
void memory_log_on_exec(MemoryLog *log, bool on_exec);
/* A block that is taken and kept elsewhere. */
void memory_log_add(MemoryLog *log, const char *name, bool on_exec, int64_t bytes);

int32_t memory_log_rows(const MemoryLog *log);
const MemoryRow *memory_log_row(const MemoryLog *log, int32_t i);
/* The most at a time of these rows, each multiplied by its factor. */
int64_t memory_log_peak(const MemoryLog *log, const double *factor, const bool *counts);
