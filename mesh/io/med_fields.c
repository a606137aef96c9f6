/* Fields of a MED file: numbers at nodes, and one set of them for an element. */
#include "core/memory.h"
#include "mesh/io/h5.h"
#include "mesh/io/med_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TENSOR = 9, FLOAT64 = 6 };

/* A field that is read. place[c]: which of the file's components becomes component c; -1: zero. */
typedef struct Reading {
  MedMesh *m;
  Mesh *mesh;
  const char *name;
  int32_t n_from, n_to, place[ELEMENT_MAX_QUADRATURE];
  int32_t n_step;
  char last[MED_LINK];
  int left_out; /* places with values that are not read */
  char first_left_out[MED_LINK];
} Reading;

/* xx yy zz xy yz xz of the file in whatever order, as their names end, to a tensor by rows; false: they have other names. */
static bool find_tensor(const char *names, int32_t place[TENSOR]) {
  static const char *const ends[] = {"XX", "XY", "XZ", "XY", "YY", "YZ", "XZ", "YZ", "ZZ"};
  for (int i = 0; i < TENSOR; ++i) {
    place[i] = -1;
    for (int c = 0; c < 6 && strlen(names) >= 6 * MED_SHORT; ++c) {
      const char *from = names + (size_t)c * MED_SHORT, *end = from + MED_SHORT;
      while (end > from && end[-1] == ' ') --end;
      if (end - from >= 2 && !strncmp(end - 2, ends[i], 2)) place[i] = c;
    }
    if (place[i] < 0) return false;
  }
  return true;
}

/* False: a mesh has no field of so many components. */
static bool find_components(Reading *f, const char *names) {
  if (f->n_from > ELEMENT_MAX_QUADRATURE) return false;
  f->n_to = f->n_from == 2 ? 3 : f->n_from;
  for (int32_t c = 0; c < f->n_to; ++c) f->place[c] = c < f->n_from ? c : -1;
  if (f->n_from != 6) return true;
  f->n_to = TENSOR;
  return find_tensor(names, f->place);
}

static Status visit_step(void *context, hid_t group, const char *name) {
  Reading *f = context;
  (void)group;
  ++f->n_step;
  snprintf(f->last, sizeof f->last, "%s", name);
  return OK;
}

/* The field of the mesh that values go to, made where it is not there yet. */
static Status mesh_field_of(const Reading *f, bool on_nodes, MeshField **out) {
  Mesh *mesh = f->mesh;
  for (int32_t i = 0; i < mesh->n_field; ++i)
    if (mesh->field[i].on_nodes == on_nodes && !strcmp(mesh->field[i].name, f->name)) {
      *out = &mesh->field[i];
      return OK;
    }
  RESIZE(mesh->field, mesh->n_field + 1, "fields");
  MeshField *field = &mesh->field[mesh->n_field++];
  *field = (MeshField){.on_nodes = on_nodes, .n_component = f->n_to};
  TRY(mem_text(f->name, "the name of a field", &field->name));
  const int64_t n = (int64_t)f->n_to * (on_nodes ? mesh->n_node : mesh->n_element);
  ALLOC(field->value, n, "values of a field");
  for (int64_t i = 0; i < n; ++i) field->value[i] = (double)NAN;
  *out = field;
  return OK;
}

static Status get_values(Reading *f, hid_t at, int32_t n, bool on_nodes, int64_t first) {
  int64_t rows = (int64_t)n * f->n_from;
  double *value = NULL;
  MeshField *field = NULL;
  TRY(mesh_field_of(f, on_nodes, &field));
  TRY(h5_get_data(&f->m->r, at, "CO", H5T_NATIVE_DOUBLE, sizeof *value, &rows, 0, (void **)&value));
  for (int64_t i = 0; i < n; ++i)
    for (int32_t c = 0; c < f->n_to; ++c)
      field->value[(first + i) * f->n_to + c] = f->place[c] < 0 ? 0 : value[f->place[c] * (int64_t)n + i];
  FREE(value);
  return OK;
}

/* The elements of a kind: how many, and the first of them; n is 0 where there are none, as of points. */
static void find_block(const Mesh *mesh, ElementKind kind, int32_t *n, int64_t *first) {
  *n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (mesh->block[b].kind == kind) *n = mesh->block[b].n, *first = mesh->block[b].first;
}

