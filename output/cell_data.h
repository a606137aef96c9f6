/* What the cells of a result are: CellData/element-id, group and material, whole numbers written once at creation, and
 * /Sinew/groups, /Sinew/materials, which list name by number. */
#pragma once
#include "output/layout.h"

enum { CELL_DATA = 3 };
/* "element-id", "group", "material"; bytes of a number: 8 or 4. */
extern const char *const cell_data_name[CELL_DATA];
extern const int cell_data_bytes[CELL_DATA];

/* Where XDMF finds it: /VTKHDF/CellData/NAME, or /Sinew/pieces/NAME where it sees the pieces of cubic cells. */
void cell_data_path(const Layout *layout, int k, char *path, size_t size);
/* Writes all of it, for cells and for pieces. ERR_IO, ERR_MEMORY. */
Status cell_data_store(hid_t file, const char *path, const WriterParams *params, const Layout *layout);
