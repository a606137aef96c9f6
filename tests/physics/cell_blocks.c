/* States of files that exchange quickly: durations by steps of any length against a plain integrator that shares nothing with
 * those steps, what is in a channel, the list of a GPU, and which steps are refused. */
#include "core/memory.h"
#include "physics/import/cell_block.h"
#include "physics/import/cell_plan.h"
#include "physics/import/cell_sums.h"
#include "physics/import/imported.h"
#include "physics/import/model_export.h"
#include "physics/ionic_few.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXCHANGE SINEW_SOURCE_DIR "/tests/physics/cells/exchange.mmt"
static const double END = 200; /* ms */

/* APD90 and the peak of a beat, from V at the end of steps. */
typedef struct Beat {
  double before, rest, peak, up, apd90;
} Beat;

static Beat beat_begin(double V) { return (Beat){V, V, V, NAN, NAN}; }

static void beat_see(Beat *b, double V, double t, double dt) {
  const double level = b->peak - 0.9 * (b->peak - b->rest);
  if (isnan(b->up) && b->before < -40 && V >= -40) b->up = t - dt * (V + 40) / (V - b->before);
  if (b->peak > 0 && b->before >= level && V < level) b->apd90 = t - dt * (V - level) / (V - b->before) - b->up;
  b->peak = fmax(b->peak, V);
  b->before = V;
}

