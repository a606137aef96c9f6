/* Regions that a case makes: elements by thresholds of data, as of the intensities of an image, or at random, as fibrosis. */
#include "app/setup/setup.h"
#include "core/memory.h"
#include "mesh/fibers/fibers.h"

#include <math.h>
#include <string.h>

/* Mixes all bits (finaliser of MurmurHash3, Appleby). */
static uint64_t mixed(uint64_t h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
  return h ^ h >> 33;
}

/* In [0, 1), of a seed, how many regions before drew from it, and three whole numbers: the same on every machine, and for every number of
 * threads. */
static double uniform_of(uint64_t seed, int32_t before, const int64_t at[3]) {
  uint64_t h = mixed(seed + 0x9e3779b97f4a7c15u);
  for (int32_t k = 0; k < before; ++k) h = mixed(h + 0x9e3779b97f4a7c15u);
  for (int d = 0; d < 3; ++d) h = mixed(h ^ (uint64_t)at[d] * 0x9e3779b97f4a7c15u);
  return (double)(h >> 11) * 0x1p-53;
}

static void middle_of(const Mesh *mesh, int32_t e, double x[3]) {
  const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_vertex, *node = mesh_nodes_of(mesh, e);
  for (int d = 0; d < 3; ++d) {
    x[d] = 0;
    for (int32_t a = 0; a < n; ++a) x[d] += mesh->x[node[a]][d] / n;
  }
}

/* Of data on nodes the mean of the vertices: of equal ones their value to the bit, which may be the threshold. */
static double value_of(const Mesh *mesh, const MeshField *field, int32_t e) {
  if (!field->on_nodes) return field->value[e];
  const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_vertex, *node = mesh_nodes_of(mesh, e);
  double mean = 0;
  for (int32_t a = 0; a < n; ++a) mean += (field->value[node[a]] - mean) / (a + 1);
  return mean;
}

/* drawn: regions before with the same seed. */
static bool is_chosen(const Mesh *mesh, const CaseMeshRegion *r, int32_t drawn, const MeshField *field, int32_t e) {
  if (field) {
    const double value = value_of(mesh, field, e); /* not a number: in no region */
    const bool high = !place_given(r->above.place) || value >= r->above.value;
    if (!high || !(!place_given(r->below.place) || value < r->below.value) || isnan(value)) return false;
  }
  if (!place_given(r->share.place)) return true;
  double x[3];
  int64_t at[3] = {e, 0, 0};
  middle_of(mesh, e, x);
  for (int d = 0; d < 3 && place_given(r->size.place); ++d) at[d] = (int64_t)floor(x[d] / r->size.value);
  return uniform_of((uint64_t)r->seed.value, drawn, at) < expr_value(&r->share.expr, x, 0);
}

static void say_empty(const Mesh *mesh, const CaseMeshRegion *r, const MeshField *field, Diagnostics *out) {
  double low = INFINITY, high = -INFINITY;
  for (int32_t e = setup_first_solved(mesh); field && e < mesh->n_element; ++e) {
    low = fmin(low, value_of(mesh, field, e));
    high = fmax(high, value_of(mesh, field, e));
  }
  if (field)
    report_error(out, r->place, "region '%s' is empty: '%s' goes from %g to %g in the elements of the mesh",
                 r->name.text, r->field.text, low, high);
  else report_error(out, r->place, "region '%s' is empty: its share of so few elements is none", r->name.text);
}

/* in[n_element], zeroed, becomes 1 where an element is chosen. taken[n_element]: by regions before, which only `within` names again. */
static Status choose(const Mesh *mesh, const CaseMeshRegion *r, int32_t drawn, const uint8_t *taken, uint8_t *in,
                     Diagnostics *out) {
  Setup setup = {0};
  const MeshField *field = NULL;
  const Group *within = NULL;
  const int32_t first = setup_first_solved(mesh), before = out->n;
  int32_t n = 0;
  if (mesh_group_dim(mesh, r->name.text, mesh->dim))
    report_error(out, r->name.place, "the mesh has a group '%s' already", r->name.text);
  if (r->within.n) within = setup_group(&setup, mesh, &r->within, ON_CELLS, "within", out);
  if (r->field.text) {
    const Status found = fiber_field(mesh, r->field.text, 1, "region", &field);
    if (found == ERR_INPUT) report_error(out, r->field.place, "%s", status_message());
    else if (found != OK) out->broken = found;
  }
  if (out->n == before && out->broken == OK) {
    const int32_t count = within ? within->n : mesh->n_element - first;
    for (int32_t i = 0; i < count; ++i) {
      const int32_t e = within ? within->element[i] : first + i;
      n += in[e] = (within || !taken[e]) && is_chosen(mesh, r, drawn, field, e);
    }
    if (n == 0) say_empty(mesh, r, field, out);
  }
  setup_release(&setup);
  return out->broken;
}

static int32_t drawn_before(const Case *c, int32_t i) {
  int32_t n = 0;
  for (int32_t k = 0; k < i; ++k) {
    const CaseMeshRegion *r = mesh_region(&c->mesh.regions, k);
    n += place_given(r->share.place) && r->seed.value == mesh_region(&c->mesh.regions, i)->seed.value;
  }
  return n;
}

Status setup_make_regions(const Case *c, Mesh *mesh) {
  Diagnostics diagnostics = {.path = c->path};
  uint8_t *in = NULL, *taken = NULL;
  Status status = mem_alloc(mesh->n_element, sizeof *in, "elements of a region", (void **)&in);
  if (status == OK) status = mem_alloc(mesh->n_element, sizeof *taken, "elements of regions", (void **)&taken);
  for (int32_t i = 0; status == OK && i < c->mesh.regions.n; ++i) {
    const CaseMeshRegion *r = mesh_region(&c->mesh.regions, i);
    memset(in, 0, (size_t)mesh->n_element);
    status = choose(mesh, r, drawn_before(c, i), taken, in, &diagnostics);
    for (int32_t e = 0; e < mesh->n_element; ++e) taken[e] |= in[e];
    if (status == OK && diagnostics.n == 0) status = mesh_regroup(mesh, r->name.text, in);
  }
  if (status == OK) status = diagnostics_status(&diagnostics);
  diagnostics_release(&diagnostics);
  FREE(in);
  FREE(taken);
  return status;
}
