/* What every function that can fail returns, and the chain of messages that says why.
 * A status is also the exit code of the program (PRODUCT: exit codes). One thread-local buffer holds the chain: the
 * sentence of the failure first, then one line of context per caller that had something to add. Library folders never
 * print: warnings are collected here too and the application shows them. */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* name, exit code, what it means to a user */
#define STATUS_LIST(X)                                                                                                 \
  X(OK, 0, "ok")                                                                                                       \
  X(ERR_BUG, 1, "a bug in Sinew")                                                                                      \
  X(ERR_USAGE, 2, "usage")                                                                                             \
  X(ERR_INPUT, 3, "case file")                                                                                         \
  X(ERR_MESH, 4, "mesh")                                                                                               \
  X(ERR_RESTART, 5, "restart or lock")                                                                                 \
  X(ERR_NUMERIC, 6, "not converged, not a number, or an expectation missed")                                           \
  X(ERR_MEMORY, 7, "host memory")                                                                                      \
  X(ERR_GPU, 8, "GPU")                                                                                                 \
  X(ERR_IO, 9, "reading or writing files")                                                                             \
  X(ERR_STOPPED, 10, "stopped early on request")

typedef enum Status {
#define STATUS_ENUM(name, code, text) name = code,
  STATUS_LIST(STATUS_ENUM)
#undef STATUS_ENUM
} Status;

/* One sentence for a status, such as "case file". */
const char *status_text(Status status);

/* Starts a new chain with this message and returns `status`. ERR_BUG gets the source place in front. */
Status status_fail(Status status, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Appends one more line to the chain ("  while reading boundary 'left'"). Returns `status` for chaining. */
Status status_context(Status status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The chain: lines separated by '\n', no newline at the end; "" when there is none. */
const char *status_message(void);
void status_clear(void);

/* Collects a warning; the application prints and clears them. At most 256 are kept, the rest is counted. */
void status_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
int status_warning_count(void); /* kept */
int status_warning_lost(void);  /* counted only */
const char *status_warning(int i);
void status_warnings_clear(void);
/* Whether this thread's warnings are dropped. */
void status_warnings_drop(bool drop);

/* Hands a failure up to the caller. */
#define TRY(expression)                                                                                                \
  do {                                                                                                                 \
    const Status try_status_ = (expression);                                                                           \
    if (try_status_ != OK) return try_status_;                                                                         \
  } while (0)
/* Same, with a line of context: TRY_CONTEXT(mesh_load(p, &m), "while reading '%s'", p). */
#define TRY_CONTEXT(expression, ...)                                                                                   \
  do {                                                                                                                 \
    const Status try_status_ = (expression);                                                                           \
    if (try_status_ != OK) return status_context(try_status_, __VA_ARGS__);                                            \
  } while (0)
/* Same, jumping to the label `done` of a function that has things to put away; needs a variable `status`. */
#define TRY_DONE(expression)                                                                                           \
  do {                                                                                                                 \
    status = (expression);                                                                                             \
    if (status != OK) goto done;                                                                                       \
  } while (0)
#define FAIL(status, ...) status_fail((status), __FILE__, __LINE__, __VA_ARGS__)
/* CHECK(nu < 0.5, ERR_INPUT, "poisson is %g, must lie in (-1, 0.5)", nu) */
#define CHECK(condition, status, ...)                                                                                  \
  do {                                                                                                                 \
    if (!(condition)) return FAIL((status), __VA_ARGS__);                                                              \
  } while (0)

#ifdef __cplusplus
}
#endif
