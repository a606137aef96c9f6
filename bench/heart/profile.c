/* An Exec whose table is exchanged for one that sets a time mark before and behind each launch. Marks are read when all
 * are used, so that a GPU's stream rarely runs dry. */
#include "bench/heart/profile.h"
#include "bench/measure.h"
#include "core/memory.h"

#include <string.h>

enum { PAIRS = EXEC_MARKS / 2, ROWS_MOST = 256 };

struct Profile {
  ExecTable table; /* what exec->table points to meanwhile: first, so that the table leads back here */
  const ExecTable *real;
  Exec *exec;
  bool by_rows;
  int n_pending;
  int pending[PAIRS]; /* row of each pair of marks */
  int n_row;
  ProfileRow row[ROWS_MOST];
};

typedef struct ProfileLoop {
  ExecLoop base;
  LoopBody body;
  void *context;
  const int32_t *stop;
} ProfileLoop;

static Profile *profile_of(const Exec *exec) { return (Profile *)(uintptr_t)exec->table; }

static Status row_of(Profile *p, const char *name, int64_t rows, int *out) {
  const int64_t n = p->by_rows ? rows : 0;
  for (*out = 0; *out < p->n_row; ++*out)
    if (p->row[*out].n == n && !strcmp(p->row[*out].name, name)) return OK;
  CHECK(p->n_row < ROWS_MOST, ERR_BUG, "more than %d row kernels", ROWS_MOST);
  p->row[p->n_row++] = (ProfileRow){.name = name, .n = n};
  return OK;
}

static Status read_marks(Profile *p) {
  for (int k = 0; k < p->n_pending; ++k) {
    double seconds;
    TRY(p->real->elapsed(p->exec, 2 * k, 2 * k + 1, &seconds));
    p->row[p->pending[k]].seconds += seconds;
    p->row[p->pending[k]].launches += 1;
  }
  p->n_pending = 0;
  return OK;
}

static Status begin(Profile *p, const char *name, int64_t rows) {
  if (p->n_pending == PAIRS) TRY(read_marks(p));
  TRY(row_of(p, name, rows, &p->pending[p->n_pending]));
  return p->real->mark(p->exec, 2 * p->n_pending);
}

static Status end(Profile *p) { return p->real->mark(p->exec, 2 * p->n_pending++ + 1); }

static Status timed_rows(Exec *exec, const RowKernel *kernel, const void *args, int64_t n) {
  Profile *p = profile_of(exec);
  TRY(begin(p, kernel->name, n));
  TRY(p->real->rows(exec, kernel, args, n));
  return end(p);
}

static Status timed_copy(Exec *exec, void *to, const void *from, size_t bytes) {
  Profile *p = profile_of(exec);
  TRY(begin(p, PROFILE_COPIES, 0));
  TRY(p->real->copy(exec, to, from, bytes));
  return end(p);
}

static Status timed_zero(Exec *exec, void *to, size_t bytes) {
  Profile *p = profile_of(exec);
  TRY(begin(p, PROFILE_COPIES, 0));
  TRY(p->real->zero(exec, to, bytes));
  return end(p);
}

/* What the stream still has to do is not part of the move. */
static Status timed_move(Exec *exec, Status (*move)(Exec *, void *, const void *, size_t), void *to, const void *from,
                         size_t bytes) {
  Profile *p = profile_of(exec);
  int row;
  TRY(row_of(p, PROFILE_COPIES, 0, &row));
  TRY(p->real->sync(exec));
  const double before = bench_now();
  TRY(move(exec, to, from, bytes));
  p->row[row].seconds += bench_now() - before;
  p->row[row].launches += 1;
  return OK;
}
static Status timed_upload(Exec *exec, void *to, const void *from, size_t bytes) {
  return timed_move(exec, profile_of(exec)->real->upload, to, from, bytes);
}
static Status timed_download(Exec *exec, void *to, const void *from, size_t bytes) {
  return timed_move(exec, profile_of(exec)->real->download, to, from, bytes);
}

/* The real table may be another such wrapper, which finds itself by exec->table. */
static Status real_alloc(Exec *exec, size_t bytes, const char *what, void **out) {
  Profile *p = profile_of(exec);
  exec->table = p->real;
  const Status status = p->real->alloc(exec, bytes, what, out);
  exec->table = &p->table;
  return status;
}
static void real_release(Exec *exec, void *at, size_t bytes) {
  Profile *p = profile_of(exec);
  exec->table = p->real;
  p->real->release(exec, at, bytes);
  exec->table = &p->table;
}

static Status loop_create(Exec *exec, LoopBody body, void *context, const int32_t *stop, ExecLoop **out) {
  ProfileLoop *loop = NULL;
  ALLOC(loop, 1, "a loop");
  *loop = (ProfileLoop){.base = {.exec = exec}, .body = body, .context = context, .stop = stop};
  *out = &loop->base;
  return OK;
}

static Status loop_run(ExecLoop *base, int64_t max, LoopPoll poll, void *poll_context) {
  const ProfileLoop *loop = (const ProfileLoop *)base;
  Exec *exec = base->exec;
  for (int64_t turn = 0; turn < max; ++turn) {
    int32_t stop;
    exec->recording = true;
    const Status status = loop->body(exec, loop->context);
    exec->recording = false;
    TRY(status);
    TRY(profile_of(exec)->real->download(exec, &stop, loop->stop, sizeof stop));
    if (stop) break;
    if (poll) poll(poll_context);
  }
  return OK;
}

static void loop_destroy(ExecLoop *loop) { FREE(loop); }

Status profile_begin(Exec *exec, Profile **out) {
  *out = NULL;
  Profile *p = NULL;
  ALLOC(p, 1, "a profile");
  p->exec = exec;
  p->real = exec->table;
  p->table = *exec->table;
  p->table.alloc = real_alloc;
  p->table.release = real_release;
  p->table.rows = timed_rows;
  p->table.copy = timed_copy;
  p->table.zero = timed_zero;
  p->table.upload = timed_upload;
  p->table.download = timed_download;
  p->table.loop_create = loop_create;
  p->table.loop_run = loop_run;
  p->table.loop_destroy = loop_destroy;
  exec->table = &p->table;
  *out = p;
  return OK;
}

void profile_end(Profile **profile) {
  Profile *p = *profile;
  if (!p) return;
  p->exec->table = p->real;
  FREE(*profile);
}

void profile_by_rows(Profile *p) { p->by_rows = true; }

Status profile_reset(Profile *p) {
  TRY(read_marks(p));
  p->n_row = 0;
  return OK;
}

Status profile_rows(Profile *p, const ProfileRow **rows, int *n) {
  TRY(read_marks(p));
  *rows = p->row;
  *n = p->n_row;
  return OK;
}
