/* Steps of a heart by explicit stages (solver/time/stepper_stages.c): they are those of Runge, Kutta and Chebyshev as their authors
 * write them down, of second order whatever the mass and the supports are; many in one loop have the bits of one by one; a step that
 * is too long is refused, and one that is not stable is told; poor elements get a little more mass and no more. */
#include "tests/assembly/stepping.h"

#include <math.h>
#include <string.h>

enum { CELLS = 24, NODES = 2 * (CELLS + 1), STIMULATED = 4 };
static const double LENGTH = 12, AMPLITUDE = 30;
static const int32_t stimulated[STIMULATED] = {0, 1, 2, 3};
static const MonodomainStimulus stimulus = {.n = STIMULATED, .node = stimulated, .amplitude = AMPLITUDE};

/* A strip of quads, node i at column i % (CELLS + 1). */
static void strip(Stepping *s, double diffusivity) {
  const BoxParams params = {.kind = ELEMENT_QUAD4, .n = {CELLS, 1, 0}, .size = {LENGTH, 0.5, 0}};
  Mesh *mesh = NULL;
  *s = (Stepping){0};
  assert_ok(mesh_box(&params, &mesh));
  assert_int_equal(mesh->n_node, NODES);
  heart_mesh(&s->h, testing_exec(), mesh, diffusivity);
  s->h.params.history = MONODOMAIN_STATES_FIRST;
  s->h.params.n_stimulus = 1;
  s->h.params.stimulus = &stimulus;
}

static void one_step(Stepping *s) {
  StepReport step;
  assert_ok(stepper_step(s->stepper, 1, &step));
  assert_int_equal(step.steps, 1);
  assert_int_equal(step.newton, 0);
  assert_true(step.linear.products >= 2 && step.residual == 0);
}

/* ---- the recurrence of Sommeijer, Shampine and Verwer (1997), for u' = rate + J (u - u_n) ---- */
typedef struct Linear {
  Stepping *s;
  double mass[NODES], rate[NODES], slope[NODES]; /* J = slope - K / mass */
} Linear;

static void product(Stepping *s, const double *x, double *y) {
  heart_upload(&s->h, s->h.r, x);
  assert_ok(mat_apply(s->K, s->h.r, s->h.diagonal));
  heart_download(&s->h, s->h.diagonal, y);
}

static void rate_at(const Linear *l, const double *x, double *F) {
  product(l->s, x, F);
  for (int i = 0; i < NODES; ++i) F[i] = l->rate[i] + l->slope[i] * x[i] - F[i] / l->mass[i];
}

/* The increment of a step of n stages. */
static void textbook(const Linear *l, int n, double dt, double *x) {
  const double w0 = 1 + 2.0 / 13 / (n * n), t = acosh(w0), r = w0 * w0 - 1;
  const double T1 = sinh(n * t) * n / sqrt(r), T2 = cosh(n * t) * n * n / r - w0 / r * T1, w1 = T1 / T2;
  double b[64] = {0}, a[64], Y[64][NODES] = {0}, F[NODES];
  for (int j = 2; j <= n; ++j) {
    const double d = sinh(j * t) * j / sqrt(r), dd = cosh(j * t) * j * j / r - w0 / r * d;
    b[j] = dd / (d * d);
  }
  b[0] = b[1] = b[2];
  for (int j = 0; j <= n; ++j) a[j] = 1 - b[j] * cosh(j * t);
  for (int i = 0; i < NODES; ++i) Y[1][i] = b[1] * w1 * dt * l->rate[i];
  for (int j = 2; j <= n; ++j) {
    const double mu = 2 * b[j] * w0 / b[j - 1], nu = -b[j] / b[j - 2], mu1 = 2 * b[j] * w1 / b[j - 1];
    rate_at(l, Y[j - 1], F);
    for (int i = 0; i < NODES; ++i)
      Y[j][i] = mu * Y[j - 1][i] + nu * Y[j - 2][i] + mu1 * dt * F[i] - a[j - 1] * mu1 * dt * l->rate[i];
  }
  memcpy(x, Y[n], sizeof Y[n]);
}

