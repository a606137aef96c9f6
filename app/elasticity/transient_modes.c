/* See transient_modes.h. With s = x.M u0 and r = x.K u0 of supports that move, z = q + s obeys
 *   z" + (alpha + D) z' + lambda z = x.(f - K u0) + lambda s + D (s' - r' / lambda),   D = beta lambda + 2 ratio sqrt(lambda):
 * damping goes by the motion beside that of supports so slow that the body follows at rest. No derivative of u0 but the
 * first stands there, which is constant over a step. */
#include "app/elasticity/transient_modes.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/modal_basis.h"
#include "app/elasticity/modal_step.h"
#include "app/run/ranks.h"
#include "core/collect.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/time/stepper.h"

#include <string.h>

enum { VECTORS = 7 };

/* Of a mode, at the time reached. */
typedef struct ModeState {
  double z, rate;              /* z' */
  double load, carried, stiff; /* x.(f - K u0), s, r */
  double carry, slow;          /* s' and D (s' - r' / lambda) of the last step */
} ModeState;

struct TransientModes {
  TransientModesParams params;
  Run *run; /* borrowed */
  Exec *exec;
  ModalBasis *basis;        /* owned, as is all below */
  ModeState *mode;          /* [values] */
  double *product, *factor; /* [values][3] and [values][2] */
  /* on the Exec, [n]: the load that a static answer was made for, and that; supports; work space */
  double *known, *answer, *fixed, *load, *rest, *one, *two;
  double *dot;   /* on the Exec, [3] */
  RankRun place; /* of own items in vectors of all ranks */
  double time, dt;
  bool truncated, load_varies, support_varies, begun, has_answer;
};

static void vectors_list(TransientModes *w, double **vector[VECTORS]) {
  double **const all[VECTORS] = {&w->known, &w->answer, &w->fixed, &w->load, &w->rest, &w->one, &w->two};
  memcpy(vector, all, sizeof all);
}

void transient_modes_destroy(TransientModes **modes) {
  TransientModes *w = *modes;
  double **vector[VECTORS];
  if (!w) return;
  vectors_list(w, vector);
  for (int k = 0; w->basis && k < VECTORS; ++k) EXEC_RELEASE(w->exec, *vector[k], w->basis->n);
  EXEC_RELEASE(w->exec, w->dot, 3);
  modal_basis_destroy(&w->basis);
  FREE(w->mode);
  FREE(w->product);
  FREE(w->factor);
  FREE(*modes);
}

Status transient_modes_create(Run *run, const TransientModesParams *params, LinearParams *linear,
                              TransientModes **out) {
  TransientModes *w = NULL;
  double **vector[VECTORS];
  *out = NULL;
  ALLOC(w, 1, "motion by modes");
  *w = (TransientModes){.params = *params,
                        .run = run,
                        .exec = run->device.exec,
                        .truncated = run->c->analysis.remainder.value == REMAINDER_NONE};
  *out = w;
  TRY(ranks_any(run, elasticity_load_varies(params->elasticity), &w->load_varies));
  TRY(ranks_any(run, elasticity_prescribed_varies(params->elasticity), &w->support_varies));
  TRY(modal_basis_create(run, params->elasticity, linear, params->k, params->m, &w->basis));
  TRY(rank_run_find(w->exec->comm, w->basis->n_own, &w->place));
  vectors_list(w, vector);
  for (int k = 0; k < VECTORS; ++k) EXEC_ALLOC(w->exec, *vector[k], w->basis->n, "work space of motion by modes");
  EXEC_ALLOC(w->exec, w->dot, 3, "products of loads");
  ALLOC(w->mode, w->basis->values, "motion of modes");
  ALLOC(w->product, 3 * (int64_t)w->basis->values, "products of modes");
  ALLOC(w->factor, 2 * (int64_t)w->basis->values, "factors of modes");
  return OK;
}

static size_t vector_bytes(const TransientModes *w) { return (size_t)w->basis->n * sizeof(double); }

/* fixed = u0, one = f - K u0 of a time. */
static Status balance_at(TransientModes *w, double time) {
  Elasticity *e = w->params.elasticity;
  if (w->load_varies) TRY(elasticity_load_at_time(e, time));
  TRY(elasticity_prescribed_at_time(e, time, w->fixed));
  return elasticity_residual(e, w->fixed, w->one);
}

/* two = f */
static Status external_at_rest(TransientModes *w) {
  TRY(exec_zero(w->exec, w->rest, vector_bytes(w)));
  return elasticity_residual(w->params.elasticity, w->rest, w->two);
}

