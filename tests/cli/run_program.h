/* Runs the built program as a user would, in a folder of its own, and keeps what it said. */
#pragma once
#include "tests/testing.h"

#include <stdbool.h>

enum { PROGRAM_SECONDS = 240, PROGRAM_MAX_ARGS = 24 };

typedef struct Run {
  int code;        /* exit code; -1 when a signal ended it or the time was up */
  int signal;      /* 0, or the signal that ended it */
  bool timed_out;  /* killed after PROGRAM_SECONDS */
  char *out, *err; /* owned, what it wrote, ending in NUL */
} Run;

/* Runs `sinew` with these arguments (NULL ends them) in `folder`, stdin empty. Every path of a signal or time limit
 * fails the calling test. */
Run run_sinew(const char *folder, ...) __attribute__((sentinel));
/* Same with an argument vector that starts after the program's name, and any program. */
Run run_program(const char *folder, const char *program, const char *const *arguments);
void run_release(Run *run);

/* Fails the test, showing all that the program said, unless it ended with this code. */
void assert_code(const Run *run, int code);
/* Fails the test unless `part` is in stderr or stdout (said) / is not in either (not_said). */
void assert_said(const Run *run, const char *part);
void assert_not_said(const Run *run, const char *part);

/* A new empty folder below $TMPDIR or /tmp; freed and removed with all in it by folder_remove. */
char *folder_create(void);
void folder_remove(char **folder);
/* Writes a file into the folder (text, or n bytes). */
void put_text(const char *folder, const char *name, const char *text);
void put_bytes(const char *folder, const char *name, const void *bytes, size_t n);
/* Content of a file with a NUL behind it, owned by the caller; fails the test when it is not there. */
char *get_text(const char *folder, const char *name);
bool is_there(const char *folder, const char *name);
/* A copy of text with the one occurrence of `find` replaced; fails the test unless it occurs exactly once. Owned. */
char *edited(const char *text, const char *find, const char *replace);

/* Like assert_true with a message. */
#define expect_that(condition, ...)                                                                                    \
  do {                                                                                                                 \
    if (!(condition)) fail_msg(__VA_ARGS__);                                                                           \
  } while (0)
