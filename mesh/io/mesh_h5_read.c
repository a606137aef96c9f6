/* Reads the layout of mesh_h5.c. Type, extents and every index are checked: a file that another program wrote, or that
 * was damaged, gives ERR_MESH with the name of the dataset. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/h5.h"
#include "mesh/io/h5_get.h"
#include "mesh/mesh.h"
#include "core/text_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Status check_range(H5Reader *r, const char *name, const int32_t *value, int64_t n, int32_t end, bool ascending) {
  char text[160];
  int64_t i = n;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(min : i)
  for (int64_t k = 0; k < n; ++k)
    if ((value[k] < 0 || value[k] >= end || (ascending && k > 0 && value[k] <= value[k - 1])) && k < i) i = k;
  if (i == n) return OK;
  const size_t before = strlen(r->place);
  snprintf(r->place + before, sizeof r->place - before, "%s%s", *name ? "/" : "", name);
  snprintf(text, sizeof text, "entry %lld is %d, must be 0 to %d%s", (long long)i, value[i], end - 1,
           ascending ? ", ascending" : "");
  return h5_bad(r, text);
}

/* The node that comes twice, or -1. */
static int32_t repeated_node(const int32_t *nodes, int32_t n) {
  for (int32_t a = 0; a < n; ++a)
    for (int32_t b = 0; b < a; ++b)
      if (nodes[a] == nodes[b]) return nodes[a];
  return -1;
}

static Status check_block_nodes(H5Reader *r, const ElementBlock *block, int32_t n_node) {
  const int32_t k = element_type(block->kind)->n_node;
  TRY(check_range(r, "nodes", block->nodes, (int64_t)block->n * k, n_node, false));
  int32_t bad = block->n;
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n)) reduction(min : bad)
  for (int32_t i = 0; i < block->n; ++i)
    if (i < bad && repeated_node(block->nodes + (int64_t)i * k, k) >= 0) bad = i;
  if (bad == block->n) return OK;
  char text[120];
  snprintf(text, sizeof text, "element %d has node %d twice", bad, repeated_node(block->nodes + (int64_t)bad * k, k));
  return h5_bad(r, text);
}

static Status get_block(H5Reader *r, hid_t elements, ElementKind kind, Mesh *mesh) {
  const ElementType *type = element_type(kind);
  if (H5Lexists(elements, type->name, H5P_DEFAULT) <= 0) return OK;
  snprintf(r->place, sizeof r->place, "/mesh/elements/%s", type->name);
  hid_t at = H5Gopen2(elements, type->name, H5P_DEFAULT);
  if (at < 0) return h5_bad(r, "is not a group");
  ElementBlock *block = &mesh->block[mesh->n_block++];
  *block = (ElementBlock){.kind = kind, .first = mesh->n_element};
  int32_t first = 0;
  int64_t n = -1;
  Status status = h5_get_int(r, at, "first", 0, &first);
  if (status == OK && first != mesh->n_element)
    status = h5_bad(r, "attribute 'first' does not follow from the kinds before");
  if (status == OK)
    status =
        h5_get_data(r, at, "nodes", H5T_NATIVE_INT32, sizeof *block->nodes, &n, type->n_node, (void **)&block->nodes);
  if (status == OK && n >= INT32_MAX - mesh->n_element) status = h5_bad(r, "more elements than are supported");
  if (status == OK) {
    block->n = (int32_t)n;
    mesh->n_element += block->n;
    status = h5_get_data(r, at, "tags", H5T_NATIVE_INT64, sizeof *block->tag, &n, 0, (void **)&block->tag);
  }
  if (status == OK) status = check_block_nodes(r, block, mesh->n_node);
  if (status == OK && block->n && type->dim > mesh->dim) mesh->dim = type->dim;
  h5_close(&at);
  return status;
}

