/* Filaments: the lines that waves turn around. The phase has none there: around the line it winds once from -pi to pi, so that
 * its differences, each taken the short way, add up to 2 pi along the edges of a triangle that the line goes through (Iyer and
 * Gray, Annals of Biomedical Engineering 29, 2001). In a flat mesh such a triangle is the filament; in solids they go
 * through faces of the tetrahedra that elements are cut into, in by one and out by another. */
#pragma once
#include "mesh/mesh.h"

typedef struct Filament {
  int32_t n_cell; /* elements that it goes through */
  int32_t n_end;  /* at the surface: 2, or 0 of a ring; 0 in a flat mesh */
  int32_t turn;   /* flat: 1 where phase grows counter-clockwise, -1; else 0 */
  double length;  /* 0 in a flat mesh */
  double at[3];   /* its middle */
} Filament;

typedef struct Filaments {
  int32_t n;
  Filament *filament; /* owned, [n], by their first elements */
} Filaments;

/* mark[n_solved]: of a solid 1 where a filament goes through the element; of a flat mesh its turn; else 0. */
void filaments_mark(const Mesh *mesh, const double *phase, double *mark);
/* phase[n_node] in radians. ERR_MEMORY. */
Status filaments_find(const Mesh *mesh, const double *phase, Filaments *out);
void filaments_release(Filaments *filaments);
/* filaments.csv and tracks.csv in the folder, from the phases that its results.hdf has stored; *last: how many there are at the last
 * of the times; *longest: ms for which one of them lives. */
Status filaments_save(const Mesh *mesh, const char *folder, int32_t *last, double *longest);
