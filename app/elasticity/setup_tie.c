/* Ties as equations: each node of a surface by the weights of the mortar method, and where it does not lie on the other
 * surface, by the mean rotation of the nodes there, so that rigid motions cost nothing. */
#include "app/elasticity/setup_pairs.h"
#include "assembly/space/facet.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the size of facets: what lies nearer to its place needs no rotation. */
static const double ON_PLACE = 1e-6;
/* Facets of the side that depends are at most so many times larger. */
static const double COARSE = 3, COARSER = 1.05; /* and so many where it is curved */

/* Column d of [v]: v x d, as rows of a 3 x 3 matrix. */
static void cross_matrix(const double v[3], double m[3][3]) {
  const double all[3][3] = {{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}};
  memcpy(m, all, sizeof all);
}

static void times(const double a[3][3], const double b[3][3], double out[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/* Inverse of a symmetric matrix; false: the points lie on one line. In a flat model the last entry alone. */
static bool invert(const double I[3][3], int32_t dim, double out[3][3]) {
  const double size = I[0][0] + I[1][1] + I[2][2];
  memset(out, 0, 9 * sizeof(double));
  if (dim == 2) {
    if (I[2][2] > 0) out[2][2] = 1 / I[2][2];
    return I[2][2] > 0;
  }
  double det = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      out[j][i] = I[a][c] * I[b][d] - I[a][d] * I[b][c];
      if (i == 0) det += I[0][j] * out[j][0];
    }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] /= det;
  return det > 1e-9 * size * size * size;
}

/* -[offset] I^-1: times (x - center) x u of each master, their mean rotation times the offset; false: none. */
static bool rotation_matrix(const Mesh *mesh, const MortarTie *t, int32_t i, int32_t dim, double center[3],
                            double out[3][3]) {
  const int64_t first = t->start[i], last = t->start[i + 1];
  double I[3][3] = {{0}}, inverse[3][3], offset[3][3];
  memset(center, 0, 3 * sizeof *center);
  if (sqrt(vec3_dot(t->offset[i], t->offset[i])) <= ON_PLACE * t->size || last - first < 2) return false;
  for (int64_t k = first; k < last; ++k)
    for (int c = 0; c < 3; ++c) center[c] += mesh->x[t->master[k]][c] / (double)(last - first);
  for (int64_t k = first; k < last; ++k) {
    double d[3];
    vec3_minus(mesh->x[t->master[k]], center, d);
    const double square = vec3_dot(d, d);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) I[a][b] += (a == b ? square : 0) - d[a] * d[b];
  }
  if (!invert((const double(*)[3])I, dim, inverse)) return false;
  cross_matrix(t->offset[i], offset);
  times((const double(*)[3])offset, (const double(*)[3])inverse, out);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) out[a][b] = -out[a][b];
  return true;
}

/* What moves the node of a row beside its weights. */
typedef struct Spin {
  bool any;
  double center[3], by[3][3];
} Spin;

/* What the displacement of master k is multiplied by, times -1. What is not of `to` is of the side that is turned. */
static void master_matrix(const TieParams *p, const Side *to, const MortarTie *t, int64_t k, const Spin *spin,
                          double out[3][3]) {
  double d[3], cross[3][3], back[3][3], m[3][3] = {{0}};
  if (spin->any) {
    vec3_minus(p->mesh->x[t->master[k]], spin->center, d);
    cross_matrix(d, cross);
    times(spin->by, (const double(*)[3])cross, m);
  }
  for (int c = 0; c < 3; ++c)
    for (int g = 0; g < 3; ++g) m[c][g] = -(g == c ? t->weight[k] : 0) - m[c][g];
  if (!p->rotation) {
    memcpy(out, m, sizeof m);
    return;
  }
  times(p->rotation, (const double(*)[3])m, out);
  if (side_has(to, t->master[k])) return;
  for (int c = 0; c < 3; ++c)
    for (int g = 0; g < 3; ++g) back[c][g] = p->rotation[g][c];
  memcpy(m, out, sizeof m);
  times((const double(*)[3])m, (const double(*)[3])back, out);
}

