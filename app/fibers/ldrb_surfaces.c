/* From groups to the sets of nodes that rule-based fibres start from. */
#include "app/fibers/ldrb_surfaces.h"
#include "assembly/space/element_set.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <string.h>

static const double BASE_COSINE = 0.70710678118654752; /* of 45 degrees */

typedef struct Work {
  const LdrbParams *params;
  const Mesh *mesh;
  ElementSet set;
  Incidence incidence; /* owned */
  uint8_t *base;       /* owned, [n_node]: on the group `base` */
  LdrbSurfaces *out;
} Work;

/* Marks the nodes of one element. */
static void ldrb_surfaces_mark(const Mesh *mesh, int32_t e, uint8_t value, uint8_t *set) {
  const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node, *nodes = mesh_nodes_of(mesh, e);
  for (int32_t a = 0; a < n; ++a) __atomic_store_n(&set[nodes[a]], value, __ATOMIC_RELAXED);
}

static Status check_surface(const Group *group, const char *what) {
  CHECK(group, ERR_INPUT, "fibres by rule need the group of the %s", what);
  CHECK(group->dim == 2, ERR_INPUT, "group '%s' (%s) has dimension %d; fibres by rule need a surface", group->name,
        what, (int)group->dim);
  CHECK(group->n > 0, ERR_INPUT, "group '%s' (%s) is empty", group->name, what);
  return OK;
}

static Status check_params(const LdrbParams *p) {
  CHECK(p->mesh->dim == 3, ERR_MESH, "%s: fibres by rule need a mesh of volumes", p->mesh->path);
  TRY(check_surface(p->lv, "endocardium of the left ventricle"));
  TRY(check_surface(p->epi, "epicardium"));
  if (p->rv) TRY(check_surface(p->rv, "endocardium of the right ventricle"));
  if (p->base) TRY(check_surface(p->base, "base"));
  const double *a = p->axis, length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  CHECK(isfinite(length), ERR_INPUT, "the axis of fibres by rule is not finite");
  CHECK(p->base || length > 0, ERR_INPUT, "fibres by rule need the group of the base, or an axis from apex to base");
  CHECK(!p->base || length == 0, ERR_INPUT, "fibres by rule take either the group of the base or an axis, not both");
  CHECK(!p->apex || p->base, ERR_INPUT,
        "an apex of fibres by rule needs the group of the base; with an axis it has no use");
  CHECK(!p->apex || p->apex->n > 0, ERR_INPUT, "group '%s' (apex) is empty", p->apex->name);
  const double angle[4] = {p->alpha_endo, p->alpha_epi, p->beta_endo, p->beta_epi};
  for (int k = 0; k < 4; ++k)
    CHECK(fabs(angle[k]) <= 90, ERR_INPUT, "an angle of fibres by rule is %g, must lie in [-90, 90] degrees", angle[k]);
  return OK;
}

/* The solved element behind a facet: its middle into x; false when there is none. */
static bool middle_behind(const Work *w, const int32_t *facet, int32_t n_vertex, double x[3]) {
  for (int64_t t = w->incidence.start[facet[0]]; t < w->incidence.start[facet[0] + 1]; ++t) {
    const ElementRef *touch = &w->incidence.touch[t];
    const SetBlock *block = &w->set.block[touch->block];
    const int32_t *nodes = block->nodes + (int64_t)touch->element * block->type->n_node;
    int32_t found = 0;
    memset(x, 0, 3 * sizeof *x);
    for (int32_t a = 0; a < block->type->n_vertex; ++a) {
      for (int k = 0; k < 3; ++k) x[k] += w->mesh->x[nodes[a]][k] / block->type->n_vertex;
      for (int32_t v = 0; v < n_vertex; ++v) found += nodes[a] == facet[v];
    }
    if (found == n_vertex) return true;
  }
  return false;
}

