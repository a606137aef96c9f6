/* sinew check --ranks: what each of several ranks would have of a case, without starting any. */
#pragma once
#include "app/run/memory_table.h"
#include "mesh/mesh.h"

typedef struct RanksForecast {
  int n_rank;
  const Mesh *mesh;
  const int32_t *number;  /* of the nodes in the solver's order; NULL: the mesh's own */
  int n_component;        /* unknowns at a node */
  const MemoryPlan *plan; /* of one rank alone */
  double host_bytes;      /* of them in mesh and case, which each rank has whole */
} RanksForecast;

/* A table on stdout. ERR_INPUT: more ranks than the mesh has parts for. */
Status check_ranks_print(const RanksForecast *forecast);
