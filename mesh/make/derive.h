/* Making a mesh from another one by replacing every element by children: what mesh_refine and mesh_elevate share.
 * Old nodes keep their indices and tags; new ones follow, with tags above the highest. Groups and fields are carried.
 */
#pragma once
#include "mesh/sources.h"
#include "mesh/make/split.h"

enum { DERIVE_VARIANTS = 3 };

typedef struct DerivePlan {
  Split
      *split[N_ELEMENT_KINDS][DERIVE_VARIANTS]; /* owned by the caller; [kind][0] is there for every kind of the mesh */
  /* Which variant an element takes: x of the mesh, its nodes. NULL where every kind has one. */
  int32_t (*choose)(const ElementType *type, const double (*x)[3], const int32_t *nodes);
  bool keep_tags;       /* elements keep theirs (one child each); else 1, 2, 3 ... */
  NodeSources *sources; /* filled in, where nodes come from; NULL: nobody asks */
} DerivePlan;

Status mesh_derive(const Mesh *mesh, const DerivePlan *plan, Mesh **out);
void derive_plan_release(DerivePlan *plan);

/* ---- derive_carry.c ---- */
/* A new node is a point of the split of an element; code = variant * SPLIT_MAX_POINTS + point. */
typedef struct NewNode {
  int32_t element, code;
} NewNode;
/* Where the new nodes come from: n_old + i is new_node[i]. Where the elements went: the n_child[b][k] children of kind k
 * of id e of old block b start at first_child[b][k] + (e - first) * n_child[b][k]. */
typedef struct DeriveMap {
  const Mesh *old;
  const DerivePlan *plan;
  int32_t n_new;
  NewNode *new_node; /* owned, [n_new] */
  int32_t first_child[N_ELEMENT_KINDS][N_ELEMENT_KINDS], n_child[N_ELEMENT_KINDS][N_ELEMENT_KINDS];
} DeriveMap;
Status derive_nodes(const DeriveMap *map, Mesh *out); /* coordinates and tags */
Status derive_sources(const DeriveMap *map, NodeSources *out);
Status derive_groups(const DeriveMap *map, Mesh *out);
Status derive_fields(const DeriveMap *map, Mesh *out);

/* ---- derive_number.c ---- */
/* Fills the blocks of the new mesh with the nodes of all children, and n_new and new_node. New nodes are numbered in the
 * order in which elements, one after another, come upon them, for any number of threads. */
Status derive_number(DeriveMap *map, Mesh *out);
