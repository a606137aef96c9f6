/* Steps of a circulation in time. */
#include "physics/circuit.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

double elastance_at(const Elastance *e, double cycle, double t) {
  const double x = t - e->start, s = x - cycle * floor(x / cycle);
  double share = 0;
  if (s < e->contraction) share = 0.5 * (1 - cos(PI * s / e->contraction));
  else if (s < e->contraction + e->relaxation) share = 0.5 * (1 + cos(PI * (s - e->contraction) / e->relaxation));
  return e->passive + e->active * share;
}

/* V = rest + slope p at time t. */
static void node_law(const Circuit *circuit, int32_t i, double t, double *rest, double *slope) {
  const CircuitNode *node = &circuit->node[i];
  const bool chamber = node->kind == CIRCUIT_CHAMBER;
  *rest = chamber ? node->elastance.v0 : 0; /* sources and cavities have none */
  *slope = chamber ? 1 / elastance_at(&node->elastance, circuit->cycle, t) : node->compliance;
}

/* A step: V = known + reach sum of flows, and the same of inertances. */
typedef struct Step {
  const Circuit *circuit;
  double reach;
  double known[CIRCUIT_NODES], inert[CIRCUIT_BRANCHES];
  double rest[CIRCUIT_NODES], slope[CIRCUIT_NODES];
} Step;

/* Q and dQ/dd of a branch at the difference d. */
static double branch_flow(const Step *s, int32_t b, double d, double *slope) {
  const CircuitBranch *branch = &s->circuit->branch[b];
  double resistance = branch->resistance, drive = 0;
  if (branch->inertance > 0) {
    const double inertia = branch->inertance / s->reach;
    if (branch->impedance > 0) { /* q = (inertia q_n + z Q)/(inertia + z) */
      const double part = branch->impedance / (inertia + branch->impedance);
      resistance += branch->impedance * (1 - part);
      drive = part * inertia * s->inert[b];
    } else {
      resistance += inertia;
      drive = inertia * s->inert[b];
    }
  } else resistance += branch->impedance;
  const bool closed = branch->valve && d + drive <= 0;
  *slope = 1 / (closed ? branch->closed : resistance);
  return closed ? *slope * (d + drive) : (d + drive) * *slope;
}

/* Its pressure is known. */
static bool is_given(const CircuitNode *node) { return node->kind == CIRCUIT_SOURCE || node->kind == CIRCUIT_CAVITY; }

/* What is missing at each node: V(p) less what the flows make it. Returns the largest. */
static double step_missing(const Step *s, const double p[], double missing[], double tangent[][CIRCUIT_NODES]) {
  const Circuit *circuit = s->circuit;
  double most = 0;
  if (tangent) memset(tangent, 0, CIRCUIT_NODES * sizeof *tangent);
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    missing[i] = s->rest[i] + s->slope[i] * p[i] - s->known[i];
    if (tangent) tangent[i][i] = s->slope[i];
  }
  for (int32_t b = 0; b < circuit->n_branch; ++b) {
    const int32_t from = circuit->branch[b].from, to = circuit->branch[b].to;
    double slope, flow = s->reach * branch_flow(s, b, p[from] - p[to], &slope);
    missing[from] += flow, missing[to] -= flow;
    if (!tangent) continue;
    slope *= s->reach;
    tangent[from][from] += slope, tangent[to][to] += slope;
    tangent[from][to] -= slope, tangent[to][from] -= slope;
  }
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    const bool given = is_given(&circuit->node[i]);
    if (given) missing[i] = 0;
    for (int32_t k = 0; tangent && given && k < circuit->n_node; ++k) tangent[i][k] = tangent[k][i] = i == k;
    if (!isfinite(missing[i])) return (double)INFINITY;
    most = fmax(most, fabs(missing[i]));
  }
  return most;
}

