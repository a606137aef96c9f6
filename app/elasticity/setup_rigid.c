/* A rigid face: all its displacements are those of a rigid motion u + w x (x - at). They are written by as many unknowns
 * of three of its nodes as the motion has freedoms, 6 in space and 3 in a plane, which are the ones that give it best; what
 * is prescribed of the motion is an equation between these. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

enum { FREEDOMS = RIGID_FREEDOMS, HUBS = 3, HUB_UNKNOWNS = 9 };

typedef struct Motion {
  int32_t n; /* freedoms */
  int32_t hub[HUBS], n_hub;
  int32_t node[FREEDOMS], component[FREEDOMS]; /* the unknowns that it is written by */
  double inverse[FREEDOMS][FREEDOMS];          /* freedoms from them */
  double at[3], size;
} Motion;

/* Displacement c at x of each freedom; rotations times the size of the face, so that all are lengths. */
static void motion_row(const Motion *m, int32_t dim, const double *x, int32_t c, double row[FREEDOMS]) {
  const RigidGroup g = {.dim = dim, .size = m->size};
  const double r[3] = {x[0] - m->at[0], x[1] - m->at[1], dim == 3 ? x[2] - m->at[2] : 0};
  rigid_freedoms(&g, r, c, row);
}

/* The node farthest from a, then the one farthest from the line through both. */
static void hubs_choose(const Mesh *mesh, int32_t n, const int32_t *node, int32_t dim, Motion *m) {
  m->n_hub = dim;
  m->hub[0] = m->hub[1] = m->hub[2] = node[0];
  for (int32_t i = 0; i < n; ++i)
    if (vec3_distance(mesh->x[node[i]], mesh->x[m->hub[0]]) > vec3_distance(mesh->x[m->hub[1]], mesh->x[m->hub[0]]))
      m->hub[1] = node[i];
  const double *a = mesh->x[m->hub[0]], *b = mesh->x[m->hub[1]];
  double most = -1;
  m->size = vec3_distance(a, b);
  for (int32_t i = 0; dim == 3 && i < n; ++i) {
    const double *x = mesh->x[node[i]];
    double square = 0;
    for (int k = 0; k < 3; ++k) {
      const int p = (k + 1) % 3, q = (k + 2) % 3;
      const double cross = (b[p] - a[p]) * (x[q] - a[q]) - (b[q] - a[q]) * (x[p] - a[p]);
      square += cross * cross;
    }
    if (square > most) most = square, m->hub[2] = node[i];
  }
}

/* The rows of the hubs that give the motion best, by elimination with the largest pivot of all; false: no such. */
static bool unknowns_choose(const Mesh *mesh, int32_t dim, Motion *m) {
  double a[HUB_UNKNOWNS][FREEDOMS], chosen[FREEDOMS][FREEDOMS];
  const int32_t rows = m->n_hub * dim;
  bool used[HUB_UNKNOWNS] = {false}, column_used[FREEDOMS] = {false};
  for (int32_t r = 0; r < rows; ++r) motion_row(m, dim, mesh->x[m->hub[r / dim]], r % dim, a[r]);
  for (int32_t k = 0; k < m->n; ++k) {
    int32_t row = -1, column = -1;
    for (int32_t r = 0; r < rows; ++r)
      for (int32_t c = 0; c < m->n; ++c)
        if (!used[r] && !column_used[c] && (row < 0 || fabs(a[r][c]) > fabs(a[row][column]))) row = r, column = c;
    if (row < 0 || !(fabs(a[row][column]) > 1e-6)) return false;
    used[row] = column_used[column] = true;
    m->node[k] = m->hub[row / dim], m->component[k] = row % dim;
    for (int32_t r = 0; r < rows; ++r) {
      const double f = used[r] ? 0 : a[r][column] / a[row][column];
      for (int32_t c = 0; c < m->n; ++c) a[r][c] -= f * a[row][c];
    }
  }
  for (int32_t k = 0; k < m->n; ++k) motion_row(m, dim, mesh->x[m->node[k]], m->component[k], chosen[k]);
  (void)rigid_invert(m->n, chosen, m->inverse);
  return true;
}

