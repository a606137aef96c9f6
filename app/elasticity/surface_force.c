/* What estimates of the error between elements do not see: bars of one or two elements across under torsion, in which every
 * element has the same wrong stress and nothing jumps. There the stress is held against the surface: what is free bears no force. */
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/outer_faces.h"

#include <math.h>

static const double FORCED = 0.25; /* of the stress, force on the free surface: from here on it is said, */
static const double UNSEEN = 20;   /* where it is so many times the estimate */
static const double PEAK = 4; /* times the mean stress of the surface: singular places, which a fine mesh is full of */
enum { ELEMENTS_MOST = 100000 }; /* bars of more elements than these, few across, are rare, and looking takes time */

enum { HELD = 1, CURVED = 2, NORMALS = 3 };
typedef struct Surface {
  const Mesh *mesh;
  const ElasticFields *fields;
  int32_t n_face, *face;        /* owned: outer faces (outer_faces.h) */
  uint8_t *state;               /* owned, [n_node]: bits */
  double (*normal)[NORMALS][3]; /* owned, [n_node]: of the flat pieces of free surface at the node, 0: none */
  double force, stress, area;   /* of its flat free pieces: squares times area, and area */
  double whole, whole_area;     /* of all of it: stress, and area */
  double mean, mean_area;       /* of all of it: stress times area, and area */
} Surface;