/* x.(f - K u0), s and r of a time into product. */
static Status loads_project(TransientModes *w, double time) {
  const int32_t n = w->basis->values;
  TRY(balance_at(w, time));
  TRY(eigen_project_one(w->basis->eigen, w->one, w->product));
  if (!w->support_varies) return OK;
  TRY(external_at_rest(w));
  TRY(vec_axpy(w->exec, w->basis->n, -1, w->one, w->two));
  TRY(eigen_project_one(w->basis->eigen, w->two, w->product + 2 * n));
  TRY(elasticity_mass_residual(w->params.mass, w->fixed, w->two));
  TRY(eigen_project_one(w->basis->eigen, w->two, w->product + n));
  for (int32_t k = 0; k < n; ++k) w->product[n + k] *= -1;
  return OK;
}

/* x.M of a vector, into product. */
static Status masses_project(TransientModes *w, const double *x) {
  TRY(elasticity_mass_residual(w->params.mass, x, w->two));
  TRY(eigen_project_one(w->basis->eigen, w->two, w->product));
  for (int32_t k = 0; k < w->basis->values; ++k) w->product[k] *= -1;
  return OK;
}

/* Viscous share of the stiffness of mode k, D. */
static double own_damping(const TransientModes *w, int32_t k) {
  const double lambda = modal_basis_square(w->basis, k);
  return w->run->c->analysis.damping.beta.value * lambda + 2 * modal_basis_ratio(w->basis, k) * sqrt(lambda);
}

static Status modes_constrain(void *context, double time, double *u) {
  return elasticity_prescribed_at_time(((TransientModes *)context)->params.elasticity, time, u);
}

/* v += the velocity of supports at the start. */
static Status add_support_velocity(TransientModes *w, double *v) {
  const Problem supports = {.context = w, .n = w->basis->n, .constrain = modes_constrain};
  if (!w->support_varies) return OK;
  return stepper_support_motion(w->exec, &supports, w->time, w->run->c->time.step.value, w->one, v, NULL);
}

/* v = the velocity that the start is given, of supports their own. */
static Status start_velocity(TransientModes *w, double *v) {
  TRY(exec_zero(w->exec, v, vector_bytes(w)));
  if (w->params.velocity) TRY(exec_copy(w->exec, v, w->params.velocity, vector_bytes(w)));
  TRY(elasticity_free_only(w->params.elasticity, v));
  return add_support_velocity(w, v);
}

/* s' and what slow motion has of damping, at the start. */
static Status modes_carried(TransientModes *w) {
  const int32_t n = w->basis->values;
  if (!w->support_varies) return OK;
  TRY(exec_zero(w->exec, w->rest, vector_bytes(w)));
  TRY(add_support_velocity(w, w->rest));
  TRY(masses_project(w, w->rest));
  for (int32_t k = 0; k < n; ++k) w->mode[k].carry = w->product[k];
  TRY(elasticity_residual(w->params.elasticity, w->rest, w->one));
  TRY(external_at_rest(w));
  TRY(vec_axpy(w->exec, w->basis->n, -1, w->one, w->two));
  TRY(eigen_project_one(w->basis->eigen, w->two, w->product));
  for (int32_t k = 0; k < n; ++k)
    w->mode[k].slow = own_damping(w, k) * (w->mode[k].carry - w->product[k] / modal_basis_square(w->basis, k));
  return OK;
}

/* The start that is given. */
static Status modes_begin(void *context, double time) {
  TransientModes *w = context;
  const int32_t n = w->basis->values;
  w->time = time, w->begun = w->has_answer = false;
  TRY(exec_zero(w->exec, w->known, vector_bytes(w)));
  TRY(exec_zero(w->exec, w->answer, vector_bytes(w)));
  TRY(exec_zero(w->exec, w->fixed, vector_bytes(w)));
  TRY(loads_project(w, time));
  for (int32_t k = 0; k < n; ++k)
    w->mode[k] = (ModeState){.load = w->product[k],
                             .carried = w->support_varies ? w->product[n + k] : 0,
                             .stiff = w->support_varies ? w->product[2 * n + k] : 0};
  TRY(exec_copy(w->exec, w->rest, w->params.u, vector_bytes(w)));
  TRY(vec_axpy(w->exec, w->basis->n, -1, w->fixed, w->rest));
  TRY(masses_project(w, w->rest));
  for (int32_t k = 0; k < n; ++k) w->mode[k].z = w->product[k] + w->mode[k].carried;
  TRY(modes_carried(w));
  TRY(start_velocity(w, w->rest));
  TRY(masses_project(w, w->rest));
  for (int32_t k = 0; k < n; ++k) w->mode[k].rate = w->product[k];
  return OK;
}

static ModalStep mode_equation(const TransientModes *w, int32_t k) {
  return (ModalStep){.lambda = modal_basis_square(w->basis, k),
                     .damping = w->run->c->analysis.damping.alpha.value + own_damping(w, k)};
}