static void as_the_authors_write_them(void **state) {
  (void)state;
  static const double cases[][2] = {{0.1, 0.05}, {1, 0.1}, {3, 0.3}, {20, 0.3}, {60, 0.4}};
  int before = 0;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const double dt = cases[k][1];
    double V[NODES], after[NODES], x[NODES], most = 0, apart = 0;
    const double *line, *line_slope;
    Stepping s;
    Linear l = {.s = &s};
    strip(&s, cases[k][0]);
    stepping_create(&s, &rush_larsen_chebyshev_scheme, dt, 10);
    stepping_start(&s);
    for (int i = 0; i < 12; ++i) one_step(&s);
    heart_download(&s.h, s.h.V, V);
    one_step(&s);
    heart_download(&s.h, s.h.V, after);
    heart_download(&s.h, s.mass, l.mass);
    assert_true(monodomain_cell_line(s.h.m, &line, &line_slope));
    heart_download(&s.h, line, l.rate);
    heart_download(&s.h, line_slope, l.slope);
    product(&s, V, x);
    for (int i = 0; i < NODES; ++i) {
      assert_true(fabs(dt * l.slope[i]) < 0.5);
      l.rate[i] += l.slope[i] * V[i] - x[i] / l.mass[i] + (i < STIMULATED ? AMPLITUDE : 0);
    }
    const int n = stepper_stages(s.stepper).n;
    textbook(&l, n, dt, x);
    for (int i = 0; i < NODES; ++i) {
      most = fmax(most, fabs(x[i]));
      apart = fmax(apart, fabs(after[i] - V[i] - x[i]));
    }
    print_message("%d stages: %.3g mV in a step, %.1e apart\n", n, most, apart);
    assert_true(n >= before && most > 0.05 && apart < 1e-6 * n * most);
    before = n;
    stepping_destroy(&s);
  }
  assert_true(before > 12);
}

/* ---- order ---- */
typedef enum Kind { PLAIN, STIFF, CELLS_BY_FORCE, CONSISTENT, PRESCRIBED, N_KINDS } Kind;
static const char *const kind_name[] = {"plain", "of many stages", "cells by their force", "half consistent mass",
                                        "prescribed at an end"};

static void at_end(Kind kind, double dt, double V[NODES]) {
  Stepping s;
  strip(&s, kind == STIFF ? 15 : 1);
  Support support = {.on = mesh_group(s.h.mesh, "x1")};
  assert_ok(expr_parse("-70", &support.value[0]));
  if (kind == PRESCRIBED) s.h.params.diffusion.n_support = 1, s.h.params.diffusion.support = &support;
  s.consistent = kind == CONSISTENT ? 0.5 : 0;
  s.no_line = kind == CELLS_BY_FORCE || kind == CONSISTENT; /* as app/monodomain/heart.c */
  stepping_create(&s, &rush_larsen_chebyshev_scheme, dt, 8);
  assert_true((kind == STIFF) == (stepper_stages(s.stepper).n > 4) || dt < 0.1);
  stepping_start(&s);
  if (kind == PRESCRIBED) {
    heart_download(&s.h, s.h.V, V);
    for (int i = 0; i < NODES; ++i)
      if (s.h.mesh->x[i][0] > LENGTH - 1e-9) V[i] = -70;
    heart_upload(&s.h, s.h.V, V);
  }
  while (!stepper_done(s.stepper)) one_step(&s);
  heart_download(&s.h, s.h.V, V);
  for (int i = 0; i < NODES && kind == PRESCRIBED; ++i)
    if (s.h.mesh->x[i][0] > LENGTH - 1e-9) assert_true(V[i] == -70);
  stepping_destroy(&s);
}

