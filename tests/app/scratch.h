/* A folder for files of a test, and the program called in the same process with what it says kept. */
#pragma once
#include "tests/testing.h"

/* A new folder below $TMPDIR or /tmp; scratch_remove deletes it with its files and folders. */
char *scratch_create(void);
void scratch_remove(char **folder);
/* folder/name in a buffer that the next 8 calls do not touch. */
const char *scratch_path(const char *folder, const char *name);
void scratch_write(const char *folder, const char *name, const char *text);
/* The whole file, to be freed; fails the test when it is not there. */
char *scratch_read(const char *folder, const char *name);
/* The first number of that key in folder/results/report.json; fails the test when it is not there. */
double scratch_reported(const char *folder, const char *key);

typedef struct Said {
  int code;
  char *out, *err; /* owned */
} Said;
/* app_main with these words after the program's name; NULL ends them. */
Said app_says(const char *word, ...) __attribute__((sentinel));
Said app_says_words(int n, const char *const *words);
/* What a function prints; owned by the caller. */
char *scratch_printed(void (*print)(const void *), const void *what);
void said_release(Said *said);
/* "cpu" or "cuda": the word for --backend that names the Exec under test. */
const char *app_backend(void);
/* Runs `text` as folder/case.yaml on the Exec under test, over earlier results; fails the test unless the exit code is
 * 0. */
void app_runs(const char *folder, const char *text);
/* The same, whatever comes of it. */
Said app_run_says(const char *folder, const char *text);
/* The exit code of a run of folder/case.yaml to folder/output, `option` --overwrite or --resume, `threads` NULL for the usual, that is
 * asked to stop when its guard was called so often, which app_guard_calls counts; 0: never. */
extern int app_guard_calls;
int app_run_until(const char *folder, const char *output, const char *option, const char *threads, int stop);
/* `verify` of `text` must end with 0. */
void app_verifies(const char *folder, const char *text);
/* `check` of `text` must end with 3 and say both parts. */
void app_refuses(const char *folder, const char *text, const char *part, const char *more);
/* Numbers of folder/results/probes.csv: those behind the time in the first row, and all of the last row. */
void scratch_row(const char *folder, int n, double *value);
void scratch_last_row(const char *folder, int n, double *value);

/* A unit square of two triangles "body" with curves "left" and "right", and a case that pulls it by 10 to the right:
 * sigma xx = 10, ux(1, y) = 0.01, uy(x, 1) = -0.0025. */
extern const char *const SQUARE_MSH;
extern const char *const SQUARE_YAML;
