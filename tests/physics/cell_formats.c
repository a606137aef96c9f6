/* Cell models in CellML and EasyML: what their formulas mean, one model in three formats against its equations, imports, units
 * across connections, headers. */
#include "core/memory.h"
#include "physics/import/cell_trial.h"
#include "physics/import/imported.h"
#include "physics/import/model_export.h"
#include "tests/physics/cell_texts.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CELLS SINEW_SOURCE_DIR "/tests/physics/cells/"

/* Derivatives of a text at its initial state: f, then those of the states; per ms. */
static void derivatives(const char *path, const char *text, bool check, double *out) {
  CellModel *model;
  CellGraph *graph;
  IonicProgram rate;
  const CellGraphParams none = {0};
  double by_V;
  assert_ok(cell_model_parse(path, text, &model));
  if (check) assert_ok(cell_model_check_units(model));
  assert_ok(cell_graph_create(model, &none, &graph));
  assert_ok(cell_program_create(graph, CELL_RATE, NULL, &rate));
  out[0] = cell_program_run(&rate, graph->initial, out + 1, graph->V, 0, 0, &by_V);
  cell_program_release(&rate);
  cell_graph_destroy(&graph);
  cell_model_destroy(&model);
}

/* Numbers by the definitions of MathML; 1e3: the time is in seconds, so that rates come per ms. */
static void mathml(void **state) {
  (void)state;
  static const struct {
    const char *formula;
    double value;
  } row[] = {
      {AP("plus", CN("1") CN("2") CN("4")), 7},
      {AP("plus", CN("3")), 3},
      {AP("times", CN("2") CN("3") CN("5")), 30},
      {AP("minus", CN("2") CN("3")), -1},
      {AP("minus", "<ci>w</ci>"), -0.5},
      {AP("divide", CN("1") CN("8")), 0.125},
      {AP("power", CN("2") CN("10")), 1024},
      {AP("root", CN("16")), 4},
      {AP("root", "<degree>" CN("3") "</degree>" CN("27")), 3},
      {AP("root", "<degree>" AP("plus", CN("1") CN("2")) "</degree>" CN("8")), 2},
      {AP("log", CN("1000")), 3},
      {AP("log", "<logbase>" CN("2") "</logbase>" CN("8")), 3},
      {AP("ln", "<exponentiale/>"), 1},
      {AP("exp", CN("1")), 2.718281828459045},
      {AP("abs", CN("-3")), 3},
      {AP("plus", AP("floor", CN("-1.5")) AP("ceiling", CN("1.2"))), 0},
      {AP("plus", AP("rem", CN("-7") CN("3")) AP("times", CN("10") AP("quotient", CN("-7") CN("3")))), -21},
      {AP("min", CN("3") CN("1") CN("2")), 1},
      {AP("max", CN("3") CN("1") CN("2")), 3},
      {AP("sin", "<pi/>"), 1.2246467991473532e-16},
      {AP("plus", AP("sec", CN("1")) AP("csc", CN("1")) AP("cot", CN("1"))), 3.681303439393377},
      {AP("plus", AP("sinh", CN("1")) AP("cosh", CN("1")) AP("tanh", CN("1"))), 3.47987598441481},
      {AP("plus", AP("sech", CN("1")) AP("csch", CN("1")) AP("coth", CN("1"))), 2.8120076874025384},
      {AP("plus", AP("arcsin", CN("0.5")) AP("arccos", CN("0.5")) AP("arctan", CN("1"))), 2.356194490192345},
      {AP("plus", AP("arcsec", CN("2")) AP("arccsc", CN("2")) AP("arccot", CN("1"))), 2.356194490192345},
      {AP("plus", AP("arcsinh", CN("1")) AP("arccosh", CN("2")) AP("arctanh", CN("0.5"))), 2.7476376282784143},
      {AP("plus", AP("arccsch", CN("1")) AP("arcsech", CN("0.5")) AP("arccoth", CN("2"))), 2.7476376282784143},
      {"<piecewise><piece>" CN("1") AP("lt", "<ci>V</ci>" CN("-90")) "</piece><piece>" CN("2")
           AP("leq", "<ci>V</ci>" CN("-80")) "</piece><otherwise>" CN("3") "</otherwise></piecewise>",
       2},
      {"<piecewise><piece>" CN("1")
           AP("gt", "<ci>V</ci>" CN("-80")) "</piece><otherwise>" CN("3") "</otherwise></piecewise>",
       3},
      {"<piecewise><piece>" CN("1")
           AP("and",
              AP("geq", "<ci>V</ci>" CN("-80")) AP("neq", "<ci>V</ci>" CN("1"))
                  AP("not", AP("eq", "<ci>V</ci>" CN("2")))) "</piece><otherwise>" CN("3") "</otherwise></piecewise>",
       1},
      {"<piecewise><piece>" CN("1")
           AP("xor", AP("or", "<false/>"
                              "<true/>") "<true/>") "</piece><otherwise>" CN("3") "</otherwise></piecewise>",
       3},
      {"<cn cellml:units=\"dimensionless\" type=\"e-notation\"> 1.5 <sep/> -3 </cn>", 0.0015},
      {"<cn cellml:units=\"dimensionless\" type=\"rational\">1<sep/>4</cn>", 0.25},
      {"<semantics>" CN("1") "</semantics>", 1},
      {AP("times", CN("2") "<ci><!-- a remark --> w <?and more?></ci>"), 1},
      {AP("times", CN("1000") DIFF("w")), -500},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char text[4096];
    double d[2];
    snprintf(text, sizeof text, "%s%s<apply><eq/><ci>x</ci>%s</apply>%s", HEAD, STATES, row[k].formula, END);
    derivatives("text.cellml", text, false, d);
    d[0] *= 1000;
    if (!(fabs(d[0] - row[k].value) < 1e-14 * fmax(1, fabs(row[k].value)) + 1e-15))
      fail_msg("%s is %.17g, not %.17g", row[k].formula, d[0], row[k].value);
  }
}