static bool is_unknown(const Motion *m, int32_t node, int32_t c) {
  for (int32_t k = 0; k < m->n; ++k)
    if (m->node[k] == node && m->component[k] == c) return true;
  return false;
}

/* row . freedoms = ...: minus that, in the unknowns. */
static void terms_write(ConstraintList *to, const Motion *m, const double row[FREEDOMS]) {
  for (int32_t k = 0; k < m->n; ++k) {
    double factor = 0;
    for (int32_t i = 0; i < m->n; ++i) factor += row[i] * m->inverse[i][k];
    if (fabs(factor) > 1e-14) constraint_term(to, m->node[k], m->component[k], -factor);
  }
}

static Status motion_prescribe(ConstraintList *to, const CaseRigid *rigid, int32_t dim, const Motion *m,
                               const char *where) {
  const ExprValue *given[] = {&rigid->fix.x,  &rigid->fix.y,  &rigid->fix.z,
                              &rigid->fix.rx, &rigid->fix.ry, &rigid->fix.rz};
  for (int32_t i = 0; i < m->n; ++i) {
    const ExprValue *value = given[dim == 3 ? i : i < 2 ? i : 5];
    const double origin[3] = {0};
    double row[FREEDOMS] = {0};
    if (!place_given(value->place)) continue;
    row[i] = -1;
    TRY(constraint_begin(to, m->n));
    terms_write(to, m, row);
    constraint_end(to, expr_value(&value->expr, origin, 0) * (i < dim ? 1 : m->size), where);
  }
  return OK;
}

/* What is joined to the point, by the unknowns: kinetic energy is that of the freedoms, whose rotations are times the size. */
static void mass_bind(const CaseRigid *rigid, int32_t dim, const Motion *m, ElasticSetup *own) {
  MassBody *b = &own->body[own->params.n_body++];
  const double(*J)[3] = rigid->inertia.value;
  double Q[FREEDOMS][FREEDOMS] = {{0}};
  int32_t row[FREEDOMS];
  *b = (MassBody){.n_node = dim, .mass = rigid->mass.value};
  for (int k = 0; k < 3; ++k) b->at[k] = m->at[k];
  for (int32_t h = 0; h < dim; ++h) b->node[h] = m->hub[h];
  for (int k = 0; k < 3; ++k) {
    b->inertia[k] = dim == 3 ? J[k][k] : k == 2 ? J[0][0] : 0;
    b->inertia[3 + k] = dim == 3 ? J[k == 1 ? 1 : 0][k == 0 ? 1 : 2] : 0;
  }
  for (int32_t i = 0; i < dim; ++i) Q[i][i] = b->mass;
  for (int32_t i = dim; i < m->n; ++i)
    for (int32_t k = dim; k < m->n; ++k) Q[i][k] = J[i - dim][k - dim] / (m->size * m->size);
  for (int32_t k = 0; k < m->n; ++k)
    for (int32_t h = 0; h < dim; ++h)
      if (m->hub[h] == m->node[k]) row[k] = h * dim + m->component[k];
  for (int32_t k = 0; k < m->n; ++k) {
    for (int32_t c = 0; c < dim; ++c) b->force[row[k]][c] = b->mass * m->inverse[c][k];
    for (int32_t l = 0; l < m->n; ++l)
      for (int32_t i = 0; i < m->n; ++i)
        for (int32_t j = 0; j < m->n; ++j)
          b->M[row[k] * dim * dim + row[l]] += m->inverse[i][k] * Q[i][j] * m->inverse[j][l];
  }
}