static Status get_group(H5Reader *r, hid_t groups, int32_t i, Mesh *mesh) {
  char name[16];
  snprintf(name, sizeof name, "%d", i);
  snprintf(r->place, sizeof r->place, "/mesh/groups");
  Group *group = &mesh->group[i];
  int64_t n = -1;
  TRY(h5_get_data(r, groups, name, H5T_NATIVE_INT32, sizeof *group->element, &n, 0, (void **)&group->element));
  group->n = (int32_t)n;
  snprintf(r->place, sizeof r->place, "/mesh/groups/%d", i);
  hid_t set = H5Dopen2(groups, name, H5P_DEFAULT);
  Status status = h5_get_text(r, set, "name", &group->name);
  if (status == OK) status = h5_get_int(r, set, "dimension", 0, &group->dim);
  if (status == OK) status = h5_get_int(r, set, "number", 0, &group->number);
  h5_close(&set);
  TRY(status);
  if (group->dim > 3) return h5_bad(r, "attribute 'dimension' must be 0 to 3");
  TRY(check_range(r, "", group->element, group->n, mesh->n_element, true));
  int64_t strange = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(group->n)) reduction(+ : strange)
  for (int32_t k = 0; k < group->n; ++k)
    strange += element_type(mesh_block_of(mesh, group->element[k])->kind)->dim != group->dim;
  return strange ? h5_bad(r, "holds elements that are not of its dimension") : OK;
}

static Status get_field(H5Reader *r, hid_t fields, int32_t i, Mesh *mesh) {
  char name[16], *on = NULL;
  snprintf(name, sizeof name, "%d", i);
  snprintf(r->place, sizeof r->place, "/mesh/fields/%d", i);
  MeshField *field = &mesh->field[i];
  hid_t set;
  int64_t rows, columns;
  TRY(h5_open_data(r, fields, name, H5T_FLOAT, &set, &rows, &columns));
  Status status = h5_get_text(r, set, "name", &field->name);
  if (status == OK) status = h5_get_text(r, set, "on", &on);
  h5_close(&set);
  if (status == OK && strcmp(on, "nodes") && strcmp(on, "elements"))
    status = h5_bad(r, "attribute 'on' must be \"nodes\" or \"elements\"");
  if (status == OK) field->on_nodes = !strcmp(on, "nodes");
  FREE(on);
  TRY(status);
  if (columns < 1 || columns > ELEMENT_MAX_QUADRATURE) return h5_bad(r, "must have 1 to 64 components");
  field->n_component = (int32_t)columns;
  snprintf(r->place, sizeof r->place, "/mesh/fields");
  int64_t want = field->on_nodes ? mesh->n_node : mesh->n_element;
  return h5_get_data(r, fields, name, H5T_NATIVE_DOUBLE, sizeof *field->value, &want, columns, (void **)&field->value);
}

/* The number of links of a list below /mesh, which must be called 0, 1, ... */
static Status open_list(H5Reader *r, hid_t root, const char *name, hid_t *out, int32_t *n) {
  snprintf(r->place, sizeof r->place, "/mesh/%s", name);
  H5G_info_t info;
  *out = H5Lexists(root, name, H5P_DEFAULT) > 0 ? H5Gopen2(root, name, H5P_DEFAULT) : -1;
  if (*out < 0) return h5_bad(r, "the group is missing");
  if (H5Gget_info(*out, &info) >= 0 && info.nlinks < 1000000) {
    *n = (int32_t)info.nlinks;
    return OK;
  }
  h5_close(out);
  return h5_bad(r, "the group cannot be read");
}

static Status get_lists(H5Reader *r, hid_t root, Mesh *mesh) {
  hid_t at;
  int32_t n, n_element;
  TRY(h5_get_int(r, root, "n_element", 0, &n_element));
  TRY(open_list(r, root, "elements", &at, &n));
  Status status = mem_alloc(N_ELEMENT_KINDS, sizeof *mesh->block, "element blocks", (void **)&mesh->block);
  for (int kind = 0; kind < N_ELEMENT_KINDS && status == OK; ++kind) status = get_block(r, at, (ElementKind)kind, mesh);
  h5_close(&at);
  TRY(status);
  snprintf(r->place, sizeof r->place, "/mesh/elements");
  if (mesh->n_block != n) return h5_bad(r, "holds kinds of elements that this Sinew does not know");
  if (mesh->n_element != n_element) return h5_bad(r, "does not hold as many elements as attribute 'n_element' says");
  TRY(open_list(r, root, "groups", &at, &n));
  status = mem_alloc(n, sizeof *mesh->group, "groups", (void **)&mesh->group);
  if (status == OK) mesh->n_group = n;
  for (int32_t g = 0; g < mesh->n_group && status == OK; ++g) status = get_group(r, at, g, mesh);
  h5_close(&at);
  TRY(status);
  TRY(open_list(r, root, "fields", &at, &n));
  status = mem_alloc(n, sizeof *mesh->field, "fields", (void **)&mesh->field);
  if (status == OK) mesh->n_field = n;
  for (int32_t f = 0; f < mesh->n_field && status == OK; ++f) status = get_field(r, at, f, mesh);
  h5_close(&at);
  return status;
}

