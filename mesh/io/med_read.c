/* A MED file as a Mesh: its nodes and elements. */
#include "core/memory.h"
#include "core/parts.h"
#include "core/text_source.h"
#include "mesh/io/h5.h"
#include "mesh/io/med_mesh.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Visit {
  Status (*visit)(void *context, hid_t group, const char *name);
  void *context;
  Status status;
} Visit;

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *link, void *context) {
  Visit *visit = context;
  (void)link;
  visit->status = visit->visit(visit->context, group, name);
  return visit->status == OK ? 0 : 1;
}

Status med_each(hid_t group, Status (*visit)(void *context, hid_t group, const char *name), void *context) {
  Visit v = {visit, context, OK};
  const herr_t end = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, &v);
  return v.status == OK && end < 0 ? FAIL(ERR_MESH, "a group of the file cannot be read: it is damaged") : v.status;
}

/* Opens a group below `at` and goes there in messages. */
static Status enter(MedMesh *m, hid_t at, const char *name, hid_t *out) {
  const size_t before = strlen(m->r.place);
  snprintf(m->r.place + before, sizeof m->r.place - before, "/%s", name);
  *out = H5Lexists(at, name, H5P_DEFAULT) > 0 ? H5Gopen2(at, name, H5P_DEFAULT) : -1;
  return *out >= 0 ? OK : h5_bad(&m->r, "the group is missing");
}

/* Names of links that count. */
typedef struct Names {
  bool steps; /* only those that look like a step */
  int n;
  char first[MED_LINK], text[2 * MED_LINK];
} Names;

static bool is_step(const char *name) { return strlen(name) == 40 && (*name == '-' || isdigit((unsigned char)*name)); }

static Status name_add(void *context, hid_t group, const char *name) {
  Names *names = context;
  const size_t n = strlen(names->text);
  (void)group;
  if (names->steps && !is_step(name)) return OK;
  if (names->n++ == 0) snprintf(names->first, sizeof names->first, "%s", name);
  snprintf(names->text + n, sizeof names->text - n, "%s'%s'", n ? ", " : "", name);
  return OK;
}

static Status check_version(MedMesh *m) {
  hid_t at = -1;
  int32_t major = 0;
  if (H5Lexists(m->r.file, "INFOS_GENERALES", H5P_DEFAULT) <= 0)
    return FAIL(ERR_MESH, "%s: is an HDF5 file, but not one of MED: it has no group /INFOS_GENERALES", m->r.label);
  Status status = enter(m, m->r.file, "INFOS_GENERALES", &at);
  if (status == OK) status = h5_get_int(&m->r, at, "MAJ", 0, &major);
  h5_close(&at);
  TRY(status);
  CHECK(major >= 3, ERR_MESH,
        "%s: is of MED %d, and versions from 3 on are read\n  remedy: write it again with Salome, or: medimport '%s'",
        m->r.label, major, m->r.label);
  return OK;
}

/* What the attributes of the mesh say; *space: how many coordinates a node has. */
static Status check_kind(MedMesh *m, hid_t root, int32_t *space) {
  int32_t structured, curvilinear;
  TRY(h5_get_int(&m->r, root, "TYP", 0, &structured));
  TRY(h5_get_int(&m->r, root, "REP", 0, &curvilinear));
  TRY(h5_get_int(&m->r, root, "ESP", 1, space));
  if (structured) return h5_bad(&m->r, "is a grid of MED, and unstructured meshes are read");
  if (curvilinear) return h5_bad(&m->r, "has cylindrical or spherical coordinates, and Cartesian ones are read");
  return *space <= 3 ? OK : h5_bad(&m->r, "attribute 'ESP' must be 1 to 3");
}

/* An array of whole numbers [n] that may be missing; *out is then NULL. */
static Status get_optional(MedMesh *m, hid_t at, const char *name, int32_t n, int32_t **out) {
  int64_t rows = n;
  if (H5Lexists(at, name, H5P_DEFAULT) <= 0) return OK;
  return h5_get_data(&m->r, at, name, H5T_NATIVE_INT32, sizeof **out, &rows, 0, (void **)out);
}

/* Numbers [n] for messages: those of the file, or 1, 2, ... */
static Status get_numbers(MedMesh *m, hid_t at, int32_t n, int64_t **out) {
  int64_t rows = n;
  if (H5Lexists(at, "NUM", H5P_DEFAULT) > 0)
    return h5_get_data(&m->r, at, "NUM", H5T_NATIVE_INT64, sizeof **out, &rows, 0, (void **)out);
  ALLOC(*out, n, "numbers of a MED file");
  for (int32_t i = 0; i < n; ++i) (*out)[i] = i + 1;
  return OK;
}

