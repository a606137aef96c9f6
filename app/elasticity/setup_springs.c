/* Springs between nodes: which nodes they are, and their blocks. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/input/number.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/near_nodes.h"

#include <math.h>

/* Of the size of the mesh: a node that is nearer is at a place. */
static const double AT = 1e-6;

typedef struct Ends {
  const Case *c;
  const Mesh *mesh;
  Setup *setup;
  Diagnostics *diagnostics;
  uint8_t *solved; /* owned, [n_node]: nodes of the body, */
  NearNode *near;  /* owned, [n_near], and a list of them */
  int32_t n_near;
  TagMap node_of;
} Ends;

static Status mark_body(Ends *e, int32_t dim) {
  ALLOC(e->solved, e->mesh->n_node, "nodes of the body");
  for (int32_t b = 0; b < e->mesh->n_block; ++b) {
    const ElementBlock *block = &e->mesh->block[b];
    const int64_t n = (int64_t)block->n * element_type(block->kind)->n_node;
    for (int64_t i = 0; element_type(block->kind)->dim == dim && i < n; ++i) e->solved[block->nodes[i]] = 1;
  }
  return OK;
}

/* Where a spring has a place. */
static Status list_body(Ends *e) {
  bool placed = false;
  for (int32_t i = 0; i < e->c->springs.n; ++i) placed = placed || case_spring(e->c, i)->at.n;
  if (!placed) return OK;
  ALLOC(e->near, e->mesh->n_node, "nodes of the body");
  for (int32_t i = 0; i < e->mesh->n_node; ++i)
    if (e->solved[i]) e->near[e->n_near++] = (NearNode){e->mesh->x[i][0], i};
  near_nodes_sort(e->near, e->n_near);
  return OK;
}

static int32_t by_place(const Ends *e, const VectorValue *at) {
  double x[3] = {0, 0, e->mesh->x[0][2]};
  for (int32_t k = 0; k < at->n && k < 3; ++k) x[k] = at->value[k];
  const int32_t node = near_nodes_find(e->mesh, e->near, e->n_near, x);
  const double away = node >= 0 ? vec3_distance(x, e->mesh->x[node]) : (double)INFINITY;
  if (away <= AT * mesh_size(e->mesh)) return node;
  if (node >= 0)
    report_error(
        e->diagnostics, at->place,
        "no node lies at (%g, %g, %g); the nearest, %lld, is %.3g away, at (%.10g, %.10g, %.10g)\n  remedy: its "
        "place, or a point of the geometry there",
        x[0], x[1], x[2], (long long)e->mesh->node_tag[node], away, e->mesh->x[node][0], e->mesh->x[node][1],
        e->mesh->x[node][2]);
  return -1;
}

static int32_t by_number(const Ends *e, const TextValue *text) {
  int64_t number;
  const char *why;
  if (!integer_parse(text->text, &number, &why)) {
    report_error(e->diagnostics, text->place, "nodes: '%s' %s", text->text, why);
    return -1;
  }
  const int32_t node = tag_map_find(&e->node_of, number);
  if (node < 0 || !e->solved[node])
    report_error(e->diagnostics, text->place,
                 node < 0 ? "there is no node %lld in %s" : "node %lld of %s is not on the body", (long long)number,
                 e->mesh->path);
  return node >= 0 && e->solved[node] ? node : -1;
}

static int32_t by_group(const Ends *e, const NamesValue *list, int32_t k) {
  const NamesValue one = {.item = &list->item[k], .n = 1, .place = list->place};
  const Group *on = setup_group(e->setup, e->mesh, &one, ON_ANY, "springs", e->diagnostics);
  if (!on) return -1;
  if (on->dim == 0 && on->n == 1 && e->solved[mesh_nodes_of(e->mesh, on->element[0])[0]])
    return mesh_nodes_of(e->mesh, on->element[0])[0];
  report_error(
      e->diagnostics, list->item[k].place,
      "an end of a spring is one node of the body; '%s' has %d %s\n  remedy: a group of one point; or 'rigid' on "
      "the surface, whose nodes then move as one, and a point of it; or 'spring', which acts per area to the ground",
      on->name, on->n, on->dim ? "elements" : "points");
  return -1;
}

/* Ends, -1 where there is none; false: there was an error. */
static bool ends_find(const Ends *e, const CaseSpring *s, int32_t node[2]) {
  const int32_t n = s->nodes.n + s->between.n + (s->at.n > 0) + (s->to.n > 0);
  node[0] = node[1] = -1;
  for (int32_t k = 0; k < n && k < 2; ++k) {
    node[k] = s->nodes.n     ? by_number(e, &s->nodes.item[k])
              : s->between.n ? by_group(e, &s->between, k)
                             : by_place(e, k ? &s->to : &s->at);
    if (node[k] < 0) return false;
  }
  if (node[0] == node[1]) report_error(e->diagnostics, s->place, "both ends of the spring are one node");
  return node[0] != node[1];
}

static bool direction_find(const Ends *e, const CaseSpring *s, const int32_t node[2], double d[3]) {
  for (int k = 0; k < 3; ++k)
    d[k] = k < s->direction.n              ? s->direction.value[k]
           : s->direction.n || node[1] < 0 ? 0
                                           : e->mesh->x[node[1]][k] - e->mesh->x[node[0]][k];
  const double length = sqrt(vec3_dot(d, d));
  if ((s->stiffness.n == 1 || s->dashpot.n == 1) && !(length > AT * AT * mesh_size(e->mesh))) {
    report_error(
        e->diagnostics, s->place,
        "both ends of the spring lie at one place, so that it has no line\n  remedy: 'direction', or a number for "
        "each component");
    return false;
  }
  for (int k = 0; k < 3 && length > 0; ++k) d[k] /= length;
  return true;
}

static void block_fill(int32_t dim, const VectorValue *v, const double d[3], double out[6]) {
  for (int32_t r = 0; r < dim; ++r)
    for (int32_t c = r; c < dim; ++c)
      out[r == c ? r : dim + r + c - 1] = v->n == 1 ? v->value[0] * d[r] * d[c] : v->n && r == c ? v->value[r] : 0;
}

Status setup_springs(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  Ends e = {.c = c, .mesh = mesh, .setup = setup, .diagnostics = diagnostics};
  ElasticSetup *own = elastic_setup(setup);
  Status status;
  if (!c->springs.n) return OK;
  ALLOC_DONE(own->joint, c->springs.n, "springs");
  TRY_DONE(mark_body(&e, case_dim(c)));
  TRY_DONE(list_body(&e));
  TRY_DONE(tag_map_create(mesh->node_tag, mesh->n_node, "table of node numbers", &e.node_of, NULL));
  for (int32_t i = 0; i < c->springs.n; ++i) {
    const CaseSpring *s = case_spring(c, i);
    Joint *joint = &own->joint[own->params.n_joint];
    double d[3];
    if (!ends_find(&e, s, joint->node) || !direction_find(&e, s, joint->node, d)) continue;
    block_fill(case_dim(c), &s->stiffness, d, joint->stiffness);
    block_fill(case_dim(c), &s->dashpot, d, joint->viscosity);
    ++own->params.n_joint;
  }
  own->params.joint = own->joint;
done:
  tag_map_destroy(&e.node_of);
  FREE(e.near);
  FREE(e.solved);
  return status;
}