static Status get_nodes(H5Reader *r, hid_t root, Mesh *mesh) {
  int32_t n_node;
  TRY(h5_get_int(r, root, "n_node", 0, &n_node));
  int64_t n = n_node;
  TRY(h5_get_data(r, root, "coordinates", H5T_NATIVE_DOUBLE, sizeof(double), &n, 3, (void **)&mesh->x));
  TRY(h5_get_data(r, root, "node_tags", H5T_NATIVE_INT64, sizeof *mesh->node_tag, &n, 0, (void **)&mesh->node_tag));
  mesh->n_node = n_node;
  int32_t bad = n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(n_node)) reduction(min : bad)
  for (int32_t i = 0; i < n_node; ++i) {
    const double *x = mesh->x[i];
    if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2])) && i < bad) bad = i;
  }
  if (bad == n_node) return OK;
  const double *x = mesh->x[bad];
  return FAIL(ERR_MESH, "%s: /mesh/coordinates: node %lld at (%g, %g, %g): every coordinate must be a finite number",
              r->label, (long long)mesh->node_tag[bad], x[0], x[1], x[2]);
}

static Status read_mesh(H5Reader *r, Mesh *mesh) {
  snprintf(r->place, sizeof r->place, "/mesh");
  if (H5Lexists(r->file, "mesh", H5P_DEFAULT) <= 0)
    return FAIL(
        ERR_MESH,
        "%s: is an HDF5 file, but not a mesh of Sinew: it has no group /mesh; make one by: sinew mesh IN OUT.h5",
        r->label);
  hid_t root = H5Gopen2(r->file, "mesh", H5P_DEFAULT);
  if (root < 0) return h5_bad(r, "is not a group");
  int32_t version = 0;
  Status status = h5_get_int(r, root, "version", 1, &version);
  if (status == OK && version != 1) status = h5_bad(r, "the layout is of a later version than this Sinew reads (1)");
  if (status == OK) status = get_nodes(r, root, mesh);
  if (status == OK) status = get_lists(r, root, mesh);
  h5_close(&root);
  return status;
}

static const char remedy[] = "write the mesh again by: sinew mesh";

static Status open_and_read(H5Reader *r, const char *path, Mesh *mesh) {
  TRY(h5_open(r, path, "; make a mesh file by: sinew mesh IN OUT.h5"));
  TRY(mem_text(path, "mesh path", &mesh->path));
  return read_mesh(r, mesh);
}

static Status read_all(const char *path, Mesh **out) {
  H5Reader reader = {.label = path, .remedy = remedy, .file = -1, .bytes = -1};
  Mesh *mesh;
  H5Quiet quiet;
  *out = NULL;
  ALLOC(mesh, 1, "mesh");
  h5_quiet_begin(&quiet);
  const Status status = open_and_read(&reader, path, mesh);
  h5_end(&reader);
  h5_quiet_end(&quiet);
  if (status != OK) mesh_destroy(&mesh);
  *out = mesh;
  return status;
}

/* A file without checksum can be damaged in ways that crash HDF5. */
static Status try_unsealed(const char *path) {
  TRY(h5_try(path, read_all, "  write the mesh again by: sinew mesh IN OUT.h5"));
  status_warn("%s: this mesh has no checksum, so that damage in it may go unseen (another program wrote it, or its end "
              "is damaged)\n"
              "  one with a checksum is made by: sinew mesh '%s' OUT.h5",
              path, path);
  return OK;
}

Status mesh_read_h5(const char *path, Mesh **out) {
  char head[SOURCE_HEAD];
  bool sealed = false;
  *out = NULL;
  TRY(h5_mine());
  TRY(source_peek(path, path, head));
  TRY(h5_check_seal(path, path, &sealed));
  if (!sealed) TRY(try_unsealed(path));
  return read_all(path, out);
}
