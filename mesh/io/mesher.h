/* A mesher as a child process: no shell, its output read for error lines, a time limit, and nothing but meshing
 * allowed. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { MESHER_LINE_BYTES = 400, MESHER_ERRORS_SHOWN = 5 };

/* What the child says: its first lines that begin with "Error", and the last line of all. */
typedef struct MesherOutput {
  char line[MESHER_LINE_BYTES], last[MESHER_LINE_BYTES];
  int used;
  bool escape; /* inside a terminal colour sequence */
  char errors[MESHER_ERRORS_SHOWN * (MESHER_LINE_BYTES + 4)];
  int64_t n_error;
} MesherOutput;

typedef struct Mesher {
  const char *program;    /* a path, or a name in PATH */
  char *const *arguments; /* of exec, from the program's name to NULL */
  const char *folder;     /* to work in */
  const char *writable;   /* NULL: it may do anything; else the only file that it may write, and it starts no program */
  double time_limit;      /* seconds */
} Mesher;

typedef enum MesherEnd {
  MESHER_ENDED,        /* *how is what waitpid says */
  MESHER_NOT_STARTED,  /* *how is an errno */
  MESHER_NOT_CONFINED, /* the same: this system cannot keep it from starting programs */
  MESHER_STOPPED       /* killed after the time limit */
} MesherEnd;

/* Runs it to its end. A child that only repeats errors, more than a thousand, is ended: *how is then 0. */
MesherEnd mesher_run(const Mesher *child, MesherOutput *out, int *how);
