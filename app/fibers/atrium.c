#include "app/fibers/atrium.h"
#include "app/fibers/ldrb_laplace.h"
#include "app/setup/point_shape.h"
#include "core/disjoint.h"
#include "core/memory.h"
#include "core/parts.h"
#include "core/vec3.h"
#include "mesh/fibers/axis.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "fibres of an atrium by rule";
const char *const atrial_rim[N_RIM] = {"mv", "lpv", "rpv", "laa", "tv", "svc", "ivc", "raa", "top"};
const char *const atrial_bundle[N_BUNDLE] = {"mv",      "lpv", "rpv", "tv", "raw", "ct-minus",
                                             "ct-plus", "icv", "scv", "ib", "ras"};

AtriumParams atrium_params_default(void) {
  return (AtriumParams){.bundle = {[TO_MV] = 0.65,
                                   [TO_LPV] = 0.1,
                                   [TO_RPV] = 0.65,
                                   [TO_TV] = 0.9,
                                   [TO_RAW] = 0.55,
                                   [TO_CT_MINUS] = -0.18,
                                   [TO_CT_PLUS] = -0.1,
                                   [TO_ICV] = 0.9,
                                   [TO_SCV] = 0.1,
                                   [TO_IB] = 0.135,
                                   [TO_RAS] = 0.35}};
}

/* The solutions: across the wall; from valve to veins; from vein to vein; from the valve; around the tricuspid valve. */
typedef enum Solution { DEPTH, AB, V, R, W, N_SOLUTION } Solution;
/* What nodes can be held as: an opening, or half of the tricuspid one. */
enum { PLACE_ENDO = N_RIM, PLACE_EPI, PLACE_TV_FREE, N_PLACE };
#define OFF NAN
static const double held[2][N_SOLUTION][N_PLACE] = {
    /*          mv   lpv  rpv  laa  tv   svc  ivc  raa  top  endo epi  free */
    {[DEPTH] = {OFF, OFF, OFF, OFF, OFF, OFF, OFF, OFF, OFF, 0, 1, OFF},
     [AB] = {1, 0, 2, -1, OFF, OFF, OFF, OFF, OFF, OFF, OFF, OFF},
     [V] = {OFF, 0, 1, OFF, OFF, OFF, OFF, OFF, OFF, OFF, OFF, OFF},
     [R] = {1, 0, 0, 0, OFF, OFF, OFF, OFF, OFF, OFF, OFF, OFF}},
    {[DEPTH] = {OFF, OFF, OFF, OFF, OFF, OFF, OFF, OFF, OFF, 0, 1, OFF},
     [AB] = {OFF, OFF, OFF, OFF, 1, 0, 2, -1, OFF, OFF, OFF, 1},
     [V] = {OFF, OFF, OFF, OFF, OFF, 0, 1, 0, OFF, OFF, OFF, OFF},
     [R] = {OFF, OFF, OFF, OFF, 1, OFF, OFF, OFF, 0, OFF, OFF, 1},
     [W] = {OFF, OFF, OFF, OFF, 1, OFF, OFF, OFF, OFF, OFF, OFF, -1}}};

typedef struct AtriumWork {
  const AtriumParams *params;
  const Mesh *mesh;
  Laplace laplace;
  uint32_t *place;                    /* owned, [n_node], a bit for each place that a node is at */
  uint8_t *elsewhere;                 /* owned, [n_node]: 1 in parts of the mesh without any, such as another atrium */
  double *u[N_SOLUTION];              /* owned, [n_node]; NULL: not solved for */
  int64_t first[N_ELEMENT_KINDS + 1]; /* of the elements of each block of the set */
  double (*gradient)[N_SOLUTION][3];  /* owned, [n_solved], at the middles of elements, */
  double (*across)[3], *volume;       /* and there the direction across the wall, of length 1, and its measure; owned */
} AtriumWork;