/* The classical method of Runge and Kutta, on the rates as the file has them, with steps that all of them can bear. */
static Beat plain_beat(const CellPlan *plan) {
  static const double DT = 2e-4, part[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  enum { N = 16 };
  const int n = plan->graph->n_state;
  CellBatch rate;
  double s[N + 1], by_V; /* V behind the states */
  assert_ok(cell_batch_create(&plan->rate, n, &rate));
  memcpy(s, plan->graph->initial, (size_t)n * sizeof *s);
  s[n] = plan->graph->V;
  Beat beat = beat_begin(s[n]);
  for (int64_t i = 0; (double)i * DT < END && isnan(beat.apd90); ++i) {
    const double stimulus = (double)i * DT < 1 - 0.5 * DT ? 52 : 0;
    double sum[N + 1], k[N + 1] = {0}, x[N + 1];
    memcpy(sum, s, sizeof sum);
    for (int stage = 0; stage < 4; ++stage) {
      for (int j = 0; j <= n; ++j) x[j] = s[j] + DT * part[stage] * k[j];
      k[n] = cell_batch_run(&rate, x, k, x[n], 0, 0, &by_V) + stimulus;
      for (int j = 0; j <= n; ++j) sum[j] += DT * weight[stage] * k[j];
    }
    memcpy(s, sum, sizeof sum);
    beat_see(&beat, s[n], (double)(i + 1) * DT, DT);
  }
  cell_batch_release(&rate);
  return beat;
}

/* By the program of a step; *least: the smallest state, *drift: how far the sum of the channel's states goes from 1. */
static Beat step_beat(const CellGraph *c, const IonicProgram *step, double dt, double *least, double *drift) {
  CellBatch batch;
  double s[IONIC_IMPORTED_STATES], V = c->V, by_V;
  assert_ok(cell_batch_create(step, c->n_state, &batch));
  memcpy(s, c->initial, sizeof s);
  *least = *drift = 0;
  Beat beat = beat_begin(V);
  for (int64_t i = 0; (double)i * dt < END; ++i) {
    const double stimulus = 52 * fmin(1, fmax(0, 1 / dt - (double)i));
    double sum = -1;
    const double f = cell_batch_run(&batch, s, s, V, stimulus, dt, &by_V), x = -by_V * dt;
    V += dt * (f + stimulus) * (x > 1e-12 ? -expm1(-x) / x : 1);
    beat_see(&beat, V, (double)(i + 1) * dt, dt);
    for (int j = 0; j < c->n_state; ++j) *least = fmin(*least, s[j]);
    for (int j = 0; j < c->n_state; ++j)
      if (c->graph.node[c->leaf[j]].a >= 6) sum += s[j]; /* ks: the last three of the file, without the potential */
    *drift = fmax(*drift, fabs(sum));
  }
  cell_batch_release(&batch);
  return beat;
}

static CellModel *exchange(void) {
  CellModel *model;
  assert_ok(cell_model_load(EXCHANGE, &model));
  assert_ok(cell_model_check_units(model));
  return model;
}

static void off(const char *what, double dt, double got, double wanted, double most) {
  print_message("%s, steps of %g ms: APD90 %.3f ms, %.3f by tiny steps (%+.2f %%)\n", what, dt, got, wanted,
                100 * (got / wanted - 1));
  assert_within(got, wanted, most * wanted);
}

/* Each state by its own decay, as it was, is 2 % off; together they are right at each step. */
static void durations(void **state) {
  (void)state;
  static const double dt[] = {0.005, 0.02, 0.05};
  const CellGraphParams none = {0};
  CellModel *model = exchange();
  CellPlan plan;
  double least, drift;
  assert_ok(cell_plan_create(model, &none, &plan));
  const Beat wanted = plain_beat(&plan);
  assert_true(wanted.apd90 > 50 && wanted.peak > 30);
  for (size_t k = 0; k < sizeof dt / sizeof *dt; ++k) {
    const Beat got = step_beat(plan.graph, &plan.step, dt[k], &least, &drift);
    off("together", dt[k], got.apd90, wanted.apd90, 1e-3);
    assert_within(got.peak, wanted.peak, 0.1);
    assert_within(drift, 0, 1e-12);
    assert_true(least >= 0);
  }
  assert_true(plan.accuracy.beat && fabs(plan.accuracy.change) < 1e-3);
  CellGraph *alone;
  CellTrial trial;
  IonicProgram step;
  assert_ok(cell_graph_create(model, &none, &alone));
  assert_ok(cell_trial(alone, &trial));
  assert_ok(cell_keep_sums(alone, trial.stiff));
  assert_ok(cell_program_create(alone, CELL_STEP, trial.stiff, &step));
  const Beat apart = step_beat(alone, &step, 0.05, &least, &drift);
  assert_true(fabs(apart.apd90 / wanted.apd90 - 1) > 0.015);
  cell_program_release(&step);
  cell_graph_destroy(&alone);
  cell_plan_release(&plan);
  cell_model_destroy(&model);
}

/* Buffers, leaks and channels of other numbers: steps that are not refused are right. */
static void drawn(void **state) {
  (void)state;
  static const char *const name[] = {"cleft.on", "cleft.off", "cleft.total"};
  static const double from[] = {30, 0.3, 1}, to[] = {700, 6, 6};
  const char *asked = getenv("SINEW_SEED");
  const unsigned seed = asked ? (unsigned)atoi(asked) : 20;
  CellModel *model = exchange();
  int right = 0;
  srand(seed);
  for (int turn = 0; turn < 5; ++turn) {
    CellSetting setting[3];
    CellPlan plan;
    double least, drift;
    for (int k = 0; k < 3; ++k) {
      const double part = rand() / (double)RAND_MAX;
      setting[k] = (CellSetting){.name = name[k], .value = from[k] * pow(to[k] / from[k], part)};
    }
    print_message("SINEW_SEED=%u, %d: on %g off %g total %g\n", seed, turn, setting[0].value, setting[1].value,
                  setting[2].value);
    assert_ok(cell_plan_create(model, &(CellGraphParams){.n_setting = 3, .setting = setting}, &plan));
    const Beat wanted = plain_beat(&plan);
    if (isnan(wanted.apd90)) fail_msg("no beat");
    for (double dt = 0.05; dt > 0.01; dt /= 2.5)
      if (dt <= plan.accuracy.longest) {
        const Beat got = step_beat(plan.graph, &plan.step, dt, &least, &drift);
        off("drawn", dt, got.apd90, wanted.apd90, 5e-3);
        ++right;
      }
    cell_plan_release(&plan);
  }
  assert_true(right >= 5);
  cell_model_destroy(&model);
}

/* Two states at rates that stay: order 2 in the step, and no overshoot at any. */
static void of_order_two(void **state) {
  (void)state;
  CellModel *model;
  CellGraph *graph;
  IonicProgram step;
  const CellGraphParams none = {0};
  double error[2], by_V;
  bool any;
  assert_ok(cell_model_parse("text.mmt",
                             "[[model]]\nc.V = -80\nc.free = 3\nc.bound = 2\n[c]\n"
                             "dot(V) = -0.1 * (V + 80)\n    label membrane_potential\n"
                             "there = 7 * free - 4 * bound\ndot(free) = -there\ndot(bound) = there\n",
                             &model));
  assert_ok(cell_graph_create(model, &none, &graph));
  assert_ok(cell_block_find(graph, 1, &any));
  assert_true(any && graph->block[0] == 1 && graph->block[1] == 1);
  assert_ok(cell_program_create(graph, CELL_STEP, NULL, &step));
  const double rest = 5 * 4 / 11.; /* free there at last */
  for (int k = 0; k < 2; ++k) {
    const double dt = k ? 0.01 : 0.02;
    double s[2] = {3, 2}, next[2];
    for (int i = 0; i < (k ? 20 : 10); ++i) {
      (void)cell_program_run(&step, s, next, -80, 0, dt, &by_V);
      memcpy(s, next, sizeof s);
    }
    error[k] = fabs(s[0] - (rest + (3 - rest) * exp(-11 * 0.2)));
    assert_within(s[0] + s[1], 5, 1e-13);
  }
  print_message("errors %.3g and %.3g\n", error[0], error[1]);
  assert_true(error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4);
  for (double dt = 1e-3; dt < 1e6; dt *= 3) { /* from 3 towards rest, never beyond; at last there */
    double s[2] = {3, 2}, next[2];
    (void)cell_program_run(&step, s, next, -80, 0, dt, &by_V);
    assert_true(next[0] >= rest - 1e-9 && next[0] <= 3);
    if (dt > 1e5) assert_within(next[0], rest, 1e-3);
  }
  cell_program_release(&step);
  cell_graph_destroy(&graph);
  cell_model_destroy(&model);
}

/* A cell alone, cells side by side and the few of a GPU's thread get the same. */
static void alike(void **state) {
  (void)state;
  enum { N = 9, B = IONIC_BLOCK, FEW = IONIC_FEW };
  static double from[N][B], to[N][B], few_from[N][FEW], few_to[N][FEW];
  double V[B], stimulus[B] = {0}, f[B], by_V[B], rest[N], one[N], slope, few_f[FEW], few_V[FEW];
  const uint8_t on[FEW] = {1, 1};
  int kind;
  assert_ok(imported_open(&(ImportParams){.path = EXCHANGE}, &kind));
  const IonicProgram *program = ionic_type(kind)->program;
  assert_int_equal(ionic_type(kind)->n_state, N);
  assert_int_equal(ionic_type(kind)->n_gate, 3);
  (void)ionic_type(kind)->rest(&(IonicConstants){.kind = kind}, rest);
  for (int l = 0; l < B; ++l) {
    V[l] = -90 + 4.3 * l;
    for (int j = 0; j < N; ++j) from[j][l] = rest[j] * (1 + 0.02 * l);
  }
  const IonicLanes lanes = {.from = from[0], .to = to[0], .stride = B, .n = B, .dt = 0.05};
  ionic_program_block(program, &lanes, V, stimulus, f, by_V);
  for (int l = 0; l < B; l += FEW) {
    for (int j = 0; j < N; ++j) memcpy(few_from[j], &from[j][l], sizeof few_from[j]);
    const IonicLanes cells = {.from = few_from[0], .to = few_to[0], .stride = FEW, .n = FEW, .on = on, .dt = 0.05};
    ionic_program_few(program, &cells, V + l, stimulus, few_f, few_V);
    for (int k = 0; k < FEW; ++k) {
      double alone[N];
      for (int j = 0; j < N; ++j) alone[j] = from[j][l + k];
      const double force = cell_program_run(program, alone, one, V[l + k], 0, 0.05, &slope);
      assert_within(few_f[k], force, 1e-11 * fmax(1, fabs(force)));
      assert_within(f[l + k], force, 1e-11 * fmax(1, fabs(force)));
      for (int j = 0; j < N; ++j) {
        assert_within(few_to[j][k], one[j], 1e-11 * fmax(1e-6, fabs(one[j])));
        assert_within(to[j][l + k], one[j], 1e-11 * fmax(1e-6, fabs(one[j])));
      }
    }
  }
  imported_close(kind);
}

/* A state that grows by itself from next to nothing ends the beat: its growth by steps of first order makes it late. `more`: rest of
 * dV/dt. */
#define LATE(more)                                                                                                     \
  "[[model]]\nc.V = -84\nc.h = 0.99\nc.x = 1e-9\n[e]\ntime = 0 bind time\npace = 0 bind pace\n[c]\n"                   \
  "dot(V) = -(6 * h / (1 + exp(-(V + 35) / 5)) * (V - 45) + 0.3 * (V + 84) / (1 + exp((V + 60) / 5)) - 30 * "          \
  "e.pace" more ")\n    label membrane_potential\ndot(h) = (1 / (1 + exp((V + 65) / 5)) - h) / 1.5\n"                  \
  "dot(x) = 0.5 / (1 + exp(-(V + 30) / 3)) * x * (1 - x) - 0.06 * (x - 1e-9)\n"

static void said(const char *text, double fits, double refused, const char *why, const char *about) {
  char path[] = "/tmp/sinew-cell-XXXXXX.mmt", line[IMPORTED_TEXT];
  const int file = mkstemps(path, 4);
  assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
  close(file);
  int kind;
  assert_ok(imported_open(&(ImportParams){.path = path}, &kind));
  if (fits > 0) assert_ok(imported_check_step(kind, fits));
  if (refused > 0) assert_fails(imported_check_step(kind, refused), ERR_INPUT, why);
  if (!strstr(imported_text(kind, line), about)) fail_msg("'%s' has no '%s'", line, about);
  imported_close(kind);
  unlink(path);
}

static void refused(void **state) {
  (void)state;
  said(LATE(" + 2.2 * x * (V + 84)"), 0.02, 0.05, "too long for the cell model", "durations within 1 %");
  said(LATE(" + 2.2 * x * (V + 84)"), 0, 0.1,
       "its beats last about 2 % too long (with steps of 0.05 ms, compared with shorter ones)\n"
       "  allowed: steps up to 0.02",
       "");
  said(LATE(""), 0.05, 0, "", "no beat within a second");              /* and so it is by half of the step */
  said(LATE(" - 4 * (V + 84)"), 0, 0.005, "has no reliable beat", ""); /* it runs away */
  assert_ok(imported_check_step(ionic_by_name("ten-tusscher"), 1));
}

static void no_header(void **state) {
  (void)state;
  CellModel *model = exchange();
  char *text = NULL;
  assert_fails(model_export(model, "exchange", &text), ERR_INPUT, "6 states, the first of them");
  assert_null(text);
  cell_model_destroy(&model);
}

static void allocations(void **state) {
  (void)state;
  const ImportParams params = {.path = EXCHANGE};
  int kind;
  testing_fail_each_of(imported_open(&params, &kind), imported_close(kind));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(durations), cmocka_unit_test(drawn),     cmocka_unit_test(of_order_two), cmocka_unit_test(alike),
      cmocka_unit_test(refused),   cmocka_unit_test(no_header), cmocka_unit_test(allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