static double far(const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < NODES; ++i) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void second_order(void **state) {
  (void)state;
  double plain[NODES];
  for (Kind kind = PLAIN; kind < N_KINDS; ++kind) {
    double V[4][NODES];
    for (int j = 0; j < 4; ++j) at_end(kind, 0.1 / (1 << j), V[j]);
    const double coarse = far(V[0], V[1]), middle = far(V[1], V[2]), fine = far(V[2], V[3]);
    print_message("%s: %.3g, %.3g, %.3g mV apart\n", kind_name[kind], coarse, middle, fine);
    assert_true(coarse < 3 && middle < 0.35 * coarse && fine < 0.3 * middle);
    if (kind == PLAIN) memcpy(plain, V[3], sizeof plain);
    if (kind == CELLS_BY_FORCE) assert_true(far(plain, V[3]) < 1e-6);
    if (kind == CONSISTENT) assert_true(far(plain, V[3]) > 0.1); /* another discretisation */
  }
}

/* ---- bits ---- */
static void in_one_loop(void **state) {
  (void)state;
  for (int lags = 0; lags < 2; ++lags) {
    char *kept[2];
    size_t bytes = 0;
    for (int loop = 0; loop < 2; ++loop) {
      Stepping s;
      strip(&s, 1);
      s.consistent = lags ? 0.5 : 0, s.no_line = lags;
      stepping_create(&s, &rush_larsen_chebyshev_scheme, 0.1, 10);
      stepping_start(&s);
      int64_t most = 0;
      for (StepReport step; !stepper_done(s.stepper); most = step.steps > most ? step.steps : most)
        assert_ok(stepper_step(s.stepper, loop ? 1000 : 1, &step));
      assert_true(loop ? most > 30 : most == 1);
      bytes = (size_t)stepper_state_bytes(s.stepper);
      kept[loop] = calloc(1, bytes);
      assert_ok(stepper_save(s.stepper, kept[loop]));
      stepping_destroy(&s);
    }
    assert_memory_equal(kept[0], kept[1], bytes);
    free(kept[0]), free(kept[1]);
  }
}

/* ---- a watch: V at two nodes and its sum by weights ---- */
enum { SAMPLES = 800, WATCHED = 7, NUMBERS = 3 };
typedef struct Watch {
  Functional *f;
  const double *V;
  int64_t n;
  double time[SAMPLES], value[SAMPLES][NUMBERS];
} Watch;

static Status watch_record(void *context, const FunctionalRing *ring, double *value) {
  const Watch *w = context;
  TRY(functional_points(w->f, w->V, value, ring));
  return functional_wholes(w->f, w->V, value + 2, ring);
}

static void watch_functional(Watch *w, const Stepping *s) {
  static const int32_t start[] = {0, 1, 2}, at[] = {0, WATCHED};
  static const double one[] = {1, 1};
  double whole[NODES];
  for (int i = 0; i < NODES; ++i) whole[i] = 0.3 * i - 5;
  w->V = s->h.V;
  assert_ok(functional_create(
      s->h.exec,
      &(FunctionalParams){
          .n = NODES, .n_point = 2, .start = start, .at = at, .weight = one, .n_whole = 1, .whole = whole},
      &w->f));
}

static void watch_begin(Watch *w, const Stepping *s, int64_t room) {
  assert_true(stepper_can_watch(s->stepper));
  watch_functional(w, s);
  assert_ok(stepper_watch(s->stepper, &(StepWatch){.context = w, .n = NUMBERS, .room = room, .record = watch_record}));
}

static void watch_end(Watch *w) { functional_destroy(&w->f); }

static void watch_take(Watch *w, const Stepping *s) {
  const StepSamples samples = stepper_samples(s->stepper);
  if (!samples.n) return;
  assert_true(w->n + samples.n <= SAMPLES);
  memcpy(w->time + w->n, samples.time, (size_t)samples.n * sizeof *w->time);
  assert_ok(exec_download(s->h.exec, w->value + w->n, samples.value, (size_t)samples.n * sizeof *w->value));
  w->n += samples.n;
}

