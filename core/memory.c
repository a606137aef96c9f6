/* Counted allocations: each block carries its size, and the number that a watch gave it, in a 16-byte head. A thread has counters of its own, or shares those
 * of the one that it works for, which is why they are atomic. */
#include "core/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct Head {
  size_t bytes;
  uint32_t number; /* of the watch; 0: it was not told */
} Head;
enum { HEAD = 16, LARGE = 4 << 20 };
_Static_assert(sizeof(Head) <= HEAD, "the head has its place before the block");

struct MemBook {
  _Atomic size_t in_use, peak;
  _Atomic int64_t count, fail_at;
  const MemWatch *_Atomic watch;
};

static _Thread_local bool watching; /* inside a watch */
static _Thread_local struct MemBook own;
static _Thread_local struct MemBook *shared; /* NULL: own */

MemBook *mem_book(void) { return shared ? shared : &own; }

void mem_share(MemBook *book) { shared = book == &own ? NULL : book; }

void mem_count_bytes(size_t add, size_t drop) {
  MemBook *book = mem_book();
  const size_t now = atomic_fetch_add(&book->in_use, add - drop) + (add - drop); /* wraps around where it falls */
  size_t peak = atomic_load(&book->peak);
  while (now > peak && !atomic_compare_exchange_weak(&book->peak, &peak, now)) continue;
}

bool mem_must_fail(void) {
  MemBook *book = mem_book();
  return atomic_fetch_add(&book->count, 1) + 1 == atomic_load(&book->fail_at);
}

void mem_watch(const MemWatch *watch) { mem_book()->watch = watch; }

static uint32_t watch_take(const char *what, size_t bytes) {
  const MemWatch *watch = mem_book()->watch;
  if (!watch || watching) return 0;
  watching = true;
  const uint32_t number = watch->take(watch->context, what, bytes);
  watching = false;
  return number;
}

static void watch_give(Head head) {
  const MemWatch *watch = mem_book()->watch;
  if (!watch || watching || !head.number) return;
  watching = true;
  watch->give(watch->context, head.number, head.bytes);
  watching = false;
}

static Status refuse(int64_t n, size_t size, const char *what) {
  return FAIL(ERR_MEMORY, "not enough memory for %s: %lld items of %zu bytes were asked for", what, (long long)n, size);
}

/* Pages of 2 MB where the system has them: the first touch of a large array costs less then than the arithmetic on it. The
 * array is fresh from the system, and untouched. */
static void mem_use_large_pages(char *p, size_t bytes) {
  const uintptr_t page = 4096, begin = ((uintptr_t)p + page - 1) / page * page;
  (void)madvise((void *)begin, bytes - (begin - (uintptr_t)p), MADV_HUGEPAGE);
}

Status mem_alloc(int64_t n, size_t size, const char *what, void **out) {
  *out = NULL;
  size_t bytes;
  if (n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) || bytes > SIZE_MAX - HEAD || mem_must_fail())
    return refuse(n, size, what);
  char *p = calloc(1, bytes + HEAD);
  if (!p) return refuse(n, size, what);
  if (bytes >= LARGE) mem_use_large_pages(p, bytes);
  const Head head = {bytes, watch_take(what, bytes)};
  memcpy(p, &head, sizeof head);
  mem_count_bytes(bytes, 0);
  *out = p + HEAD;
  return OK;
}

Status mem_resize(int64_t n, size_t size, const char *what, void **p) {
  if (!*p) return mem_alloc(n, size, what, p);
  size_t bytes;
  Head old;
  if (n < 0 || __builtin_mul_overflow((size_t)n, size, &bytes) || bytes > SIZE_MAX - HEAD || mem_must_fail())
    return refuse(n, size, what);
  char *head = (char *)*p - HEAD;
  memcpy(&old, head, sizeof old);
  char *moved = realloc(head, bytes + HEAD);
  if (!moved) return refuse(n, size, what);
  if (bytes > old.bytes) memset(moved + HEAD + old.bytes, 0, bytes - old.bytes);
  watch_give(old);
  const Head now = {bytes, watch_take(what, bytes)};
  memcpy(moved, &now, sizeof now);
  mem_count_bytes(bytes, old.bytes);
  *p = moved + HEAD;
  return OK;
}

Status mem_text_part(const char *from, size_t n, const char *what, char **out) {
  TRY(mem_alloc((int64_t)n + 1, 1, what, (void **)out));
  memcpy(*out, from, n);
  return OK;
}

Status mem_text(const char *from, const char *what, char **out) {
  *out = NULL;
  return from ? mem_text_part(from, strlen(from), what, out) : OK;
}

void mem_free(void **p) {
  if (!*p) return;
  char *head = (char *)*p - HEAD;
  Head old;
  memcpy(&old, head, sizeof old);
  watch_give(old);
  mem_count_bytes(0, old.bytes);
  free(head);
  *p = NULL;
}

size_t mem_in_use(void) { return mem_book()->in_use; }
size_t mem_peak(void) { return mem_book()->peak; }
void mem_reset_peak(void) { mem_book()->peak = mem_in_use(); }

void mem_fail_nth(int64_t nth) {
  mem_book()->count = 0;
  mem_book()->fail_at = nth;
}

int64_t mem_count(void) { return mem_book()->count; }
