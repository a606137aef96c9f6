/* Surfaces of contact while their nodes are gathered. For the files of assembly/contact/ only. */
#pragma once
#include "assembly/contact/contact.h"
#include "assembly/contact/contact_sides.h"
#include "assembly/mortar/mortar.h"
#include "assembly/space/facet.h"

typedef struct Surfaces {
  const ContactParams *p;
  Contact *c;
  int32_t *of;         /* [n_node], -1: of no surface, as all here owned */
  double *area;        /* [n_node] */
  int32_t (*edge)[2];  /* [n_node] */
  double *side;        /* [n] of each obstacle: 1 where the body is outside of it, else -1 */
  MortarTie *mortar;   /* [n], of bodies */
  Sides *sides;        /* [n], likewise */
  double (*normal)[3]; /* [n_node], of bodies; NULL: there are none */
  bool between;        /* there are */
  Mesh now;            /* the mesh where surfaces that slide are; x, which is owned, NULL: at the start */
} Surfaces;

/* A facet at its points of integration. */
typedef struct Patch {
  Facet facet;
  int32_t index;                            /* of the solved element beside it */
  double normal[3], center[3], area, thick; /* normal outward, of length `area` where the facet is flat */
  double share[ELEMENT_MAX_NODES];          /* area of each node, times thickness or the circle */
} Patch;

/* The mesh, and the time, that an obstacle's surface is looked at. */
const Mesh *surface_mesh(const Surfaces *surfaces, const Obstacle *obstacle);
double surface_time(const Surfaces *surfaces, const Obstacle *obstacle);
/* ERR_INPUT: the facet is not on the surface of the body. */
Status patch_read(const Surfaces *surfaces, const Obstacle *obstacle, const Group *group, int32_t id, Patch *out);
/* A node of item i. ERR_INPUT: it is one of another item, too. */
Status surface_node_add(Surfaces *surfaces, int32_t i, int32_t node);

/* ---- contact_normals.c ---- */
/* The outward normal at node a of a facet, of the length of its area. */
void normal_of_facet(const Patch *patch, int32_t a, double normal[3]);
/* Normals of nodes of item i become those of both bodies. */
Status normals_join(const Surfaces *surfaces, int32_t i);

/* ---- contact_pairs.c ---- */
/* Rows of item i, a body. ERR_INPUT: it is nowhere near, or looks another way. */
Status pair_read(Surfaces *surfaces, int32_t i);
/* Nodes of item i, behind edges_share. */
Status pair_add(Surfaces *surfaces, int32_t i);
/* Of all nodes between bodies: normals and areas; and what nodes follow; number[n_node]: places of nodes in the contact. */
Status pairs_list(const Surfaces *surfaces, const int32_t *number);
/* How far node k is from what it follows. */
void pair_offset(const Contact *contact, const Mesh *mesh, int32_t k, double out[3]);

/* ---- contact_shares.c ---- */
/* Behind pair_read of all: nodes that would need several normals, or are in several items, give their functions to their neighbours, and
 * nodes of rows are those of the mesh. ERR_INPUT: a node in two items has no neighbour. */
Status edges_share(Surfaces *surfaces);
