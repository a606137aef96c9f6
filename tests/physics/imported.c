/* Cell models from files: what formulas mean, derivatives against those of the same model that is compiled in and against
 * numbers of Myokit 1.39.2, units, blocks of cells, headers, and what is refused. */
#include "core/memory.h"
#include "physics/import/cell_sums.h"
#include "physics/import/cell_trial.h"
#include "physics/import/imported.h"
#include "physics/import/model_export.h"
#include "physics/ionic_few.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char ten_tusscher[] = SINEW_SOURCE_DIR "/cases/imported-cells/ten-tusscher.mmt";

/* "name = ..." below a head with one state beside the potential. */
#define HEAD "[[model]]\nc.V = -80\nc.w = 0.5\n[e]\ntime = 0 bind time\npace = 0 bind pace\n[c]\n"
#define STATES "dot(V) = -w * (V + 80)\n    label membrane_potential\ndot(w) = 0.1 * (V + 80) - w^2\n"

/* Derivatives of a text at its initial state: f, then those of the states. */
static void derivatives(const char *text, double *out) {
  CellModel *model;
  CellGraph *graph;
  IonicProgram rate;
  const CellGraphParams none = {0};
  double by_V;
  assert_ok(cell_model_parse("text.mmt", text, &model));
  assert_ok(cell_model_check_units(model));
  assert_ok(cell_graph_create(model, &none, &graph));
  assert_ok(cell_program_create(graph, CELL_RATE, NULL, &rate));
  out[0] = cell_program_run(&rate, graph->initial, out + 1, graph->V, 0, 0, &by_V);
  cell_program_release(&rate);
  cell_graph_destroy(&graph);
  cell_model_destroy(&model);
}

/* Each term as Myokit has it. */
static void formulas(void **state) {
  (void)state;
  static const struct {
    const char *formula;
    double value;
  } row[] = {{"-2^2", -4},
             {"-(2^2)", -4},
             {"(-2)^2", 4},
             {"2^3^2", 64},
             {"7 // 2 + -7 // 2", -1},
             {"-7 % 3 + 7.5 % 2", 3.5},
             {"if(1 < 2 and not (3 == 4) or 1 > 5, 10, 20)", 10},
             {"if(V >= -80, 1, 2) + if(V <= -81, 1, 2) + if(V != -80, 4, 8)", 11},
             {"piecewise(V > 0, 1, V > -90, 2 + log(8, 2) + log10(1000), 3)", 8},
             {"2^-1 + abs(-3) + floor(-1.5) + ceil(1.2)", 3.5},
             {"1 - 2 - 3 + 8 / 4 / 2", -3},
             {"w * n * sin(1) + atan(2)\n    n = 3 * (1 # a remark\n       + 2)\n    desc: \"\"\"of two\nlines\"\"\"",
              4.893768149429625},
             {"sqrt(16) * exp(0) - log(1) + cos(0) + tan(0) + asin(0) + acos(1)", 5},
             {"1e-3 + .5 : a description", 0.501}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char text[1024];
    double d[2];
    snprintf(text, sizeof text, "%sdot(V) = x\n    label membrane_potential\ndot(w) = -w\nx = %s\n", HEAD,
             row[k].formula);
    derivatives(text, d);
    if (!(fabs(d[0] - row[k].value) < 1e-14)) fail_msg("%s is %.17g, not %.17g", row[k].formula, d[0], row[k].value);
  }
}

/* Seconds and volts are ms and mV to the run. */
static void scales(void **state) {
  (void)state;
  double d[2];
  derivatives("[[model]]\nc.V = -0.08\nc.w = 0.5\n[e]\ntime = 0 [s]\n    in [s]\n    bind time\n"
              "[c]\ndot(V) = -(V - 0.02 [V]) / 0.5 [s]\n    in [V]\ndot(w) = (1 - w) / 0.25 [s]\n",
              d);
  assert_within(d[0], 100 / 500., 1e-15); /* mV/ms */
  assert_within(d[1], 0.5 / 250, 1e-17);
}

static double relative(double a, double b) { return fabs(a - b) / fmax(fabs(b), 1e-9); }