/* ---- one model in three formats ---- */

static double gate(double a, double b, double x) { return a * (1 - x) - b * x; }

/* Hodgkin and Huxley 1952 as it is printed, V 65 mV lower; s: m, h, n. */
static double hodgkin_huxley(double V, const double *s, double *g) {
  const double m = s[0], h = s[1], n = s[2];
  g[0] = gate(0.1 * (V + 40) / (1 - exp(-(V + 40) / 10)), 4 * exp(-(V + 65) / 18), m);
  g[1] = gate(0.07 * exp(-(V + 65) / 20), 1 / (1 + exp(-(V + 35) / 10)), h);
  g[2] = gate(0.01 * (V + 55) / (1 - exp(-(V + 55) / 10)), 0.125 * exp(-(V + 65) / 80), n);
  return -(120 * m * m * m * h * (V - 50) + 36 * pow(n, 4) * (V + 77) + 0.3 * (V + 54.387));
}

static void three_formats(void **state) {
  (void)state;
  static const char *const path[] = {CELLS "hodgkin-huxley.mmt", CELLS "hodgkin-huxley.cellml",
                                     CELLS "hodgkin-huxley.model"};
  for (int k = 0; k < 3; ++k) {
    int kind;
    double s[8], g[8], h[8], by_V, by_s[8];
    assert_ok(imported_open(&(ImportParams){.path = path[k]}, &kind));
    const IonicType *type = ionic_type(kind);
    const IonicConstants c = {.kind = kind};
    assert_int_equal(type->n_state, 3);
    assert_int_equal(type->n_gate, 3);
    assert_within(type->rest(&c, s), -65, 0);
    for (int j = 0; j < 3; ++j) {
      static const char *const name[] = {"m", "h", "n"};
      assert_string_equal(type->state[j].name, name[j]);
      assert_within(s[j], (const double[]){0.053, 0.596, 0.318}[j], 0);
    }
    for (double V = -93.3; V < 50; V += 7.7) {
      for (int j = 0; j < 3; ++j) s[j] = 0.5 + 0.4 * sin(V + j);
      const double f = hodgkin_huxley(V, s, g);
      assert_within(type->reaction(&c, V, s, &by_V, by_s), f, 1e-12 * fabs(f));
      type->rate(&c, V, s, h);
      for (int j = 0; j < 3; ++j) assert_within(h[j], g[j], 1e-12 * fabs(g[j]));
    }
    imported_close(kind);
  }
}

