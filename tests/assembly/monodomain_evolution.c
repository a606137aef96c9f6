/* The monodomain problem under solver/time/stepper.h: both reactions and every scheme in time give what Newton's
 * method on the host gives with the same steps. States that go first: they and BDF2 go to the same solution, at second
 * order; runs that were stopped go on with the same bits. The same text is compiled again with the model of 19 states
 * (SINEW_NINETEEN), which takes the place of Aliev and Panfilov's in the latter. */
#include "tests/assembly/host_steps.h"
#include "tests/assembly/stepping.h"

#include <math.h>
#include <string.h>

enum { N_STEPS = 24 };
static const double DT = 0.5, LENGTH = 12, SIZE = 0.5;
static const int32_t STIMULATED[4] = {0, 1, 2, 3};
static const MonodomainStimulus STIMULUS = {.n = 4, .node = STIMULATED, .amplitude = 30};

static void strip(Heart *h, MonodomainScheme scheme, const TimeScheme *in_time) {
  static const MonodomainHistory history[] = {MONODOMAIN_NONE, MONODOMAIN_RATE, MONODOMAIN_INCREMENT,
                                              MONODOMAIN_STATES_FIRST};
  Mesh *mesh = NULL;
  const BoxParams params = {
      .kind = ELEMENT_QUAD4, .n = {(int32_t)lround(LENGTH / SIZE), 1, 0}, .size = {LENGTH, SIZE, 0}};
  assert_ok(mesh_box(&params, &mesh));
  heart_mesh(h, testing_exec(), mesh, 1);
  h->params.scheme = scheme;
  h->params.history = history[in_time->carries];
  h->params.n_stimulus = 1;
  h->params.stimulus = &STIMULUS;
}

/* V after N_STEPS by the host; the current is on all the time. */
static double on_nodes(const double *x, double t) {
  (void)t;
  return x[0] < 3.5 * SIZE && x[1] < 1e-9 ? 30 : 0;
}
static double *by_host(MonodomainScheme scheme, const TimeScheme *in_time) {
  HostSteps w = {0};
  strip(&w.heart, scheme, in_time);
  static const HostScheme host[] = {[SCHEME_CARRIES_NOTHING] = BACKWARD_EULER,
                                    [SCHEME_CARRIES_RATE] = CRANK_NICOLSON,
                                    [SCHEME_CARRIES_INCREMENT] = BDF2};
  host_steps_create(&w, scheme, host[in_time->carries], DT);
  w.n_euler = in_time == &bdf2_scheme ? 1 : 2;
  w.current = on_nodes;
  host_steps_start(&w);
  for (int k = 0; k < N_STEPS; ++k) (void)host_step(&w);
  double *V = w.V;
  w.V = NULL;
  host_steps_finish(&w);
  return V;
}

static void agree(void **state) {
  (void)state;
  for (int k = 0; k < 6; ++k) {
    const MonodomainScheme scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    const TimeScheme *in_time = time_scheme(k / 2);
    double *V = by_host(scheme, in_time), most = 0, high = -100;
    Stepping s;
    s = (Stepping){0};
    strip(&s.h, scheme, in_time);
    stepping_create(&s, in_time, DT, N_STEPS * DT);
    stepping_start(&s);
    StepReport step = {0};
    int64_t steps = 0;
    while (!stepper_done(s.stepper)) {
      assert_ok(stepper_step(s.stepper, 1, &step));
      steps += step.steps;
    }
    assert_int_equal(steps, N_STEPS);
    assert_near(step.time, N_STEPS * DT, 1e-12);
    heart_download(&s.h, s.h.V, s.h.host);
    for (int64_t i = 0; i < s.h.n; ++i) {
      most = fmax(most, fabs(s.h.host[i] - V[i]));
      high = fmax(high, V[i]);
    }
    print_message("%s scheme %d: up to %.2f mV, %.1e mV apart\n", scheme ? "gauss" : "nodal", k / 2, high, most);
    assert_true(high > 0 && most < 1e-6);
    free(V);
    stepping_destroy(&s);
  }
}

/* The cell that goes first, in the left part beside Aliev and Panfilov's where there are two. */
static void first_strip(Stepping *s, MonodomainScheme scheme, const TimeScheme *in_time, bool two, double dt,
                        double end) {
  *s = (Stepping){0};
  strip(&s->h, scheme, in_time);
#ifdef SINEW_NINETEEN
  s->h.region[0] = ionic_constants(ionic_by_name("nineteen"), 0);
#endif
  s->h.region[1] = ionic_constants(ionic_by_name("aliev-panfilov"), 0);
  s->h.params.n_region = two ? 2 : 1;
  for (int32_t e = 12; e < 24 && two; ++e) s->h.element_region[e] = 1;
  stepping_create(s, in_time, dt, end);
  stepping_start(s);
}

/* V at the end; owned by the caller. */
static double *at_end(MonodomainScheme scheme, const TimeScheme *in_time, bool two, double dt, int64_t *n) {
  Stepping s;
  StepReport step;
  first_strip(&s, scheme, in_time, two, dt, 8);
  while (!stepper_done(s.stepper)) assert_ok(stepper_step(s.stepper, 1, &step));
  heart_download(&s.h, s.h.V, s.h.host);
  double *V = s.h.host;
  s.h.host = NULL;
  *n = s.h.n;
  stepping_destroy(&s);
  return V;
}