/* Component c of node i. Where the gap closes the node comes to lie where its masters say, which needs no rotation. */
static Status tie_equation(ConstraintList *f, const TieParams *p, const Side *to, const MortarTie *t, int32_t i,
                           int32_t c) {
  const int32_t dim = case_dim(f->c), n = (int32_t)(t->start[i + 1] - t->start[i]);
  Spin spin = {0};
  spin.any = !p->closes && !case_axisymmetric(f->c) && rotation_matrix(p->mesh, t, i, dim, spin.center, spin.by);
  const bool mixes = spin.any || p->rotation;
  TRY(constraint_begin(f, 1 + (mixes ? dim : 1) * n));
  constraint_term(f, t->node[i], c, 1);
  for (int64_t k = t->start[i]; k < t->start[i + 1]; ++k) {
    double m[3][3];
    master_matrix(p, to, t, k, &spin, m);
    for (int32_t g = 0; g < dim; ++g)
      if (g == c || (mixes && m[c][g] != 0)) constraint_term(f, t->master[k], g, m[c][g]);
  }
  constraint_end(f, p->closes ? -t->offset[i][c] : 0, p->where);
  return OK;
}

static void node_text(const Mesh *mesh, int32_t node, char *text, size_t size) {
  const double *x = mesh->x[node];
  snprintf(text, size, "node %lld (%g, %g, %g)", (long long)mesh->node_tag[node], x[0], x[1], x[2]);
}

/* False: refused. */
static bool tie_check(const ConstraintList *f, const TieParams *p, const MortarTie *t) {
  const Group *on = p->on, *to = p->to;
  const Place place = p->place;
  char text[120];
  int32_t n_shared = 0;
  for (int32_t i = 0; i < t->n; ++i) n_shared += t->shared[i];
  if (t->n_warped) {
    node_text(f->mesh, t->warped, text, sizeof text);
    report_error(f->diagnostics, place,
                 "%s: %d facets of '%s' or of '%s' opposite to them are too distorted to be projected, the first at "
                 "%s\n  remedy: a better mesh there",
                 p->word, t->n_warped, on->name, to->name, text);
  } else if (t->n_far) {
    node_text(f->mesh, t->far, text, sizeof text);
    report_error(f->diagnostics, place,
                 "%s: %d of %d facets of '%s' do not lie on '%s': the largest gap is %.4g, near %s; allowed: %.3g\n  "
                 "remedy: 'reach: %.2g' where that is meant, groups that lie on each other, or a finer mesh where they "
                 "are curved",
                 p->word, t->n_far, on->n, on->name, to->name, t->gap, text, t->allowed, 1.1 * t->gap);
  } else if (t->n_folded) {
    node_text(f->mesh, t->folded, text, sizeof text);
    report_error(f->diagnostics, place,
                 "%s: %d facets of '%s' have more than one layer of '%s' within reach, the first at %s\n  remedy: a "
                 "group with one side only, or a smaller 'reach'",
                 p->word, t->n_folded, on->name, to->name, text);
  } else if (!t->n) {
    report_error(f->diagnostics, place,
                 "%s: no node of '%s' has a facet of '%s' opposite to it within the size of a facet\n  remedy: groups "
                 "that lie on each other",
                 p->word, on->name, to->name);
  } else if (n_shared == t->n) {
    report_error(f->diagnostics, place,
                 "%s: ties nothing: all %d nodes of '%s' are nodes of '%s' too; it is between surfaces with nodes of "
                 "their own",
                 p->word, t->n, on->name, to->name);
  } else return true;
  return false;
}