static void mark(AtriumWork *w, const Group *group, int place) {
  for (int32_t k = 0; group && k < group->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(w->mesh, group->element[k]);
    const int32_t n = element_type(mesh_block_of(w->mesh, group->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) w->place[nodes[a]] |= 1u << place;
  }
}

static Status find_parts(AtriumWork *w) {
  const ElementSet *set = &w->laplace.set;
  const int32_t n = w->mesh->n_node;
  int32_t *parent = NULL;
  ALLOC(w->elsewhere, n, WHAT);
  ALLOC(parent, n, WHAT);
  for (int32_t i = 0; i < n; ++i) parent[i] = i, w->elsewhere[i] = 1;
  for (int32_t b = 0; b < set->n_solved_block; ++b)
    for (int64_t e = 0, m = set->block[b].type->n_node; e < set->block[b].n; ++e)
      for (int64_t a = 1; a < m; ++a) disjoint_join(parent, set->block[b].nodes[e * m], set->block[b].nodes[e * m + a]);
  for (int32_t i = 0; i < n; ++i)
    if (w->place[i]) w->elsewhere[disjoint_root(parent, i)] = 0;
  for (int32_t i = 0; i < n; ++i) /* of roots it is known */
    if (disjoint_root(parent, i) != i) w->elsewhere[i] = w->elsewhere[disjoint_root(parent, i)];
  FREE(parent);
  return OK;
}

/* Of two openings a node belongs to the first; of the tricuspid valve, what lies on the side of the septum stays RIM_TV. */
static void mark_places(AtriumWork *w) {
  const AtriumParams *p = w->params;
  double middle[3] = {0}, n = 0;
  for (int k = 0; k < N_RIM; ++k) mark(w, p->rim[k], k);
  mark(w, p->endo, PLACE_ENDO), mark(w, p->epi, PLACE_EPI);
  for (int32_t i = 0; i < w->mesh->n_node && p->right; ++i)
    for (int d = 0; d < 3 && w->place[i] & 1u << RIM_TV; ++d) middle[d] += w->mesh->x[i][d], n += 1.0 / 3;
  for (int32_t i = 0; i < w->mesh->n_node && p->right; ++i) {
    double from[3] = {0};
    for (int d = 0; d < 3; ++d) from[d] = w->mesh->x[i][d] - middle[d] / n;
    if (w->place[i] & 1u << RIM_TV && vec3_dot(from, p->septum) < 0) w->place[i] ^= 1u << RIM_TV | 1u << PLACE_TV_FREE;
  }
}

static Status solve(AtriumWork *w, Solution s) {
  const double *value = held[w->params->right][s];
  double distinct[LAPLACE_SETS];
  uint8_t *set = NULL;
  int n = 0, of[N_PLACE] = {0};
  for (int k = 0; k < N_PLACE; ++k) {
    if (isnan(value[k])) continue;
    while (of[k] < n && distinct[of[k]] != value[k]) ++of[k];
    if (of[k] == n) distinct[n++] = value[k];
  }
  ALLOC(w->u[s], w->mesh->n_node, WHAT);
  ALLOC(set, w->mesh->n_node, WHAT);
  for (int32_t i = 0; i < w->mesh->n_node; ++i)
    for (int k = 0; k < N_PLACE && !set[i] && !w->elsewhere[i]; ++k)
      if (w->place[i] & 1u << k && !isnan(value[k])) set[i] = (uint8_t)(of[k] + 1);
  for (int32_t i = 0; i < w->mesh->n_node; ++i)
    if (w->elsewhere[i]) set[i] = 1;
  const Status status = laplace_solve(&w->laplace, set, distinct, w->u[s]);
  FREE(set);
  return status;
}

/* At the middle of an element. */
static void element_gradients(AtriumWork *w, const SetBlock *block, int64_t e, int64_t at) {
  const int32_t *nodes = block->nodes + e * block->type->n_node;
  double x[ELEMENT_MAX_NODES][3], middle[3] = {0};
  PointShape p;
  for (int32_t a = 0; a < block->type->n_node; ++a) memcpy(x[a], w->mesh->x[nodes[a]], sizeof x[a]);
  for (int32_t v = 0; v < block->type->n_vertex; ++v)
    for (int k = 0; k < block->type->dim; ++k) middle[k] += block->type->node[v][k] / block->type->n_vertex;
  (block->type->dim == 2 ? point_shape_in_space : point_shape)(block->type, (const double(*)[3])x, middle, 1, &p);
  w->volume[at] = p.dV;
  for (int s = 0; s < N_SOLUTION; ++s)
    for (int32_t a = 0; a < block->type->n_node && w->u[s]; ++a)
      for (int k = 0; k < 3; ++k) w->gradient[at][s][k] += p.dN[a][k] * w->u[s][nodes[a]];
  if (block->type->dim == 3) memcpy(w->across[at], w->gradient[at][DEPTH], sizeof w->across[at]);
  else { /* two gradients of shape functions span the surface */ vec3_cross(p.dN[0], p.dN[1], w->across[at]);
  }
  const double length = sqrt(vec3_dot(w->across[at], w->across[at]));
  for (int k = 0; k < 3; ++k) w->across[at][k] /= length > 0 ? length : 1;
}

static Status make_gradients(AtriumWork *w) {
  const ElementSet *set = &w->laplace.set;
  for (int32_t b = 0; b < set->n_solved_block; ++b) w->first[b + 1] = w->first[b] + set->block[b].n;
  const int64_t n = w->first[set->n_solved_block];
  ALLOC(w->gradient, n, WHAT);
  ALLOC(w->across, n, WHAT);
  ALLOC(w->volume, n, WHAT);
  for (int32_t b = 0; b < set->n_solved_block; ++b)
#pragma omp parallel for schedule(static) num_threads(parts_of(set->block[b].n))
    for (int32_t e = 0; e < set->block[b].n; ++e) element_gradients(w, &set->block[b], e, w->first[b] + e);
  return OK;
}

static Solution left_bundle(const double *to, double v, double r) {
  if (r >= to[TO_MV]) return R;
  return v <= to[TO_LPV] || v >= to[TO_RPV] ? V : AB;
}

static Solution right_bundle(const double *to, double v, double r, double w) {
  const bool vein = v >= to[TO_ICV] || v <= to[TO_SCV];
  if (r >= to[TO_TV]) return R;
  if (r >= to[TO_RAW]) return vein ? V : w >= 0 ? R : AB;
  if (w >= to[TO_CT_MINUS] && w <= to[TO_CT_PLUS]) return W;
  if (vein) return V;
  if (w < to[TO_CT_MINUS]) return AB;
  return w < to[TO_IB] ? V : w > to[TO_RAS] ? R : W;
}

static Solution bundle_at(const AtriumWork *w, int32_t i) {
  const double *to = w->params->bundle;
  return w->params->right ? right_bundle(to, w->u[V][i], w->u[R][i], w->u[W][i])
                          : left_bundle(to, w->u[V][i], w->u[R][i]);
}

/* The mean axis of a x b, or with b NULL of a, over the elements at a node; false: there is none. */
static bool mean_axis(const AtriumWork *w, int32_t i, int s, double out[3]) {
  double dyad[3][3] = {{0}}, trace = 0;
  for (int64_t t = w->laplace.incidence.start[i]; t < w->laplace.incidence.start[i + 1]; ++t) {
    const ElementRef *touch = &w->laplace.incidence.touch[t];
    const int64_t e = w->first[touch->block] + touch->element;
    double f[3];
    if (s < 0) memcpy(f, w->across[e], sizeof f);
    else vec3_cross(w->across[e], w->gradient[e][s], f);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) dyad[j][k] += w->volume[e] * f[j] * f[k];
  }
  for (int k = 0; k < 3; ++k) trace += dyad[k][k];
  if (!(trace > 0 && isfinite(trace))) return false;
  for (int j = 0; j < 9; ++j) dyad[j / 3][j % 3] /= trace;
  axis_principal(dyad, out);
  return true;
}