/* A face of the epicardium's group that is base: all nodes on the base, or, with an axis, looking along it. */
static bool is_base(const Work *w, int32_t e) {
  const ElementType *type = element_type(mesh_block_of(w->mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(w->mesh, e), last = nodes[type->n_vertex - 1];
  if (w->params->base) {
    for (int32_t a = 0; a < type->n_node; ++a)
      if (!w->base[nodes[a]]) return false;
    return true;
  }
  double behind[3], u[3], v[3], inward = 0, along = 0, square = 0, axis = 0;
  if (!middle_behind(w, nodes, type->n_vertex, behind)) return false;
  const double(*x)[3] = (const double(*)[3])w->mesh->x;
  for (int k = 0; k < 3; ++k) u[k] = x[nodes[1]][k] - x[nodes[0]][k], v[k] = x[last][k] - x[nodes[0]][k];
  for (int k = 0; k < 3; ++k) {
    const double normal = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    inward += normal * (behind[k] - x[nodes[0]][k]);
    along += normal * w->params->axis[k];
    square += normal * normal;
    axis += w->params->axis[k] * w->params->axis[k];
  }
  return (inward > 0 ? -along : along) > BASE_COSINE * sqrt(square * axis);
}

static Status check_left(const Work *w, const uint8_t *set, uint8_t value, const Group *group, const char *what) {
  int64_t left = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(w->mesh->n_node)) reduction(+ : left)
  for (int32_t i = 0; i < w->mesh->n_node; ++i) left += set[i] == value && w->out->in_body[i];
  if (left) return OK;
  return FAIL(ERR_INPUT,
              "no node of group '%s' (%s) is left to it: it is off the body, or its nodes belong to other surfaces",
              group->name, what);
}

static Status mark_across(const Work *w) {
  const LdrbParams *p = w->params;
  uint8_t *across = w->out->across;
#pragma omp parallel for schedule(static) num_threads(parts_of(p->epi->n))
  for (int32_t k = 0; k < p->epi->n; ++k) /* all that is written is one value */
    if (!is_base(w, p->epi->element[k])) ldrb_surfaces_mark(w->mesh, p->epi->element[k], LDRB_EPI, across);
  for (int32_t k = 0; p->rv && k < p->rv->n; ++k) ldrb_surfaces_mark(w->mesh, p->rv->element[k], LDRB_RV, across);
  for (int32_t k = 0; k < p->lv->n; ++k) ldrb_surfaces_mark(w->mesh, p->lv->element[k], LDRB_LV, across);
  TRY(check_left(w, across, LDRB_EPI, p->epi, "epicardium"));
  if (p->rv) TRY(check_left(w, across, LDRB_RV, p->rv, "endocardium of the right ventricle"));
  return check_left(w, across, LDRB_LV, p->lv, "endocardium of the left ventricle");
}

/* The node of the epicardium that is farthest from the middle of the base's nodes; the lowest of equals. */
static int32_t find_apex(const Work *w) {
  const Mesh *mesh = w->mesh;
  double middle[3] = {0}, most = -1;
  int32_t n = 0, apex = -1;
  for (int32_t i = 0; i < mesh->n_node; ++i) n += w->base[i];
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; w->base[i] && k < 3; ++k) middle[k] += mesh->x[i][k] / n;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (w->out->across[i] != LDRB_EPI || w->base[i] || !w->out->in_body[i]) continue;
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (mesh->x[i][k] - middle[k]) * (mesh->x[i][k] - middle[k]);
    if (square <= most) continue;
    most = square;
    apex = i;
  }
  return apex;
}

static Status mark_along(const Work *w) {
  const LdrbParams *p = w->params;
  uint8_t *along = w->out->along;
#pragma omp parallel for schedule(static) num_threads(parts_of(w->mesh->n_node))
  for (int32_t i = 0; i < w->mesh->n_node; ++i) along[i] = w->base[i] ? LDRB_BASE : 0;
  TRY(check_left(w, along, LDRB_BASE, p->base, "base"));
  if (p->apex) {
    for (int32_t k = 0; k < p->apex->n; ++k) ldrb_surfaces_mark(w->mesh, p->apex->element[k], LDRB_APEX, along);
    TRY(check_left(w, along, LDRB_BASE, p->base, "base"));
    return check_left(w, along, LDRB_APEX, p->apex, "apex");
  }
  const int32_t apex = find_apex(w);
  CHECK(apex >= 0, ERR_INPUT, "no node of group '%s' (epicardium) is off the base: there is no apex", p->epi->name);
  along[apex] = LDRB_APEX;
  return OK;
}

static void mark_rim(const Work *w) {
  const Group *group = w->params->base ? w->params->base : w->params->epi;
  for (int32_t k = 0; k < group->n; ++k) ldrb_surfaces_mark(w->mesh, group->element[k], 1, w->out->rim);
  for (int32_t i = 0; i < w->mesh->n_node; ++i)
    w->out->rim[i] = w->out->rim[i] && w->out->across[i] == LDRB_LV && w->out->in_body[i];
}

static Status create_ldrb_surfaces(Work *w) {
  const int32_t n = w->mesh->n_node;
  ALLOC(w->out->in_body, n, "nodes of the body");
  ALLOC(w->out->across, n, "nodes of the surfaces");
  ALLOC(w->out->rim, n, "nodes of the rim");
  element_set_create(w->mesh, w->mesh->dim, true, &w->set);
  Exec *cpu = NULL;
  TRY(exec_create_cpu(0, &cpu));
  const Status status = incidence_create(cpu, &w->set, &w->incidence);
  exec_destroy(&cpu);
  if (status != OK) return status;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i) w->out->in_body[i] = w->incidence.start[i + 1] > w->incidence.start[i];
  if (!w->params->base) return mark_across(w);
  ALLOC(w->base, n, "nodes of the base");
  ALLOC(w->out->along, n, "nodes of apex and base");
  for (int32_t k = 0; k < w->params->base->n; ++k) ldrb_surfaces_mark(w->mesh, w->params->base->element[k], 1, w->base);
  TRY(mark_across(w));
  return mark_along(w);
}

Status ldrb_surfaces_create(const LdrbParams *params, LdrbSurfaces *out) {
  *out = (LdrbSurfaces){0};
  TRY(check_params(params));
  Work w = {.params = params, .mesh = params->mesh, .out = out};
  const Status status = create_ldrb_surfaces(&w);
  incidence_release(&w.incidence);
  FREE(w.base);
  if (status == OK) mark_rim(&w);
  else ldrb_surfaces_release(out);
  return status;
}

void ldrb_surfaces_release(LdrbSurfaces *surfaces) {
  FREE(surfaces->in_body);
  FREE(surfaces->across);
  FREE(surfaces->along);
  FREE(surfaces->rim);
}