static double farthest_offset(const MortarTie *t) {
  double most = 0;
  for (int32_t i = 0; i < t->n; ++i) {
    const double *x = t->offset[i];
    most = fmax(most, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
  }
  return most;
}

static void tie_warn(const ConstraintList *f, const TieParams *p, const MortarTie *t) {
  const Group *on = p->on, *to = p->to;
  char text[120];
  if (t->n_loose) {
    node_text(f->mesh, t->loose, text, sizeof text);
    status_warn("%s: %s: %d of %d nodes of '%s' have nothing of '%s' opposite and stay free, the first is %s", p->where,
                p->word, t->n_loose, t->n_node, on->name, to->name, text);
  }
  if (t->size > COARSE * t->other_size)
    status_warn("%s: %s: facets of '%s', which depends, are %.2g times as large as those of '%s': little of what the "
                "finer mesh can do is left where they meet; 'on' is better the finer side",
                p->where, p->word, on->name, t->size / t->other_size, to->name);
  else if (t->size > COARSER * t->other_size && farthest_offset(t) > ON_PLACE * t->size)
    status_warn("%s: %s: the surface is curved, and facets of '%s', which depends, are %.3g times as large as those of "
                "'%s': stresses beside it are off by per cents, and far less where the finer side depends\n  remedy: "
                "exchange '%s' and '%s'",
                p->where, p->word, on->name, t->size / t->other_size, to->name, on->name, to->name);
}

/* Facets that an earlier tie has too: each then has half of what is opposite to them. */
static void warn_of_split(const ConstraintList *f, const TieParams *p) {
  const Group *on = p->on;
  const ElasticSetup *own = elastic_setup(f->setup);
  for (int32_t t = 0; t + 1 < own->n_tie; ++t)
    for (int32_t i = 0, k = 0; i < on->n && k < own->tied[t]->n;) {
      const int32_t a = on->element[i], b = own->tied[t]->element[k];
      if (a == b) {
        status_warn(
            "%s: %s: facets of '%s' are in an earlier tie too\n  remedy: one entry with both surfaces opposite, "
            "'tie: [one, other]': where a facet lies on both, each tie alone has a part of it",
            p->where, p->word, on->name);
        return;
      }
      i += a < b, k += b < a;
    }
}

/* Which way is outward of facets of a group; *all: each of them is on the surface of a body. */
static Status outward_read(const Mesh *mesh, const ElementSet *set, const Incidence *incidence, const Group *group,
                           double **outward, bool *all) {
  ALLOC(*outward, group->n, "facets of a tie");
  for (int32_t k = 0; k < group->n; ++k) {
    Facet facet;
    facet_sides(mesh, set, incidence, group->element[k], &facet);
    (*outward)[k] = facet.outward;
    *all &= facet.n_side == 1;
  }
  return OK;
}

/* The tie of facets that look at each other alone, where they are on the surface of bodies: through a thin plate its back is within
 * reach, too. */
static Status facing_create(const MortarParams *params, MortarTie *out, bool *done) {
  MortarParams facing = *params;
  const Group *const group[] = {params->on, params->to};
  double *outward[2] = {NULL, NULL};
  ElementSet set;
  Incidence incidence = {0};
  Exec *cpu = NULL;
  Status status = OK;
  *done = true;
  element_set_create(params->mesh, params->mesh->dim, true, &set);
  TRY_DONE(exec_create_cpu(0, &cpu));
  TRY_DONE(incidence_create(cpu, &set, &incidence));
  for (int k = 0; k < 2; ++k) TRY_DONE(outward_read(params->mesh, &set, &incidence, group[k], &outward[k], done));
  for (int k = 0; k < 2; ++k) facing.outward[k] = outward[k];
  if (*done) status = mortar_create(&facing, out);
done:
  for (int k = 0; k < 2; ++k) FREE(outward[k]);
  incidence_release(&incidence);
  exec_destroy(&cpu);
  return status;
}

/* Where a reach is given, or there are several layers, that counts. Cuts that were moved onto each other have no body behind them. */
static Status tie_create(const ConstraintList *f, const TieParams *p, const MortarParams *params, MortarTie *out) {
  MortarTie facing = {0};
  bool done;
  TRY(mortar_create(params, out));
  if (p->mesh != f->mesh || (!(params->reach > 0) && !out->n_folded)) return OK;
  const Status status = facing_create(params, &facing, &done);
  if (status != OK) mortar_release(out); /* nobody has it yet */
  if (status != OK || !done) return status;
  if (out->n && !facing.n)
    report_error(f->diagnostics, p->place,
                 "%s: '%s' and '%s' look in the same direction: what is within reach is the back of a body\n  remedy: "
                 "the group on the other side of one of the bodies, or a smaller 'reach'",
                 p->word, params->on->name, params->to->name);
  mortar_release(out);
  *out = facing;
  return OK;
}

Status tie_bind(ConstraintList *f, const TieParams *p) {
  ElasticSetup *own = elastic_setup(f->setup);
  MortarTie *t = &own->mortar[own->n_tie];
  const MortarParams params = {
      .mesh = p->mesh, .on = p->on, .to = p->to, .axisymmetric = case_axisymmetric(f->c), .reach = p->reach};
  Side to = {0};
  Status status = OK;
  const int32_t before = f->diagnostics->n;
  TRY(tie_create(f, p, &params, t));
  own->tied[own->n_tie] = p->on;
  EquationTie *tie = &own->tie[own->n_tie++];
  if (f->diagnostics->n > before || !tie_check(f, p, t)) return OK;
  tie_warn(f, p, t);
  warn_of_split(f, p);
  if (p->rotation) TRY(side_create(p->mesh, p->to, &to));
  *tie = (EquationTie){f->n, t->n, t->area, t->shared, t->near_start, t->near};
  for (int32_t i = 0; i < t->n; ++i)
    for (int32_t c = 0; c < case_dim(f->c); ++c) TRY_DONE(tie_equation(f, p, &to, t, i, c));
done:
  FREE(to.node);
  return status;
}
