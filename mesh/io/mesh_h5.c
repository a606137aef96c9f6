/* Sinew's own mesh file: HDF5, needs no Gmsh to read.
 *
 *   /mesh                    attributes: version (int32, 1), n_node, n_element (int32)
 *   /mesh/coordinates        float64 [n_node][3], mesh length unit
 *   /mesh/node_tags          int64 [n_node], the numbers of the file that it came from
 *   /mesh/elements/KIND      one group per kind ("tet4"); attribute first (int32): id of its first element
 *   /mesh/elements/KIND/nodes  int32 [n][nodes of the kind], indices from 0, Gmsh node order
 *   /mesh/elements/KIND/tags   int64 [n]
 *   /mesh/groups/0, 1, ...   int32 [n] element ids, ascending; attributes name (text), dimension, number (int32)
 *   /mesh/fields/0, 1, ...   float64 [n_node or n_element][components]; attributes name, on ("nodes", "elements")
 * Numbers are little-endian, texts of fixed length in UTF-8. Behind the end stands a checksum (h5.h); a file without it
 * is read too, so that other programs can write this layout. Reading is in mesh_h5_read.c. */
#include "mesh/io/h5.h"
#include "mesh/io/h5_put.h"
#include "mesh/mesh.h"

#include <stdio.h>

static Status put_block(hid_t elements, const ElementBlock *block) {
  const ElementType *type = element_type(block->kind);
  hid_t at;
  TRY(h5_put_group(elements, type->name, H5_BY_NAME, &at));
  Status status = h5_put_int(at, "first", block->first);
  if (status == OK)
    status = h5_put_data(at, "nodes", H5T_STD_I32LE, H5T_NATIVE_INT32, block->n, type->n_node, block->nodes, NULL);
  if (status == OK) status = h5_put_data(at, "tags", H5T_STD_I64LE, H5T_NATIVE_INT64, block->n, 0, block->tag, NULL);
  h5_close(&at);
  return status;
}

static Status put_group(hid_t groups, int32_t i, const Group *group) {
  char name[16];
  snprintf(name, sizeof name, "%d", i);
  hid_t set = -1;
  TRY(h5_put_data(groups, name, H5T_STD_I32LE, H5T_NATIVE_INT32, group->n, 0, group->element, &set));
  Status status = h5_put_text(set, "name", group->name, true);
  if (status == OK) status = h5_put_int(set, "dimension", group->dim);
  if (status == OK) status = h5_put_int(set, "number", group->number);
  h5_close(&set);
  return status;
}

static Status put_field(hid_t fields, int32_t i, const Mesh *mesh) {
  const MeshField *field = &mesh->field[i];
  char name[16];
  snprintf(name, sizeof name, "%d", i);
  hid_t set = -1;
  TRY(h5_put_data(fields, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, field->on_nodes ? mesh->n_node : mesh->n_element,
                  field->n_component, field->value, &set));
  Status status = h5_put_text(set, "name", field->name, true);
  if (status == OK) status = h5_put_text(set, "on", field->on_nodes ? "nodes" : "elements", true);
  h5_close(&set);
  return status;
}

/* One of the three lists below /mesh. */
static Status put_list(hid_t root, const char *name, const Mesh *mesh) {
  hid_t at;
  TRY(h5_put_group(root, name, H5_BY_NAME, &at));
  Status status = OK;
  if (name[0] == 'e')
    for (int32_t b = 0; b < mesh->n_block && status == OK; ++b) status = put_block(at, &mesh->block[b]);
  if (name[0] == 'g')
    for (int32_t g = 0; g < mesh->n_group && status == OK; ++g) status = put_group(at, g, &mesh->group[g]);
  if (name[0] == 'f')
    for (int32_t f = 0; f < mesh->n_field && status == OK; ++f) status = put_field(at, f, mesh);
  h5_close(&at);
  return status;
}

static Status put_mesh(hid_t file, const void *context) {
  const Mesh *mesh = context;
  hid_t root;
  TRY(h5_put_group(file, "mesh", H5_BY_NAME, &root));
  Status status = h5_put_int(root, "version", 1);
  if (status == OK) status = h5_put_int(root, "n_node", mesh->n_node);
  if (status == OK) status = h5_put_int(root, "n_element", mesh->n_element);
  if (status == OK)
    status = h5_put_data(root, "coordinates", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, mesh->n_node, 3, mesh->x, NULL);
  if (status == OK)
    status = h5_put_data(root, "node_tags", H5T_STD_I64LE, H5T_NATIVE_INT64, mesh->n_node, 0, mesh->node_tag, NULL);
  if (status == OK) status = put_list(root, "elements", mesh);
  if (status == OK) status = put_list(root, "groups", mesh);
  if (status == OK) status = put_list(root, "fields", mesh);
  h5_close(&root);
  return status;
}

/* About how large the file becomes: HDF5 grows its memory in steps of this. */
static size_t mesh_h5_growth(const Mesh *mesh) {
  size_t bytes = (size_t)mesh->n_node * 32 + (1 << 20);
  for (int32_t b = 0; b < mesh->n_block; ++b)
    bytes += (size_t)mesh->block[b].n * (8 + 4 * (size_t)element_type(mesh->block[b].kind)->n_node);
  return bytes;
}

Status mesh_write_h5(const Mesh *mesh, const char *path) {
  return h5_make_file(path, &(H5Making){put_mesh, mesh, mesh_h5_growth(mesh), true});
}
