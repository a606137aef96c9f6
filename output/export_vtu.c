/* A step of a result as a .vtu file: tags first, then all numbers as they are, each array behind its size in bytes. */
#include "output/export.h"

#include "core/memory.h"
#include "output/h5.h"
#include "output/layout.h"
#include "output/text.h"

#include <string.h>

/* What an array is in the file. */
typedef struct VtuItem {
  char path[FIELD_PATH]; /* in results.hdf */
  const ResultField *field;
  hid_t type;
  size_t bytes;     /* of a number */
  int64_t first, n; /* rows */
  int32_t n_component;
} VtuItem;

static bool is_whole(const Result *result, const char *path) {
  const hid_t set = H5Dopen2(result->file, path, H5P_DEFAULT);
  if (set < 0) return false;
  const hid_t type = H5Dget_type(set);
  const bool whole = H5Tget_class(type) == H5T_INTEGER;
  H5Tclose(type);
  H5Dclose(set);
  return whole;
}

static VtuItem item_of(const Result *result, const ResultField *field, int64_t step) {
  VtuItem item = {.field = field, .n_component = field->n_component, .bytes = 8};
  item.n = field->on_cells ? result->n_cell : result->n_node;
  item.first = field->once ? 0 : step * item.n;
  snprintf(item.path, sizeof item.path, "/VTKHDF/%s/%s", field->on_cells ? "CellData" : "PointData", field->name);
  item.type = is_whole(result, item.path) ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
  return item;
}

static void item_tag(Text *text, const VtuItem *item, const char *name, int64_t *offset) {
  const char *type = item->bytes == 1 ? "UInt8" : item->type == H5T_NATIVE_DOUBLE ? "Float64" : "Int64";
  text_add(text, "<DataArray type=\"%s\" Name=\"", type);
  for (const char *p = name; *p; ++p)
    if (*p == '&' || *p == '<' || *p == '>' || *p == '"') text_add(text, "&#%d;", *p);
    else text_add_bytes(text, p, 1);
  if (item->n_component > 1)
    text_add(text, "\" NumberOfComponents=\"%d", item->n_component); /* meshio makes columns of 1 */
  text_add(text, "\" format=\"appended\" offset=\"%lld\"/>\n", (long long)*offset);
  *offset += 8 + item->n * item->n_component * (int64_t)item->bytes;
}

static Status item_put(const Result *result, const VtuItem *item, const ExportFile *file) {
  const uint64_t bytes = (uint64_t)item->n * (uint64_t)item->n_component * item->bytes;
  char *value = NULL;
  ALLOC(value, bytes, "a field");
  Status status = h5_read_rows(result->file, item->path, item->type, item->first, item->n, value)
                      ? OK
                      : h5_error(result->path, "read '%s' of", item->path);
  if (status == OK) status = export_bytes(file, &bytes, sizeof bytes);
  if (status == OK) status = export_bytes(file, value, bytes);
  FREE(value);
  return status;
}

enum { MESH_ITEMS = 4 };

static void mesh_items(const Result *result, int64_t n_node_id, VtuItem item[MESH_ITEMS]) {
  item[0] = (VtuItem){"/VTKHDF/Points", NULL, H5T_NATIVE_DOUBLE, 8, 0, result->n_node, 3};
  item[1] = (VtuItem){"/VTKHDF/Connectivity", NULL, H5T_NATIVE_INT64, 8, 0, n_node_id, 1};
  item[2] = (VtuItem){"/VTKHDF/Offsets", NULL, H5T_NATIVE_INT64, 8, 1, result->n_cell, 1}; /* ends, in this format */
  item[3] = (VtuItem){"/VTKHDF/Types", NULL, H5T_NATIVE_UINT8, 1, 0, result->n_cell, 1};
}

static void tags(const Result *result, int64_t step, const VtuItem mesh[MESH_ITEMS], Text *text) {
  static const char *const sections[2] = {"PointData", "CellData"}, *const cells[] = {"connectivity", "offsets",
                                                                                      "types"};
  const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  int64_t offset = 0;
  text_add(text,
           "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
           "header_type=\"UInt64\">\n<UnstructuredGrid>\n",
           little ? "LittleEndian" : "BigEndian");
  if (result->n_step)
    text_add(text,
             "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g"
             "</DataArray></FieldData>\n",
             result->time[step]);
  text_add(text, "<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n<Points>\n", (long long)result->n_node,
           (long long)result->n_cell);
  item_tag(text, &mesh[0], "Points", &offset);
  text_add(text, "</Points>\n<Cells>\n");
  for (int k = 1; k < MESH_ITEMS; ++k) item_tag(text, &mesh[k], cells[k - 1], &offset);
  text_add(text, "</Cells>\n");
  for (int on_cells = 0; on_cells < 2; ++on_cells) {
    text_add(text, "<%s>\n", sections[on_cells]);
    for (int32_t f = 0; f < result->n_field; ++f) {
      if (result->field[f].on_cells != (on_cells == 1)) continue;
      const VtuItem item = item_of(result, &result->field[f], step);
      item_tag(text, &item, result->field[f].name, &offset);
    }
    text_add(text, "</%s>\n", sections[on_cells]);
  }
  text_add(text, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
}

static Status put_all(const Result *result, int64_t step, const VtuItem mesh[MESH_ITEMS], const ExportFile *file) {
  static const char end[] = "\n</AppendedData>\n</VTKFile>\n";
  Text text = {0};
  tags(result, step, mesh, &text);
  Status status = text.status;
  if (status == OK) status = export_bytes(file, text.data, (size_t)text.n);
  text_release(&text);
  for (int k = 0; k < MESH_ITEMS && status == OK; ++k) status = item_put(result, &mesh[k], file);
  for (int on_cells = 0; on_cells < 2; ++on_cells)
    for (int32_t f = 0; f < result->n_field && status == OK; ++f) {
      if (result->field[f].on_cells != (on_cells == 1)) continue;
      const VtuItem item = item_of(result, &result->field[f], step);
      status = item_put(result, &item, file);
    }
  return status == OK ? export_bytes(file, end, sizeof end - 1) : status;
}

Status export_vtu(const Result *result, int64_t step, const char *path) {
  VtuItem mesh[MESH_ITEMS];
  int64_t n_node_id;
  ExportFile file;
  CHECK(step >= 0 && step < result->n_step, ERR_USAGE, "sinew: '%s' has no step %lld", result->path,
        (long long)step + 1);
  if (!h5_read_list(result->file, "/VTKHDF/NumberOfConnectivityIds", H5T_NATIVE_INT64, 1, &n_node_id) ||
      n_node_id < 0 || n_node_id > 64 * result->n_cell)
    return FAIL(ERR_IO, "'%s' is damaged: the length of its cells cannot be read", result->path);
  mesh_items(result, n_node_id, mesh);
  TRY(export_open(path, &file));
  return export_close(&file, put_all(result, step, mesh, &file));
}
