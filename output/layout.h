/* Where things lie in results.hdf (VTKHDF UnstructuredGrid, version 2.0):
 *   /VTKHDF           Version, Type; NumberOfPoints, NumberOfCells, NumberOfConnectivityIds [1]
 *     Points [n_node][3]   Connectivity   Offsets [n_cell + 1]   Types [n_cell]         the mesh, once
 *     PointData/NAME, CellData/NAME [n_step n][n_component], a `once` field [n][n_component]; attribute `units`
 *     CellData/element-id, group, material [n_cell]                                      whole numbers, see cell_data.h
 *     Steps           NSteps; Values [steps so far], attribute `axis`; per reserved step the offsets into all of the above
 *   /Sinew            provenance as text datasets (and attributes where they fit in 32 KiB)
 *     history/COLUMN  [rows so far]; timing/phase, timing/seconds
 *     node-number [n_node]  of the mesh file, unless they are 1, 2, ... in turn
 *     groups, materials   number and name of each; pieces: cell data of the pieces of cubic cells
 *     topology        only for a mesh of several kinds of cells, or cubic ones: XDMF's mixed connectivity (hex27 as
 *     hex20, cubic in linear pieces)
 * Packed results have the mesh and the fields in chunks that are compressed (packed.h): a step is one chunk of each field,
 * in a result of one step chunks of LAYOUT_CHUNK bytes at most; fields that are written once are contiguous.
 * `Values` alone is a chunked series: ParaView 5.12 and later copy all of it into an array of NSteps numbers, so that
 * it may not be longer. Everything else is, unless packed, contiguous and reserved, and nothing moves once a step
 * is there; at the end all that goes by steps is cut to the steps that are there (shrink.h). */
#pragma once
#include "mesh/mesh.h"
#include "output/h5.h"
#include "output/writer.h"

/* LAYOUT_SERIAL: arrays up to this length are made by one thread. */
enum {
  LAYOUT_SERIAL = 10000,
  LAYOUT_CHUNK = 1 << 26,
  TIMING_PHASES = 64,
  TIMING_NAME = 64,
  FIELD_NAME = 128,
  FIELD_PATH = 192
};

extern const char layout_node_numbers[]; /* where numbers of nodes lie */
/* Sizes and names that the steps need after creation. Cells are the mesh's elements of the highest dimension. */
typedef struct Layout {
  int64_t n_step; /* reserved */
  bool single, packed;
  int32_t n_node, n_cell;
  int64_t n_shown; /* cells for XDMF: n_cell, or more where cubic ones are shown in pieces */
  int64_t n_connectivity;
  int64_t n_topology; /* numbers of XDMF's mixed connectivity, used where cells_need_topology */
  int32_t n_kind;     /* kinds of cells that occur; `kind` is the last of them */
  ElementKind kind;
  int32_t n_field;
  WriterField *field; /* owned, [n_field], names owned too */
  int64_t *place;     /* owned, [n_field]: see h5_place; -1: only HDF5 knows. Found by layout_find_places */
} Layout;

/* Takes sizes and copies of the names. ERR_BUG: no mesh, no step, a field without name or components, or twice. */
Status layout_init(const WriterParams *params, Layout *layout);
void layout_release(Layout *layout);
/* Bytes of a number of a field. */
static inline int32_t layout_number_bytes(const Layout *layout) { return layout->single ? 4 : 8; }
/* Rows of a chunk of a packed field; 0: it is contiguous. */
int64_t layout_chunk_rows(const Layout *layout, const WriterField *field);
/* Chunks of the field that has most of them. */
int64_t layout_most_chunks(const Layout *layout);
/* An array that is written at creation, numbers of this type in the file and in memory. ERR_IO, ERR_MEMORY. */
typedef struct LayoutArray {
  const char *name, *what; /* "/VTKHDF/Points", "the nodes" */
  hid_t type;
  int64_t n;
  int32_t n_component; /* 0: a list */
  const void *values;
} LayoutArray;
Status layout_store(hid_t file, const char *path, const Layout *layout, const LayoutArray *array);
/* Values of one step of a field: rows, each of n_component. */
int64_t layout_rows(const Layout *layout, const WriterField *field);

/* Makes everything but the steps' data in the empty `file`. ERR_IO, ERR_MEMORY; `path` for messages. */
Status layout_create(hid_t file, const char *path, const WriterParams *params, const Layout *layout);
/* ERR_RESTART unless the file is a result with this mesh, these fields and room for n_step. */
Status layout_check(hid_t file, const char *path, const WriterParams *params, const Layout *layout);
/* Where the numbers of each field lie in the file that was created or checked. `past` false: nowhere that is known. */
void layout_find_places(hid_t file, bool past, Layout *layout);
/* "/VTKHDF/PointData/stress" */
void layout_field_path(const WriterField *field, char *path, size_t size);
