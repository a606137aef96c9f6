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
 * is read too, so that other programs can write this layout. Made in memory, written to a temporary file in the same
 * folder, then renamed. Reading is in mesh_h5_read.c. */
#include "core/memory.h"
#include "core/own_file.h"
#include "mesh/io/h5.h"
#include "mesh/mesh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The file is made in memory, where nothing but memory is wanting. */
static Status cannot_write(const char *what) {
  char reason[300];
  h5_reason(reason, sizeof reason);
  return FAIL(ERR_MEMORY, "not enough memory for %s: %s", what, reason);
}

static Status put_attribute(hid_t at, const char *name, hid_t file_type, hid_t memory_type, const void *value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(at, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool done = attribute >= 0 && H5Awrite(attribute, memory_type, value) >= 0;
  const Status status = done ? OK : cannot_write(name);
  h5_close(&attribute);
  h5_close(&space);
  return status;
}

static Status put_int(hid_t at, const char *name, int32_t value) {
  return put_attribute(at, name, H5T_STD_I32LE, H5T_NATIVE_INT32, &value);
}

static Status put_text(hid_t at, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Status status = put_attribute(at, name, type, type, text);
  h5_close(&type);
  return status;
}

/* A dataset of `columns` columns (0: of rank one); *out stays open unless NULL. */
static Status put_data(hid_t at, const char *name, hid_t file_type, hid_t memory_type, int64_t rows, int64_t columns,
                       const void *data, hid_t *out) {
  const hsize_t size[2] = {(hsize_t)rows, (hsize_t)columns};
  hid_t space = H5Screate_simple(columns ? 2 : 1, size, NULL), plain = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(plain, 0); /* same mesh, same bytes */
  hid_t set = H5Dcreate2(at, name, file_type, space, H5P_DEFAULT, plain, H5P_DEFAULT);
  const bool done = set >= 0 && (rows == 0 || H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  const Status status = done ? OK : cannot_write(name);
  h5_close(&space);
  h5_close(&plain);
  if (out && status == OK) *out = set;
  else h5_close(&set);
  return status;
}

static Status make_group(hid_t at, const char *name, hid_t *out) {
  hid_t plain = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_obj_track_times(plain, 0);
  *out = H5Gcreate2(at, name, H5P_DEFAULT, plain, H5P_DEFAULT);
  h5_close(&plain);
  return *out >= 0 ? OK : cannot_write(name);
}

static Status put_block(hid_t elements, const ElementBlock *block) {
  const ElementType *type = element_type(block->kind);
  hid_t at;
  TRY(make_group(elements, type->name, &at));
  Status status = put_int(at, "first", block->first);
  if (status == OK)
    status = put_data(at, "nodes", H5T_STD_I32LE, H5T_NATIVE_INT32, block->n, type->n_node, block->nodes, NULL);
  if (status == OK) status = put_data(at, "tags", H5T_STD_I64LE, H5T_NATIVE_INT64, block->n, 0, block->tag, NULL);
  h5_close(&at);
  return status;
}

static Status put_group(hid_t groups, int32_t i, const Group *group) {
  char name[16];
  snprintf(name, sizeof name, "%d", i);
  hid_t set = -1;
  TRY(put_data(groups, name, H5T_STD_I32LE, H5T_NATIVE_INT32, group->n, 0, group->element, &set));
  Status status = put_text(set, "name", group->name);
  if (status == OK) status = put_int(set, "dimension", group->dim);
  if (status == OK) status = put_int(set, "number", group->number);
  h5_close(&set);
  return status;
}

static Status put_field(hid_t fields, int32_t i, const Mesh *mesh) {
  const MeshField *field = &mesh->field[i];
  char name[16];
  snprintf(name, sizeof name, "%d", i);
  hid_t set = -1;
  TRY(put_data(fields, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, field->on_nodes ? mesh->n_node : mesh->n_element,
               field->n_component, field->value, &set));
  Status status = put_text(set, "name", field->name);
  if (status == OK) status = put_text(set, "on", field->on_nodes ? "nodes" : "elements");
  h5_close(&set);
  return status;
}

/* One of the three lists below /mesh. */
static Status put_list(hid_t root, const char *name, const Mesh *mesh) {
  hid_t at;
  TRY(make_group(root, name, &at));
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

static Status put_mesh(hid_t file, const Mesh *mesh) {
  hid_t root;
  TRY(make_group(file, "mesh", &root));
  Status status = put_int(root, "version", 1);
  if (status == OK) status = put_int(root, "n_node", mesh->n_node);
  if (status == OK) status = put_int(root, "n_element", mesh->n_element);
  if (status == OK)
    status = put_data(root, "coordinates", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, mesh->n_node, 3, mesh->x, NULL);
  if (status == OK)
    status = put_data(root, "node_tags", H5T_STD_I64LE, H5T_NATIVE_INT64, mesh->n_node, 0, mesh->node_tag, NULL);
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

/* The whole file in memory: a full disk cannot catch HDF5 half-way, which it does not survive cleanly. */
static Status make_image(const Mesh *mesh, unsigned char **image, int64_t *size) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, mesh_h5_growth(mesh), 0);
  hid_t file = H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  h5_close(&access);
  if (file < 0) return cannot_write("the file");
  Status status = put_mesh(file, mesh);
  if (status == OK && H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) status = cannot_write("the file");
  *size = status == OK ? (int64_t)H5Fget_file_image(file, NULL, 0) : 0;
  if (status == OK && *size <= 0) status = cannot_write("the file");
  if (status == OK) status = mem_alloc(*size + H5_TRAILER, 1, "image of the mesh file", (void **)image);
  if (status == OK && H5Fget_file_image(file, *image, (size_t)*size) != *size) status = cannot_write("the file");
  h5_close(&file);
  if (status == OK) h5_seal(*image, *size);
  *size += H5_TRAILER;
  return status;
}

static Status write_bytes(const char *path, const unsigned char *bytes, int64_t size) {
  const int file = own_file_make(path);
  CHECK(file >= 0, ERR_IO, "the file cannot be made: %s", strerror(errno));
  int64_t done = 0;
  while (done < size) {
    const ssize_t n = write(file, bytes + done, (size_t)(size - done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += n;
  }
  const bool written = done == size && fsync(file) == 0;
  const int error = errno;
  close(file);
  CHECK(written, ERR_IO, "writing failed after %lld of %lld bytes: %s", (long long)done, (long long)size,
        strerror(error));
  return OK;
}

static Status write_file(const Mesh *mesh, const char *path) {
  unsigned char *image = NULL;
  int64_t size = 0;
  Status status = make_image(mesh, &image, &size);
  if (status == OK) status = write_bytes(path, image, size);
  FREE(image);
  return status;
}

Status mesh_write_h5(const Mesh *mesh, const char *path) {
  char *temporary;
  const int64_t length = (int64_t)strlen(path) + 32;
  TRY(h5_mine());
  ALLOC(temporary, length, "name of a temporary file");
  snprintf(temporary, (size_t)length, "%s.%ld.part", path, (long)getpid());
  H5Quiet quiet;
  h5_quiet_begin(&quiet);
  Status status = write_file(mesh, temporary);
  h5_quiet_end(&quiet);
  if (status == OK && rename(temporary, path)) status = FAIL(ERR_IO, "renaming it failed: %s", strerror(errno));
  if (status != OK) {
    unlink(temporary);
    status = status_context(status, "while writing the mesh file '%s'", path);
  }
  FREE(temporary);
  return status;
}
