/* What a case sets in a file of cells or of a model of tension (physics/import). */
#pragma once
#include <stdbool.h>

/* A number in place of a variable's own formula. */
typedef struct CellSetting {
  const char *name; /* component.name */
  double value;
  bool times; /* so many times the number that the file has */
} CellSetting;
