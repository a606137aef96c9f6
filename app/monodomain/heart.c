/* Building the heart: monodomain problem, matrices, stepping; and the functions by which the stepping asks the
 * physics. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/strand.h"
#include "app/run/ranks.h"
#include "app/input/case_format.h"
#include "core/memory.h"
#include "algebra/mat.h"
#include "solver/precond/precond.h"

/* What tolerances are relative to: about the amplitude of an action potential, mV. */
static const double REFERENCE = 100;
/* Rows of a heart's matrix stay as they are on a GPU. Rabbit refined once, along a Hilbert curve, sorted by length in
 * the smallest windows that pad no more than 1 %: half the values of x that a warp asks for lie in other sectors (22 of
 * 32 bytes for an entry of 32 rows, 10 unsorted), and 39 % of the slices span more columns than 16 bits reach (21 %
 * unsorted). It pads 30 %. */
static const int32_t HEART_WINDOW = 1;
/* Quality of elements that are stiff by their shape: tetrahedra of a regular lattice have 0.7 and more. */
static const double POOR = 0.3;
/* Repolarization, mV. */
static const double REPOLARIZED = -70;

static Status heart_current(void *context, const Stage *stage, const double *switches, double *out) {
  return monodomain_current(((Heart *)context)->monodomain, stage->when, switches, out);
}
static Status heart_first(void *context, const Stage *stage, const double *before, const double *currents) {
  return monodomain_first(((Heart *)context)->monodomain, &stage->clock->theta, stage->when, before, currents);
}
static Status reaction_heart(void *context, const Stage *stage, const double *V, double *r, double *diagonal) {
  return monodomain_reaction(((Heart *)context)->monodomain, &stage->clock->theta, stage->when, V, r, diagonal);
}
static Status heart_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)u;
  return monodomain_tangent(((Heart *)context)->monodomain, &stage->clock->theta, NULL, mat_values(a));
}
static Status heart_commit(void *context, const Stage *stage, const double *V, const double *before) {
  Heart *h = context;
  TRY(monodomain_commit(h->monodomain, &stage->clock->theta, stage->when, V));
  if (h->scheme->stages) return OK; /* they have the maps */
  return activation_step(h->maps, stage->clock, stage->when, V, before);
}
static Status heart_save(void *context, void *host) {
  Heart *h = context;
  double *state = host;
  TRY(monodomain_state_save(h->monodomain, state));
  if (state) state += monodomain_state_size(h->monodomain);
  TRY(activation_save(h->maps, state));
  if (state) state += activation_state_size(h->maps);
  TRY(heart_rhythm_save(h, state));
  return heart_bidomain_save(h, state ? state + heart_rhythm_state_size(h) : NULL);
}
/* What another run may begin with. */
static Status heart_take(void *context, const void *host) {
  return monodomain_state_load(((Heart *)context)->monodomain, host);
}
static Status restore_heart(void *context, const void *host) {
  Heart *h = context;
  const double *state = host;
  TRY(heart_take(h, state));
  state += monodomain_state_size(h->monodomain);
  TRY(activation_restore(h->maps, state));
  state += activation_state_size(h->maps);
  TRY(heart_rhythm_restore(h, state));
  return heart_bidomain_restore(h, state + heart_rhythm_state_size(h));
}

MonodomainParams heart_params(const Case *c, const Setup *setup) {
  static const MonodomainHistory history[] = {[SCHEME_CARRIES_NOTHING] = MONODOMAIN_NONE,
                                              [SCHEME_CARRIES_RATE] = MONODOMAIN_RATE,
                                              [SCHEME_CARRIES_INCREMENT] = MONODOMAIN_INCREMENT,
                                              [SCHEME_STATES_FIRST] = MONODOMAIN_STATES_FIRST};
  MonodomainParams params = heart_setup(setup)->monodomain;
  params.diffusion = heart_setup(setup)->diffusion;
  if (heart_setup(setup)->point_region) params.element_region = heart_setup(setup)->point_region;
  params.history = history[time_scheme(c->time.scheme.value)->carries];
  return params;
}

const char *heart_preconditioner(const Case *c) {
  const char *name = c->solver.preconditioner.type.text;
  if (!precond_is_auto(name)) return name;
  return c->solver.preconditioner.degree.value > 0 ? "least-squares"
                                                   : "jacobi"; /* who names a degree wants a polynomial */
}

static MatParams format_of(const Exec *exec, const Case *c) {
  MatParams format = case_mat_params(c);
  if (!exec_is_host(exec) && !format.window && mat_format_has(format.format, MAT_SLICED_BLOCKS))
    format.window = HEART_WINDOW;
  return format;
}