Status rigid_bind(ConstraintList *to, const CaseRigid *rigid, int32_t n, const int32_t *node, const char *where) {
  const Mesh *mesh = to->mesh;
  const int32_t dim = case_dim(to->c);
  const int32_t first = to->n;
  Motion m = {.n = dim == 3 ? 6 : 3};
  for (int32_t k = 0; k < dim; ++k) m.at[k] = rigid->at.value[k];
  hubs_choose(mesh, n, node, dim, &m);
  if (!(m.size > 0) || !unknowns_choose(mesh, dim, &m)) {
    report_error(to->diagnostics, rigid->place, "the nodes of a rigid group must not lie in %s",
                 dim == 3 ? "a line" : "one point");
    return OK;
  }
  for (int32_t i = 0; i < n; ++i)
    for (int32_t c = 0; c < dim; ++c) {
      double row[FREEDOMS];
      if (is_unknown(&m, node[i], c)) continue;
      TRY(constraint_begin(to, m.n + 1));
      constraint_term(to, node[i], c, 1);
      motion_row(&m, dim, mesh->x[node[i]], c, row);
      terms_write(to, &m, row);
      constraint_end(to, 0, where);
    }
  if (rigid->mass.value > 0 || rigid->inertia.n) mass_bind(rigid, dim, &m, elastic_setup(to->setup));
  const int32_t moves = to->n;
  TRY(motion_prescribe(to, rigid, dim, &m, where));
  Equation *all = elastic_setup(to->setup)->equation;
  for (int32_t i = first; i < to->n; ++i) all[i].held = to->n > moves;
  return OK;
}

/* ---- groups that turn ---- */

static const double NONE = 1e-9; /* determinants that are 0 */

/* Slots that may be chosen: unknowns of hubs. */
typedef struct Choice {
  RigidGroup *g;
  const Mesh *mesh;
  int32_t n, node[HUB_UNKNOWNS], component[HUB_UNKNOWNS];
} Choice;

/* By elimination of a copy. */
static double determinant(int n, double from[RIGID_FREEDOMS][RIGID_FREEDOMS]) {
  double a[RIGID_FREEDOMS][RIGID_FREEDOMS], product = 1;
  memcpy(a, from, sizeof a);
  for (int i = 0; i < n && product != 0; ++i) {
    int p = i;
    for (int r = i; r < n; ++r)
      if (fabs(a[r][i]) > fabs(a[p][i])) p = r;
    product *= p == i ? a[p][i] : -a[p][i]; /* rows that change places change its sign */
    for (int k = 0; k < n; ++k) {
      const double t = a[p][k];
      a[p][k] = a[i][k], a[i][k] = t;
    }
    for (int r = i + 1; r < n && product != 0; ++r)
      for (int k = n - 1; k >= i; --k) a[r][k] -= a[r][i] / a[i][i] * a[i][k];
  }
  return product;
}

/* How well these slots say the motion once the group has turned by w from its base: over the largest factor of their inverse, with the
 * sign of the determinant. */
static double choice_quality(const Choice *c, unsigned chosen, const double w[3]) {
  const RigidGroup *g = c->g;
  const int n = g->dim == 3 ? 6 : 3;
  double a[RIGID_FREEDOMS][RIGID_FREEDOMS], inverse[RIGID_FREEDOMS][RIGID_FREEDOMS], rotation[9], lever[3], most = 0;
  int row = 0;
  RigidGroup now = *g; /* turned by w from where it is */
  rigid_turned(g, g->from, now.base);
  rigid_turned(&now, w, rotation);
  for (int32_t k = 0; k < c->n; ++k) {
    if (!(chosen >> k & 1)) continue;
    rigid_lever(g, rotation, c->mesh->x[c->node[k]], lever);
    rigid_freedoms(g, lever, c->component[k], a[row++]);
  }
  for (int i = 0; i < n; ++i) {
    if (!(g->held >> i & 1)) continue;
    for (int k = 0; k < n; ++k) a[row][k] = i == k;
    ++row;
  }
  const double product = determinant(n, a);
  if (!(fabs(product) > NONE)) return 0;
  (void)rigid_invert(n, a, inverse);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) most = fmax(most, fabs(inverse[i][j]));
  return product < 0 ? -1 / most : 1 / most;
}

/* The least quality over turns by so much about each axis that is free, and, of those that stay, all around where it is prescribed; one
 * that has changed its sign was 0 on the way. */
static double choice_reach(const Choice *c, unsigned chosen, double by, bool stay) {
  static const double EIGHTH = 0.7853981633974483, FIRST = 1e-3;
  const double still[3] = {0}, first = choice_quality(c, chosen, still), sign = first < 0 ? -1 : 1;
  double least = fabs(first);
  for (int axis = c->g->dim == 3 ? 0 : 2; axis < 3 && least > 0; ++axis) {
    const bool held = c->g->held >> (c->g->dim == 3 ? 3 + axis : 2) & 1;
    for (int k = held ? 1 : -1; held ? stay && k < 8 : k < 2; k += held ? 1 : 2) {
      double w[3] = {0};
      w[axis] = k * (held ? EIGHTH : by);
      least = fmin(least, sign * choice_quality(c, chosen, w));
    }
  }
  return fmax(least, 0) + FIRST * fabs(first);
}

