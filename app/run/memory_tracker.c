/* Intercepts alloc and release of an Exec by a copy of its table. */
#include "app/run/memory_tracker.h"
#include "output/wording.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, SHOWN = 10 };

typedef struct Row {
  char name[NAME_BYTES];
  size_t now, most;
} Row;

typedef struct Live {
  const void *at;
  size_t bytes;
  int32_t row;
} Live;

struct MemoryTracker {
  ExecTable table;        /* first: the Exec points here */
  const ExecTable *inner; /* what it was */
  Exec *exec;             /* borrowed */
  size_t limit, in_use, peak;
  bool refused;
  Row *row;   /* owned, [n_row] */
  Live *live; /* owned, [n_live] */
  int32_t n_row, n_live, room_row, room_live;
};

static MemoryTracker *tracker_of(Exec *exec) { return (MemoryTracker *)(uintptr_t)exec->table; }

static Status find_row(MemoryTracker *l, const char *what, int32_t *out) {
  for (*out = 0; *out < l->n_row; ++*out)
    if (strncmp(l->row[*out].name, what, NAME_BYTES - 1) == 0) return OK;
  if (l->n_row == l->room_row) {
    const int32_t room = l->room_row ? 2 * l->room_row : 32;
    RESIZE(l->row, room, "the memory table");
    l->room_row = room;
  }
  snprintf(l->row[l->n_row++].name, NAME_BYTES, "%s", what);
  return OK;
}

static Status memory_tracker_refuse(MemoryTracker *l, size_t bytes, const char *what) {
  Text text = {0};
  char a[32], b[32];
  l->refused = true;
  tracker_table(l, &text);
  FAIL(ERR_GPU, "%s does not fit on %s: it needs %s more, %s are free of %s\n  taken so far:\n%s", what,
       l->exec->device, bytes_text((double)bytes, a), bytes_text((double)(l->limit - l->in_use), b),
       "what was free at the start", text.data ? text.data : "");
  text_release(&text);
  return status_context(ERR_GPU, "use --backend cpu, a smaller mesh or a GPU with more memory");
}

static Status memory_tracker_note(MemoryTracker *l, void *at, size_t bytes, const char *what) {
  int32_t row;
  TRY(find_row(l, what, &row));
  if (l->n_live == l->room_live) {
    const int32_t room = l->room_live ? 2 * l->room_live : 64;
    RESIZE(l->live, room, "the memory table");
    l->room_live = room;
  }
  l->live[l->n_live++] = (Live){at, bytes, row};
  l->row[row].now += bytes;
  if (l->row[row].now > l->row[row].most) l->row[row].most = l->row[row].now;
  l->in_use += bytes;
  if (l->in_use > l->peak) l->peak = l->in_use;
  return OK;
}

static Status tracker_alloc(Exec *exec, size_t bytes, const char *what, void **out) {
  MemoryTracker *l = tracker_of(exec);
  *out = NULL;
  if (l->limit && (l->in_use > l->limit || bytes > l->limit - l->in_use)) return memory_tracker_refuse(l, bytes, what);
  TRY(l->inner->alloc(exec, bytes, what, out));
  const Status status = memory_tracker_note(l, *out, bytes, what);
  if (status == OK) return OK;
  l->inner->release(exec, *out, bytes);
  *out = NULL;
  return status;
}

static void tracker_release(Exec *exec, void *p, size_t bytes) {
  MemoryTracker *l = tracker_of(exec);
  for (int32_t i = l->n_live - 1; i >= 0; --i) {
    if (l->live[i].at != p) continue;
    l->row[l->live[i].row].now -= l->live[i].bytes;
    l->in_use -= l->live[i].bytes;
    l->live[i] = l->live[--l->n_live];
    break;
  }
  l->inner->release(exec, p, bytes);
}

Status tracker_open(Exec *exec, size_t limit, MemoryTracker **out) {
  MemoryTracker *l = NULL;
  *out = NULL;
  ALLOC(l, 1, "the memory table");
  l->inner = exec->table;
  l->table = *exec->table;
  l->table.alloc = tracker_alloc;
  l->table.release = tracker_release;
  l->exec = exec;
  l->limit = limit;
  exec->table = &l->table;
  *out = l;
  return OK;
}

void tracker_close(MemoryTracker **tracker) {
  if (!*tracker) return;
  (*tracker)->exec->table = (*tracker)->inner;
  FREE((*tracker)->row);
  FREE((*tracker)->live);
  FREE(*tracker);
}

bool tracker_refused(const MemoryTracker *tracker) { return tracker && tracker->refused; }

size_t tracker_peak(const MemoryTracker *tracker) { return tracker->peak; }

static int by_size(const void *left, const void *right) {
  const Row *a = left, *b = right;
  return (a->most < b->most) - (a->most > b->most);
}

void tracker_table(const MemoryTracker *tracker, Text *out) {
  char bytes[32];
  Row *row = NULL;
  if (mem_alloc(tracker->n_row, sizeof *row, "the memory table", (void **)&row) != OK) {
    out->status = ERR_MEMORY;
    return;
  }
  if (tracker->n_row) memcpy(row, tracker->row, (size_t)tracker->n_row * sizeof *row);
  qsort(row, (size_t)tracker->n_row, sizeof *row, by_size);
  size_t rest = 0;
  for (int32_t i = 0; i < tracker->n_row; ++i) {
    if (i < SHOWN) text_add(out, "  %-40s %10s\n", row[i].name, bytes_text((double)row[i].most, bytes));
    else rest += row[i].most;
  }
  if (rest) text_add(out, "  %-40s %10s\n", "others", bytes_text((double)rest, bytes));
  FREE(row);
}