Status heart_matrix(Exec *exec, const Case *c, Diffusion *diffusion, Mat **out) {
  const MatParams format = format_of(exec, c);
  const Pattern *pattern = diffusion_pattern(diffusion);
  TRY(mat_create(exec, &format, pattern, out));
  TRY(diffusion_bind(diffusion, mat_slots(*out)));
  TRY(diffusion_operators(diffusion, mat_values(*out), NULL));
  pattern_leave_exec(pattern);
  slot_map_leave_exec(mat_slots(*out));
  return OK;
}

/* K, and for the scheme at integration points M, the matrix of Newton's steps and its solver. */
static Status make_matrices(Heart *h) {
  const MatParams format = format_of(h->exec, h->c);
  const Pattern *pattern = diffusion_pattern(h->diffusion);
  const bool gauss = heart_setup(h->part)->monodomain.scheme == MONODOMAIN_GAUSS;
  TRY(mat_create(h->exec, &format, pattern, &h->stiffness));
  TRY(monodomain_bind(h->monodomain, mat_slots(h->stiffness)));
  const bool blends = !gauss && h->c->mass.value > 0;
  if (gauss || blends) TRY(mat_create_like(h->stiffness, PRECISION_DOUBLE, &h->mass_matrix));
  TRY(diffusion_operators(h->diffusion, mat_values(h->stiffness), gauss ? mat_values(h->mass_matrix) : NULL));
  if (blends) TRY(diffusion_consistent_mass(h->diffusion, mat_values(h->mass_matrix)));
  if (!gauss) { /* no solver is there to do so */
    pattern_leave_exec(pattern);
    slot_map_leave_exec(mat_slots(h->stiffness));
    return OK;
  }
  LinearParams linear;
  TRY(linear_params_of_case(h->c, &linear));
  linear.pattern = pattern;
  linear.pattern_once = true;
  linear.preconditioner = heart_preconditioner(h->c);
  h->parts = run_parts(h->run, linear.preconditioner);
  TRY(mat_create_like(h->stiffness, PRECISION_DOUBLE, &h->a));
  return linear_create(h->exec, &linear, h->a, &h->solver);
}

static void fill_pulses(const Heart *h, EvolutionPulse *pulse) {
  const Case *c = h->c;
  const HeartSetup *own = heart_setup(h->setup);
  for (int32_t i = 0; i < c->stimuli.n; ++i) {
    const CaseStimulus *s = case_stimulus(c, i);
    pulse[i] = (EvolutionPulse){.start = s->start.value,
                                .duration = s->duration.value,
                                .period = place_given(s->period.place) ? s->period.value : 0,
                                .count = stimulus_pulses(c, s)};
  }
  for (int32_t i = 0; i < own->n_wave; ++i) { /* trains are those of the first stimulus */
    pulse[c->stimuli.n + i] = pulse[0];
    pulse[c->stimuli.n + i].start = own->wave_start[i];
    pulse[c->stimuli.n + i].duration = c->eikonal.duration.value;
  }
}

/* Where explicit stages may have a larger mass: nodes of poor elements, poor[n] by rows; NULL where it is known that there are none,
 * on all ranks. */
static Status find_poor(const Heart *h, uint8_t **poor) {
  const Mesh *mesh = heart_setup(h->part)->diffusion.mesh;
  const MeshQuality *known = &h->mesh->quality;
  uint8_t *node = NULL;
  bool any;
  TRY(ranks_any(h->run, known->n_element == 0 || known->worst < POOR, &any));
  if (!any) return OK;
  ALLOC(*poor, h->n, "nodes of poor elements");
  ALLOC(node, mesh->n_node, "nodes of poor elements");
  mesh_mark_poor(mesh, POOR, node);
  for (int32_t i = 0; i < h->n; ++i) (*poor)[i] = node[diffusion_node(h->diffusion, i)];
  FREE(node);
  return OK;
}

static double decay_of(const Heart *h) {
  const HeartSetup *setup = heart_setup(h->setup);
  double decay = 0;
  for (int32_t k = 0; k < setup->n_region; ++k) decay = fmax(decay, strand_decay(&setup->ionic[k]));
  return decay;
}

