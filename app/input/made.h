/* Data of a case that was made from a deck, beside its text. */
#pragma once
#include "app/input/diagnostics.h"

struct Mesh;
typedef struct CaseMade {
  struct Mesh *mesh; /* owned, until it is taken */
  Place *place;      /* owned, [n_place]: of each line of the text */
  char **file;       /* owned, with its items: what places name */
  int32_t n_place, n_file;
} CaseMade;
void case_made_release(CaseMade **made);