static void mode_advance(TransientModes *w, int32_t k, double dt) {
  const int32_t n = w->basis->values;
  ModeState *m = &w->mode[k];
  ModalStep step = mode_equation(w, k);
  ModeState next = *m;
  next.load = w->product[k];
  if (w->support_varies) next.carried = w->product[n + k], next.stiff = w->product[2 * n + k];
  next.carry = (next.carried - m->carried) / dt;
  next.slow = own_damping(w, k) * (next.carry - (next.stiff - m->stiff) / dt / step.lambda);
  step.load = m->load + step.lambda * m->carried + next.slow;
  step.slope = (next.load - m->load) / dt + step.lambda * next.carry;
  modal_step(&step, dt, &next.z, &next.rate);
  *m = next;
}

static Status modes_advance(void *context, const Stage *stage) {
  TransientModes *w = context;
  if (w->load_varies || w->support_varies) TRY(loads_project(w, stage->target));
  else
    for (int32_t k = 0; k < w->basis->values; ++k) w->product[k] = w->mode[k].load;
  for (int32_t k = 0; k < w->basis->values; ++k) mode_advance(w, k, stage->dt);
  w->time = stage->target, w->dt = stage->dt, w->begun = true;
  return OK;
}

/* load = what the static answer of a time is to: f - K u0, or of the supports alone. */
static Status static_load(TransientModes *w, double time) {
  TRY(balance_at(w, time));
  TRY(exec_copy(w->exec, w->load, w->one, vector_bytes(w)));
  if (!w->truncated) return OK;
  TRY(external_at_rest(w));
  return vec_axpy(w->exec, w->basis->n, -1, w->two, w->load);
}

/* rest = the last answer times what the load is of the last one; whether that is all of it. */
static Status answer_again(TransientModes *w, bool *whole) {
  static const double ROUNDING = 1e-24; /* of squares */
  const int64_t n = w->basis->n_own;
  double dot[3];
  TRY(exec_zero(w->exec, w->rest, vector_bytes(w)));
  TRY(vec_dot(w->exec, n, w->known, w->load, w->dot));
  TRY(vec_dot(w->exec, n, w->known, w->known, w->dot + 1));
  TRY(vec_dot(w->exec, n, w->load, w->load, w->dot + 2));
  TRY(exec_download(w->exec, dot, w->dot, 3 * sizeof *dot));
  *whole = dot[2] == 0;
  if (*whole || !w->has_answer) return OK;
  const double factor = dot[1] > 0 ? dot[0] / dot[1] : 0;
  TRY(vec_axpy(w->exec, n, factor, w->answer, w->rest));
  TRY(elasticity_combine(w->exec, n, 1, w->load, -factor, w->known, w->one));
  TRY(vec_dot(w->exec, n, w->one, w->one, w->dot));
  TRY(exec_download(w->exec, dot, w->dot, sizeof *dot));
  *whole = dot[0] <= ROUNDING * dot[2];
  return OK;
}

/* rest = K^-1 load; its modes' share leaves factor[.][part]. */
static Status static_answer(TransientModes *w, int part) {
  ModalBasis *b = w->basis;
  bool whole;
  TRY(answer_again(w, &whole));
  if (!whole) {
    TRY(modal_basis_rest(b, w->load, w->rest, &w->run->report->linear));
    TRY(exec_copy(w->exec, w->known, w->load, vector_bytes(w)));
    TRY(exec_copy(w->exec, w->answer, w->rest, vector_bytes(w)));
    w->has_answer = true;
  }
  TRY(eigen_project_one(b->eigen, w->load, w->product));
  for (int32_t k = 0; k < b->values; ++k) w->factor[2 * k + part] -= w->product[k] / modal_basis_square(b, k);
  return OK;
}

/* to = u0 + K^-1 load of now, and its change of the last step over its length. */
static Status still_fill(TransientModes *w, double *u, double *velocity) {
  const int64_t n = w->basis->n;
  const bool moves = w->load_varies || w->support_varies;
  TRY(exec_zero(w->exec, velocity, vector_bytes(w)));
  if (moves) {
    TRY(static_load(w, w->time - w->dt));
    TRY(exec_copy(w->exec, velocity, w->load, vector_bytes(w)));
    TRY(exec_copy(w->exec, u, w->fixed, vector_bytes(w)));
  }
  TRY(static_load(w, w->time));
  TRY(static_answer(w, 0));
  if (moves) {
    TRY(vec_axpy(w->exec, n, -1, w->load, velocity)); /* exactly 0 where it stays */
    TRY(elasticity_combine(w->exec, n, -1 / w->dt, velocity, 0, w->load, w->load));
    TRY(elasticity_combine(w->exec, n, 1 / w->dt, w->fixed, -1 / w->dt, u, velocity));
  }
  TRY(exec_copy(w->exec, u, w->fixed, vector_bytes(w)));
  TRY(vec_axpy(w->exec, n, 1, w->rest, u));
  if (!moves) return OK;
  TRY(static_answer(w, 1));
  return vec_axpy(w->exec, n, 1, w->rest, velocity);
}