/* The model of the case imported-cells against the one that is compiled in, near rest and far from it. */
static void as_compiled(void **state) {
  (void)state;
  int kind;
  assert_ok(imported_open(&(ImportParams){.path = ten_tusscher}, &kind));
  const IonicType *file = ionic_type(kind), *built = ionic_type(ionic_by_name("ten-tusscher"));
  const IonicConstants of_file = {.kind = kind}, of_built = ionic_constants(ionic_by_name("ten-tusscher"), 0);
  int at[64];
  assert_int_equal(file->n_state, built->n_state);
  assert_int_equal(file->n_gate, built->n_gate);
  for (int j = 0; j < built->n_state; ++j) assert_true((at[j] = ionic_state(kind, built->state[j].name)) >= 0);
  double s[64], t[64];
  assert_within(file->rest(&of_file, t), built->rest(&of_built, s), 0);
  for (int j = 0; j < built->n_state; ++j) assert_true(t[at[j]] >= s[j] && t[at[j]] <= s[j]);
  for (double V = -95; V < 50; V += 7.3) {
    double g[64], h[64], by_s[64], slope, wanted;
    for (int j = 0; j < built->n_state; ++j) t[at[j]] = s[j] = s[j] * (1 + 0.05 * sin(V + j));
    built->rate(&of_built, V, s, g);
    file->rate(&of_file, V, t, h);
    for (int j = 0; j < built->n_state; ++j) assert_true(relative(h[at[j]], g[j]) < 1e-11);
    const double f = built->reaction(&of_built, V, s, &wanted, by_s);
    assert_true(relative(file->reaction(&of_file, V, t, &slope, by_s), f) < 1e-12 * fmax(1, 1e3 / fabs(f)));
    assert_true(relative(slope, wanted) < 1e-9);
    /* a step, gates first, with a stimulus that potassium takes up */
    const double first = built->first(&of_built, V, 20, 0.02, s, &wanted);
    assert_true(relative(file->first(&of_file, V, 20, 0.02, t, &slope), first) < 1e-11);
    for (int j = 0; j < built->n_state; ++j) assert_true(relative(t[at[j]], s[j]) < 1e-12);
  }
  imported_close(kind);
  assert_null(ionic_type(kind));
}

/* A block of cells gives each what it gets alone, the last block with fewer too. */
static void blocks(void **state) {
  (void)state;
  enum { N = IONIC_BLOCK, COUNT = 18 };
  static double from[COUNT][N], to[COUNT][N], one[COUNT];
  double V[N], stimulus[N], f[N], by_V[N], s[COUNT], slope;
  uint8_t on[N];
  int kind;
  assert_ok(imported_open(&(ImportParams){.path = ten_tusscher}, &kind));
  const IonicProgram *program = ionic_type(kind)->program;
  const IonicConstants c = {.kind = kind};
  (void)ionic_type(kind)->rest(&c, s);
  for (int l = 0; l < N; ++l) {
    V[l] = -90 + 4.1 * l, stimulus[l] = l, on[l] = l % 3 != 0;
    for (int j = 0; j < COUNT; ++j) from[j][l] = s[j] * (1 + 0.001 * l), to[j][l] = -1;
  }
  const IonicLanes lanes = {.from = from[0], .to = to[0], .stride = N, .n = N - 3, .on = on, .dt = 0.02};
  ionic_program_block(program, &lanes, V, stimulus, f, by_V);
  for (int l = 0; l < N; ++l) {
    for (int j = 0; j < COUNT; ++j) s[j] = from[j][l];
    const double force = cell_program_run(program, s, one, V[l], stimulus[l], 0.02, &slope);
    for (int j = 0; j < COUNT; ++j) assert_within(to[j][l], on[l] && l < N - 3 ? one[j] : -1, 1e-11 * fabs(one[j]));
    if (l < N - 3) assert_within(f[l], force, 1e-11 * fmax(1, fabs(force)));
  }
  imported_close(kind);
}

enum { FEW_STATES = 18, FEW = IONIC_FEW };

/* Which operation a step of a GPU is. */
static int op_of(const IonicFused *step) {
#define EIGHT(a, b, c, d, e, f, g, h)                                                                                  \
  IONIC_OP_##a, IONIC_OP_##b, IONIC_OP_##c, IONIC_OP_##d, IONIC_OP_##e, IONIC_OP_##f, IONIC_OP_##g, IONIC_OP_##h
#define SIXTEEN(a, b, c, d, e, f, g, h, ...) EIGHT(a, b, c, d, e, f, g, h), EIGHT(__VA_ARGS__)
#define SPREAD(of, ...) of(__VA_ARGS__)
  static const uint8_t often[] = {SPREAD(EIGHT, IONIC_OFTEN)}, next[] = {SPREAD(SIXTEEN, IONIC_NEXT)};
  return step->often == IONIC_IS_OFTEN ? often[step->op / 2] : step->often ? next[step->op / 2] : step->op;
}

