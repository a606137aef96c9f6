/* See stepping.h. */
#include "tests/assembly/stepping.h"

static Status current(void *context, const Stage *stage, const double *switches, double *out) {
  return monodomain_current(context, stage->when, switches, out);
}
static Status first(void *context, const Stage *stage, const double *before, const double *currents) {
  return monodomain_first(context, &stage->clock->theta, stage->when, before, currents);
}
static Status reaction(void *context, const Stage *stage, const double *V, double *r, double *diagonal) {
  return monodomain_reaction(context, &stage->clock->theta, stage->when, V, r, diagonal);
}
static Status tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)u;
  return monodomain_tangent(context, &stage->clock->theta, NULL, mat_values(a));
}
static Status commit(void *context, const Stage *stage, const double *V, const double *before) {
  (void)before;
  return monodomain_commit(context, &stage->clock->theta, stage->when, V);
}

static Status save(void *context, void *host) { return monodomain_state_save(context, host); }
static Status restore(void *context, const void *host) { return monodomain_state_load(context, host); }

/* K, the lumped mass, and M and a solver where the scheme or the share of the mass needs them. */
static void make_matrices(Stepping *s) {
  Heart *h = &s->h;
  const bool gauss = h->params.scheme == MONODOMAIN_GAUSS;
  const Diffusion *d = monodomain_diffusion(h->m);
  const MatParams format = {.format = "csr"};
  LinearParams linear = linear_params_default();
  linear.preconditioner = "jacobi";
  linear.pattern = diffusion_pattern(d);
  assert_ok(mat_create(h->exec, &format, diffusion_pattern(d), &s->K));
  assert_ok(monodomain_bind(h->m, mat_slots(s->K)));
  if (gauss || s->consistent > 0) assert_ok(mat_create_like(s->K, PRECISION_DOUBLE, &s->M));
  if (gauss) {
    assert_ok(mat_create_like(s->K, PRECISION_DOUBLE, &s->a));
    assert_ok(linear_create(h->exec, &linear, s->a, &s->solver));
  }
  assert_ok(diffusion_operators(monodomain_diffusion(h->m), mat_values(s->K), gauss ? mat_values(s->M) : NULL));
  if (!gauss && s->M) assert_ok(diffusion_consistent_mass(monodomain_diffusion(h->m), mat_values(s->M)));
  assert_ok(exec_alloc(h->exec, h->n, 8, "test", (void **)&s->mass));
  assert_ok(diffusion_lumped_mass(monodomain_diffusion(h->m), s->mass));
}

Status stepping_try(Stepping *s, const TimeScheme *in_time, double dt, double end) {
  Heart *h = &s->h;
  const bool gauss = h->params.scheme == MONODOMAIN_GAUSS;
  const double *line = NULL, *line_slope = NULL;
  heart_create(h);
  make_matrices(s);
  const EvolutionPulse pulse = {.start = -1, .duration = 1000, .count = 1};
  const bool lines = in_time->stages && !s->no_line && monodomain_cell_line(h->m, &line, &line_slope);
  const Problem problem = {.context = h->m,
                           .n = h->n,
                           .reaction.nodal = !gauss,
                           .reaction.lumped = s->mass,
                           .fixed = diffusion_fixed(monodomain_diffusion(h->m)),
                           .stiffness = s->K,
                           .mass = s->M,
                           .reaction.consistent = s->consistent,
                           .reaction.poor = s->poor,
                           .reaction.max_slope = monodomain_max_slope(h->m),
                           .reaction.current = current,
                           .states.first = in_time->carries == SCHEME_STATES_FIRST ? first : NULL,
                           .reaction.line = lines ? line : NULL,
                           .reaction.line_slope = lines ? line_slope : NULL,
                           .force = reaction,
                           .tangent = gauss ? tangent : NULL,
                           .commit = commit,
                           .states.bytes = 8 * monodomain_state_size(h->m),
                           .states.save = save,
                           .states.restore = restore};
  const StepperParams params = {.scheme = in_time,
                                .control = {.end = end, .step = dt, .every = s->every, .through = s->through},
                                .n_pulse = 1,
                                .pulse = &pulse,
                                .reference = 100,
                                .rtol = 1e-10,
                                .too_stiff = &s->too_stiff,
                                .bound_factor = s->bound_factor,
                                .inner_precision = in_time->stages ? PRECISION_FLOAT : (Precision)0};
  return stepper_create(h->exec, &problem, &params, s->a, s->solver, &s->stepper);
}

void stepping_create(Stepping *s, const TimeScheme *in_time, double dt, double end) {
  assert_ok(stepping_try(s, in_time, dt, end));
}

void stepping_start(Stepping *s) {
  heart_rest(&s->h);
  assert_ok(monodomain_start(s->h.m, s->h.V));
  assert_ok(stepper_start(s->stepper, s->h.V));
}

void stepping_destroy(Stepping *s) {
  stepper_destroy(&s->stepper);
  linear_destroy(&s->solver);
  mat_destroy(&s->a);
  mat_destroy(&s->M);
  mat_destroy(&s->K);
  EXEC_RELEASE(s->h.exec, s->mass, s->h.n);
  heart_finish(&s->h);
}
