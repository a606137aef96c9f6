/* See memory_log.h. Threads of one book share the log. */
#include "app/run/memory_log.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct MemoryLog {
  MemWatch watch;
  pthread_mutex_t lock;
  pthread_t owner; /* whose blocks may be of the Exec */
  bool on_exec, broken;
  MemoryRow *row;     /* owned, [n_row] */
  MemoryEvent *event; /* owned, [n_event] */
  int32_t n_row, room_row;
  int64_t n_event, room_event;
};

static Status find_row(MemoryLog *log, const char *name, bool on_exec, int32_t *out) {
  for (*out = 0; *out < log->n_row; ++*out)
    if (log->row[*out].on_exec == on_exec && !strncmp(log->row[*out].name, name, MEMORY_NAME - 1)) return OK;
  if (log->n_row == log->room_row) {
    log->room_row = log->room_row ? 2 * log->room_row : 128;
    RESIZE(log->row, log->room_row, "the memory table");
  }
  MemoryRow *row = &log->row[log->n_row++];
  snprintf(row->name, sizeof row->name, "%s", name);
  row->on_exec = on_exec;
  return OK;
}

static Status note_event(MemoryLog *log, int32_t row, int64_t bytes) {
  MemoryRow *r = &log->row[row];
  if (log->n_event == log->room_event) {
    log->room_event = log->room_event ? 2 * log->room_event : 4096;
    RESIZE(log->event, log->room_event, "the memory table");
  }
  log->event[log->n_event++] = (MemoryEvent){row, bytes};
  r->now += bytes;
  r->most = r->now > r->most ? r->now : r->most;
  return OK;
}

/* The number of a block is that of its row, from 1. */
static uint32_t block_taken(void *context, const char *what, size_t bytes) {
  MemoryLog *log = context;
  int32_t row = -1;
  pthread_mutex_lock(&log->lock);
  const bool on_exec = log->on_exec && pthread_equal(pthread_self(), log->owner);
  if (find_row(log, what, on_exec, &row) != OK || note_event(log, row, (int64_t)bytes) != OK)
    log->broken = true, row = -1;
  pthread_mutex_unlock(&log->lock);
  return (uint32_t)(row + 1);
}

static void block_given(void *context, uint32_t number, size_t bytes) {
  MemoryLog *log = context;
  pthread_mutex_lock(&log->lock);
  if (note_event(log, (int32_t)number - 1, -(int64_t)bytes) != OK) log->broken = true;
  pthread_mutex_unlock(&log->lock);
}

Status memory_log_open(MemoryLog **out) {
  MemoryLog *log = NULL;
  *out = NULL;
  ALLOC(log, 1, "the memory table");
  log->watch = (MemWatch){log, block_taken, block_given};
  log->owner = pthread_self();
  pthread_mutex_init(&log->lock, NULL);
  mem_watch(&log->watch);
  *out = log;
  return OK;
}

Status memory_log_end(MemoryLog *log) {
  mem_watch(NULL);
  return log->broken ? FAIL(ERR_MEMORY, "not enough memory for the memory table") : OK;
}

void memory_log_close(MemoryLog **log) {
  if (!*log) return;
  mem_watch(NULL);
  pthread_mutex_destroy(&(*log)->lock);
  FREE((*log)->row);
  FREE((*log)->event);
  FREE(*log);
}

void memory_log_on_exec(MemoryLog *log, bool on_exec) { log->on_exec = on_exec; }

void memory_log_add(MemoryLog *log, const char *name, bool on_exec, int64_t bytes) {
  int32_t row;
  mem_watch(NULL); /* the log's own memory is not told, as inside a watch */
  pthread_mutex_lock(&log->lock);
  if (find_row(log, name, on_exec, &row) != OK || note_event(log, row, bytes) != OK) log->broken = true;
  pthread_mutex_unlock(&log->lock);
  mem_watch(&log->watch);
}

int32_t memory_log_rows(const MemoryLog *log) { return log->n_row; }
const MemoryRow *memory_log_row(const MemoryLog *log, int32_t i) { return &log->row[i]; }

int64_t memory_log_peak(const MemoryLog *log, const double *factor, const bool *counts) {
  double now = 0, most = 0;
  for (int64_t k = 0; k < log->n_event; ++k) {
    const int32_t row = log->event[k].row;
    if (counts[row]) now += factor[row] * (double)log->event[k].bytes;
    most = now > most ? now : most;
  }
  return (int64_t)most;
}