static int bits(unsigned set) {
  int n = 0;
  for (; set; set &= set - 1) ++n;
  return n;
}

static Choice choice_of(const Mesh *mesh, const int32_t *hub, RigidGroup *g) {
  Choice c = {.g = g, .mesh = mesh};
  for (int32_t h = 0; h < g->dim; ++h)
    for (int32_t k = 0; k < g->dim; ++k) c.node[c.n] = hub[h], c.component[c.n++] = k;
  return c;
}

/* The slots that say the motion best as the group turns on by so much from its base, or from the start where they stay; false: none do. */
static bool slots_choose(const Mesh *mesh, const int32_t *hub, double by, bool stay, RigidGroup *g) {
  const Choice c = choice_of(mesh, hub, g);
  unsigned best = 0;
  double most = 0;
  for (unsigned chosen = 0; chosen < 1u << c.n; ++chosen) {
    if (bits(chosen) != g->n_slot) continue;
    const double reach = choice_reach(&c, chosen, by, stay);
    if (reach > most) most = reach, best = chosen;
  }
  if (!(most > 0)) return false;
  for (int32_t k = 0, j = 0; k < c.n; ++k) {
    if (!(best >> k & 1)) continue;
    g->slot[j] = c.node[k] * g->dim + c.component[k], g->component[j] = c.component[k];
    memcpy(g->x[j++], mesh->x[c.node[k]], sizeof g->x[0]);
  }
  return true;
}

/* How well its slots say the motion where its base is. */
static double slots_quality(const Mesh *mesh, const int32_t *hub, RigidGroup *g) {
  const Choice c = choice_of(mesh, hub, g);
  const double still[3] = {0};
  unsigned chosen = 0;
  for (int32_t k = 0; k < c.n; ++k)
    if (rigid_slot(g, c.node[k] * g->dim + c.component[k]) >= 0) chosen |= 1u << k;
  return fabs(choice_quality(&c, chosen, still));
}

/* The lowest element of the body at a node: what acts on that acts on the mass of the group. */
static int32_t first_element(const Mesh *mesh, int32_t node) {
  int32_t first = -1;
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *block = &mesh->block[k];
    const ElementType *type = element_type(block->kind);
    for (int64_t i = 0; type->dim == mesh->dim && i < (int64_t)block->n * type->n_node; ++i) {
      const int32_t e = block->first + (int32_t)(i / type->n_node);
      if (block->nodes[i] == node && (first < 0 || e < first)) first = e;
    }
  }
  return first;
}

/* The weight of the mass at the point, by each gravity there, a component at a time: each goes over t by itself. */
static Status weight_bind(const ConstraintList *to, const CaseBoundary *b, int32_t node, RigidParams *p) {
  const MapsValue *all = case_acting_body(to->c);
  const int32_t element = first_element(to->mesh, node);
  for (int32_t i = 0; b->rigid.mass.value > 0 && i < all->n; ++i) {
    const CaseBody *body = maps_item(all, sizeof(CaseBody), i);
    const Group *on = place_given(body->gravity.place)
                          ? setup_group(to->setup, to->mesh, &body->on, ON_CELLS, "gravity", to->diagnostics)
                          : NULL;
    bool there = false;
    for (int32_t k = 0; on && k < on->n && !there; ++k) there = on->element[k] == element;
    for (int32_t k = 0; there && k < body->gravity.n; ++k) {
      RigidLoad *load = &p->load[p->n_load++];
      load->share = body->gravity.item[k].expr;
      load->force[k] = b->rigid.mass.value;
      if (expr_is_local(&load->share))
        report_error(to->diagnostics, body->gravity.place,
                     "gravity that differs from place to place does not act on the mass of a rigid group in load "
                     "steps\n  remedy: "
                     "numbers or expressions in t, or 'mass' on the group");
      TRY(expr_window(&load->share, body->window.clock, body->window.share));
      if (case_ramps(to->c)) TRY(expr_ramp(&load->share, to->c->time.end.value));
    }
  }
  return OK;
}