/* The list of a GPU makes of a few cells what the operations make of each alone; which ones are met. */
static void as_operations(const char *path, int n_state, bool *met) {
  double from[FEW_STATES][FEW], to[FEW_STATES][FEW], f[FEW], by_V[FEW], s[FEW_STATES], one[FEW_STATES], by_one = 0;
  const double stimulus[FEW] = {3, 0};
  int kind;
  assert_ok(imported_open(&(ImportParams){.path = path}, &kind));
  const IonicProgram *program = ionic_type(kind)->program;
  assert_int_equal(ionic_type(kind)->n_state, n_state);
  (void)ionic_type(kind)->rest(&(IonicConstants){.kind = kind}, s);
  for (int turn = 0; turn < 20; ++turn) {
    const double V[FEW] = {-90 + 7.3 * turn, 40 - 3.1 * turn};
    const uint8_t on[FEW] = {1, turn < 10};
    for (int j = 0; j < n_state; ++j)
      for (int l = 0; l < FEW; ++l) from[j][l] = s[j] * (1 + 0.01 * l), to[j][l] = -1;
    const IonicLanes cells = {.from = from[0], .to = to[0], .stride = FEW, .n = 1 + on[1], .on = on, .dt = 0.02};
    ionic_program_few(program, &cells, V, stimulus, f, by_V);
    for (int l = 0; l < FEW; ++l) {
      double alone[FEW_STATES];
      for (int j = 0; j < n_state; ++j) alone[j] = from[j][l];
      const double force = cell_program_run(program, alone, one, V[l], stimulus[l], 0.02, &by_one);
      for (int j = 0; j < n_state; ++j) assert_within(to[j][l], on[l] ? one[j] : -1, 1e-12 * fabs(one[j]));
      if (!on[l]) continue;
      assert_within(f[l], force, 1e-12 * fmax(1, fabs(force)));
      assert_within(by_V[l], by_one, 1e-10 * fmax(1, fabs(by_one)));
    }
  }
  for (int32_t i = 0; i < program->n_fused; ++i) met[op_of(&program->fused[i])] = true;
  assert_true(program->n_fused < 0.6 * program->n_step);
  imported_close(kind);
}

/* Each of the operations that a GPU has besides is met. */
static void fused(void **state) {
  (void)state;
  bool met[256] = {false};
  as_operations(ten_tusscher, FEW_STATES, met);
  for (int op = N_IONIC_OPS; op < N_IONIC_OPS_FUSED; ++op)
    if (!met[op]) fail_msg("operation %d of a GPU is not met", op - N_IONIC_OPS);
}