/* Volts and seconds in one component, millivolts and milliseconds in the other: both mean the same. */
static void connections(void **state) {
  (void)state;
  double d[2];
  derivatives(
      "text.cellml",
      CELLML2
      "<units name=\"mV\"><unit units=\"volt\" prefix=\"milli\"/></units><units name=\"ms\"><unit units=\"second\" "
      "prefix=\"-3\"/></units>"
      "<units name=\"V_per_s\"><unit units=\"volt\"/><unit units=\"second\" exponent=\"-1\"/></units>"
      "<units name=\"per_ms\"><unit units=\"ms\" exponent=\"-1\"/></units>"
      "<component name=\"a\"><variable name=\"t\" units=\"second\" interface=\"public\"/>"
      "<variable name=\"V\" units=\"volt\" initial_value=\"-0.08\" interface=\"public\"/>"
      "<variable name=\"w\" units=\"dimensionless\" interface=\"public\"/><variable name=\"k\" units=\"V_per_s\" "
      "initial_value=\"2\"/>" MATH EQ(
          DIFF("V"),
          AP("times",
             AP("minus",
                "<ci>k</ci>") "<ci>w</ci>")) "</math></component>"
                                             "<component name=\"b\"><variable name=\"t\" units=\"ms\" "
                                             "interface=\"public\"/><variable name=\"V\" units=\"mV\" "
                                             "interface=\"public\"/>"
                                             "<variable name=\"w\" units=\"dimensionless\" initial_value=\"w_0\" "
                                             "interface=\"public\"/><variable name=\"w_0\" units=\"dimensionless\" "
                                             "initial_value=\"0.25\"/>"
                                             "<variable name=\"s\" units=\"mV\" initial_value=\"40\"/><variable "
                                             "name=\"r\" units=\"per_ms\" initial_value=\"0.5\"/>" MATH EQ(
                                                 DIFF("w"),
                                                 AP("times",
                                                    "<ci>r</ci>" AP(
                                                        "minus",
                                                        AP("divide",
                                                           "<ci>V</ci><ci>s</ci>") "<ci>w</ci>"))) "</math></component>"
                                                                                                   "<connection "
                                                                                                   "component_1=\"a\" "
                                                                                                   "component_2=\"b\"><"
                                                                                                   "map_variables "
                                                                                                   "variable_1=\"t\" "
                                                                                                   "variable_2=\"t\"/>"
                                                                                                   "<map_variables "
                                                                                                   "variable_1=\"V\" "
                                                                                                   "variable_2=\"V\"/"
                                                                                                   "><map_variables "
                                                                                                   "variable_1=\"w\" "
                                                                                                   "variable_2=\"w\"/"
                                                                                                   "></connection></"
                                                                                                   "model>",
      true, d);
  assert_within(d[0], -0.5, 1e-15);                     /* -2 V/s 0.25 */
  assert_within(d[1], 0.5 * (-80. / 40 - 0.25), 1e-15); /* per ms */
}

/* ---- EasyML ---- */