/* Where values are: NOE, MAI.TE4; those at the nodes of elements (NOE.TE4), at points in them or of a part are left out. */
static Status visit_place(void *context, hid_t group, const char *name) {
  Reading *f = context;
  const bool on_nodes = !strcmp(name, "NOE");
  const MedType *type = strncmp(name, "MAI.", 4) ? NULL : med_type_named(name + 4);
  int32_t n = on_nodes ? f->mesh->n_node : 0, points = 1;
  int64_t first = 0;
  hid_t at = -1;
  char path[MED_LINK + 64];
  snprintf(path, sizeof path, "%s/%s", name, med_no_profile);
  snprintf(f->m->r.place, sizeof f->m->r.place, "/CHA/%.64s/%.64s/%.64s", f->name, f->last, path);
  if (type && type->kind != ELEMENT_POINT1) find_block(f->mesh, type->kind, &n, &first);
  if (n && H5Lexists(group, path, H5P_DEFAULT) > 0) at = H5Gopen2(group, path, H5P_DEFAULT);
  Status status = at >= 0 && H5Aexists(at, "NGA") > 0 ? h5_get_int(&f->m->r, at, "NGA", 0, &points) : OK;
  if (status == OK && at >= 0 && points == 1) status = get_values(f, at, n, on_nodes, first);
  else if (status == OK && f->left_out++ == 0) snprintf(f->first_left_out, MED_LINK, "%s", name);
  h5_close(&at);
  return status;
}

static Status read_step(Reading *f, hid_t field) {
  TRY(med_each(field, visit_step, f));
  if (f->n_step == 0) return OK;
  hid_t step = H5Gopen2(field, f->last, H5P_DEFAULT);
  if (step < 0) return h5_bad(&f->m->r, "holds a step that cannot be read");
  const Status status = med_each(step, visit_place, f);
  h5_close(&step);
  TRY(status);
  if (f->n_step > 1)
    status_warn("%s: field '%s' has %d steps: the last is read", f->m->r.label, f->name, (int)f->n_step);
  if (f->left_out)
    status_warn("%s: field '%s': values that are not at nodes and not one for each element are left out (%s%s)",
                f->m->r.label, f->name, f->first_left_out, f->left_out > 1 ? ", ..." : "");
  return OK;
}

static Status read_field(Reading *f, hid_t field) {
  char *mesh = NULL, *names = NULL;
  int32_t type = 0;
  Status status = h5_get_text(&f->m->r, field, "MAI", &mesh);
  const bool other = status == OK && strcmp(mesh, f->m->name) != 0;
  FREE(mesh);
  if (status != OK || other) return status;
  status = h5_get_int(&f->m->r, field, "TYP", 0, &type);
  if (status == OK) status = h5_get_int(&f->m->r, field, "NCO", 1, &f->n_from);
  if (status == OK) status = h5_get_text(&f->m->r, field, "NOM", &names);
  const bool fits = status == OK && type == FLOAT64 && find_components(f, names);
  FREE(names);
  TRY(status);
  if (fits) return read_step(f, field);
  if (type != FLOAT64) status_warn("%s: field '%s' is ignored: it is not of doubles", f->m->r.label, f->name);
  else
    status_warn("%s: field '%s' is ignored: of six components the names must end in XX, YY, ZZ, XY, YZ and XZ; more "
                "than %d are not read",
                f->m->r.label, f->name, ELEMENT_MAX_QUADRATURE);
  return OK;
}

static Status visit_field(void *context, hid_t all, const char *name) {
  const Reading *from = context;
  Reading f = {.m = from->m, .mesh = from->mesh, .name = name};
  snprintf(f.m->r.place, sizeof f.m->r.place, "/CHA/%.64s", name);
  hid_t field = H5Gopen2(all, name, H5P_DEFAULT);
  if (field < 0) return h5_bad(&f.m->r, "is not a group");
  const Status status = read_field(&f, field);
  h5_close(&field);
  return status;
}

Status med_fields(MedMesh *m, Mesh *mesh) {
  Reading f = {.m = m, .mesh = mesh};
  hid_t all = H5Lexists(m->r.file, "CHA", H5P_DEFAULT) > 0 ? H5Gopen2(m->r.file, "CHA", H5P_DEFAULT) : -1;
  const Status status = all >= 0 ? med_each(all, visit_field, &f) : OK;
  h5_close(&all);
  return status;
}
