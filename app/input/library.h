/* Materials by name: `materials: [{on: body, name: steel}]` stands for the figures of library.def, in the units of the case. */
#pragma once
#include "app/input/schema.h"

/* Of one material, SI; 0: the library leaves it to the case. */
typedef struct LibraryRow {
  const char *word;
  double young, poisson, density, expansion, conductivity, capacity, strength; /* capacity is that of a volume */
  const char *meaning;
} LibraryRow;

extern const Word library_words[]; /* of the key `name` */
int library_count(void);
const LibraryRow *library_row(int i);
/* Is it a key that a name may give? */
bool library_gives(const char *key);
/* Gives each map of `materials` that has a name the members that it lacks, in the units of the label `units`. A label that does
 * not say length and stress is refused, and so is a type of material that takes other parameters. */
Status library_fill(Tree *tree, int32_t root, const Schema *schema, uint32_t kind, Diagnostics *diagnostics);
