/* Reads the file of `sinew bench heart --dump`. */
#include "petsc_heart_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int get(FILE *f, void *to, size_t size, int64_t n) { return fread(to, size, (size_t)n, f) == (size_t)n; }

int read_input(const char *path, Input *in) {
  char magic[8];
  int64_t counts[3];
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  int ok = get(f, magic, 1, 8) && !memcmp(magic, "SNWHRT1\n", 8) && get(f, counts, sizeof *counts, 3) &&
           get(f, &in->dt, sizeof(double), 5 + CELL_PARAMS);
  if (ok) {
    in->n_node = counts[0], in->n_elem = counts[1], in->n_stimulated = counts[2];
    in->x = malloc((size_t)in->n_node * sizeof *in->x);
    in->tet = malloc((size_t)in->n_elem * sizeof *in->tet);
    in->D = malloc((size_t)in->n_elem * sizeof *in->D);
    in->stimulated = malloc((size_t)in->n_stimulated * sizeof *in->stimulated + 1);
    ok = in->x && in->tet && in->D && in->stimulated && get(f, in->x, sizeof *in->x, in->n_node) &&
         get(f, in->tet, sizeof *in->tet, in->n_elem) && get(f, in->D, sizeof *in->D, in->n_elem) &&
         get(f, in->stimulated, sizeof *in->stimulated, in->n_stimulated);
  }
  for (int s = 0; ok && s < SCHEMES; ++s) {
    in->V[s] = malloc((size_t)in->n_node * sizeof(double));
    ok = in->V[s] && get(f, &in->warm[s], sizeof(int64_t), 1) && get(f, &in->steps[s], sizeof(int64_t), 1) &&
         get(f, in->V[s], sizeof(double), in->n_node);
  }
  fclose(f);
  return ok;
}