static void mark_group(Surface *s, const Group *on) {
  for (int32_t k = 0; on && on->dim < s->mesh->dim && k < on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(s->mesh, on->element[k]);
    const int32_t n = element_type(mesh_block_of(s->mesh, on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) s->state[nodes[a]] |= HELD;
  }
}

static void mark_acts(Surface *s, int32_t n_support, const Support *support, int32_t n_load, const Load *load) {
  for (int32_t k = 0; support && k < n_support; ++k) mark_group(s, support[k].on);
  for (int32_t k = 0; load && k < n_load; ++k) mark_group(s, load[k].on);
}

/* Nodes at which something else than the body may act. */
static void mark(Surface *s, const Setup *setup, bool axisymmetric) {
  const ElasticSetup *own = elastic_setup(setup);
  const ElasticityParams *p = &own->params;
  mark_acts(s, p->n_support, p->support, p->n_load, p->load);
  for (int32_t i = 0; i < own->n_act; ++i)
    mark_acts(s, own->act[i].n_support, own->act[i].support, own->act[i].n_load, own->act[i].load);
  for (int32_t k = 0; k < own->equations.n; ++k)
    for (int32_t t = 0; t < own->equations.item[k].n; ++t)
      s->state[own->equations.term[own->equations.item[k].first + t].node] |= HELD;
  for (int32_t k = 0; k < p->n_joint; ++k)
    for (int a = 0; a < 2; ++a) s->state[p->joint[k].node[a]] |= HELD;
  for (int32_t i = 0; axisymmetric && i < s->mesh->n_node; ++i)
    if (fabs(s->mesh->x[i][0]) <= AXIS_TOLERANCE * mesh_size(s->mesh)) s->state[i] |= HELD;
}

/* The area of the face times its normal. */
static void find_normal(const Surface *s, const int32_t *node, int n, double normal[3]) {
  const double(*x)[3] = (const double(*)[3])s->mesh->x;
  const double *p = x[node[0]], *q = x[node[1]], *r = x[node[n > 2 ? 2 : 1]], *t = x[node[n - 1]];
  for (int i = 0; i < 3; ++i) { /* of four vertices the diagonals, of three two sides */
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    normal[i] = n > 3 ? 0.5 * ((r[j] - p[j]) * (t[k] - q[k]) - (r[k] - p[k]) * (t[j] - q[j]))
                      : 0.5 * ((q[j] - p[j]) * (r[k] - p[k]) - (q[k] - p[k]) * (r[j] - p[j]));
  }
  if (n == 2) normal[0] = q[1] - p[1], normal[1] = p[0] - q[0], normal[2] = 0;
}

/* Pieces that meet at an edge of the body stand apart; others are chords of a curved surface, whose normal is not theirs. */
static void add_normal(Surface *s, int32_t node, const double normal[3]) {
  static const double SAME = 0.9998, EDGE = 0.7;
  const double size = sqrt(vec3_dot(normal, normal));
  for (int k = 0; k < NORMALS; ++k) {
    double *known = s->normal[node][k];
    const double length = sqrt(vec3_dot(known, known)),
                 cosine = length > 0 ? vec3_dot(known, normal) / (length * size) : 0;
    if (length == 0) {
      for (int i = 0; i < 3; ++i) known[i] = normal[i];
      return;
    }
    if (cosine > SAME) return;
    if (cosine > EDGE) s->state[node] |= CURVED;
  }
  s->state[node] |= CURVED;
}

static void add_force(Surface *s, int32_t node, int n, const double normal[3], bool held) {
  static const int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  const double area = sqrt(vec3_dot(normal, normal)), *stress = s->fields->stress[node],
               mises = s->fields->von_mises[node];
  if (!(area > 0) || mises * s->mean_area > PEAK * s->mean) return;
  s->whole += mises * mises * area / n;
  s->whole_area += area / n;
  if (held || s->state[node] & CURVED) return;
  for (int i = 0; i < 3; ++i) {
    double force = 0;
    for (int j = 0; j < 3; ++j) force += stress[at[i][j]] * normal[j];
    s->force += force * force / area / n;
  }
  s->stress += mises * mises * area / n;
  s->area += area / n;
}

static void add_mean(Surface *s, int32_t node, int n, const double normal[3]) {
  const double area = sqrt(vec3_dot(normal, normal)) / n;
  s->mean += s->fields->von_mises[node] * area;
  s->mean_area += area;
}

static void add_faces(Surface *s, bool forces) {
  const int32_t width = outer_face_width(s->mesh);
  for (int32_t f = 0; f < s->n_face; ++f) {
    const int32_t *node = s->face + (int64_t)f * width;
    const int n = outer_face_corners(width, node);
    double normal[3];
    bool held = true;
    for (int a = 0; a < n; ++a) held &= (s->state[node[a]] & HELD) != 0;
    find_normal(s, node, n, normal);
    for (int a = 0; a < n; ++a) {
      if (forces) add_force(s, node[a], n, normal, held);
      else add_mean(s, node[a], n, normal);
      if (!forces && !held) add_normal(s, node[a], normal);
    }
  }
}

/* *share: the force that the stress leaves on what is free of the surface, of the stress there or, where that is larger, on the
 * whole surface, roots of mean squares: a free end without stress has errors of its own, which are none of the body. */
static Status surface_share(const Case *c, const Mesh *mesh, const Setup *setup, const ElasticFields *fields,
                            double *share) {
  Surface s = {.mesh = mesh, .fields = fields};
  Status status = OK;
  ALLOC_DONE(s.state, mesh->n_node, "nodes of the surface");
  TRY_DONE(mem_alloc(mesh->n_node, sizeof *s.normal, "nodes of the surface", (void **)&s.normal));
  TRY_DONE(outer_faces_find(mesh, &s.n_face, &s.face));
  mark(&s, setup, case_axisymmetric(c));
  add_faces(&s, false);
  add_faces(&s, true);
  const double stress = fmax(s.stress, s.whole_area > 0 ? s.whole * (s.area / s.whole_area) : 0);
  *share = stress > 0 ? sqrt(s.force / stress) : 0;
done:
  FREE(s.normal);
  FREE(s.state);
  FREE(s.face);
  return status;
}

Status elastic_see_surface(const Case *c, const Mesh *mesh, const Setup *setup, const ElasticFields *fields,
                           Extremes *out, bool *told) {
  double share;
  if (!out->has_error || !fields->stress || !fields->von_mises || UNSEEN * out->error.value > 1) return OK;
  if (mesh->n_element - setup_first_solved(mesh) > ELEMENTS_MOST) return OK;
  TRY(surface_share(c, mesh, setup, fields, &share));
  if (!(share > FORCED && share > UNSEEN * out->error.value)) return OK;
  out->error.value = share;
  out->at_largest = fmax(out->at_largest, share);
  if (*told) return OK;
  *told = true;
  status_warn(
      "the stress leaves a force on the free surface, of %.0f %% of that stress, where elements agree with each "
      "other: they are too few across the body for its shear or torsion, for which it is too stiff\n  remedy: "
      "four elements across, or more",
      100 * share);
  warnings_print();
  return OK;
}