/* Numbers together, and each expression by itself, over t as the window of the entry says. */
static Status sums_bind(const ConstraintList *to, const CaseBoundary *from, const ExprsValue *force,
                        const ExprsValue *moment, RigidParams *p) {
  const double origin[3] = {0};
  RigidLoad *together = NULL;
  for (int k = 0; k < CASE_SUM_PARTS; ++k) {
    const ExprValue *part = case_sum_part(force, moment, k);
    if (!part || !expr_acts(&part->expr)) continue;
    const bool constant = expr_is_constant(&part->expr);
    if (constant && together) {
      together->force[k] = expr_value(&part->expr, origin, 0);
      continue;
    }
    RigidLoad *load = &p->load[p->n_load++];
    load->share = constant ? expr_constant(1) : part->expr;
    load->force[k] = constant ? expr_value(&part->expr, origin, 0) : 1;
    if (constant) together = load;
    TRY(expr_window(&load->share, from->window.clock, from->window.share));
    if (case_ramps(to->c)) TRY(expr_ramp(&load->share, to->c->time.end.value));
  }
  return OK;
}

/* The forces of all entries on the same groups. */
static Status loads_bind(const ConstraintList *to, const CaseBoundary *b, RigidParams *p) {
  const MapsValue *all = case_acting(to->c);
  ALLOC(p->load, (1 + CASE_SUM_PARTS) * all->n + 3 * case_acting_body(to->c)->n, "loads of rigid groups");
  for (int32_t i = 0; i < all->n; ++i) {
    const CaseBoundary *other = maps_item(all, sizeof(CaseBoundary), i);
    const bool apart = other->distribute.of_rigid, own = other == b;
    const ExprsValue *force = apart ? &other->distribute.force : &other->rigid.force;
    const ExprsValue *moment = apart ? &other->distribute.moment : &other->rigid.moment;
    if (own || (apart && case_same_groups(&b->on, &other->on))) TRY(sums_bind(to, other, force, moment, p));
  }
  return OK;
}

static Status values_bind(const ConstraintList *to, const CaseBoundary *b, RigidParams *p) {
  RigidGroup *g = &p->group;
  const int32_t n = g->dim == 3 ? 6 : 3;
  for (int i = 0; i < n; ++i) {
    const int at = g->dim == 3 || i < 2 ? i : 5;
    const ExprValue *value = case_part_of(b, CASE_RIGID + at);
    if (!place_given(value->place)) continue;
    g->held |= 1 << i;
    p->value[at] = value->expr;
    if (case_ramps(to->c)) TRY(expr_ramp(&p->value[at], to->c->time.end.value));
  }
  g->n_slot = n - bits((unsigned)g->held);
  return OK;
}

/* Terms of the equations of a group, behind the first ones: its slots, with factors as it lies in its base; none is 0, as each may
 * become another. */
static void slots_write(const Mesh *mesh, const RigidParams *p, const Equation *equation, EquationTerm *term) {
  static const double NEXT_TO_NOTHING = 1e-300;
  const double none[HUB_UNKNOWNS] = {0}, *still = p->group.from, nowhere[3] = {0};
  const RigidActs rest = {{0}, {0}};
  const RigidGroup *g = &p->group;
  RigidGroup at = *g;
  double a[RIGID_FREEDOMS][RIGID_FREEDOMS], inverse[RIGID_FREEDOMS][RIGID_FREEDOMS], off[RIGID_FREEDOMS], rotation[9];
  for (int32_t j = 0; j < g->n_slot; ++j) at.slot[j] = j;
  rigid_equations(&at, &rest, none, nowhere, still, a, off);
  rigid_invert(g->dim == 3 ? 6 : 3, a, inverse);
  rigid_turned(g, still, rotation);
  for (int32_t i = p->first; i < p->first + p->n; ++i) {
    EquationTerm *own = term + equation[i].first;
    double lever[3], row[RIGID_FREEDOMS];
    rigid_lever(g, rotation, mesh->x[own->node], lever);
    rigid_freedoms(g, lever, own->component, row);
    for (int32_t j = 0; j < g->n_slot; ++j) {
      double factor = 0;
      for (int k = 0; k < (g->dim == 3 ? 6 : 3); ++k) factor -= row[k] * inverse[k][j];
      own[1 + j] = (EquationTerm){g->slot[j] / g->dim, g->component[j], factor != 0 ? factor : NEXT_TO_NOTHING};
    }
  }
}