static void settings(void **state) {
  (void)state;
  int kind;
  double s[64], by_s[64], by_V, other;
  const CellSetting none[] = {{"ina.g_na", 0, false}}, wrong[] = {{"ina.g_nb", 0, false}},
                    state_too[] = {{"membrane.V", 0, false}}, formula[] = {{"reversal.E_na", 70, false}};
  assert_ok(imported_open(&(ImportParams){.path = ten_tusscher, .n_setting = 1, .setting = none}, &kind));
  const IonicConstants c = {.kind = kind}, built = ionic_constants(ionic_by_name("ten-tusscher"), 0);
  IonicConstants blocked = built;
  blocked.value[ionic_parameter(built.kind, "g-na")] = 0;
  (void)ionic_type(kind)->rest(&c, s);
  const double f = ionic_type(kind)->reaction(&c, -30, s, &by_V, by_s);
  (void)ionic_type(built.kind)->rest(&blocked, s);
  assert_within(f, ionic_type(built.kind)->reaction(&blocked, -30, s, &other, by_s), 1e-12);
  imported_close(kind);
  assert_fails(imported_open(&(ImportParams){.path = ten_tusscher, .n_setting = 1, .setting = wrong}, &kind), ERR_INPUT,
               "unknown variable 'ina.g_nb'");
  assert_fails(imported_open(&(ImportParams){.path = ten_tusscher, .n_setting = 1, .setting = state_too}, &kind),
               ERR_INPUT, "is a state; only a constant that is a number can be set");
  assert_fails(imported_open(&(ImportParams){.path = ten_tusscher, .n_setting = 1, .setting = formula}, &kind),
               ERR_INPUT, "is worked out by a formula");
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } row[] = {
      {"[a]\nx = 1\n", "text.mmt:1:1: unexpected 'a'; expected: [[model]]"},
      {HEAD "dot(V) = 3 * (1 + \n", "the line ends where a number, a name or '(' is expected"},
      {HEAD "dot(V) = 3 +* 2\n", "text.mmt:8:13: unexpected '*'; expected: a number, a name or '('"},
      {HEAD "dot(V) = 3 $ 2\n", "text.mmt:8:12: unexpected character '$'"},
      {HEAD STATES "x = y1\ny2 = 1\n", "text.mmt:11:5: unknown name 'y1'\n  did you mean 'c.y2'?"},
      {HEAD STATES "x = e.tine\n", "unknown name 'e.tine'\n  did you mean 'e.time'?"},
      {HEAD STATES "x = root(3)\n", "text.mmt:11:5: unknown function 'root'\n  allowed: if, piecewise, sqrt"},
      {HEAD STATES "x = exp(3, 4)\n", "exp has 2 arguments; it takes one"},
      {HEAD STATES "x = if(V > 0, 4)\n", "if has 2 arguments; it takes 3: condition, then, else"},
      {HEAD STATES "x = y + 1\ny = z\nz = 2 * x\n", "circular definitions: c.x needs c.y needs c.z needs c.x"},
      {HEAD STATES "x = 1\nx = 2\n", "text.mmt:12:1: 'x' is defined twice, first in line 11"},
      {HEAD STATES "x = 3 [mW/furlong]\n", "text.mmt:11:7: unknown unit 'furlong' in [mW/furlong]"},
      {HEAD STATES "    in [mV\n", "a unit without its closing bracket ]"},
      {HEAD STATES "dot(u) = 1 - u\n", "state 'c.u' has no initial value\n  write 'c.u = ..' below [[model]]"},
      {"[[model]]\nc.q = 1\n[c]\ndot(V) = 1\n", "text.mmt:2:1: an initial value for 'c.q', which is not a state"},
      {HEAD "dot(V) = 1\n    label membrane_potential\ndot(w) = dot(c)\nc = 1\n", "dot(c): 'c' is not a state"},
      {HEAD "dot(q) = 1\ndot(w) = 1\n", "an initial value for 'c.V', which is not a state"},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    CellModel *model = NULL;
    assert_fails(cell_model_parse("text.mmt", row[k].text, &model), ERR_INPUT, row[k].said);
    assert_null(model);
  }
  CellModel *model;
  assert_fails(cell_model_parse("cell.ode", HEAD STATES, &model), ERR_INPUT, "cell.ode: is not a cell model");
  assert_fails(cell_model_load("/nowhere/cell.mmt", &model), ERR_INPUT,
               "/nowhere/cell.mmt: cannot open the cell model");
}

/* What is wrong only when the equations are made. */
static void refused_later(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } row[] = {
      {"[[model]]\nc.w = 1\n[c]\ndot(w) = -w\n",
       "no state is the potential of the membrane\n  write 'label membrane_potential'"},
      {HEAD "dot(V) = 1\n    in [mM]\n    label membrane_potential\ndot(w) = -w\n",
       "the potential has the unit [mM]; expected: [mV]"},
      {HEAD "dot(V) = x\n    label membrane_potential\ndot(w) = -w\nx = if(e.time > 5, 1, 0)\n",
       "text.mmt:11:1: 'c.x' depends on the time itself"},
      {HEAD "dot(V) = e.time\n    label membrane_potential\ndot(w) = -w\n",
       "text.mmt:8:1: 'c.V' depends on the time itself"},
  };
  const CellGraphParams none = {0};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    CellModel *model = NULL;
    CellGraph *graph = NULL;
    assert_ok(cell_model_parse("text.mmt", row[k].text, &model));
    assert_fails(cell_graph_create(model, &none, &graph), ERR_INPUT, row[k].said);
    cell_model_destroy(&model);
  }
}