/* Steps end where electrodes are switched. */
static Status add_switches(const Case *c, StepControlParams *control, StepEvent **event) {
  StepEvent *all = NULL;
  int32_t n = control->n_event;
  int64_t most = n;
  if (!c->electrodes.n) return OK;
  for (int32_t i = 0; i < c->electrodes.n; ++i) most += 2 * electrode_pulses(c, case_electrode(c, i));
  ALLOC(all, most, "times of electrodes");
  if (n) memcpy(all, *event, (size_t)n * sizeof *all);
  for (int32_t i = 0; i < c->electrodes.n; ++i) {
    const CaseElectrode *e = case_electrode(c, i);
    for (int64_t k = 0; k < electrode_pulses(c, e); ++k) {
      const double start = e->start.value + (double)k * e->period.value;
      all[n++] = (StepEvent){start, true};
      if (place_given(e->duration.place)) all[n++] = (StepEvent){start + e->duration.value, true};
    }
  }
  FREE(*event);
  *event = all;
  control->event = all, control->n_event = n;
  return OK;
}

/* too_stiff: see StepperParams. */
static Status make_stepper_of(Heart *h, const uint8_t *poor, bool *too_stiff) {
  const Case *c = h->c;
  const bool gauss = h->solver != NULL;
  StepperParams params = {.scheme = h->scheme,
                          .n_pulse = c->stimuli.n + heart_setup(h->setup)->n_wave,
                          .n_followed = heart_setup(h->setup)->n_wave,
                          .reference = REFERENCE,
                          .too_stiff = too_stiff,
                          .rtol = c->solver.rtol.value};
  const double *line = NULL, *line_slope = NULL;
  if (!params.scheme->stages || c->mass.value > 0 || !monodomain_cell_line(h->monodomain, &line, &line_slope))
    line = NULL;
  const Problem problem = {.context = h,
                           .n = h->n,
                           .reaction.nodal = !gauss,
                           .reaction.lumped = h->mass,
                           .fixed = diffusion_fixed(h->diffusion),
                           .stiffness = h->stiffness,
                           .mass = h->mass_matrix,
                           .reaction.consistent = gauss ? 0 : c->mass.value,
                           .reaction.poor = poor,
                           .reaction.decay = decay_of(h),
                           .reaction.max_slope = monodomain_max_slope(h->monodomain),
                           .reaction.current = heart_current,
                           .reaction.known = heart_bidomain_current(h),
                           .reaction.follow = heart_bidomain_in_loop(h) ? heart_bidomain_follow : NULL,
                           .states.first = params.scheme->carries == SCHEME_STATES_FIRST ? heart_first : NULL,
                           .reaction.maps = params.scheme->stages ? h->maps : NULL,
                           .reaction.line = line,
                           .reaction.line_slope = line_slope,
                           .force = reaction_heart,
                           .tangent = gauss ? heart_tangent : NULL,
                           .commit = heart_commit,
                           .states.bytes = 8 * (monodomain_state_size(h->monodomain) + activation_state_size(h->maps) +
                                                heart_rhythm_state_size(h) + heart_bidomain_state_size(h)),
                           .states.taken_bytes = 8 * monodomain_state_size(h->monodomain),
                           .states.take = heart_take,
                           .states.save = heart_save,
                           .states.restore = restore_heart};
  EvolutionPulse *pulse = NULL;
  StepEvent *event = NULL;
  Status status = OK;
  ALLOC_DONE(pulse, params.n_pulse, "pulses");
  fill_pulses(h, pulse);
  params.pulse = pulse;
  TRY_DONE(run_step_control(c, &params.control, &event));
  TRY_DONE(add_switches(c, &params.control, &event));
  params.control.start = h->run->start;
  status = stepper_create(h->exec, &problem, &params, h->a, h->solver, &h->stepper);
done:
  FREE(event);
  FREE(pulse);
  return status;
}

bool heart_may_solve(const Case *c) {
  return time_scheme(c->time.scheme.value)->stages && !place_given(c->time.scheme.place);
}

/* With a scheme that nobody has asked for: whether it takes more stages than solving costs. */
static Status make_stages(Heart *h, bool *too_many) {
  uint8_t *poor = NULL;
  TRY(find_poor(h, &poor));
  const Status status = make_stepper_of(h, poor, too_many);
  FREE(poor);
  if (status == OK) *too_many = stepper_stages(h->stepper).n > HEART_STAGES_MOST;
  *too_many &= heart_may_solve(h->c);
  return *too_many ? OK : status;
}

static Status make_stepper(Heart *h) {
  bool too_many = false;
  h->scheme_word = &h->c->time.scheme;
  h->scheme = time_scheme(h->scheme_word->value);
  if (!h->scheme->stages) return make_stepper_of(h, NULL, NULL);
  TRY(make_stages(h, &too_many));
  if (!too_many) return OK;
  status_clear(); /* what a step would need was said as an error */
  stepper_destroy(&h->stepper);
  h->scheme_word = &heart_scheme_solves;
  h->scheme = time_scheme(h->scheme_word->value);
  return make_stepper_of(h, NULL, NULL);
}