/* The same between steps. */
static void watch_look(Watch *w, const Stepping *s) {
  double *value = NULL;
  watch_functional(w, s);
  assert_ok(exec_alloc(s->h.exec, NUMBERS, sizeof *value, "test", (void **)&value));
  assert_ok(watch_record(w, NULL, value));
  assert_ok(exec_download(s->h.exec, w->value + w->n, value, sizeof *w->value));
  w->time[w->n++] = stepper_control(s->stepper)->time;
  exec_release(s->h.exec, NUMBERS, sizeof *value, (void **)&value);
  watch_end(w);
}

/* ---- what is refused, and told ---- */
static void too_long(void **state) {
  (void)state;
  Stepping s;
  strip(&s, 1000);
  assert_fails(stepping_try(&s, &rush_larsen_chebyshev_scheme, 0.5, 10), ERR_INPUT,
               "a step of 0.5 needs more than 48 explicit stages");
  stepping_destroy(&s);
  strip(&s, 1000);
  assert_fails(stepping_try(&s, &rush_larsen_chebyshev_scheme, 0.5, 10), ERR_INPUT, "'scheme: rush-larsen'");
  assert_true(s.too_stiff);
  stepping_destroy(&s);
  strip(&s, 1000);
  s.h.params.scheme = MONODOMAIN_GAUSS;
  assert_fails(stepping_try(&s, &rush_larsen_chebyshev_scheme, 0.5, 10), ERR_INPUT, "'reaction: nodal'");
  assert_false(s.too_stiff); /* that is not why */
  stepping_destroy(&s);
}

/* The spectrum's end by a fifth of what it is. V stays that of the last step that was taken, and samples end there. */
static void not_stable(void **state) {
  (void)state;
  const double DT = 0.15;
  double V[NODES], now[NODES], time = 0;
  for (int loop = 0; loop < 3; ++loop) { /* one by one, many, many that are sampled */
    Watch w = {.n = 0};
    Stepping s;
    strip(&s, 1);
    s.bound_factor = 0.2;
    if (loop == 2) s.every = DT, s.through = 800;
    stepping_create(&s, &rush_larsen_chebyshev_scheme, DT, 800 * DT);
    stepping_start(&s);
    if (loop == 2) watch_begin(&w, &s, 0);
    Status status = OK;
    int64_t n = 0;
    StepReport step = {0};
    for (int k = 0; k < 800 && status == OK; ++k) {
      if (!loop) heart_download(&s.h, s.h.V, V);
      status = stepper_step(s.stepper, loop ? 64 : 1, &step);
      if (loop == 2) watch_take(&w, &s);
      n += step.steps;
    }
    assert_fails(status, ERR_NUMERIC, "explicit stages are not stable");
    heart_download(&s.h, s.h.V, now);
    for (int i = 0; i < NODES; ++i) assert_true(isfinite(now[i]) && fabs(now[i]) < 1e7);
    assert_memory_equal(V, now, sizeof V);
    if (!loop) time = step.time;
    print_message("%d steps to %g, %g\n", (int)n, step.time, time);
    assert_true(n > 2 && step.time == time && fabs(time - DT * (double)n) < 1e-9);
    if (loop == 2) assert_true(w.n == n && w.time[n - 1] == time && w.value[n - 1][1] == now[WATCHED]);
    if (loop == 2) watch_end(&w);
    stepping_destroy(&s);
  }
}

