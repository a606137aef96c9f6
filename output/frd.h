/* The tables of export_frd.c: what cells and fields of a result are called in .frd, the files of CalculiX. */
#pragma once
#include <stdint.h>

enum { FRD_MOST_NODES = 20 };

/* A kind of cell in .frd. Node a of it is node order[a] of VTK's cell; a node may repeat (pyramids are hexahedra with a
 * collapsed face), and one that .frd has no place for (the middle of faces and bodies) is left out. Cubic cells have
 * none: they are written in their linear pieces. */
typedef struct FrdCell {
  int32_t vtk, frd, n_node;
  int8_t order[FRD_MOST_NODES];
} FrdCell;
/* NULL: none. */
const FrdCell *frd_cell(int32_t vtk);

typedef enum FrdForm { FRD_SCALAR, FRD_VECTOR, FRD_TENSOR, FRD_DERIVED } FrdForm;

/* A field in .frd. FRD_DERIVED: readers make it of another one, and it is not written. */
typedef struct FrdField {
  const char *word;   /* in the result */
  const char *block;  /* in .frd, at most 8 letters; CalculiX' own where it has one */
  const char *letter; /* its components are this and 1, 2, 3, or XX, YY, ZZ, XY, YZ, ZX; a scalar's one is this */
  FrdForm form;
  double shear; /* factor of the last three components: .frd has shear strains of the tensor */
} FrdField;
/* NULL: .frd has no name for it. */
const FrdField *frd_field(const char *word);
/* All of them, in the order in which CalculiX writes blocks. */
int32_t frd_n_field(void);
const FrdField *frd_field_at(int32_t i);