/* Cholesky's factors, in the place of the lower triangle. */
static void factor_dense(int32_t n, double a[][CIRCUIT_NODES]) {
  for (int32_t i = 0; i < n; ++i)
    for (int32_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (int32_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
    }
}

/* x = A^-1 x by them. */
static void solve_factored(int32_t n, double a[][CIRCUIT_NODES], double x[]) {
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (int32_t i = n - 1; i >= 0; --i) {
    for (int32_t k = i + 1; k < n; ++k) x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
}

/* p += share dp, with the slope of the convex function along dp there. */
static double slope_along(const Step *s, const double p[], const double dp[], double share, double out[]) {
  double missing[CIRCUIT_NODES], along = 0;
  for (int32_t i = 0; i < s->circuit->n_node; ++i) out[i] = p[i] + share * dp[i];
  step_missing(s, out, missing, NULL);
  for (int32_t i = 0; i < s->circuit->n_node; ++i) along += missing[i] * dp[i];
  return along;
}

/* The whole of Newton's step, or where the function has its least along it: its slope rises there, so bisection ends. */
static void line_search(const Step *s, double p[], const double dp[]) {
  enum { HALVINGS = 40 };
  double at[CIRCUIT_NODES], low = 0, high = 1;
  if (slope_along(s, p, dp, 1, at) > 0)
    for (int k = 0; k < HALVINGS; ++k) {
      const double middle = 0.5 * (low + high);
      if (slope_along(s, p, dp, middle, at) > 0) high = middle;
      else low = middle;
    }
  memcpy(p, at, (size_t)s->circuit->n_node * sizeof *p);
}

static Status solve_pressures(const Step *s, double p[]) {
  enum { ITERATIONS = 100 };
  static const double ROUND_OFF = 1e-13; /* of the volumes */
  const Circuit *circuit = s->circuit;
  double missing[CIRCUIT_NODES], tangent[CIRCUIT_NODES][CIRCUIT_NODES], scale = 0, most = 0;
  for (int32_t i = 0; i < circuit->n_node; ++i)
    scale = fmax(scale, is_given(&circuit->node[i]) ? 0 : fabs(s->known[i]));
  for (int i = 0; i < ITERATIONS; ++i) {
    most = step_missing(s, p, missing, tangent);
    if (most <= ROUND_OFF * scale) return OK;
    if (!isfinite(most)) break;
    for (int32_t k = 0; k < circuit->n_node; ++k) missing[k] = -missing[k];
    factor_dense(circuit->n_node, tangent);
    solve_factored(circuit->n_node, tangent, missing);
    line_search(s, p, missing);
  }
  CHECK(most <= 1e4 * ROUND_OFF * scale, ERR_NUMERIC,
        "the pressures of the circulation do not settle: %g mL are missing", most);
  return OK;
}

static void step_fill(const Circuit *circuit, double end, const CircuitState *state, Step *out) {
  const bool first = circuit->first_order || state->steps == 0;
  const double before = first ? 0 : 1.0 / 3;
  memset(out, 0, sizeof *out); /* checkpoints keep all nodes, also those that this circuit lacks */
  out->circuit = circuit;
  out->reach = (end - state->t) * (1 - before);
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    out->known[i] = (1 + before) * state->volume[i] - before * state->volume_before[i];
    node_law(circuit, i, end, &out->rest[i], &out->slope[i]);
  }
  for (int32_t b = 0; b < circuit->n_branch; ++b)
    out->inert[b] = (1 + before) * state->inert[b] - before * state->inert_before[b];
}

/* Volumes by the flows: none is lost. */
static double add_flow(const Step *s, int32_t b, const double p[], double volume[]) {
  const CircuitBranch *branch = &s->circuit->branch[b];
  double slope;
  const double flow = branch_flow(s, b, p[branch->from] - p[branch->to], &slope);
  volume[branch->from] -= s->reach * flow;
  volume[branch->to] += s->reach * flow;
  return flow;
}

/* Flows between all nodes but sources, as a matrix of their pressures. */
static void flow_matrix(const Step *s, const double p[], double out[][CIRCUIT_NODES]) {
  memset(out, 0, CIRCUIT_NODES * sizeof *out);
  for (int32_t b = 0; b < s->circuit->n_branch; ++b) {
    const int32_t from = s->circuit->branch[b].from, to = s->circuit->branch[b].to;
    double slope;
    branch_flow(s, b, p[from] - p[to], &slope);
    slope *= s->reach;
    out[from][from] += slope, out[to][to] += slope;
    out[from][to] -= slope, out[to][from] -= slope;
  }
}

/* -dV/dp of cavities, with the pressures of vessels and chambers eliminated. */
static void cavity_slopes(const Step *s, const double p[], int32_t n, const int32_t *node, double *slope) {
  const Circuit *circuit = s->circuit;
  double flows[CIRCUIT_NODES][CIRCUIT_NODES], tangent[CIRCUIT_NODES][CIRCUIT_NODES], missing[CIRCUIT_NODES];
  flow_matrix(s, p, flows);
  step_missing(s, p, missing, tangent);
  factor_dense(circuit->n_node, tangent);
  for (int32_t k = 0; k < n; ++k) {
    double answer[CIRCUIT_NODES];
    for (int32_t i = 0; i < circuit->n_node; ++i) answer[i] = is_given(&circuit->node[i]) ? 0 : -flows[i][node[k]];
    solve_factored(circuit->n_node, tangent, answer);
    answer[node[k]] = 1;
    for (int32_t j = 0; j < n; ++j) {
      slope[j * n + k] = 0;
      for (int32_t i = 0; i < circuit->n_node; ++i) slope[j * n + k] += flows[node[j]][i] * answer[i];
    }
  }
}

Status circuit_answer(const Circuit *circuit, double end, const CircuitState *state, int32_t n, const int32_t *node,
                      const double *pressure, double *volume, double *slope) {
  Step step;
  double p[CIRCUIT_NODES], v[CIRCUIT_NODES];
  step_fill(circuit, end, state, &step);
  memcpy(p, state->pressure, sizeof p);
  for (int32_t k = 0; k < n; ++k) p[node[k]] = pressure[k];
  TRY(solve_pressures(&step, p));
  memcpy(v, step.known, sizeof v);
  for (int32_t b = 0; b < circuit->n_branch; ++b) add_flow(&step, b, p, v);
  for (int32_t k = 0; k < n; ++k) volume[k] = v[node[k]];
  if (slope) cavity_slopes(&step, p, n, node, slope);
  return OK;
}

Status circuit_step(const Circuit *circuit, double end, CircuitState *state) {
  Step step;
  step_fill(circuit, end, state, &step);
  TRY(solve_pressures(&step, state->pressure));
  memcpy(state->volume_before, state->volume, sizeof state->volume);
  memcpy(state->inert_before, state->inert, sizeof state->inert);
  memcpy(state->volume, step.known, sizeof state->volume);
  for (int32_t b = 0; b < circuit->n_branch; ++b) {
    const double z = circuit->branch[b].impedance, inertia = circuit->branch[b].inertance / step.reach;
    const double flow = add_flow(&step, b, state->pressure, state->volume);
    state->flow[b] = flow;
    state->inert[b] = z > 0 && inertia > 0 ? (inertia * step.inert[b] + z * flow) / (inertia + z) : flow;
  }
  state->t = end;
  state->steps += 1;
  return OK;
}

void circuit_start(const Circuit *circuit, CircuitState *out) {
  memset(out, 0, sizeof *out);
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    const CircuitNode *node = &circuit->node[i];
    double rest, slope;
    node_law(circuit, i, 0, &rest, &slope);
    out->volume[i] = node->kind == CIRCUIT_SOURCE ? 0 : node->begin;
    out->pressure[i] = is_given(node) ? node->pressure : (node->begin - rest) / slope;
  }
  for (int32_t b = 0; b < circuit->n_branch; ++b) out->flow[b] = out->inert[b] = circuit->branch[b].begin;
}

double circuit_volume(const Circuit *circuit, const CircuitState *state) {
  double sum = 0;
  for (int32_t i = 0; i < circuit->n_node; ++i)
    if (circuit->node[i].kind != CIRCUIT_SOURCE) sum += state->volume[i];
  return sum;
}
