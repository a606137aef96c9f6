/* A mesh and its fields as a MED file. */
#include "core/memory.h"
#include "mesh/io/h5.h"
#include "mesh/io/h5_put.h"
#include "mesh/io/med.h"
#include "mesh/io/write_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An attribute: a whole number, or a text. */
typedef struct Attribute {
  const char *name, *text; /* text NULL: the number */
  int32_t number;
} Attribute;

static Status put_attributes(hid_t at, int n, const Attribute *attribute) {
  for (int i = 0; i < n; ++i)
    TRY(attribute[i].text ? h5_put_text(at, attribute[i].name, attribute[i].text, false)
                          : h5_put_int(at, attribute[i].name, attribute[i].number));
  return OK;
}

/* A group with its attributes, which stays open. libmed needs to know in which order families and fields were made. */
static Status put_object(hid_t at, const char *name, int n, const Attribute *attribute, hid_t *out) {
  TRY(h5_put_group(at, name, H5_ORDERED, out));
  const Status status = put_attributes(*out, n, attribute);
  if (status != OK) h5_close(out);
  return status;
}
#define PUT_OBJECT(at, name, out, ...)                                                                                 \
  put_object(at, name, (int)(sizeof((Attribute[]){__VA_ARGS__}) / sizeof(Attribute)), (Attribute[]){__VA_ARGS__}, out)

/* An array of the mesh, whose attributes say for how many nodes or elements it is. */
static Status put_array(hid_t at, const char *name, bool real, int64_t n, int32_t n_item, const void *value) {
  hid_t set = -1;
  TRY(h5_put_data(at, name, real ? H5T_IEEE_F64LE : H5T_STD_I32LE, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32, n, 0,
                  value, &set));
  const Status status = put_attributes(set, 2, (Attribute[]){{"CGT", NULL, 1}, {"NBR", NULL, n_item}});
  h5_close(&set);
  return status;
}

static Status put_nodes(hid_t step, const Mesh *mesh, const MedFamilies *families) {
  const int64_t n = mesh->n_node;
  double *x = NULL;
  hid_t at = -1;
  TRY(PUT_OBJECT(step, "NOE", &at, {"CGT", NULL, 1}, {"CGS", NULL, 1}, {"PFL", med_no_profile, 0}));
  Status status = OK;
  ALLOC_DONE(x, 3 * n, "coordinates of a MED file");
  for (int64_t i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) x[d * n + i] = mesh->x[i][d];
  TRY_DONE(put_array(at, "COO", true, 3 * n, mesh->n_node, x));
  TRY_DONE(put_array(at, "FAM", false, n, mesh->n_node, families->of));
done:
  FREE(x);
  h5_close(&at);
  return status;
}

static int32_t type_count(const Mesh *mesh, const MedType *type) {
  int32_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (med_type_of(mesh->block[b].kind) == type) n += mesh->block[b].n;
  return n;
}

/* All elements of the type, over the blocks that have them. */
static void type_fill(const Mesh *mesh, const MedType *type, const MedFamilies *families, int32_t n, int32_t *nod,
                      int32_t *fam) {
  const int32_t n_node = element_type(type->kind)->n_node;
  int64_t at = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (med_type_of(block->kind) != type) continue;
    for (int32_t e = 0; e < block->n; ++e, ++at) {
      for (int32_t k = 0; k < n_node; ++k)
        nod[k * (int64_t)n + at] = block->nodes[(int64_t)e * n_node + (type->order ? type->order[k] - 'a' : k)] + 1;
      fam[at] = -families->of[block->first + e];
    }
  }
}

static Status put_type(hid_t cells, const Mesh *mesh, const MedType *type, const MedFamilies *families) {
  const int32_t n = type_count(mesh, type), n_node = element_type(type->kind)->n_node;
  int32_t *nod = NULL, *fam = NULL;
  hid_t at = -1;
  if (n == 0 || type->kind == ELEMENT_POINT1) return OK; /* groups of points are groups of nodes */
  TRY(PUT_OBJECT(cells, type->name, &at, {"CGT", NULL, 1}, {"CGS", NULL, 1}, {"PFL", med_no_profile, 0},
                 {"GEO", NULL, type->geometry}));
  Status status = OK;
  ALLOC_DONE(nod, (int64_t)n * n_node, "elements of a MED file");
  ALLOC_DONE(fam, n, "elements of a MED file");
  type_fill(mesh, type, families, n, nod, fam);
  TRY_DONE(put_array(at, "NOD", false, (int64_t)n * n_node, n, nod));
  TRY_DONE(put_array(at, "FAM", false, n, n, fam));
done:
  FREE(nod);
  FREE(fam);
  h5_close(&at);
  return status;
}

