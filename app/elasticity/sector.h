/* Sectors of a body that moves in waves around the axis: u of the next sector is e^(i d a) times that of this one turned by the angle a of a
 * sector, d the nodal diameters. Where that is not real the sector is there twice, for the real part of u and for the imaginary one,
 * which the cuts join: docs/theory/modal.md. */
#pragma once
#include "app/elasticity/elastic.h"
#include "app/setup/mesh_sample.h"

/* How many sectors make the whole turn; 0: there are no cuts, or the angle is no whole part of a turn, or theirs differ. */
int32_t sector_count(const ElasticSetup *own);
/* The same of one cut. */
int32_t sector_whole(const SectorCut *cut);
/* The `diameters` of a case are those that its sectors can have. */
void sector_check(const Case *c, const ElasticSetup *own, Diagnostics *out);
/* How often the sector is there: 1 where all is real. */
int32_t sector_copies(int32_t n_sector, int32_t diameter);

typedef struct SectorPhase {
  int32_t copies;
  MeshSample sample; /* owned: node i of copy k is node k n_node + i */
  Setup setup;       /* owned, of that mesh */
} SectorPhase;
/* Of a setup with cuts. Whatever comes, _release puts it away. */
Status sector_phase_create(const Case *c, const Setup *setup, int32_t diameter, SectorPhase *out);
void sector_phase_release(SectorPhase *phase);
/* point_stress of all copies, of one's fields: owned by the caller, as point_start. */
Status sector_point_stress(const SectorPhase *phase, const ElasticFields *from, const Mesh *mesh, ElasticFields *out);
/* How all of a body moves with each of three directions of translation, seen from the axis `along`: part [copy][direction]. */
void sector_translations(int32_t n_sector, int32_t diameter, const double along[3], double part[2][3][3]);
