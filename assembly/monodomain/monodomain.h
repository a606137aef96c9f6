/* The monodomain equation on an Exec, discrete in space: dV/dt = div(D grad V) + f(V, s) + stimulus, ds/dt = g(V, s),
 * with the scalar operators K and M of assembly/diffusion/diffusion.h and the ionic models of physics/ionic.h. V in mV,
 * t in ms, D in mm2/ms where lengths are mm. What a step in time solves, with the numbers of its scheme:
 *   mass M (V - V_n) - history M (V_n - V_old) + theta K V - theta R(V) = M I + (1 - theta) (R_n - K V_n)
 * R(V)_a = int N_a f(V, s(V)) dV, where s(V) solves the implicit equation of the state (physics/ionic_model.h):
 *   s = s_n + carry h + theta/mass g(V, s),   h: see MonodomainHistory
 * so that the state never is an unknown of the system; or the states go first (MONODOMAIN_STATES_FIRST), and R(V) is a
 * line. Equations: docs/theory/monodomain.md.
 *
 * NODAL: R by the lumped mass, a state per node; the Newton matrix is the constant mass M + theta K (M lumped) plus a
 * diagonal. GAUSS: M consistent, a state at each point of the element's stiffness rule (one in tri3 and tet4), the
 * matrix is built again from the elements at each iterate. A node where regions of different models or parameters meet
 * has in NODAL a state of each, and they share the node's mass as their elements do. */
#pragma once
#include "assembly/diffusion/diffusion.h"
#include "physics/ionic.h"

typedef enum MonodomainScheme { MONODOMAIN_NODAL, MONODOMAIN_GAUSS } MonodomainScheme;

/* What is kept of the last step for the state: nothing (backward Euler alone, carry 0), the rate g(V_n, s_n) (Crank-
 * Nicolson, carry (1 - theta)/mass), or the increment s_n - s_old (BDF2, carry history/mass). Or nothing, since states
 * are not eliminated but go first: monodomain_first steps them by states_dt at V_n, and in place of theta R(V) + (1 - theta) R_n
 * stands f(V_n, s) + theta df/dV (V - V_n) with these states, of the whole step. */
typedef enum MonodomainHistory {
  MONODOMAIN_NONE,
  MONODOMAIN_RATE,
  MONODOMAIN_INCREMENT,
  MONODOMAIN_STATES_FIRST
} MonodomainHistory;

/* Numbers of a step: doubles on the Exec, read by kernels when they run; solver/time/evolution_clock.h begins with
 * them. The last one is for states that go first. */
enum { MONODOMAIN_THETA, MONODOMAIN_MASS, MONODOMAIN_CARRY, MONODOMAIN_STATES_DT, MONODOMAIN_NUMBERS };

/* A current, switched and shaped in time by a factor on the Exec. */
typedef struct MonodomainStimulus {
  int32_t n;
  const int32_t *node; /* [n] mesh nodes, each once; borrowed during _create only */
  double amplitude;    /* mV/ms, positive depolarises; per area: mV mm/ms */
  const double *share; /* [n] or NULL: what amplitude is multiplied by at each node; borrowed like node */
  bool
      /* share is the integral of the node's shape function over a surface: divided by the node's lumped mass */
      per_area;
} MonodomainStimulus;

/* What the cells of a region begin with in place of rest. */
typedef struct MonodomainStart {
  double V, state[IONIC_STATES];
} MonodomainStart;

typedef struct MonodomainParams {
  DiffusionParams diffusion; /* `lumped` is set by the scheme; a heart has no loads; values may be prescribed */
  MonodomainScheme scheme;
  MonodomainHistory history;
  int32_t n_region;
  const IonicConstants *region;  /* [n_region], checked; borrowed during _create only, as are the three below */
  const MonodomainStart *start;  /* [n_region], of equal regions that of the first counts; NULL: at rest */
  const int32_t *element_region; /* [n_solved]; NULL: 0 */
  const int32_t
      *link_region; /* [diffusion.n_link] of the cells at both ends of a link with mass; NULL: 0. NODAL alone */
  /* NODAL: regions whose parameters vary from node to node: node_region[r][mesh node] is the region that stands there for
   * region r; NULL, or an entry NULL: r itself. Borrowed like those. */
  const int32_t *const *node_region; /* [n_region] */
  int32_t n_stimulus;
  const MonodomainStimulus *stimulus;
} MonodomainParams;

typedef struct Monodomain Monodomain;

/* As diffusion_create; ERR_INPUT: parameters of a region out of range, a model that cannot be eliminated (only states
 * first), a stimulus node that is not in the mesh or has
 * no element, an amplitude that is not finite. ERR_BUG: an element_region outside of region[]. */