static void easyml(void **state) {
  (void)state;
  static const struct {
    const char *lines;
    double value;
  } row[] = {
      {"x = 1 - 2 - 3 + 8/4/2;", -3},
      {"x = -2*-3 + +1.;", 7},
      {"x = V < -79 and w == .5 ? 10 : 20;", 10},
      {"x = (V >= -79 || !(w != 0.5)) && V <= 0 ? 10 : w > 1 ? 20 : 30;", 10},
      {"x = 0 ? 1 : 0 or 0 ? 2 : 3;", 3},
      {"x = pow(2, 10) + square(3) + cube(2) + fabs(-1) + abs(-1.);", 1043},
      {"x = exp(0) + expm1(0) + log(1) + log10(100) + sqrt(16) + sin(0) + cos(0) + tan(0);", 8},
      {"x = sinh(0) + cosh(0) + tanh(0) + floor(-1.5) + ceil(1.2) + min(1, 2) + fmax(1, 2);", 4},
      {"x = asin(0) + acos(1) + atan(0) + 1.e-3*1e3;", 1},
      {"b = a*a; x = b; a = 3; /* the order\n is free */ // so\n # it is", 9},
      {"x = 1; x += 2; x *= w; x -= 1; x /= 2;", 0.25},
      {"if (w > 1) { x = 1; } elif (w > 0.4) { x = 2; } else { x = 3; }", 2},
      {"if (w > 1) { x = 1; } else if (w > 0.6) { x = 2; } else { x = 3; }", 3},
      {"x = -V*w; if (w > 0.4) { x = 2*w; }", 1},
      {"x = -V*w; if (w > 0.6) { x = 2*w; }", 40},
      {"x = 3*w; y = 1; if (w < 1) { if (V > 0) { y = 5; x = 7; } else { x += 1; } y += 2; } x += y;", 5.5},
      {"group { a = 1; group { b = 2; } .units(mV); } .param(); x = a + b;", 3},
      {"cell = ENDO; .flag(EPI, ENDO, MID); x = cell == ENDO ? 4 : 5;", 4},
      {"k; .external(); k_init = 3; x = k;", 3},
      {"x = 2; .trace(); .lb(0); .ub(3); .regional(); .nodal(); .method(fe); .lookup(-1, (1), 0.5);", 2},
      {"x = log1p(1) + log1p(w - .5);", 0.69314718055994531},
      {"x = 1e20*log1p(1e-20);", 1},
      {"x = heav(V + 1e4) + 2*heav(-w) + 4*heav(w - w) + 8*sign(-w) + 16*sign(w - w) + 32*sign(w);", 1 + 4 - 8 + 32},
      {"x = y + 1; y = 2*w; .store(); .trace();", 2},
      {"x = fmod(7.5, 2) + fmod(V, 7) + -7 % 3 + 2*5 % 4;", 1.5 - 3 - 1 + 2},
      {"d_q_dt = 1; q_init = 6; x = q;", 6},
      {"a_m = 1; b_m = 3; x = m;", 0.25},                          /* begins where it stands still */
      {"m_inf = 1/(1 + exp((V + 80)/5)); tau_m = 2; x = m;", 0.5}, /* of the initial potential */
      {"alpha_m = 1; x = alpha_m; beta_q = 2; tau_k = 4;", 1},     /* no gates */
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    char text[2048];
    double d[8];
    snprintf(text, sizeof text, "%s%s\n", EASY, row[k].lines);
    derivatives("text.model", text, true, d);
    if (!(fabs(d[0] - row[k].value) < 1e-14 * fmax(1, fabs(row[k].value))))
      fail_msg("%s is %.17g, not %.17g", row[k].lines, d[0], row[k].value);
  }
}

/* States end at their limits; a gate does so before the currents see it. Rates are what they are. */
static void limits(void **state) {
  (void)state;
  CellModel *model;
  CellGraph *graph;
  IonicProgram step;
  const CellGraphParams none = {0};
  double to[8], by_V;
  assert_ok(cell_model_parse("text.model",
                             EASY "x = m; q; .lb(5.5); .ub(1e9); diff_q = -q*q; q_init = 6; p; .ub(0.7); diff_p = 5; "
                                  "p_init = 0.5; m; .lb(0.25); m_inf = 0; tau_m = 1; m_init = 1;",
                             &model));
  assert_ok(cell_graph_create(model, &none, &graph));
  assert_ok(cell_program_create(graph, CELL_STEP, NULL, &step));
  const double f = cell_program_run(&step, graph->initial, to, graph->V, 0, 3, &by_V);
  assert_within(f, 0.25, 0); /* exp(-3) without it */
  char word[NAME_TEXT];
  for (int j = 0; j < graph->n_state; ++j) {
    const char *name = cell_state_word(model, graph, j, word);
    if (!strcmp(name, "m")) assert_within(to[j], 0.25, 0);
    if (!strcmp(name, "q")) assert_within(to[j], 5.5, 0);
    if (!strcmp(name, "p")) assert_within(to[j], 0.7, 0);
  }
  cell_program_release(&step);
  cell_graph_destroy(&graph);
  cell_model_destroy(&model);
  assert_fails(cell_model_parse("text.model", "V; .external(Vm);\nq; .lb(low);", &model), ERR_INPUT,
               "text.model:2:5: limit 'low' of 'q' is not a number");
  assert_fails(cell_model_parse("text.model", "V; .external(Vm);\nq; .lb(3); .ub(2);", &model), ERR_INPUT,
               "text.model:2:13: 'q' must stay above 3 and below 2");
}