/* Where the bundle's solution is flat, those of others. */
static bool fiber_at(const AtriumWork *w, int32_t i, LdrbFields *out) {
  static const Solution others[] = {AB, R, V};
  double *f = out->fiber[i], *t = out->sheet[i];
  bool found = mean_axis(w, i, (int)bundle_at(w, i), f);
  for (int k = 0; k < 3 && !found; ++k) found = mean_axis(w, i, (int)others[k], f);
  if (!found || !mean_axis(w, i, -1, t)) return false;
  const double along = vec3_dot(f, t);
  for (int k = 0; k < 3; ++k) t[k] -= along * f[k];
  const double length = sqrt(vec3_dot(t, t));
  for (int k = 0; k < 3; ++k) t[k] /= length;
  return length > 0;
}

static Status follow_bundles(AtriumWork *w, LdrbFields *out) {
  const int64_t *start = w->laplace.incidence.start;
  int32_t bare = w->mesh->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(w->mesh->n_node)) reduction(min : bare)
  for (int32_t i = 0; i < w->mesh->n_node; ++i) {
    if (start[i] == start[i + 1] || w->elsewhere[i]) continue;
    if (!fiber_at(w, i, out) && i < bare) bare = i;
    out->transmural[i] = w->u[DEPTH] ? fmin(fmax(w->u[DEPTH][i], 0), 1) : 0;
    out->apicobasal[i] = w->u[AB][i];
  }
  CHECK(bare == w->mesh->n_node, ERR_INPUT,
        "fibres by rule have no direction at node %lld (%g, %g, %g): no solution changes along the wall there",
        (long long)w->mesh->node_tag[bare], w->mesh->x[bare][0], w->mesh->x[bare][1], w->mesh->x[bare][2]);
  return OK;
}

