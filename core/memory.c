/* Counted allocations: each block carries its size in a 16-byte head. Counters are per thread: Sinew allocates from its
 * main thread only. */
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 16 };

static _Thread_local struct {
  size_t in_use, peak;
  int64_t count, fail_at;
} book;

static void count_bytes(size_t add, size_t drop) {
  book.in_use += add;
  book.in_use -= drop;
  if (book.in_use > book.peak) book.peak = book.in_use;
}

bool mem_must_fail(void) { return ++book.count == book.fail_at; }

static Status refuse(int64_t n, size_t size, const char *what) {
  return FAIL(ERR_MEMORY, "not enough memory for %s: %lld items of %zu bytes were asked for", what, (long long)n, size);
}

Status mem_alloc(int64_t n, size_t size, const char *what, void **out) {
  *out = NULL;
  size_t bytes;
  if (n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) || bytes > SIZE_MAX - HEAD || mem_must_fail())
    return refuse(n, size, what);
  char *p = calloc(1, bytes + HEAD);
  if (!p) return refuse(n, size, what);
  memcpy(p, &bytes, sizeof bytes);
  count_bytes(bytes, 0);
  *out = p + HEAD;
  return OK;
}

Status mem_resize(int64_t n, size_t size, const char *what, void **p) {
  if (!*p) return mem_alloc(n, size, what, p);
  size_t bytes, old;
  if (n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) || bytes > SIZE_MAX - HEAD || mem_must_fail())
    return refuse(n, size, what);
  char *head = (char *)*p - HEAD;
  memcpy(&old, head, sizeof old);
  char *moved = realloc(head, bytes + HEAD);
  if (!moved) return refuse(n, size, what);
  if (bytes > old) memset(moved + HEAD + old, 0, bytes - old);
  memcpy(moved, &bytes, sizeof bytes);
  count_bytes(bytes, old);
  *p = moved + HEAD;
  return OK;
}

void mem_free(void **p) {
  if (!*p) return;
  char *head = (char *)*p - HEAD;
  size_t bytes;
  memcpy(&bytes, head, sizeof bytes);
  count_bytes(0, bytes);
  free(head);
  *p = NULL;
}

size_t mem_in_use(void) { return book.in_use; }
size_t mem_peak(void) { return book.peak; }
void mem_reset_peak(void) { book.peak = book.in_use; }

void mem_fail_nth(int64_t nth) {
  book.count = 0;
  book.fail_at = nth;
}

int64_t mem_count(void) { return book.count; }