static Status put_step(hid_t root, const Mesh *mesh, const MedFamilies family[2]) {
  hid_t step = -1, cells = -1;
  TRY(PUT_OBJECT(root, "-0000000000000000001-0000000000000000001", &step, {"CGT", NULL, 1}, {"NDT", NULL, -1},
                 {"NOR", NULL, -1}, {"NXT", NULL, -1}, {"NXI", NULL, -1}, {"PVI", NULL, -1}, {"PVT", NULL, -1}));
  Status status = h5_put_double(step, "PDT", 0);
  if (status == OK) status = put_nodes(step, mesh, &family[0]);
  if (status == OK) status = PUT_OBJECT(step, "MAI", &cells, {"CGT", NULL, 1});
  for (int32_t i = 0; med_type_at(i) && status == OK; ++i) status = put_type(cells, mesh, med_type_at(i), &family[1]);
  h5_close(&cells);
  h5_close(&step);
  return status;
}

/* The names of a family's groups, each in 80 letters with blanks behind it. */
static Status put_names(hid_t at, const Mesh *mesh, const MedFamilies *families, int32_t k) {
  const hsize_t letters = MED_GROUP_NAME;
  int32_t n = 0, i = 0;
  char *name = NULL;
  hid_t group = -1, type = -1;
  for (int32_t f = k; f; f = families->parent[f - 1]) ++n;
  TRY(PUT_OBJECT(at, "GRO", &group, {"NBR", NULL, n}));
  Status status = OK;
  ALLOC_DONE(name, (int64_t)n * MED_GROUP_NAME, "groups of a family");
  memset(name, ' ', (size_t)n * MED_GROUP_NAME);
  for (int32_t f = k; f; f = families->parent[f - 1], ++i) {
    const char *from = mesh->group[families->group[f - 1]].name;
    memcpy(name + (int64_t)i * MED_GROUP_NAME, from, strlen(from));
  }
  type = H5Tarray_create2(H5T_STD_I8LE, 1, &letters);
  status = h5_put_data(group, "NOM", type, type, n, 0, name, NULL);
done:
  FREE(name);
  h5_close(&type);
  h5_close(&group);
  return status;
}

static Status put_families(hid_t root, const Mesh *mesh, const MedFamilies *families, bool nodes) {
  hid_t list = -1;
  if (families->n == 0) return OK;
  TRY(h5_put_group(root, nodes ? "NOEUD" : "ELEME", H5_ORDERED, &list));
  Status status = OK;
  for (int32_t k = 1; k <= families->n && status == OK; ++k) {
    char name[MED_NAME];
    hid_t at = -1;
    if (!families->used[k - 1]) continue;
    snprintf(name, sizeof name, "FAM_%d", nodes ? k : -k);
    status = PUT_OBJECT(list, name, &at, {"NUM", NULL, nodes ? k : -k});
    if (status == OK) status = put_names(at, mesh, families, k);
    h5_close(&at);
  }
  h5_close(&list);
  return status;
}

static Status check_words(const Mesh *mesh) {
  for (int32_t b = 0; b < mesh->n_block; ++b)
    CHECK(med_type_of(mesh->block[b].kind), ERR_MESH, "MED has no element like %s",
          element_type(mesh->block[b].kind)->name);
  for (int32_t g = 0; g < mesh->n_group; ++g)
    CHECK(strlen(mesh->group[g].name) <= MED_GROUP_NAME, ERR_MESH,
          "the group '%s' has a name of %d bytes, and MED takes %d", mesh->group[g].name,
          (int)strlen(mesh->group[g].name), MED_GROUP_NAME);
  return OK;
}

static Status put_mesh(hid_t meshes, hid_t all_families, const char *name, const Mesh *mesh, MedFamilies family[2]) {
  char axes[3 * MED_SHORT + 1], units[3 * MED_SHORT + 1];
  hid_t root = -1, families = -1, none = -1;
  snprintf(axes, sizeof axes, "%-16s%-16s%-16s", "X", "Y", "Z");
  snprintf(units, sizeof units, "%48s", "");
  Status status = PUT_OBJECT(meshes, name, &root, {"DIM", NULL, mesh->dim}, {"ESP", NULL, 3}, {"REP", NULL, 0},
                             {"TYP", NULL, 0}, {"SRT", NULL, 0}, {"NXT", NULL, -1}, {"NXI", NULL, -1}, {"NOM", axes, 0},
                             {"UNI", units, 0}, {"UNT", "", 0}, {"DES", "", 0});
  for (int nodes = 0; nodes < 2 && status == OK; ++nodes) status = med_families_make(mesh, !nodes, &family[nodes]);
  if (status == OK) status = put_step(root, mesh, family);
  if (status == OK) status = h5_put_group(all_families, name, H5_ORDERED, &families);
  if (status == OK) status = PUT_OBJECT(families, "FAMILLE_ZERO", &none, {"NUM", NULL, 0});
  for (int nodes = 0; nodes < 2 && status == OK; ++nodes) status = put_families(families, mesh, &family[nodes], !nodes);
  h5_close(&none);
  h5_close(&families);
  h5_close(&root);
  return status;
}