Status heart_create(Run *run, const Setup *setup, Heart *h) {
  *h = (Heart){.exec = run->device.exec,
               .run = run,
               .c = run->c,
               .mesh = run->mesh,
               .setup = setup,
               .part = run_setup(run, setup),
               .parts = run->parts};
  MonodomainParams params = heart_params(run->c, h->part);
  ALLOC(h->map_name, N_HEART_MAPS * HEART_BEATS_MOST, "names of maps");
  params.diffusion.share = run->share ? &run->share->nodes : NULL;
  TRY(ranks_check_whole(run, &heart_setup(setup)->diffusion));
  double(*tensor)[6] = NULL;
  Status status = heart_bidomain_guard(h, &params.diffusion, &tensor);
  if (status == OK) status = monodomain_create(h->exec, &params, &h->monodomain);
  FREE(tensor);
  TRY(status);
  h->diffusion = monodomain_diffusion(h->monodomain);
  h->n = diffusion_rows(h->diffusion);
  h->n_read = diffusion_dofs(h->diffusion);
  return make_matrices(h);
}

Status heart_prepare(Heart *h) {
  const ActivationParams maps = {.n_beat = heart_beats(h->c),
                                 .up = h->c->output.threshold.value,
                                 .down = REPOLARIZED,
                                 .share = place_given(h->c->output.apd.place) ? h->c->output.apd.value / 100 : 0};
  EXEC_ALLOC(h->exec, h->mass, h->n_read, "lumped mass");
  EXEC_ALLOC(h->exec, h->V, h->n_read, "potential");
  EXEC_ALLOC(h->exec, h->work, h->n_read, "a state of the output");
  TRY(diffusion_lumped_mass(h->diffusion, h->mass));
  TRY(activation_create(h->exec, h->n, &maps, &h->maps));
  TRY(heart_rhythm_create(h));
  TRY(heart_extracellular_create(h));
  TRY(heart_bidomain_create(h));
  return make_stepper(h);
}

void heart_destroy(Heart *h) {
  if (!h->exec) return;
  stepper_destroy(&h->stepper);
  heart_rhythm_destroy(h);
  heart_bidomain_destroy(h);
  heart_extracellular_destroy(h);
  activation_destroy(&h->maps);
  linear_destroy(&h->solver);
  mat_destroy(&h->a);
  mat_destroy(&h->mass_matrix);
  mat_destroy(&h->stiffness);
  EXEC_RELEASE(h->exec, h->mass, h->n_read);
  EXEC_RELEASE(h->exec, h->V, h->n_read);
  EXEC_RELEASE(h->exec, h->work, h->n_read);
  monodomain_destroy(&h->monodomain);
  FREE(h->map_name);
  *h = (Heart){0};
}

Status heart_start(Heart *h) {
  const HeartSetup *own = heart_setup(h->part);
  TRY(monodomain_rest(h->monodomain, h->V));
  if (own->initial) TRY(diffusion_initial(h->diffusion, own->initial, h->V));
  for (int k = 0; k < N_IONIC_STATES; ++k)
    if (own->initial_state[k]) TRY(monodomain_set_state(h->monodomain, ionic_state_word(k), own->initial_state[k]));
  TRY(monodomain_start(h->monodomain, h->V));
  TRY(stepper_start(h->stepper, h->V));
  TRY(heart_bidomain_begin(h));
  return activation_start(h->maps, stepper_clock(h->stepper), h->V);
}

Status heart_take_over(Heart *h, const void *state, int64_t n_byte) {
  TRY(monodomain_rest(h->monodomain, h->V));
  TRY(stepper_take_over(h->stepper, h->V, state, n_byte));
  TRY(heart_bidomain_begin(h));
  return activation_start(h->maps, stepper_clock(h->stepper), h->V);
}

Status heart_restore(Heart *h, const void *state) {
  TRY(monodomain_rest(h->monodomain, h->V));
  return stepper_restore(h->stepper, h->V, state);
}

Status heart_download(const Heart *h, const double *v, double *value) {
  const RunShare *share = h->run->share;
  double *own = NULL;
  if (!share) return diffusion_download(h->diffusion, v, value);
  ALLOC(own, h->n_read, "a vector on its way to the host");
  Status status = diffusion_download(h->diffusion, v, own);
  if (status == OK) status = collect(share->collector, OF_NODES, sizeof *own, own, value);
  FREE(own);
  return status;
}
