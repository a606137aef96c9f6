/* The source files of the repository, read whole, for tests about the sources themselves. */
#pragma once
#include <stdbool.h>

typedef struct Source {
  char *path;  /* owned, relative to the repository: "core/exec.c" */
  char *text;  /* owned */
  char **line; /* owned, [n_line + 1], NULL at the end; without newline */
  int n_line;
} Source;
typedef struct Sources {
  int n;
  Source *file;
} Sources;

/* All .c .h .cu .cuh .def files of the rooms, tests and bench, by path. Fails the test when there are suspiciously
 * few. */
Sources sources_read(void);
void sources_release(Sources *sources);
/* "core" of "core/exec.c", into room[32]. */
const char *source_room(const char *path, char room[32]);
bool source_is(const char *path, const char *ending);
/* What an #include "..." line includes, into name[256]; false for any other line. */
bool source_include(const char *line, char name[256]);