static Status take_points(MedMesh *m, int32_t space, int64_t n_value, const double *x) {
  InpDeck *deck = m->deck;
  if (n_value == 0 || n_value % space) return h5_bad(&m->r, "NOE/COO must have as many coordinates for each node");
  const int32_t n = (int32_t)(n_value / space);
  ALLOC(deck->x, n, "nodes");
  deck->n_node = n;
  for (int32_t i = 0; i < n; ++i)
    for (int d = 0; d < space; ++d) {
      deck->x[i][d] = x[(int64_t)d * n + i];
      CHECK(isfinite(deck->x[i][d]), ERR_MESH,
            "%s: %s/NOE/COO: node %d (from 1) at %g: every coordinate must be finite", m->r.label, m->r.place, i + 1,
            deck->x[i][d]);
    }
  return OK;
}

static Status get_nodes(MedMesh *m, hid_t step, int32_t space) {
  const size_t before = strlen(m->r.place);
  double *x = NULL;
  int64_t n = -1;
  hid_t at = -1;
  Status status = enter(m, step, "NOE", &at);
  if (status == OK) status = h5_get_data(&m->r, at, "COO", H5T_NATIVE_DOUBLE, sizeof *x, &n, 0, (void **)&x);
  m->r.place[before] = 0;
  if (status == OK) status = take_points(m, space, n, x);
  if (status == OK) status = get_numbers(m, at, m->deck->n_node, &m->deck->node_tag);
  if (status == OK) status = get_optional(m, at, "FAM", m->deck->n_node, &m->node_family);
  FREE(x);
  h5_close(&at);
  return status;
}

/* turned[a]: the node of the mirrored element in the place of node a. */
static void mirror(const ElementType *type, int32_t turned[ELEMENT_MAX_NODES]) {
  for (int32_t a = 0; a < type->n_node; ++a)
    for (int32_t b = 0; b < type->n_node; ++b) {
      const double *p = type->node[a], *q = type->node[b];
      if (fabs(p[0] - q[1]) + fabs(p[1] - q[0]) + fabs(p[2] - q[2]) < 1e-9) turned[a] = b;
    }
}

/* MED's books have the first face of a volume look outward, some writers (meshio) let it look inward: either is taken. */
static void turn(const MedMesh *m, const ElementType *type, const int32_t turned[ELEMENT_MAX_NODES], int32_t *nodes) {
  const ElementType *linear = element_type(type->linear);
  double x[ELEMENT_MAX_NODES][3], middle[3] = {0}, J[3][3];
  int32_t old[ELEMENT_MAX_NODES];
  if (type->dim < 3) return;
  for (int32_t a = 0; a < linear->n_node; ++a)
    for (int d = 0; d < 3; ++d) x[a][d] = m->deck->x[nodes[a]][d], middle[d] += linear->node[a][d] / linear->n_node;
  if (element_jacobian(linear, (const double(*)[3])x, middle, J, false) >= 0) return;
  memcpy(old, nodes, (size_t)type->n_node * sizeof *old);
  for (int32_t a = 0; a < type->n_node; ++a) nodes[a] = old[turned[a]];
}

/* The nodes of element e of n; false: one is not there, or there twice. */
static bool fill_element(const MedMesh *m, const MedType *from, int32_t n, int32_t e, const int32_t *nod,
                         int32_t *nodes) {
  const int32_t n_node = element_type(from->kind)->n_node;
  for (int32_t k = 0; k < n_node; ++k) {
    const int32_t node = nod[(int64_t)k * n + e];
    if (node < 1 || node > m->deck->n_node) return false;
    nodes[from->order ? from->order[k] - 'a' : k] = node - 1;
  }
  for (int32_t a = 0; a < n_node; ++a)
    for (int32_t b = 0; b < a; ++b)
      if (nodes[a] == nodes[b]) return false;
  return true;
}

static Status fill_elements(MedMesh *m, const MedType *from, int32_t n, const int32_t *nod, int32_t *nodes) {
  const ElementType *type = element_type(from->kind);
  int32_t turned[ELEMENT_MAX_NODES] = {0}, bad = n;
  char text[160];
  mirror(type, turned);
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(min : bad)
  for (int32_t e = 0; e < n; ++e) {
    int32_t *to = nodes + (int64_t)e * type->n_node;
    if (fill_element(m, from, n, e, nod, to)) turn(m, type, turned, to);
    else if (e < bad) bad = e;
  }
  if (bad == n) return OK;
  snprintf(text, sizeof text, "element %d (from 1) has a node twice, or one that is not among the %d", bad + 1,
           m->deck->n_node);
  return h5_bad(&m->r, text);
}

static Status take_elements(MedMesh *m, const MedType *from, int32_t n, const int32_t *nod) {
  const ElementKind kind = from->kind;
  if (kind == ELEMENT_POINT1) {
    ALLOC(m->point, n, "points");
    m->n_point = n;
    return fill_elements(m, from, n, nod, m->point);
  }
  ALLOC(m->deck->list[kind].nodes, (int64_t)n * element_type(kind)->n_node, "elements");
  m->deck->list[kind].n = n;
  return fill_elements(m, from, n, nod, m->deck->list[kind].nodes);
}

