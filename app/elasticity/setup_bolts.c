/* Bolts of a case against its mesh: cuts through shanks, pairs of nodes on their two sides, and what happens over time. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/make/slit.h"

#include <math.h>

/* Of a facet, not of length 1. */
static void direction_of_facet(const Mesh *mesh, int32_t e, double n[3]) {
  const int32_t *nodes = mesh_nodes_of(mesh, e), last = element_type(mesh_block_of(mesh, e)->kind)->n_vertex - 1;
  double a[3], b[3] = {0, 0, 1};
  vec3_minus(mesh->x[nodes[1]], mesh->x[nodes[0]], a);
  if (mesh->dim == 3) vec3_minus(mesh->x[nodes[last]], mesh->x[nodes[0]], b);
  vec3_cross(a, b, n);
}

/* As it is given, or across the surface on the whole. */
static bool axis_of(const Mesh *mesh, const CaseBolt *b, const Group *on, double axis[3]) {
  double first[3], n[3];
  axis[0] = axis[1] = axis[2] = 0;
  for (int32_t k = 0; k < b->axis.n; ++k) axis[k] = b->axis.value[k];
  if (on->n) direction_of_facet(mesh, on->element[0], first);
  for (int32_t k = 0; k < on->n && !b->axis.n; ++k) {
    direction_of_facet(mesh, on->element[k], n);
    const double sign = vec3_dot(n, first) < 0 ? -1 : 1;
    for (int d = 0; d < 3; ++d) axis[d] += sign * n[d];
  }
  return vec3_normalize(axis) > 0;
}

static Status cut_one(const Case *c, Mesh *mesh, const CaseBolt *b, const Group *on, uint8_t *used) {
  double axis[3];
  char place[512];
  int32_t n = 0, *node = NULL;
  place_text(c->path, b->place, place, sizeof place);
  CHECK(on->n && axis_of(mesh, b, on, axis), ERR_INPUT, "%s: '%s' is no surface across a shank", place, on->name);
  TRY(mesh_group_nodes(mesh, on, &n, &node));
  for (int32_t k = 0; k < n && *place; ++k) {
    if (used[node[k]]) {
      const double *x = mesh->x[node[k]];
      const Status status = FAIL(ERR_INPUT, "%s: '%s' has a node at (%g, %g, %g) that another bolt cuts, too", place,
                                 on->name, x[0], x[1], x[2]);
      FREE(node);
      return status;
    }
    used[node[k]] = 1;
  }
  FREE(node);
  TRY_CONTEXT(mesh_slit(mesh, on, axis), "%s: bolts", place);
  return OK;
}

Status setup_bolt_cuts(const Case *c, Mesh *mesh) {
  const CaseBolt *b;
  Setup setup = {0};
  Diagnostics diagnostics = {.path = c->path};
  uint8_t *used = NULL;
  Status status = OK;
  if (!case_bolts(c)) return OK;
  ALLOC(used, mesh->n_node, "nodes of bolts"); /* those of the mesh without the cuts */
  for (int32_t i = 0; status == OK && (b = case_bolt_at(c, i, NULL)); ++i) {
    const Group *on = setup_group(&setup, mesh, &b->on, ON_FACETS, "bolts", &diagnostics);
    if (on && !diagnostics.n) status = cut_one(c, mesh, b, on, used);
  }
  if (status == OK) status = diagnostics_status(&diagnostics);
  diagnostics_release(&diagnostics);
  setup_release(&setup);
  FREE(used);
  return status;
}

/* An entry that gives a preload or an elongation begins a phase; one without it says when the last one ends. */
static int32_t phases_take(const Case *c, int32_t i, BoltPhase *phase) {
  int32_t n = 0;
  for (int32_t s = -1; s < c->steps.n; ++s) {
    int32_t first;
    const CaseBolt *of_case = case_bolt_at(c, i, &first);
    const CaseBolt *b = s >= 0 ? case_bolt_in(c, i, s) : first < 0 ? of_case : NULL;
    if (!b) continue;
    const double lock = place_given(b->lock.place) ? b->lock.value : (double)INFINITY;
    const bool stretched = place_given(b->elongation.place);
    if (stretched || place_given(b->preload.place)) {
      const double end = c->steps.n ? case_step(c, s < 0 ? 0 : s)->end.value : fmin(lock, c->time.end.value);
      phase[n++] = (BoltPhase){s < 0 ? 0 : case_step_begin(c, s), end, lock,
                               stretched ? b->elongation.expr : b->preload.expr, stretched};
    } else if (isfinite(lock)) phase[n - 1].lock = lock;
  }
  return n;
}

/* Copies of nodes lie behind all others, cut by cut. */
Status setup_bolts(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  const int32_t n = case_bolts(c);
  int32_t copy = mesh->n_node;
  if (!n) return OK;
  ALLOC(own->bolt, n, "bolts");
  TRY(mem_alloc(2 * (int64_t)n, sizeof *own->bolt_node, "bolts", (void **)(void *)&own->bolt_node));
  ALLOC(own->bolt_phase, (int64_t)n * (c->steps.n + 1), "bolts");
  own->params.n_bolt = n;
  for (int32_t i = n - 1; i >= 0; --i) {
    const CaseBolt *b = case_bolt_at(c, i, NULL);
    const Group *on = setup_group(setup, mesh, &b->on, ON_FACETS, "bolts", diagnostics);
    BoltParams *out = &own->bolt[i];
    BoltPhase *phase = own->bolt_phase + (int64_t)i * (c->steps.n + 1);
    if (!on) continue;
    TRY(mesh_group_nodes(mesh, on, &out->n, &own->bolt_node[2 * i]));
    ALLOC(own->bolt_node[2 * i + 1], out->n, "bolts");
    copy -= out->n;
    for (int32_t k = 0; k < out->n; ++k) own->bolt_node[2 * i + 1][k] = copy + k;
    out->behind = own->bolt_node[2 * i], out->ahead = own->bolt_node[2 * i + 1];
    (void)axis_of(mesh, b, on, out->axis);
    out->name = on->name;
    out->phase = phase, out->n_phase = phases_take(c, i, phase);
    TRY(setup_where(c, b->place, setup, &out->where));
  }
  own->params.bolt = own->bolt;
  return OK;
}