static double apart(const double *a, const double *b, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; ++i) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void second_order(void **state) {
  (void)state;
  for (int k = 0; k < 6; ++k) {
    const MonodomainScheme scheme = k % 3 == 1 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    const TimeScheme *in_time = k % 3 == 2 ? &rush_larsen_chebyshev_scheme : &rush_larsen_scheme;
    const bool two = k / 3;
    int64_t n;
    double *V[4];
    for (int j = 0; j < 4; ++j) V[j] = at_end(scheme, in_time, two, 0.1 / (1 << j), &n);
    const double coarse = apart(V[0], V[1], n), middle = apart(V[1], V[2], n), fine = apart(V[2], V[3], n);
    print_message("%s%s, %d model(s): %.3g, %.3g, %.3g mV apart\n", scheme ? "gauss" : "nodal",
                  in_time->stages ? " by stages" : "", two + 1, coarse, middle, fine);
    assert_true(coarse < 3 && middle < 0.35 * coarse && fine < 0.3 * middle);
#ifndef SINEW_NINETEEN
    double *known = at_end(scheme, &bdf2_scheme, two, 0.0125, &n);
    assert_true(apart(V[3], known, n) < 2 * middle);
    free(known);
#endif
    for (int j = 0; j < 4; ++j) free(V[j]);
  }
}

/* Stopped after k steps of ten, an odd and an even number of turns of the states: the same bits. */
static void goes_on(void **state) {
  (void)state;
  for (int k = 0; k < 12; ++k) {
    const MonodomainScheme scheme = k % 3 == 1 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    const TimeScheme *in_time = k % 3 == 2 ? &rush_larsen_chebyshev_scheme : &rush_larsen_scheme;
    const int64_t stop = 3 + k / 3;
    Stepping s, again;
    StepReport step;
    first_strip(&s, scheme, in_time, true, 0.1, 1);
    for (int64_t done = 0; done < stop; done += step.steps) assert_ok(stepper_step(s.stepper, 1, &step));
    char *kept = calloc(1, (size_t)stepper_state_bytes(s.stepper));
    assert_ok(stepper_save(s.stepper, kept));
    first_strip(&again, scheme, in_time, true, 0.1, 1);
    assert_ok(stepper_restore(again.stepper, again.h.V, kept));
    while (!stepper_done(s.stepper)) assert_ok(stepper_step(s.stepper, 1, &step));
    while (!stepper_done(again.stepper)) assert_ok(stepper_step(again.stepper, 1, &step));
    const size_t bytes = (size_t)stepper_state_bytes(s.stepper);
    char *other = calloc(1, bytes);
    kept = realloc(kept, bytes);
    assert_ok(stepper_save(s.stepper, kept));
    assert_ok(stepper_save(again.stepper, other));
    assert_memory_equal(kept, other, bytes);
    free(kept);
    free(other);
    stepping_destroy(&s);
    stepping_destroy(&again);
  }
}

/* The words of what goes first reach the output; a scheme that eliminates its states refuses it. */
static void shown_or_refused(void **state) {
  (void)state;
  for (int scheme = 0; scheme < 2; ++scheme) {
    Stepping s;
    StepReport step;
    first_strip(&s, (MonodomainScheme)scheme, &rush_larsen_scheme, true, 0.1, 1);
    for (int k = 0; k < 3; ++k) {
      assert_ok(stepper_step(s.stepper, 1, &step));
      assert_ok(monodomain_state(s.h.m, "recovery", NULL, s.h.r));
      heart_download(&s.h, s.h.r, s.h.host);
      double most = 0;
      for (int64_t i = 0; i < s.h.n; ++i) most = fmax(most, fabs(s.h.host[i]));
      assert_true(most < 3 && (most > 0) == (k > 0)); /* in the first step the potential is that of rest */
    }
#ifdef SINEW_NINETEEN
    assert_ok(monodomain_state(s.h.m, "g9", NULL, s.h.r));
    heart_download(&s.h, s.h.r, s.h.host);
    for (int64_t i = 0; i < s.h.n; ++i) {
      const double x = s.h.mesh->x[diffusion_node(monodomain_diffusion(s.h.m), i)][0];
      assert_true(s.h.host[i] >= 0 && s.h.host[i] <= 1 && (s.h.host[i] > 0) == (x < 6.1));
    }
    Monodomain *refused = NULL;
    s.h.params.history = MONODOMAIN_INCREMENT;
    assert_fails(monodomain_create(s.h.exec, &s.h.params, &refused), ERR_INPUT, "'nineteen' in region 1");
    assert_null(refused);
#endif
    stepping_destroy(&s);
  }
}

int main(void) {
#ifdef SINEW_NINETEEN
  const struct CMUnitTest tests[] = {cmocka_unit_test(second_order), cmocka_unit_test(goes_on),
                                     cmocka_unit_test(shown_or_refused)};
  (void)agree;
#else
  const struct CMUnitTest tests[] = {cmocka_unit_test(agree), cmocka_unit_test(second_order), cmocka_unit_test(goes_on),
                                     cmocka_unit_test(shown_or_refused)};
#endif
  return cmocka_run_group_tests(tests, NULL, NULL);
}