/* ---- CellML 1.1: other files ---- */

static void write_file(const char *folder, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* A gate's rate in a component inside of the imported one, twice; units from a third file. */
static void imports(void **state) {
  (void)state;
  static const char *const file[] = {"main.cellml", "parts/gate.cellml", "parts/units.cellml"};
  char folder[] = "/tmp/sinew-cellml-XXXXXX", path[256];
  CellModel *model;
  double d[4];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/parts", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  write_file(folder, file[2],
             CELLML11
             "<units name=\"ms\"><unit units=\"second\" prefix=\"milli\"/></units><units name=\"per_ms\"><unit "
             "units=\"ms\" exponent=\"-1\"/></units></model>");
  write_file(
      folder, file[1],
      CELLML11
      "<import xlink:href=\"units.cellml\"><units name=\"time_unit\" units_ref=\"ms\"/><units name=\"rate\" "
      "units_ref=\"per_ms\"/></import>"
      "<component name=\"gate\">" VARIABLE("t", "time_unit", "") VARIABLE("x", "dimensionless", "initial_value=\"0.5\"")
          VARIABLE("a", "rate", "") MATH EQ(
              DIFF("x"),
              AP("times",
                 "<ci>a</ci>" AP(
                     "minus",
                     "<ci>x</ci>"))) "</math></component>"
                                     "<component name=\"inner\">" VARIABLE(
                                         "a", "rate",
                                         "initial_value=\"0.1\"") "</component><component name=\"not-needed\"/>"
                                                                  "<group><relationship_ref "
                                                                  "relationship=\"encapsulation\"/><component_ref "
                                                                  "component=\"gate\"><component_ref "
                                                                  "component=\"inner\"/></component_ref></group>"
                                                                  "<connection><map_components component_1=\"gate\" "
                                                                  "component_2=\"inner\"/>" MAP(
                                                                      "a") "</connection>"
                                                                           "<connection><map_components "
                                                                           "component_1=\"gate\" "
                                                                           "component_2=\"not-needed\"/>" MAP(
                                                                               "t") "</connection></model>");
  write_file(folder, file[0],
             CELLML11
             "<import xlink:href=\"parts/gate.cellml\"><component name=\"m\" component_ref=\"gate\"/></import>"
             "<import xlink:href=\"parts/gate.cellml\"><component name=\"h\" component_ref=\"gate\"/></import>"
             "<component name=\"c\">" VARIABLE("t", "second", "") VARIABLE("V", "dimensionless", "initial_value=\"1\"")
                 VARIABLE("x", "dimensionless", "") MATH EQ(
                     DIFF("V"),
                     "<ci>x</ci>") "</math></component>"
                                   "<connection><map_components component_1=\"c\" component_2=\"m\"/>" MAP("t")
                                       MAP("x") "</connection>"
                                                "<connection><map_components component_1=\"c\" component_2=\"h\"/>" MAP(
                                                    "t") "</connection></model>");
  snprintf(path, sizeof path, "%s/%s", folder, file[0]);
  char *text = NULL;
  assert_ok(model_file_text(path, &text));
  derivatives(path, text, false, d);
  mem_free((void **)(void *)&text);
  assert_within(d[0], 0.5e-3, 1e-18);
  assert_within(d[1], -0.05, 1e-16);
  assert_within(d[2], -0.05, 1e-16);
  assert_ok(cell_model_load(path, &model));
  assert_true(cell_model_find(model, "m.x") >= 0 && cell_model_find(model, "h.x") >= 0 &&
              cell_model_find(model, "inner.a") >= 0 && cell_model_find(model, "h_inner.a") >= 0);
  cell_model_destroy(&model);
  write_file(folder, file[2],
             CELLML11
             "<import xlink:href=\"gate.cellml\"><units name=\"ms\" units_ref=\"time_unit\"/></import></model>");
  assert_fails(cell_model_load(path, &model), ERR_INPUT, "there are no units 'ms' in");
  write_file(folder, file[2], "<sbml/>");
  assert_fails(cell_model_load(path, &model), ERR_INPUT, "parts/units.cellml:1:1: <sbml> is not a model of CellML");
  write_file(folder, file[1],
             CELLML11
             "<import xlink:href=\"gate.cellml\"><component name=\"gate\" component_ref=\"gate\"/></import></model>");
  assert_fails(cell_model_load(path, &model), ERR_INPUT, "files import each other in a circle");
  write_file(folder, file[1], CELLML11 "<component name=\"other\"/></model>");
  assert_fails(cell_model_load(path, &model), ERR_INPUT, "main.cellml:2:40: there is no component 'gate' in");
  for (int k = 0; k < 3; ++k) {
    snprintf(path, sizeof path, "%s/%s", folder, file[k]);
    assert_int_equal(unlink(path), 0);
  }
  snprintf(path, sizeof path, "%s/parts", folder);
  assert_int_equal(rmdir(path), 0);
  assert_int_equal(rmdir(folder), 0);
}

