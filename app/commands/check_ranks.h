/* sinew check --ranks: what each of several ranks would have of a case, without starting any. */
#pragma once
#include "app/run/memory_table.h"
#include "mesh/partition.h"

typedef struct RanksForecast {
  int n_rank;
  const Mesh *mesh;
  const int32_t *number; /* of the nodes in the solver's order; NULL: the mesh's own */
  int32_t n_pair;        /* of nodes that belong together beside elements: */
  const int32_t (*pair)[2];
  const LinkedNodes *linked;
  int n_component;        /* unknowns at a node */
  const MemoryPlan *plan; /* of one rank alone */
  double host_bytes;      /* of them in mesh and case, which each rank has whole for a while */
  double gpu_free;        /* bytes of the GPU here, as that of each rank; 0: there is none */
  double host_free;       /* bytes of this host; 0: not known */
} RanksForecast;

/* A table on stdout, and a warning where all ranks together take more of the host than is free. ERR_INPUT: more ranks
 * than the mesh has parts for. ERR_GPU: the GPU is too small for the largest share. */
Status check_ranks_print(const RanksForecast *forecast);