static void units(void **state) {
  (void)state;
  static const struct {
    const char *lines, *said; /* NULL: they fit */
  } row[] = {
      {"x = 3 [mV] + 2 [mV]\n    in [mV]\n", NULL},
      {"x = 3 [mV] * 2 + y\n    in [mV]\ny = 1\n", NULL}, /* a number without a unit fits */
      {"x = 3 [mS/uF] * 2 [mV]\n    in [A/F]\n", NULL},
      {"x = exp(3 [mV] / 5 [mV]) * sqrt(4 [mM^2])\n    in [mM]\n", NULL},
      {"x = 1 [m (12)]\n    in [m (12)]\n", NULL},
      {"x = 3 [mV] + 2 [ms]\n", "text.mmt:11:12: units do not fit: both sides of a sum: [mV] and [ms]"},
      {"x = 3 [mV] + 2 [V]\n", "both sides of a sum: [mV] and [V]"},
      {"x = 3 [mV]\n    in [mM]\n", "text.mmt:11:1: units do not fit: c.x and its formula: [mM] and [mV]"},
      {"x = exp(3 [mV])\n", "what a function takes: [mV] and [1]"},
      {"x = if(3 [mV] > 2 [mM], 1, 2)\n", "both sides of a comparison: [mM] and [mV]"},
      {"x = 2 ^ 3 [mV]\n", "an exponent has none: [mV] and [1]"},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char text[1024];
    CellModel *model;
    snprintf(text, sizeof text, "%s%s%s", HEAD, STATES, row[k].lines);
    assert_ok(cell_model_parse("text.mmt", text, &model));
    if (row[k].said) assert_fails(cell_model_check_units(model), ERR_INPUT, row[k].said);
    else assert_ok(cell_model_check_units(model));
    cell_model_destroy(&model);
  }
}

/* Every allocation fails once; nothing is left behind. */
static void allocations(void **state) {
  (void)state;
  const ImportParams params = {.path = ten_tusscher};
  int kind;
  testing_fail_each_of(imported_open(&params, &kind), imported_close(kind));
}