/* One for each unknown that is no slot. */
static Status rotation_equations(ConstraintList *to, RigidParams *p, int32_t n, const int32_t *node) {
  const RigidGroup *g = &p->group;
  ElasticSetup *own = elastic_setup(to->setup);
  for (int32_t i = 0; i < n; ++i)
    for (int32_t c = 0; c < g->dim; ++c) {
      if (rigid_slot(g, node[i] * g->dim + c) >= 0) continue;
      TRY(constraint_begin(to, g->n_slot + 1));
      constraint_term(to, node[i], c, 1);
      for (int32_t j = 0; j < g->n_slot; ++j) constraint_term(to, g->slot[j] / g->dim, g->component[j], 1);
      constraint_end(to, 0, p->where);
    }
  p->n = to->n - p->first;
  slots_write(to->mesh, p, own->equation, own->term);
  return OK;
}

void rigid_base(RigidGroup *g, const double *rotation, const double *vector) {
  const bool part = rigid_rotations_held(g) > 0;
  for (int k = 0; k < 9; ++k) g->base[k] = part || !rotation ? 0 : rotation[k];
  for (int k = 0; k < 3; ++k) g->from[k] = part && vector ? vector[k] : 0;
}

void rigid_bind_slots(const Mesh *mesh, const RigidGroup *before, RigidParams *p, const Equation *equation,
                      EquationTerm *term) {
  const RigidGroup *g = &p->group;
  int32_t next = 0;
  for (int32_t i = p->first; i < p->first + p->n; ++i) {
    EquationTerm *own = term + equation[i].first;
    if (rigid_slot(g, own->node * g->dim + own->component) < 0) continue;
    while (rigid_slot(g, before->slot[next]) >= 0) ++next;
    own->node = before->slot[next] / g->dim, own->component = before->component[next];
    ++next;
  }
  slots_write(mesh, p, equation, term);
}

bool rigid_choose_slots(const Mesh *mesh, RigidParams *p) {
  static const double WORSE = 0.6, BY = 0.35;
  RigidGroup now = p->group;
  const double has = slots_quality(mesh, p->hub, &p->group);
  if (!slots_choose(mesh, p->hub, BY, false, &now) || !(has < WORSE * slots_quality(mesh, p->hub, &now))) return false;
  p->group = now;
  return true;
}

Status rigid_rotating_bind(ConstraintList *to, const CaseBoundary *b, int32_t n, const int32_t *node,
                           const char *where) {
  ElasticSetup *own = elastic_setup(to->setup);
  static const double THIRD = 1.0471975511965976; /* of half a turn */
  RigidParams *p = &own->turning[own->n_turning++];
  const int32_t dim = case_dim(to->c);
  Motion m = {.n = dim == 3 ? 6 : 3};
  *p = (RigidParams){.group = {.dim = dim, .small = !elastic_has(to->c, HAS_LARGE_STRAIN)},
                     .first = to->n,
                     .number = own->n_turning - 1,
                     .where = where};
  for (int32_t k = 0; k < dim; ++k) p->group.at[k] = b->rigid.at.value[k];
  hubs_choose(to->mesh, n, node, dim, &m);
  p->group.size = m.size;
  memcpy(p->hub, m.hub, sizeof p->hub);
  TRY(values_bind(to, b, p));
  rigid_base(&p->group, NULL, NULL);
  if (!(m.size > 0) || !slots_choose(to->mesh, p->hub, THIRD, true, &p->group)) {
    report_error(to->diagnostics, b->rigid.place, "the nodes of a rigid group must not lie in %s",
                 dim == 3 ? "a line" : "one point");
    return OK;
  }
  TRY(loads_bind(to, b, p));
  TRY(weight_bind(to, b, node[0], p));
  return rotation_equations(to, p, n, node);
}