/* ---- roles, settings, headers, memory ---- */

static void roles(void **state) {
  (void)state;
  CellModel *model;
  CellGraph *graph;
  const CellGraphParams none = {0};
  static const char text[] =
      CELLML2 "<component name=\"c\">" VARIABLE("t", "second", "") VARIABLE("E", "volt", "initial_value=\"-0.08\"")
          VARIABLE("w", "dimensionless", "initial_value=\"1\"") VARIABLE("pulse", "dimensionless", "")
              VARIABLE("I_app", "dimensionless", "") MATH EQ(DIFF("E"), AP("minus", "<ci>I_app</ci>"))
                  EQ(DIFF("w"), "<ci>w</ci>") EQ("<ci>pulse</ci>", AP("sin", "<ci>t</ci>"))
                      EQ("<ci>I_app</ci>", AP("times", "<ci>pulse</ci>" CN("3"))) END;
  assert_ok(cell_model_parse("text.cellml", text, &model));
  assert_int_equal(model->variable[cell_model_find(model, "I_app")].role, ROLE_PACE); /* by its name */
  assert_fails(cell_graph_create(model, &none, &graph), ERR_INPUT, "states: c.E");
  assert_fails(cell_model_choose(model, "c.pulse", NULL), ERR_INPUT,
               "'c.pulse' is not a state; the potential must be one");
  assert_fails(cell_model_choose(model, "c.F", NULL), ERR_INPUT,
               "unknown variable 'c.F' of the cell model text.cellml; the nearest is 'c.");
  assert_fails(cell_model_choose(model, NULL, "c.t"), ERR_INPUT, "'c.t' is the time; the stimulus must be a current");
  assert_ok(cell_model_choose(model, "c.E", "pulse"));
  assert_ok(cell_graph_create(model, &none, &graph));
  assert_true(fabs(graph->V + 80) < 1e-12);
  assert_true(graph_is(&graph->graph, graph->force, 0));
  cell_graph_destroy(&graph);
  cell_model_destroy(&model);
}

