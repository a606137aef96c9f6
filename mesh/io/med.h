/* MED files of Salome and Code_Aster: HDF5 in a layout of their own. Written as version 4.0, read from 3.0 on.
 *
 *   /INFOS_GENERALES                 attributes MAJ, MIN, REL: the version
 *   /ENS_MAA/MESH                    DIM of the elements, ESP of the space, REP 0 (Cartesian), TYP 0 (unstructured)
 *   /ENS_MAA/MESH/STEP/NOE/COO       float64 [ESP n_node], all x, then all y, ...
 *   /ENS_MAA/MESH/STEP/MAI/TE4/NOD   int [nodes of the kind][n], all first nodes, then all second ones, ...; from 1
 *     FAM beside COO and NOD         int [n], the family of each node or element, 0: none; NUM: its number, optional
 *   /FAS/MESH/NOEUD, ELEME/FAMILY    attribute NUM (above 0 of nodes, below 0 of elements); GRO/NOM char[80] [n], its groups
 *   /CHA/FIELD                       MAI the mesh, TYP 6 (float64), NCO components and their names NOM
 *   /CHA/FIELD/STEP                  NDT, NOR its numbers, PDT its time; NOE or MAI.TE4/PROFILE/CO float64 [NCO][n]
 * MED numbers the nodes of volumes so that the first face looks outward (MED-file, "Maillage"); checked against
 * MEDCoupling 9.15 and libmed 4.1. */
#pragma once
#include "mesh/mesh.h"

#include <hdf5.h>

enum { MED_NAME = 64, MED_GROUP_NAME = 80, MED_SHORT = 16 };
extern const char med_no_profile[];

/* A kind of element in MED. */
typedef struct MedType {
  const char *name; /* "TE4" */
  int32_t geometry; /* MED's number: 100 dimension + nodes */
  ElementKind kind;
  const char *order; /* letter k, counted from 'a': our node at MED's place k; NULL: the same */
} MedType;
/* All of them, in the order of kinds; NULL behind the last. */
const MedType *med_type_at(int32_t i);
const MedType *med_type_named(const char *name); /* NULL: not known */
/* By the nodes: hex20r is hex20 there. NULL: MED has no such element, as of cubic ones. */
const MedType *med_type_of(ElementKind kind);

/* ---- med_families.c ---- */
/* Items that are in the same groups. Family k, from 1: that of its parent and `group`; 0: in no group. */
typedef struct MedFamilies {
  int32_t n, room;
  int32_t *parent, *group; /* owned, [n] */
  bool *used;              /* owned, [n]: it has items */
  int32_t *of;             /* owned, the family of each node, or of each element */
} MedFamilies;
/* Of nodes by groups of dimension 0, or of elements by the others. */
Status med_families_make(const Mesh *mesh, bool nodes, MedFamilies *out);
void med_families_release(MedFamilies *families);

/* ---- med_write.c ---- */
/* The name of a mesh in the file at `path`: without folder and ending. */
void med_mesh_name(const char *path, char name[MED_NAME + 1]);
/* The mesh without its fields into a new file. ERR_MESH: an element or a name that MED has not. */
Status med_put_mesh(hid_t file, const char *name, const Mesh *mesh);

/* A field of the file. Of three components a vector, of six xx yy zz xy yz xz, of nine a tensor by rows. */
typedef struct MedField {
  const char *name, *mesh_name, *unit, *time_unit;
  bool on_nodes;
  int32_t n_component;
} MedField;
/* Step `number`, from 1 on, or 0: it has no time. value [n_node or n_element][n_component]; kinds of which no element has
 * a number are left out. */
Status med_put_field(hid_t file, const Mesh *mesh, const MedField *field, int32_t number, double time,
                     const double *value);