/* ---- samples ---- */
static void samples_of(double every, int64_t through, int64_t room, Watch *w) {
  Stepping s;
  StepReport step;
  int64_t most = 0;
  strip(&s, 1);
  s.every = every, s.through = through;
  stepping_create(&s, &rush_larsen_chebyshev_scheme, 0.1, 24);
  stepping_start(&s);
  *w = (Watch){.n = 0};
  if (room >= 0) watch_begin(w, &s, room);
  while (!stepper_done(s.stepper)) {
    assert_ok(stepper_step(s.stepper, room < 0 ? 1 : 1000, &step));
    const int64_t before = w->n;
    if (room >= 0) watch_take(w, &s);
    else if (step_control_at_sample(stepper_control(s.stepper))) watch_look(w, &s);
    if (step.steps > most) most = step.steps;
    assert_true(room <= 0 || w->n - before <= room);
  }
  print_message("%g, each %d. stored, room for %d: %d samples, up to %d steps in a loop\n", every, (int)through,
                (int)room, (int)w->n, (int)most);
  if (room == 0 && every < 0.21) assert_true(most == 60);
  if (room >= 0) watch_end(w);
  stepping_destroy(&s);
}

/* Those of loops have the bits of those between steps, whatever there is room for. */
static void sampled_in_loops(void **state) {
  (void)state;
  static const double every[] = {0.1, 0.2, 0.25}; /* each step, every other, and steps are cut for them */
  static const int64_t through[] = {60, 30, 24};
  for (int k = 0; k < 3; ++k) {
    Watch alone, loops;
    samples_of(every[k], through[k], -1, &alone);
    assert_int_equal(alone.n, round(24 / every[k]) - 24 / (every[k] * (double)through[k]));
    for (int64_t room = 0; room < 40; room += 13) {
      samples_of(every[k], through[k], room, &loops);
      assert_int_equal(loops.n, alone.n);
      assert_memory_equal(loops.time, alone.time, sizeof loops.time);
      assert_memory_equal(loops.value, alone.value, sizeof loops.value);
    }
  }
}

/* ---- poor elements ---- */
/* Two elements that are 50 times as thin, in the middle. */
static void thin(Stepping *s) {
  strip(s, 0.2);
  for (int i = 0; i < NODES; ++i) {
    const int column = i % (CELLS + 1);
    double *x = &s->h.mesh->x[i][0];
    if (column == 12) *x += 0.49;
    if (column == 14) *x -= 0.49;
  }
}

static void poor_elements(void **state) {
  (void)state;
  double V[2][NODES];
  uint8_t poor[NODES] = {0};
  int n[2];
  for (int raised = 0; raised < 2; ++raised) {
    Stepping s;
    thin(&s);
    mesh_mark_poor(s.h.mesh, 0.3, poor);
    for (int i = 0; i < NODES; ++i) assert_int_equal(poor[i], abs(i % (CELLS + 1) - 13) < 2);
    s.poor = raised ? poor : NULL;
    stepping_create(&s, &rush_larsen_chebyshev_scheme, 0.05, 30);
    const StepStages stages = stepper_stages(s.stepper);
    n[raised] = stages.n;
    print_message("%d stages, %d rows have %.3g of the mass more\n", n[raised], (int)stages.n_raised, stages.added);
    assert_int_equal(stages.n_raised, raised ? 2 : 0);
    assert_true(raised ? stages.added > 2.9e-4 && stages.added < 3.001e-4 : stages.added == 0);
    stepping_start(&s);
    while (!stepper_done(s.stepper)) one_step(&s);
    heart_download(&s.h, s.h.V, V[raised]);
    stepping_destroy(&s);
  }
  assert_true(n[1] < 0.9 * n[0]);
  print_message("potentials are up to %.3g mV apart\n", far(V[0], V[1]));
  assert_true(far(V[0], V[1]) < 0.2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_authors_write_them),
                                     cmocka_unit_test(second_order),
                                     cmocka_unit_test(in_one_loop),
                                     cmocka_unit_test(too_long),
                                     cmocka_unit_test(not_stable),
                                     cmocka_unit_test(sampled_in_loops),
                                     cmocka_unit_test(poor_elements)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