Status med_put_mesh(hid_t file, const char *name, const Mesh *mesh) {
  MedFamilies family[2] = {{0}, {0}};
  hid_t version = -1, meshes = -1, families = -1;
  TRY(check_words(mesh));
  Status status = PUT_OBJECT(file, "INFOS_GENERALES", &version, {"MAJ", NULL, 4}, {"MIN", NULL, 0}, {"REL", NULL, 0});
  if (status == OK) status = h5_put_group(file, "ENS_MAA", H5_ORDERED, &meshes);
  if (status == OK) status = h5_put_group(file, "FAS", H5_ORDERED, &families);
  if (status == OK) status = put_mesh(meshes, families, name, mesh, family);
  med_families_release(&family[0]);
  med_families_release(&family[1]);
  h5_close(&families);
  h5_close(&meshes);
  h5_close(&version);
  return status;
}

/* A group below `at`, made where it is not there yet. */
static Status open_or_put(hid_t at, const char *name, H5Links links, hid_t *out) {
  if (H5Lexists(at, name, H5P_DEFAULT) <= 0) return h5_put_group(at, name, links, out);
  *out = H5Gopen2(at, name, H5P_DEFAULT);
  return *out >= 0 ? OK : FAIL(ERR_BUG, "the group '%s' of a MED file cannot be opened", name);
}

/* Names of components or their units, each in 16 letters. */
static Status component_texts(const MedField *field, bool units, char **out) {
  static const char *const vector[] = {"X", "Y", "Z"}, *const symmetric[] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"},
                           *const tensor[] = {"XX", "XY", "XZ", "YX", "YY", "YZ", "ZX", "ZY", "ZZ"};
  const int32_t n = field->n_component;
  const char *const *names = n == 3 ? vector : n == 6 ? symmetric : n == 9 ? tensor : NULL;
  ALLOC(*out, (int64_t)n * MED_SHORT + 1, "names of components");
  for (int32_t c = 0; c < n; ++c) {
    char number[MED_SHORT];
    snprintf(number, sizeof number, "%d", c + 1);
    const char *text = units ? field->unit ? field->unit : "" : names ? names[c] : n == 1 ? field->name : number;
    snprintf(*out + c * MED_SHORT, MED_SHORT + 1, "%-16.16s", text);
  }
  return OK;
}

/* Numbers at nodes and on elements are one field of MED. */
static Status check_components(hid_t at, const MedField *field) {
  const hid_t attribute = H5Aopen(at, "NCO", H5P_DEFAULT);
  int32_t n = 0;
  H5Aread(attribute, H5T_NATIVE_INT32, &n);
  H5Aclose(attribute);
  CHECK(n == field->n_component, ERR_MESH,
        "the field '%s' has %d components at nodes and %d on elements, which MED has not", field->name,
        field->on_nodes ? field->n_component : n, field->on_nodes ? n : field->n_component);
  return OK;
}

static Status open_field(hid_t all, const MedField *field, hid_t *out) {
  char *names = NULL, *units = NULL;
  const bool there = H5Lexists(all, field->name, H5P_DEFAULT) > 0;
  TRY(open_or_put(all, field->name, H5_IN_ORDER, out));
  if (there) return check_components(*out, field);
  Status status = component_texts(field, false, &names);
  if (status == OK) status = component_texts(field, true, &units);
  if (status == OK)
    status = put_attributes(*out, 6,
                            (Attribute[]){{"MAI", field->mesh_name, 0},
                                          {"TYP", NULL, 6},
                                          {"NCO", NULL, field->n_component},
                                          {"NOM", names, 0},
                                          {"UNI", units, 0},
                                          {"UNT", field->time_unit ? field->time_unit : "", 0}});
  FREE(names);
  FREE(units);
  if (status != OK) h5_close(out);
  return status;
}

static Status open_step(hid_t field, int32_t number, double time, hid_t *out) {
  char name[2 * 20 + 1];
  const int32_t ndt = number ? number : -1, nor = number ? 0 : -1;
  snprintf(name, sizeof name, "%020d%020d", ndt, nor);
  const bool there = H5Lexists(field, name, H5P_DEFAULT) > 0;
  TRY(open_or_put(field, name, H5_ORDERED, out));
  if (there) return OK;
  Status status = put_attributes(
      *out, 4, (Attribute[]){{"NDT", NULL, ndt}, {"NOR", NULL, nor}, {"RDT", NULL, -1}, {"ROR", NULL, -1}});
  if (status == OK) status = h5_put_double(*out, "PDT", number ? time : 0);
  if (status != OK) h5_close(out);
  return status;
}