static void write_file(const char *folder, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* The header is compiled, and says the same. */
static void header(void **state) {
  (void)state;
  char folder[] = "/tmp/sinew-model-XXXXXX", command[1024], line[128], *text = NULL;
  CellModel *model;
  double s[64], by_V, by_s[64];
  int kind;
  assert_ok(cell_model_load(ten_tusscher, &model));
  assert_fails(model_export(model, "My-Cell", &text), ERR_INPUT, "'My-Cell' is not a name for a model");
  assert_ok(model_export(model, "my_cell", &text));
  assert_non_null(strstr(text, "IONIC_GATES(my_cell, \"my_cell\", 18, 13)"));
  assert_non_null(mkdtemp(folder));
  write_file(folder, "my_cell.h", text);
  write_file(
      folder, "try.c",
      "#include \"core/param.h\"\n#include \"physics/ionic.h\"\n#define IONIC_TABLES\n#include \"my_cell.h\"\n"
      "#include <stdio.h>\n"
      "int main(void) {\n  double s[64], g[64], decay[64], rate[64], target[64], by_V;\n  IonicConstants c = {0};\n"
      "  for (int k = 0; k < 23; ++k) c.value[k] = my_cell_preset[0].value[k];\n"
      "  (void)my_cell_meaning, (void)my_cell_param;\n"
      "  const double V = my_cell_rest(&c, s) + 30 + 0 * my_cell_max_slope(&c) * my_cell_front_slope(&c);\n"
      "  my_cell_gates(&c, V, s, rate, target);\n"
      "  const double f = my_cell_currents(&c, V, 0, s, &by_V, g, decay);\n"
      "  printf(\"%.17g %.17g %.17g %.17g\\n\", f, by_V, rate[1] * (target[1] - s[1]), g[15]);\n"
      "  return 0;\n}\n");
  snprintf(command, sizeof command,
           SINEW_C_COMPILER " -std=gnu11 -Wall -Wextra -Werror -Wc++-compat -I'" SINEW_SOURCE_DIR
                            "' -I'%s' -o '%s/try' '%s/try.c' -lm && '%s/try' && rm -r '%s'",
           folder, folder, folder, folder, folder);
  FILE *said = popen(command, "r");
  assert_non_null(said);
  const bool read = fgets(line, sizeof line, said) != NULL;
  assert_int_equal(pclose(said), 0);
  assert_true(read);
  double got[4];
  assert_int_equal(sscanf(line, "%lf %lf %lf %lf", &got[0], &got[1], &got[2], &got[3]), 4);
  assert_ok(imported_open(&(ImportParams){.path = ten_tusscher}, &kind));
  const IonicConstants c = {.kind = kind};
  const double V = ionic_type(kind)->rest(&c, s) + 30;
  assert_true(relative(got[0], ionic_type(kind)->reaction(&c, V, s, &by_V, by_s)) < 1e-11);
  assert_true(relative(got[1], by_V) < 1e-9);
  ionic_type(kind)->rate(&c, V, s, by_s);
  assert_true(relative(got[2], by_s[1]) < 1e-11);
  assert_true(relative(got[3], by_s[15]) < 1e-11);
  imported_close(kind);
  mem_free((void **)&text);
  cell_model_destroy(&model);
}

/* What is left of the sum of three shares after 100 ms. */
static double sum_after(bool kept) {
  CellModel *model;
  CellGraph *graph;
  CellTrial trial;
  IonicProgram step;
  const CellGraphParams none = {0};
  double s[IONIC_IMPORTED_STATES], next[IONIC_IMPORTED_STATES], by_V, sum = 0;
  assert_ok(cell_model_parse("text.mmt",
                             "[[model]]\nc.V = -80\nc.shut = 0.9\nc.open = 0.08\nc.off = 0.02\nc.w = 0.5\n[c]\n"
                             "dot(V) = -w * open * (V + 80)\n    label membrane_potential\ndot(w) = 0.1 * (0.4 - w)\n"
                             "there = 0.5 * shut - 30 * open\naway = 2 * open - 0.1 * off\n"
                             "dot(shut) = -there\ndot(open) = there - away\ndot(off) = away\n",
                             &model));
  assert_ok(cell_graph_create(model, &none, &graph));
  assert_ok(cell_trial(graph, &trial));
  if (kept) assert_ok(cell_keep_sums(graph, trial.stiff));
  assert_ok(cell_program_create(graph, CELL_STEP, trial.stiff, &step));
  memcpy(s, graph->initial, sizeof s);
  for (int k = 0; k < 2000; ++k) {
    memcpy(next, s, sizeof next);
    (void)cell_program_run(&step, s, next, -80, 0, 0.05, &by_V);
    memcpy(s, next, sizeof s);
  }
  for (int j = 0; j < graph->n_state; ++j)
    if (model->variable[graph->variable[j]].name.text[0] != 'w') sum += s[j];
  cell_program_release(&step);
  cell_graph_destroy(&graph);
  cell_model_destroy(&model);
  return sum;
}

/* Shares of channels are all there are, however they are stepped. */
static void sums(void **state) {
  (void)state;
  const double kept = sum_after(true), left = sum_after(false);
  print_message("sum of shares: %.9f, each by its own decay %.6f\n", kept, left);
  assert_within(kept, 1, 1e-6);
  assert_true(fabs(left - 1) > 1e-3);
}

/* A gate that stands still below some potential, with a rate and a decay of 0 there, stays where it is, and is a gate; one that goes on
 * by a rate without a decay is none. */
static void still(void **state) {
  (void)state;
  static const struct {
    const char *below;
    int gates;
    double next; /* below -60 mV, from 0.35 */
  } row[] = {{"0", 1, 0.35}, {"0.1", 0, 0.35 + 0.05 * 0.1}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char text[512];
    CellModel *model;
    CellGraph *graph;
    IonicProgram step;
    const CellGraphParams none = {0};
    double next[2], by_V;
    snprintf(text, sizeof text,
             "[[model]]\nc.V = -80\nc.h = 0.35\n[c]\ndot(V) = -h * (V + 80)\n    label membrane_potential\n"
             "dot(h) = if(V >= -60, 3 * (1 - h) - 2 * h, %s)\n",
             row[k].below);
    assert_ok(cell_model_parse("text.mmt", text, &model));
    assert_ok(cell_graph_create(model, &none, &graph));
    assert_int_equal(graph->n_gate, row[k].gates);
    assert_ok(cell_program_create(graph, CELL_STEP, NULL, &step));
    (void)cell_program_run(&step, graph->initial, next, -80, 0, 0.05, &by_V);
    assert_within(next[0], row[k].next, 1e-15);
    (void)cell_program_run(&step, graph->initial, next, -20, 0, 0.05, &by_V);
    assert_within(next[0], 0.6 + (0.35 - 0.6) * exp(-5 * 0.05), 1e-15);
    cell_program_release(&step);
    cell_graph_destroy(&graph);
    cell_model_destroy(&model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums),          cmocka_unit_test(still),       cmocka_unit_test(formulas),
      cmocka_unit_test(scales),        cmocka_unit_test(as_compiled), cmocka_unit_test(blocks),
      cmocka_unit_test(fused),         cmocka_unit_test(settings),    cmocka_unit_test(refused),
      cmocka_unit_test(refused_later), cmocka_unit_test(units),       cmocka_unit_test(allocations),
      cmocka_unit_test(header),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