static Status check_atrium(const AtriumParams *p) {
  static const bool needed[2][N_RIM] = {
      {[RIM_MV] = true, [RIM_LPV] = true, [RIM_RPV] = true},
      {[RIM_TV] = true, [RIM_SVC] = true, [RIM_IVC] = true, [RIM_RAA] = true, [RIM_TOP] = true}};
  const bool volume = p->mesh->dim == 3;
  CHECK(volume || p->mesh->in_space, ERR_MESH,
        "fibres of atria by rule need a mesh of volumes or of surfaces in space; this one is flat");
  CHECK(!volume || (p->endo && p->epi && p->endo->n && p->epi->n), ERR_INPUT,
        "fibres of atria by rule need 'endo' and 'epi', groups of surfaces, in a volume");
  CHECK(volume || (!p->endo && !p->epi), ERR_INPUT,
        "'endo' and 'epi' are of volumes, and this mesh has surfaces\n  remedy: leave them out");
  for (int k = 0; k < N_RIM; ++k)
    CHECK(!needed[p->right][k] || (p->rim[k] && p->rim[k]->n), ERR_INPUT,
          "fibres of the %s atrium by rule need the group '%s', and it is %s", p->right ? "right" : "left",
          atrial_rim[k], p->rim[k] ? "empty" : "not given");
  CHECK(!p->right || vec3_dot(p->septum, p->septum) > 0, ERR_INPUT,
        "fibres of the right atrium by rule need 'septum': the direction from the middle of the tricuspid valve");
  return OK;
}

static Status atrium_make(Exec *exec, AtriumWork *w, LdrbFields *out) {
  const int32_t n = w->mesh->n_node;
  TRY(check_atrium(w->params));
  TRY(laplace_create(exec, w->mesh, &w->laplace));
  ALLOC(w->place, n, WHAT);
  mark_places(w);
  TRY(find_parts(w));
  for (int s = 0; s < N_SOLUTION; ++s) {
    static const char *const named[] = {"across the wall", "from valve to veins", "between the veins", "from the valve",
                                        "around the tricuspid valve"};
    if ((s == DEPTH && w->mesh->dim == 2) || (s == W && !w->params->right)) continue;
    const Status status = solve(w, (Solution)s);
    if (status != OK) return status_context(status, "while solving %s, for fibres by rule", named[s]);
  }
  TRY(make_gradients(w));
  ALLOC(out->fiber, n, WHAT);
  ALLOC(out->sheet, n, WHAT);
  ALLOC(out->transmural, n, WHAT);
  ALLOC(out->apicobasal, n, WHAT);
  return follow_bundles(w, out);
}

Status atrium_create(Exec *exec, const AtriumParams *params, LdrbFields *out) {
  AtriumWork w = {.params = params, .mesh = params->mesh};
  *out = (LdrbFields){0};
  const Status status = atrium_make(exec, &w, out);
  laplace_release(&w.laplace);
  for (int s = 0; s < N_SOLUTION; ++s) FREE(w.u[s]);
  FREE(w.place);
  FREE(w.elsewhere);
  FREE(w.gradient);
  FREE(w.across);
  FREE(w.volume);
  if (status != OK) ldrb_release(out);
  return status;
}