/* n items with their values, all of a component behind each other. */
static Status put_values(hid_t step, const char *name, int32_t n, const double *value, int64_t n_value) {
  hid_t at = -1, profile = -1;
  TRY(PUT_OBJECT(step, name, &at, {"GAU", "", 0}, {"PFL", med_no_profile, 0}));
  Status status = PUT_OBJECT(at, med_no_profile, &profile, {"NBR", NULL, n}, {"NGA", NULL, 1}, {"GAU", "", 0});
  if (status == OK) status = h5_put_data(profile, "CO", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n_value, 0, value, NULL);
  h5_close(&profile);
  h5_close(&at);
  return status;
}

/* The values of a type into `out` [n_component][n]; whether there is any. */
static bool type_values(const Mesh *mesh, const MedType *type, int32_t n, int32_t n_component, const double *value,
                        double *out) {
  int64_t at = 0;
  bool any = false;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (med_type_of(block->kind) != type) continue;
    for (int64_t e = block->first; e < block->first + block->n; ++e, ++at)
      for (int32_t c = 0; c < n_component; ++c) {
        out[c * (int64_t)n + at] = value[e * n_component + c];
        any |= !isnan(value[e * n_component + c]);
      }
  }
  return any;
}

static Status put_on_elements(hid_t step, const Mesh *mesh, const MedField *field, const double *value, double *room) {
  Status status = OK;
  for (int32_t i = 0; med_type_at(i) && status == OK; ++i) {
    const MedType *type = med_type_at(i);
    const int32_t n = type_count(mesh, type);
    char name[16];
    if (n == 0 || type->kind == ELEMENT_POINT1 || !type_values(mesh, type, n, field->n_component, value, room))
      continue;
    snprintf(name, sizeof name, "MAI.%s", type->name);
    status = put_values(step, name, n, room, (int64_t)n * field->n_component);
  }
  return status;
}

Status med_put_field(hid_t file, const Mesh *mesh, const MedField *field, int32_t number, double time,
                     const double *value) {
  const int32_t n = field->on_nodes ? mesh->n_node : mesh->n_element, n_component = field->n_component;
  hid_t all = -1, at = -1, step = -1;
  double *room = NULL;
  CHECK(strlen(field->name) <= MED_NAME, ERR_MESH, "the field '%s' has a name of %d bytes, and MED takes %d",
        field->name, (int)strlen(field->name), MED_NAME);
  Status status = OK;
  ALLOC_DONE(room, (int64_t)n * n_component, "values of a MED file");
  TRY_DONE(open_or_put(file, "CHA", H5_ORDERED, &all));
  TRY_DONE(open_field(all, field, &at));
  TRY_DONE(open_step(at, number, time, &step));
  if (!field->on_nodes) {
    TRY_DONE(put_on_elements(step, mesh, field, value, room));
  } else {
    for (int64_t i = 0; i < n; ++i)
      for (int32_t c = 0; c < n_component; ++c) room[c * (int64_t)n + i] = value[i * n_component + c];
    TRY_DONE(put_values(step, "NOE", n, room, (int64_t)n * n_component));
  }
done:
  FREE(room);
  h5_close(&step);
  h5_close(&at);
  h5_close(&all);
  return status;
}

void med_mesh_name(const char *path, char name[MED_NAME + 1]) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
  snprintf(name, MED_NAME + 1, "%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

/* A mesh, and how it is called. */
typedef struct Named {
  const Mesh *mesh;
  char name[MED_NAME + 1];
} Named;

static Status put_named(hid_t file, const void *context) {
  const Named *named = context;
  TRY(med_put_mesh(file, named->name, named->mesh));
  for (int32_t f = 0; f < named->mesh->n_field; ++f) {
    const MeshField *field = &named->mesh->field[f];
    const MedField to = {
        .name = field->name, .mesh_name = named->name, .on_nodes = field->on_nodes, .n_component = field->n_component};
    TRY(med_put_field(file, named->mesh, &to, 0, 0, field->value));
  }
  return OK;
}

Status mesh_write_med(const Mesh *mesh, const char *path) {
  Named named = {.mesh = mesh};
  size_t growth = (size_t)mesh->n_node * 32 + (1 << 20);
  med_mesh_name(path, named.name);
  for (int32_t b = 0; b < mesh->n_block; ++b)
    growth += (size_t)mesh->block[b].n * 4 * (size_t)(element_type(mesh->block[b].kind)->n_node + 1);
  const Status status = h5_make_file(path, &(H5Making){put_named, &named, growth, false});
  return status == ERR_MESH ? status_context(status, "remedy: a .msh or .h5") : status;
}
