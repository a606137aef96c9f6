/* The part of Exec that all executors share: rules about recording, counting of memory. */
#include "core/exec.h"
#include "core/comm.h"
#include "core/memory.h"
#include "core/sum_parts.h"

#include <string.h>

void exec_destroy(Exec **exec) {
  if (!*exec) return;
  (*exec)->table->destroy(*exec);
  *exec = NULL;
}

bool exec_is_host(const Exec *exec) { return strcmp(exec->table->name, "cpu") == 0; }

#define NOT_RECORDING(exec, what)                                                                                      \
  CHECK(!(exec)->recording, ERR_BUG, what " is not allowed while a loop body is recorded")

Status exec_alloc(Exec *exec, int64_t n, size_t size, const char *what, void **out) {
  *out = NULL;
  NOT_RECORDING(exec, "allocating");
  size_t bytes;
  CHECK(n >= 0 && !__builtin_mul_overflow((size_t)n, size, &bytes), ERR_MEMORY,
        "not enough memory for %s: %lld items of %zu bytes were asked for", what, (long long)n, size);
  TRY(exec->table->alloc(exec, bytes, what, out));
  exec->in_use += bytes;
  if (exec->in_use > exec->peak) exec->peak = exec->in_use;
  return OK;
}

void exec_release(Exec *exec, int64_t n, size_t size, void **p) {
  if (!*p) return;
  if (exec->recording) exec->misuse = "releasing";
  exec->table->release(exec, *p, (size_t)n * size);
  exec->in_use -= (size_t)n * size;
  *p = NULL;
}

Status exec_mirror_alloc(Exec *exec, size_t bytes, void **host, void **device) {
  NOT_RECORDING(exec, "allocating");
  return exec->table->mirror_alloc(exec, bytes, host, device);
}

void exec_mirror_release(Exec *exec, void **host) {
  if (!*host) return;
  if (exec->recording) exec->misuse = "releasing";
  exec->table->mirror_release(exec, *host);
  *host = NULL;
}

Status exec_upload(Exec *exec, void *to, const void *from, size_t bytes) {
  NOT_RECORDING(exec, "uploading");
  return bytes ? exec->table->upload(exec, to, from, bytes) : OK;
}

Status exec_download(Exec *exec, void *to, const void *from, size_t bytes) {
  NOT_RECORDING(exec, "downloading");
  return bytes ? exec->table->download(exec, to, from, bytes) : OK;
}

Status exec_alloc_upload(Exec *exec, int64_t n, size_t size, const void *from, const char *what, void **out) {
  TRY(exec_alloc(exec, n, size, what, out));
  const Status status = exec_upload(exec, *out, from, (size_t)n * size);
  if (status != OK) exec_release(exec, n, size, out);
  return status;
}

Status exec_lend(Exec *exec, int64_t n, size_t size, const void *from, const char *what, const void **out) {
  *out = from;
  return exec_is_host(exec) ? OK : exec_alloc_upload(exec, n, size, from, what, (void **)out);
}

void exec_lend_end(Exec *exec, int64_t n, size_t size, const void **p) {
  if (!exec_is_host(exec)) exec_release(exec, n, size, (void **)p);
  *p = NULL;
}

Status exec_fetch(Exec *exec, int64_t n, size_t size, const char *what, void **p, void **host) {
  const size_t bytes = (size_t)n * size;
  *host = NULL;
  if (exec_is_host(exec)) { /* its memory is that of mem_alloc */
    *host = *p;
    exec->in_use -= bytes;
    *p = NULL;
    return OK;
  }
  Status status = mem_alloc(n, size, what, host);
  if (status == OK) status = exec_download(exec, *host, *p, bytes);
  if (status != OK) mem_free(host);
  return status;
}

Status exec_copy(Exec *exec, void *to, const void *from, size_t bytes) {
  return bytes ? exec->table->copy(exec, to, from, bytes) : OK;
}

Status exec_zero(Exec *exec, void *to, size_t bytes) { return bytes ? exec->table->zero(exec, to, bytes) : OK; }

Status exec_rows(Exec *exec, const RowKernel *kernel, const void *args, int64_t n) {
  CHECK(n >= 0, ERR_BUG, "row kernel '%s' was asked for %lld rows", kernel->name, (long long)n);
  if (n == 0 && kernel->n_sum == 0) return OK;
  if (kernel->n_sum && exec->parts) {
    const int64_t own = exec->parts->n_row;
    CHECK(own ? n % own == 0 : n == 0, ERR_BUG, "row kernel '%s' adds up %lld rows, but the parts of sums have %lld",
          kernel->name, (long long)n, (long long)own);
  }
  return exec->table->rows(exec, kernel, args, n);
}

Status exec_join(Exec *exec, Comm *comm) {
  exec->comm = comm_size(comm) > 1 ? comm : NULL;
  return exec->comm && exec->table->join ? comm_agree(comm, exec->table->join(exec)) : OK;
}

const SumParts *exec_sum_over(Exec *exec, const SumParts *parts) {
  const SumParts *before = exec->parts;
  exec->parts = parts;
  return before;
}

Status exec_sync(Exec *exec) {
  NOT_RECORDING(exec, "synchronising");
  return exec->table->sync(exec);
}

Status exec_loop_create(Exec *exec, LoopBody body, void *context, const int32_t *stop, ExecLoop **out) {
  *out = NULL;
  NOT_RECORDING(exec, "creating a loop");
  return exec->table->loop_create(exec, body, context, stop, out);
}

void exec_loop_idles(ExecLoop *loop, const LoopHistory *history) { loop->history = history; }

Status exec_loop_run(ExecLoop *loop, int64_t max, LoopPoll poll, void *poll_context) {
  Exec *exec = loop->exec;
  if (poll) NOT_RECORDING(exec, "watching a loop");
  if (exec->recording) return exec->table->loop_run(loop, max, NULL, NULL);
  exec->misuse = NULL;
  TRY(exec->table->loop_run(loop, max, poll, poll_context));
  return exec->misuse ? FAIL(ERR_BUG, "%s is not allowed while a loop body is recorded", exec->misuse) : OK;
}

void exec_loop_destroy(ExecLoop **loop) {
  if (!*loop) return;
  (*loop)->exec->table->loop_destroy(*loop);
  *loop = NULL;
}

Status exec_mark(Exec *exec, int slot) {
  CHECK(slot >= 0 && slot < EXEC_MARKS, ERR_BUG, "time mark %d is outside 0 to %d", slot, EXEC_MARKS - 1);
  NOT_RECORDING(exec, "setting a time mark");
  TRY(exec->table->mark(exec, slot));
  exec->marked |= 1u << slot;
  return OK;
}

Status exec_elapsed(Exec *exec, int from, int to, double *seconds) {
  *seconds = 0;
  NOT_RECORDING(exec, "reading a time mark");
  const int slots[2] = {from, to};
  for (int i = 0; i < 2; ++i)
    CHECK(slots[i] >= 0 && slots[i] < EXEC_MARKS && (exec->marked >> slots[i] & 1u), ERR_BUG,
          "time mark %d was never set", slots[i]);
  return exec->table->elapsed(exec, from, to, seconds);
}