static Status start_fill(TransientModes *w, double *u, double *velocity) {
  TRY(exec_copy(w->exec, u, w->params.u, vector_bytes(w)));
  return start_velocity(w, velocity);
}

static Status moving_fill(TransientModes *w, double *u, double *velocity) {
  const int64_t n = w->basis->n;
  for (int32_t k = 0; k < w->basis->values; ++k) {
    w->factor[2 * k] = w->mode[k].z - w->mode[k].carried;
    w->factor[2 * k + 1] = w->mode[k].rate - w->mode[k].carry;
  }
  TRY(still_fill(w, u, velocity));
  TRY(eigen_combine(w->basis->eigen, w->factor, (double *const[2]){w->one, w->two}));
  TRY(vec_axpy(w->exec, n, 1, w->one, u));
  return vec_axpy(w->exec, n, 1, w->two, velocity);
}

/* a = the acceleration of supports, by what they did in the last step, or will do in the first; product: s". */
static Status support_acceleration(TransientModes *w, double *a) {
  const double step = w->begun ? -w->dt : w->run->c->time.step.value;
  const Problem supports = {.context = w, .n = w->basis->n, .constrain = modes_constrain};
  TRY(exec_zero(w->exec, a, vector_bytes(w)));
  if (w->support_varies) TRY(stepper_support_motion(w->exec, &supports, w->time, step, w->load, NULL, a));
  return masses_project(w, a);
}

Status transient_modes_fill(TransientModes *w, double *u, double *velocity, double *acceleration) {
  TRY(w->begun ? moving_fill(w, u, velocity) : start_fill(w, u, velocity));
  TRY(support_acceleration(w, acceleration));
  for (int32_t k = 0; k < w->basis->values; ++k) {
    const ModeState *m = &w->mode[k];
    const ModalStep of = mode_equation(w, k);
    w->factor[2 * k] = m->load + of.lambda * (m->carried - m->z) + m->slow - of.damping * m->rate - w->product[k];
    w->factor[2 * k + 1] = 0;
  }
  TRY(eigen_combine(w->basis->eigen, w->factor, (double *const[2]){w->one, w->two}));
  return vec_axpy(w->exec, w->basis->n, 1, w->one, acceleration);
}

/* ---- checkpoints ---- */

typedef struct Head {
  double time, dt;
  LinearState solver;
  int32_t begun, has_answer;
} Head;

static size_t place_bytes(const TransientModes *w) { return (size_t)w->place.all * sizeof(double); }

static Status modes_save(void *context, void *host) {
  const TransientModes *w = context;
  const Head head = {w->time, w->dt, linear_state(w->basis->linear), w->begun, w->has_answer};
  const size_t bytes = (size_t)w->basis->values * sizeof *w->mode;
  char *at = host;
  if (at) {
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, w->mode, bytes);
    at += sizeof head + bytes;
  }
  TRY(exec_collect(w->exec, &w->place, sizeof *w->known, w->known, at));
  return exec_collect(w->exec, &w->place, sizeof *w->answer, w->answer, at ? at + place_bytes(w) : NULL);
}

static Status modes_restore(void *context, const void *host) {
  TransientModes *w = context;
  const size_t bytes = (size_t)w->basis->values * sizeof *w->mode;
  const char *at = host;
  Head head;
  memcpy(&head, at, sizeof head);
  memcpy(w->mode, at + sizeof head, bytes);
  at += sizeof head + bytes;
  w->time = head.time, w->dt = head.dt, w->begun = head.begun, w->has_answer = head.has_answer;
  TRY(exec_deal(w->exec, &w->place, sizeof *w->known, at, w->known));
  TRY(exec_deal(w->exec, &w->place, sizeof *w->answer, at + place_bytes(w), w->answer));
  return linear_restore(w->basis->linear, &head.solver);
}

Status transient_modes_solve(TransientModes *w, Problem *problem) {
  TRY(modal_basis_solve(w->basis, &w->run->report->linear));
  *problem = (Problem){.context = w,
                       .n = elasticity_rows(w->params.elasticity),
                       .linear = true,
                       .states.begin = modes_begin,
                       .states.advance = modes_advance,
                       .states.bytes =
                           (int64_t)(sizeof(Head) + (size_t)w->basis->values * sizeof *w->mode + 2 * place_bytes(w)),
                       .states.save = modes_save,
                       .states.restore = modes_restore};
  return OK;
}