static Status get_elements(MedMesh *m, const MedType *from, hid_t at) {
  const int32_t n_node = element_type(from->kind)->n_node;
  int32_t *nod = NULL;
  int64_t rows = -1;
  TRY(h5_get_data(&m->r, at, "NOD", H5T_NATIVE_INT32, sizeof *nod, &rows, 0, (void **)&nod));
  const int32_t n = (int32_t)(rows / n_node);
  Status status = rows % n_node ? h5_bad(&m->r, "NOD does not hold as many nodes for each element") : OK;
  if (status == OK && n) status = take_elements(m, from, n, nod);
  FREE(nod);
  if (status == OK && n && from->kind != ELEMENT_POINT1) status = get_numbers(m, at, n, &m->deck->list[from->kind].tag);
  if (status == OK && n) status = get_optional(m, at, "FAM", n, &m->family[from->kind]);
  return status;
}

static Status visit_type(void *context, hid_t group, const char *name) {
  MedMesh *m = context;
  const size_t before = strlen(m->r.place);
  const MedType *type = med_type_named(name);
  hid_t at = -1;
  TRY(enter(m, group, name, &at));
  Status status = OK;
  if (!type)
    status =
        FAIL(ERR_MESH,
             "%s: %s: Sinew has no element for this type of MED\n  allowed: linear and quadratic elements (not TR7, "
             "P18, polygons and polyhedra)\n  remedy: convert them in Salome's Mesh module",
             m->r.label, m->r.place);
  else status = get_elements(m, type, at);
  h5_close(&at);
  m->r.place[before] = 0;
  return status;
}

static Status get_step(MedMesh *m, hid_t root, const char *name, int32_t space) {
  InpDeck *deck = m->deck;
  hid_t step = -1, cells = -1;
  Status status = enter(m, root, name, &step);
  if (status == OK) status = get_nodes(m, step, space);
  if (status == OK) status = enter(m, step, "MAI", &cells);
  if (status == OK) status = med_each(cells, visit_type, m);
  h5_close(&cells);
  h5_close(&step);
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) deck->base[kind + 1] = deck->base[kind] + deck->list[kind].n;
  if (status == OK && deck->base[N_ELEMENT_KINDS] == 0) status = h5_bad(&m->r, "holds no elements");
  return status;
}

static Status get_mesh(MedMesh *m) {
  Names meshes = {0}, steps = {.steps = true};
  hid_t all = -1, root = -1;
  int32_t space = 0;
  TRY(check_version(m));
  m->r.place[0] = 0;
  Status status = enter(m, m->r.file, "ENS_MAA", &all);
  if (status == OK) status = med_each(all, name_add, &meshes);
  if (status == OK && meshes.n != 1)
    status = FAIL(ERR_MESH, "%s: holds %d meshes%s%s, and files of one are read\n  remedy: export one from Salome",
                  m->r.label, meshes.n, meshes.n ? ": " : "", meshes.text);
  memcpy(m->name, meshes.first, sizeof m->name);
  if (status == OK) status = enter(m, all, m->name, &root);
  if (status == OK) status = check_kind(m, root, &space);
  if (status == OK) status = med_each(root, name_add, &steps);
  if (status == OK && steps.n != 1)
    status = h5_bad(&m->r, steps.n ? "changes over time, and meshes of one step are read" : "holds no step");
  if (status == OK) status = get_step(m, root, steps.first, space);
  h5_close(&root);
  h5_close(&all);
  return status;
}

static Status read_mesh(MedMesh *m, const char *path, Mesh **out) {
  InpGroups groups = {0};
  TRY(h5_open(&m->r, path, "\n  remedy: write it again with the program that made it"));
  TRY(inp_create(path, &m->deck));
  TRY(get_mesh(m));
  Status status = med_groups(m, &groups);
  if (status == OK) status = inp_mesh(m->deck, groups.n, groups.group, out);
  inp_groups_destroy(&groups);
  if (status == OK) status = med_fields(m, *out);
  return status;
}

static Status read_all(const char *path, Mesh **out) {
  MedMesh m = {.r = {.label = path, .remedy = "write it again with the program that made it", .file = -1, .bytes = -1}};
  H5Quiet quiet;
  *out = NULL;
  h5_quiet_begin(&quiet);
  const Status status = read_mesh(&m, path, out);
  h5_end(&m.r);
  h5_quiet_end(&quiet);
  if (status != OK) mesh_destroy(out);
  inp_close(&m.deck);
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) FREE(m.family[kind]);
  FREE(m.node_family);
  FREE(m.point);
  return status;
}

Status mesh_read_med(const char *path, Mesh **out) {
  char head[SOURCE_HEAD];
  *out = NULL;
  TRY(h5_mine());
  TRY(source_peek(path, path, head));
  TRY(h5_try(path, read_all, "  write it again with the program that made it"));
  return read_all(path, out);
}
