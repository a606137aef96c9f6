/* All host memory of Sinew: zeroed, overflow-checked, named, counted, and made to fail on demand by tests.
 *   double *x; TRY(mem_alloc(n, sizeof *x, "nodal displacement", (void **)&x));  or  ALLOC(x, n, "nodal
 * displacement"); */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* n zeroed items of `size` bytes; *out stays NULL on failure. n = 0 gives a valid pointer to nothing.
 * ERR_MEMORY names `what` and the size asked for; n < 0 or overflow is refused the same way. */
Status mem_alloc(int64_t n, size_t size, const char *what, void **out);
/* Grows or shrinks to n items, keeps the content; new bytes are zero. *p may be NULL. *p is untouched on failure. */
Status mem_resize(int64_t n, size_t size, const char *what, void **p);
/* A copy of the text `from` (NULL: *out is NULL), or of its first n bytes, with a NUL behind; owned by the caller. */
Status mem_text(const char *from, const char *what, char **out);
Status mem_text_part(const char *from, size_t n, const char *what, char **out);
/* Accepts NULL, sets NULL. */
void mem_free(void **p);

/* The counters below are a thread's own. One that works for another (core/worker.h) shares those of the other, so that
 * what one takes and the other frees is counted right; the other must outlive it. */
typedef struct MemBook MemBook;
MemBook *mem_book(void);
void mem_share(MemBook *book);
/* Counts host memory that is taken and freed elsewhere (pinned for a GPU). */
void mem_count_bytes(size_t add, size_t drop);

/* Hears of every block that this thread's book counts: `take` answers with a number by which `give` names the block
 * again. What the two allocate themselves is not told. */
typedef struct MemWatch {
  void *context;
  uint32_t (*take)(void *context, const char *what, size_t bytes);
  void (*give)(void *context, uint32_t number, size_t bytes);
} MemWatch;
/* Borrowed until the next call; NULL: nobody. Blocks taken before are not told of. */
void mem_watch(const MemWatch *watch);

/* Bytes now in use and the most that were in use since mem_reset_peak, of this thread's allocations. */
size_t mem_in_use(void);
size_t mem_peak(void);
void mem_reset_peak(void);
/* For tests: the nth allocation from now (1 = the next) fails; 0 switches it off. */
void mem_fail_nth(int64_t nth);
/* Counts one allocation that is made elsewhere (on a GPU) and answers whether it must fail by mem_fail_nth. */
bool mem_must_fail(void);
/* Allocations (resizes included) made since the last mem_fail_nth call. */
int64_t mem_count(void);

/* `mem_free` and `mem_alloc` for a typed pointer variable. ALLOC returns from the function on failure. */
#define ALLOC(pointer, n, what) TRY(mem_alloc((int64_t)(n), sizeof *(pointer), (what), (void **)&(pointer)))
#define ALLOC_DONE(pointer, n, what) TRY_DONE(mem_alloc((int64_t)(n), sizeof *(pointer), (what), (void **)&(pointer)))
#define RESIZE(pointer, n, what) TRY(mem_resize((int64_t)(n), sizeof *(pointer), (what), (void **)&(pointer)))
#define FREE(pointer) mem_free((void **)&(pointer))

#ifdef __cplusplus
}
#endif
