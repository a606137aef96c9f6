/* The program's malloc: that of the C library, and behind it a reserve for the small pieces that libraries ask for when
 * there is no memory left. HDF5 1.10 crashes on many a refused allocation and OpenMP ends the program with 1; a reserve
 * of some megabytes lets them come to an end, and what the run itself asks for (core/memory.h) is refused in large
 * pieces, with a sentence and exit code 7. A reserve that is used up ends the run with 7 as a kill would: whatever is
 * on disk is whole, --resume goes on. In the executable only, where it takes the place of the library's functions for
 * all libraries; not under sanitizers. */
#include "core/status.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Pieces are of 2^5 to 2^21 bytes, their head included: HDF5 takes half a megabyte per file and one for converting
 * numbers. */
enum { RESERVE = 16 << 20, HEAD = 16, SMALLEST = 5, LARGEST = 21 };

typedef struct Piece {
  uint32_t size_class;
  struct Piece *next; /* of the free ones; the user's bytes begin at HEAD, behind it */
} Piece;
_Static_assert(sizeof(Piece) <= HEAD, "the head of a piece");

static struct {
  atomic_flag busy;
  size_t used;
  Piece *free[LARGEST + 1];
  _Alignas(16) char bytes[RESERVE]; /* costs address space only until it is touched */
} reserve = {.busy = ATOMIC_FLAG_INIT};

static bool of_reserve(const void *p) {
  return (const char *)p >= reserve.bytes && (const char *)p < reserve.bytes + RESERVE;
}

static Piece *piece_of(void *p) { return (Piece *)(void *)((char *)p - HEAD); }

static size_t room_of(void *p) { return ((size_t)1 << piece_of(p)->size_class) - HEAD; }

static void end_here(void) {
  static const char text[] =
      "not enough memory: the reserve that is kept for libraries is used up too\n"
      "  take a smaller problem or a larger 'ulimit -v'; files are as after a kill, --resume goes on\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(ERR_MEMORY); /* there is no reader */
  _exit(ERR_MEMORY);
}

/* NULL for what is too large for the reserve. */
static void *reserve_take(size_t n) {
  uint32_t size_class = SMALLEST;
  while (size_class <= LARGEST && ((size_t)1 << size_class) < n + HEAD) ++size_class;
  if (n > RESERVE || size_class > LARGEST) return NULL;
  while (atomic_flag_test_and_set(&reserve.busy)) continue;
  Piece *piece = reserve.free[size_class];
  if (piece) {
    reserve.free[size_class] = piece->next;
  } else {
    const size_t size = (size_t)1 << size_class;
    if (size > RESERVE - reserve.used) end_here();
    piece = (Piece *)(void *)(reserve.bytes + reserve.used);
    reserve.used += size;
  }
  piece->size_class = size_class;
  atomic_flag_clear(&reserve.busy);
  return (char *)piece + HEAD;
}

static void reserve_give(void *p) {
  Piece *piece = piece_of(p);
  while (atomic_flag_test_and_set(&reserve.busy)) continue;
  piece->next = reserve.free[piece->size_class];
  reserve.free[piece->size_class] = piece;
  atomic_flag_clear(&reserve.busy);
}

/* The functions behind these. */
static struct {
  bool asking;
  void *(*take)(size_t);
  void *(*take_zeroed)(size_t, size_t);
  void *(*resize)(void *, size_t);
  void (*give)(void *);
  size_t (*room)(void *);
} real;

/* False while they are being looked for, which itself may allocate. */
static bool found_real(void) {
  if (real.room) return true;
  if (real.asking) return false;
  real.asking = true;
  *(void **)&real.take = dlsym(RTLD_NEXT, "malloc");
  *(void **)&real.take_zeroed = dlsym(RTLD_NEXT, "calloc");
  *(void **)&real.resize = dlsym(RTLD_NEXT, "realloc");
  *(void **)&real.give = dlsym(RTLD_NEXT, "free");
  *(void **)&real.room = dlsym(RTLD_NEXT, "malloc_usable_size");
  real.asking = false;
  return true;
}

void *malloc(size_t n) {
  void *p = found_real() ? real.take(n) : NULL;
  return p ? p : reserve_take(n);
}

void *calloc(size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) return NULL;
  void *p = found_real() ? real.take_zeroed(n, size) : NULL;
  if (p) return p;
  p = reserve_take(bytes);
  return p ? memset(p, 0, bytes) : NULL;
}

void free(void *p) {
  if (!p) return;
  if (of_reserve(p)) reserve_give(p);
  else if (found_real()) real.give(p);
}

size_t malloc_usable_size(void *p) {
  if (!p) return 0;
  if (of_reserve(p)) return room_of(p);
  return found_real() ? real.room(p) : 0;
}

void *realloc(void *p, size_t n) {
  if (!p) return malloc(n);
  if (!of_reserve(p)) {
    void *moved = found_real() ? real.resize(p, n) : NULL;
    if (moved || n == 0) return moved;
  } else if (n <= room_of(p)) {
    return p;
  }
  void *moved = of_reserve(p) ? malloc(n) : reserve_take(n);
  if (!moved) return NULL;
  const size_t old = malloc_usable_size(p);
  memcpy(moved, p, old < n ? old : n);
  free(p);
  return moved;
}