Status monodomain_create(Exec *exec, const MonodomainParams *params, Monodomain **out);
void monodomain_destroy(Monodomain **monodomain);
/* Owned: pattern, K and M (diffusion_operators), order of nodes, download of vectors. */
Diffusion *monodomain_diffusion(const Monodomain *monodomain);
/* As diffusion_bind. GAUSS also keeps the operators, for monodomain_tangent. */
Status monodomain_bind(Monodomain *monodomain, const SlotMap *slots);
/* The largest df/dV of the regions, 1/ms: steps must be shorter than mass dt / theta over this. */
double monodomain_max_slope(const Monodomain *monodomain);

/* All vectors are double[diffusion_dofs] on the Exec. The kernels below do nothing when `when` is given and *when, on
 * the Exec, is 0; with it they fit into a recorded loop that decides by itself what comes next. All of them are
 * recordable. */
/* All cells at rest, or at their start where there is one: V, states, history. Not recordable, not gated. */
Status monodomain_rest(Monodomain *monodomain, double *V);
/* History of a run that starts at these V with the states as they are; after monodomain_rest and whatever was done to
 * V. Not gated. */
Status monodomain_start(Monodomain *monodomain, const double *V);
/* current = sum over stimuli of amplitude share on[k], mV/ms, at the stimulated nodes; others are not touched.
 * on[n_stimulus] */
Status monodomain_current(Monodomain *monodomain, const int32_t *when, const double *on, double *current);
/* Of a bidomain, [rows] on the Exec: now = (cells + tissue)/M, next = now + *lead (now - what it was); cells and next may be one
 * array. mass: the lumped one. Nothing where *skip is not 0; both numbers are on the Exec. Recordable. */
Status monodomain_outside(Monodomain *monodomain, const double *mass, const double *cells, const double *tissue,
                          const double *lead, const int32_t *skip, double *now, double *next);
/* NODAL: from now on dV/dt has level - open V more at each node, of channels that are open there: views, double[rows] on the Exec, read
 * when kernels run, open >= 0 in 1/ms. NULL: none. */
Status monodomain_open(Monodomain *monodomain, const double *open, const double *level);
/* States first, before the reactions of a step from V, which is V_n: another set of states by states_dt, which monodomain_commit
 * makes that of now, and the line. current[] as monodomain_current leaves it, 0 where nothing flows. */
Status monodomain_first(Monodomain *monodomain, const double *numbers, const int32_t *when, const double *V,
                        const double *current);
/* r = theta R(V), or the line of the whole step at V; zero at supports and at nodes without elements. NODAL: diagonal = -theta dR/dV, to be added to the
 * constant matrix. GAUSS: diagonal is not touched; keeps what monodomain_tangent needs of this V. */
Status monodomain_reaction(Monodomain *monodomain, const double *numbers, const int32_t *when, const double *V,
                           double *r, double *diagonal);
/* Of what monodomain_first has found, NODAL: f(V, s) - theta gradient V and gradient = df/dV at each node, on the Exec, views; false:
 * some nodes have several cells, and monodomain_reaction puts them together. */
bool monodomain_cell_line(const Monodomain *monodomain, const double **force, const double **gradient);
/* GAUSS: values <- theta K + mass M - theta dR/dV at the V of the last monodomain_reaction, supports eliminated. */
Status monodomain_tangent(Monodomain *monodomain, const double *numbers, const int32_t *when, double *values);
/* The step is accepted: states and history go on to s(V). Until then a step can be tried again with any numbers. */
Status monodomain_commit(Monodomain *monodomain, const double *numbers, const int32_t *when, const double *V);
/* The state of this name at the nodes: the mean by mass of the cells that have one, 0 where none has. `when` as in Stage; GAUSS:
 * not gated. */
Status monodomain_state(Monodomain *monodomain, const char *name, const int32_t *when, double *state);

/* For checkpoints: states and history of all ranks, to and from the host, as save and restore of StatePart have them.
 * [state][cell], history behind: NODAL in the order of the rows, further cells of nodes behind them; GAUSS in the order of
 * the mesh's elements, the points of one together. Not recordable. */
int64_t monodomain_state_size(const Monodomain *monodomain); /* doubles */
Status monodomain_state_save(const Monodomain *monodomain, double *state);
Status monodomain_state_load(Monodomain *monodomain, const double *state);
/* The state of this name, in all cells that have one: value[n_node] (host, mesh order), in GAUSS interpolated between
 * nodes. After monodomain_rest and before monodomain_start. Not recordable. */
Status monodomain_set_state(Monodomain *monodomain, const char *name, const double *value);
/* Cells of the nodes where inside[n_node] (host, mesh order) is set: V and states at rest again, whatever they did; in
 * GAUSS points where the shape functions of such nodes add up to a half or more. Not recordable. */
Status monodomain_reset(Monodomain *monodomain, const uint8_t *inside, double *V);
