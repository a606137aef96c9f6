/* Sums, sorting and lists of integers on an Exec: what all executors share. */
#include "core/exec.h"
#include "core/vec.h"

Status exec_scan(Exec *exec, const void *count, size_t size, int64_t n, int64_t *start, int64_t *total) {
  CHECK(!exec->recording, ERR_BUG, "adding up sizes is not allowed while a loop body is recorded");
  CHECK(n >= 0 && n <= INT32_MAX && (size == 4 || size == 8), ERR_BUG,
        "%lld sizes of %zu bytes were to be added up, must be fewer than 2^31 of 4 or 8", (long long)n, size);
  TRY(exec->table->scan(exec, count, size, n, start));
  return total ? exec_download(exec, total, start + n, sizeof *total) : OK;
}

Status exec_sort(Exec *exec, int64_t n, void *key, size_t key_size, int bits, uint32_t *payload) {
  CHECK(!exec->recording, ERR_BUG, "sorting is not allowed while a loop body is recorded");
  CHECK(n >= 0 && (key_size == 4 || key_size == 8) && bits >= 0 && bits <= 8 * (int)key_size, ERR_BUG,
        "%lld keys of %zu bytes were to be sorted by %d bits, must be 4 or 8 bytes with at most all their bits",
        (long long)n, key_size, bits);
  if (n < 2 || bits == 0) return OK;
  ExecSort s = {.n = n, .key_size = key_size, .bits = bits, .key = key, .payload = payload};
  Status status = exec_alloc(exec, n, key_size, "room for sorting", &s.other_key);
  if (status == OK) status = exec_alloc(exec, n, sizeof *payload, "room for sorting", (void **)&s.other_payload);
  if (status == OK) status = exec->table->sort(exec, &s);
  if (status == OK && s.in_other) {
    status = exec_copy(exec, key, s.other_key, (size_t)n * key_size);
    if (status == OK) status = exec_copy(exec, payload, s.other_payload, (size_t)n * sizeof *payload);
  }
  exec_release(exec, n, key_size, &s.other_key);
  EXEC_RELEASE(exec, s.other_payload, n);
  return status;
}

Status exec_compact(Exec *exec, const uint8_t *flag, int64_t n, const char *what, int64_t **index, int64_t *n_index) {
  Status status = OK;
  const int64_t n_chunk = (n + COMPACT_CHUNK - 1) / COMPACT_CHUNK;
  CompactArgs a = {.flag = flag, .n = n};
  int64_t *start = NULL;
  *index = NULL;
  *n_index = 0;
  TRY_DONE(exec_alloc(exec, n_chunk, sizeof *a.count, what, (void **)&a.count));
  TRY_DONE(exec_alloc(exec, n_chunk + 1, sizeof *start, what, (void **)&start));
  TRY_DONE(exec_rows(exec, &compact_count_kernel, &a, n_chunk));
  TRY_DONE(exec_scan(exec, a.count, sizeof *a.count, n_chunk, start, n_index));
  TRY_DONE(exec_alloc(exec, *n_index, sizeof **index, what, (void **)index));
  a.start = start;
  a.index = *index;
  status = exec_rows(exec, &compact_place_kernel, &a, n_chunk);
done:
  if (status != OK) EXEC_RELEASE(exec, *index, *n_index);
  EXEC_RELEASE(exec, a.count, n_chunk);
  EXEC_RELEASE(exec, start, n_chunk + 1);
  return status;
}
