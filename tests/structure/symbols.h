/* The linker's symbols of the libraries, by the sources that they were compiled from (nm), for tests about who calls whom. */
#pragma once
#include <stdbool.h>

typedef struct Symbol {
  char *path; /* owned: "core/exec.c" */
  char *name; /* owned */
  bool needs; /* a global that this file takes from another one; false: one that it defines */
} Symbol;
typedef struct Symbols {
  int n;
  Symbol *item; /* owned, by name; those that define before those that need */
} Symbols;

/* Of all objects of the rooms that are built; n is 0 where there is no nm. */
Symbols symbols_read(void);
void symbols_release(Symbols *symbols);
/* The file that defines a global of this name; NULL: none. */
const char *symbols_home(const Symbols *symbols, const char *name);
/* What a line in column 0 defines as static, a function or data, into name[128]; false: nothing. */
bool symbols_static(const char *line, char name[128]);