/* By what the Web Lab says of an id. */
static void annotated(void **state) {
  (void)state;
  CellModel *model;
#define ABOUT(id, what)                                                                                                \
  "<rdf:Description rdf:about=\"#" id                                                                                  \
  "\"><bqbiol:is rdf:resource=\"https://chaste.cs.ox.ac.uk/nss/metadata/oxford-metadata#" what                         \
  "\"/></rdf:Description>"
  static const char text[] = CELLML2 "<rdf:RDF>" ABOUT("id_1", "membrane_voltage")
      ABOUT("id_2", "membrane_stimulus_current") "</rdf:RDF><component name=\"c\">" VARIABLE("t", "second", "")
          VARIABLE("E", "volt", "initial_value=\"-0.08\" id=\"id_1\"") VARIABLE("V", "volt", "initial_value=\"1\"")
              VARIABLE("q", "volt", "initial_value=\"1\" id=\"id_2\"") MATH EQ(DIFF("E"), "<ci>q</ci>")
                  EQ(DIFF("V"), CN("1")) END;
  assert_ok(cell_model_parse("text.cellml", text, &model));
  assert_int_equal(model->variable[cell_model_find(model, "E")].role, ROLE_POTENTIAL);
  assert_int_equal(model->variable[cell_model_find(model, "q")].role, ROLE_PACE);
  cell_model_destroy(&model);
}

/* Headers of all three have the same functions; only what .param() marks is a parameter where something does. */
static void headers(void **state) {
  (void)state;
  static const struct {
    const char *path, *parameter, *none;
  } row[] = {{CELLS "hodgkin-huxley.cellml", "{\"sodium-g\", \"mS/cm^2\", 120.,", "\"t\""},
             {CELLS "hodgkin-huxley.model", "{\"g-na\", \"mS/cm^2\", 120.,", "\"e-na\""},
             {CELLS "hodgkin-huxley.mmt", "{\"sodium-g\", \"mS/cm^2\", 120.,", "\"membrane-v\""}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    CellModel *model;
    char *text;
    assert_ok(cell_model_load(row[k].path, &model));
    assert_ok(model_export(model, "axon", &text));
    assert_non_null(strstr(text, "IONIC_GATES(axon, \"axon\", 3, 3)"));
    if (!strstr(text, row[k].parameter) || strstr(text, row[k].none)) fail_msg("%s", text);
    mem_free((void **)(void *)&text);
    cell_model_destroy(&model);
  }
}

/* A leak and nothing else: a state that never changes stands in, in a run and in a header. */
static void passive(void **state) {
  (void)state;
  int kind;
  assert_ok(imported_open(&(ImportParams){.path = CELLS "passive.model"}, &kind));
  const IonicType *type = ionic_type(kind);
  const IonicConstants c = {.kind = kind};
  double s[1] = {7}, slope, g[1] = {1};
  assert_int_equal(type->n_state, 1);
  assert_string_equal(type->state[0].name, "unused");
  assert_within(type->rest(&c, s), -85, 0);
  assert_within(type->first(&c, -65, 0, 0.1, s, &slope), -0.02 * 10, 1e-15);
  assert_within(slope, -0.02, 1e-15);
  assert_within(s[0], 0, 0);
  type->rate(&c, -65, s, g);
  assert_within(g[0], 0, 0);
  imported_close(kind);
  CellModel *model;
  char *text;
  assert_ok(cell_model_load(CELLS "passive.model", &model));
  assert_ok(cell_model_choose(model, NULL, NULL));
  assert_ok(model_export(model, "scar", &text));
  assert_non_null(strstr(text, "IONIC_GATES(scar, \"scar\", 1, 0)"));
  mem_free((void **)(void *)&text);
  cell_model_destroy(&model);
}

static void allocations(void **state) {
  (void)state;
  static const char *const path[] = {CELLS "hodgkin-huxley.cellml", CELLS "hodgkin-huxley.model",
                                     CELLS "passive.model"};
  for (int i = 0; i < 3; ++i) {
    const ImportParams params = {.path = path[i]};
    int kind;
    testing_fail_each_of(imported_open(&params, &kind), imported_close(kind));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mathml),  cmocka_unit_test(three_formats), cmocka_unit_test(connections),
      cmocka_unit_test(easyml),  cmocka_unit_test(limits),        cmocka_unit_test(imports),
      cmocka_unit_test(roles),   cmocka_unit_test(annotated),     cmocka_unit_test(headers),
      cmocka_unit_test(passive), cmocka_unit_test(allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
