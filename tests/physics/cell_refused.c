/* What is refused of cell models in CellML and EasyML, with its place and a remedy; nothing of that ends the program. */
#include "core/memory.h"
#include "physics/import/imported.h"
#include "tests/physics/cell_texts.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Refused {
  const char *text, *said;
} Refused;

static void refuse(const char *path, const Refused *row, size_t n) {
  for (size_t k = 0; k < n; ++k) {
    CellModel *model = NULL;
    CellGraph *graph = NULL;
    const CellGraphParams none = {0};
    Status status = cell_model_parse(path, row[k].text, &model);
    if (status == OK) status = cell_graph_create(model, &none, &graph);
    if (status != ERR_INPUT || !strstr(status_message(), row[k].said))
      fail_msg("row %d: %s\nis not: %s", (int)k, status == OK ? "taken" : status_message(), row[k].said);
    cell_model_destroy(&model);
    assert_null(graph);
  }
}

static void refused_xml(void **state) {
  (void)state;
  static const Refused row[] = {
      {"", "text.cellml:1:1: there is no element in this file"},
      {"hello", "no XML: it begins with <"},
      {"<model><a></b></model>", "text.cellml:1:11: </b> where </a> of line 1 is expected"},
      {"<model>\n  <a x=\"1\">\n", "the file ends within <a> of line 2"},
      {"<model a>", "'=' is expected behind the attribute 'a'"},
      {"<model a=1/>", "the value of 'a' stands between quotes"},
      {"<model a=\"1<b c=\"/>", "the value of 'a' has no closing quote"},
      {"<model>&nbsp;</model>", "'&nbsp;' stands for nothing known"},
      {"<model>&#0;&#xFFFFFFFFF;</model>", "'&#0;' stands for nothing known"},
      {"<!DOCTYPE model [<!ENTITY a \"b\">]><model/>",
       "a document type with declarations of its own, which is not read"},
      {"<model/><model/>", "a second element beside the first one"},
      {"<model><!-- x </model>", "a comment that does not end; '-->' is expected"},
      {"<model>\x01</model>", "a byte 0x01 within a text"},
      {"<>", "a name is expected"},
      {"</model>", "closes nothing"},
      {"<model><![CDATA[ x </model>", "a CDATA section that does not end"},
      {"<model x=\"a\" !/>", "is not closed; '>' is expected"},
  };
  refuse("text.cellml", row, sizeof row / sizeof *row);
}

static void refused_cellml(void **state) {
  (void)state;
#define C2 CELLML2 "<component name=\"c\">"
#define C2_END "</component></model>"
  static const Refused row[] = {
      {"<sbml xmlns=\"http://www.sbml.org/sbml/level2\"/>", "<sbml> is not a model of CellML"},
      {CELLML2 "<component/></model>", "text.xml:2:1: <component> needs the attribute 'name'"},
      {CELLML2 "<component name=\"c\"/><component name=\"c\"/></model>", "component 'c' is defined twice"},
      {C2 VARIABLE("x", "volt", "") VARIABLE("x", "volt", "") C2_END,
       "variable 'x' is defined twice in this component"},
      {C2 "<variable name=\"x\"/>" C2_END, "<variable> needs the attribute 'units'"},
      {C2 VARIABLE("x", "furlong", "") C2_END, "unknown units 'furlong'\n  define them"},
      {CELLML2 "<units name=\"a\"><unit units=\"b\"/></units><units name=\"b\"><unit units=\"a\"/></units><component "
               "name=\"c\">" VARIABLE("x", "a", "") C2_END,
       "are defined through themselves"},
      {CELLML2 "<units name=\"a\"><unit units=\"volt\" prefix=\"mili\"/></units><component name=\"c\">" VARIABLE(
           "x", "a", "") C2_END,
       "unknown prefix 'mili'"},
      {CELLML2 "<units name=\"a\"><unit units=\"kelvin\" offset=\"273.15\"/></units><component name=\"c\">" VARIABLE(
           "x", "a", "") C2_END,
       "text.xml:2:17: units 'a' are based on a unit with an offset, 273.15"},
      {C2 VARIABLE("T", "celsius", "") C2_END, "'T': celsius is a unit with an offset"},
      {CELLML2 "<units name=\"a\"><unit units=\"volt\" multiplier=\"x\"/></units><component name=\"c\">" VARIABLE(
           "x", "a", "") C2_END,
       "multiplier 'x' is not a number"},
      {C2 "<reset variable=\"x\"/>" C2_END, "<reset> of 'x' is not read"},
      {HEAD STATES EQ("<ci>x</ci>", "<ci>y</ci>") END, "there is no variable 'y' in component 'c'"},
      {HEAD STATES END, "'x' has neither an equation nor an initial value"},
      {HEAD STATES EQ("<ci>x</ci>", CN("1")) EQ("<ci>x</ci>", CN("2")) END,
       "'x' has two equations, the first one in line 10"},
      {HEAD STATES EQ(AP("plus", "<ci>x</ci>" CN("1")), CN("2")) END, "an equation that would have to be solved"},
      {HEAD STATES "<ci>x</ci>" END, "an equation is <apply><eq/> variable formula </apply>"},
      {HEAD STATES EQ("<ci>x</ci>", AP("lambda", CN("1"))) END,
       "text.xml:10:30: <lambda/> is not an operator that is read\n  allowed: plus"},
      {HEAD STATES EQ("<ci>x</ci>", "<interval/>") END, "<interval> is nothing that a formula consists of"},
      {HEAD STATES EQ("<ci>x</ci>", AP("divide", CN("1"))) END, "<divide/> has 1 operands; it takes 2"},
      {HEAD STATES EQ("<ci>x</ci>", AP("minus", CN("1") CN("2") CN("3"))) END,
       "<minus/> has 3 operands; it takes 1 or 2"},
      {HEAD STATES EQ("<ci>x</ci>", AP("exp", "")) END, "<exp/> has 0 operands; it takes one"},
      {HEAD STATES EQ("<ci>x</ci>", CN("1,5")) END, "'1,5' is not a number"},
      {HEAD STATES EQ("<ci>x</ci>", "<cn type=\"e-notation\" cellml:units=\"volt\">3</cn>") END, "'3' is not a number"},
      {HEAD STATES EQ("<ci>x</ci>", "<cn type=\"complex\" cellml:units=\"volt\">3</cn>") END,
       "a number of the type 'complex'"},
      {HEAD STATES EQ("<ci>x</ci>", "<piecewise><piece>" CN("1") "</piece></piecewise>") END,
       "<piecewise> consists of"},
      {HEAD STATES EQ("<ci>x</ci>", DIFF("x")) END, "the derivative of 'x', which is not a state"},
      {HEAD STATES EQ("<ci>x</ci>", AP("times", "<ci>x</ci>" CN("2"))) END, "circular definitions: c.x needs c.x"},
      {HEAD STATES EQ("<ci>x</ci>", AP("sin", "<ci>t</ci>")) END,
       "'c.x' depends on the time itself; a cell does so by its states alone\n  a stimulus comes from the case"},
      {HEAD EQ(DIFF("x"), CN("1")) END, "state 'x' has no initial value\n  write <variable name=\"x\" initial_value"},
      {HEAD EQ("<apply><diff/><bvar><ci>t</ci><degree>" CN("2") "</degree></bvar><ci>x</ci></apply>", CN("1")) END,
       "a derivative is <diff/>"},
      {HEAD EQ(DIFF("V"), CN("1")) EQ("<apply><diff/><bvar><ci>x</ci></bvar><ci>w</ci></apply>", CN("1")) END,
       "derivatives by two variables, 'x' and 't'"},
      {HEAD EQ(DIFF("w"), CN("1")) END,
       "no state is the potential of the membrane\n  write 'label membrane_potential' below dot(V) = .. of an .mmt, or "
       "'potential: component.name' in the case (--potential of 'sinew model'); states: c.w"},
      {HEAD "</math></component><connection component_1=\"c\" component_2=\"d\"/></model>",
       "there is no component 'd'"},
      {HEAD "</math></component><component name=\"d\"/><connection component_1=\"c\" component_2=\"d\">" MAP(
           "V") "</connection></model>",
       "there is no variable 'V' in component 'd'"},
      {CELLML11
       "<import xlink:href=\"http://a.b/c.cellml\"><component name=\"a\" component_ref=\"b\"/></import></model>",
       "is not beside this file; a file is imported by its relative path"},
      {CELLML11 "<import xlink:href=\"no-such.cellml\"><component name=\"a\" component_ref=\"b\"/></import></model>",
       "cannot import 'no-such.cellml': "},
  };
  refuse("text.xml", row, sizeof row / sizeof *row);
}

static void refused_easyml(void **state) {
  (void)state;
  static const Refused row[] = {
      {"", "text.model:1:1: no variable is the potential of the membrane\n  write V; .external(Vm);"},
      {EASY "x = 1\ny = 2;", "text.model:8:1: unexpected 'y'; expected: ';'"},
      {EASY "x = 2^3;", "unexpected '^'; expected: ';' (a power is pow(a, b))"},
      {EASY "x = 1; x = 2;", "text.model:7:8: 'x' is assigned twice, first in line 7"},
      {EASY "x = y;", "text.model:7:5: unknown name 'y'"},
      {EASY "x = heat(3);", "unknown function 'heat'\n  allowed: sqrt"},
      {EASY "x = pow(3);", "pow has 1 arguments; it takes 2"},
      {EASY "x += 3;", "'x' has no value yet that could be updated"},
      {EASY "if (V > 0) { x = 1; }", "'x' has no value where this condition is not met"},
      {EASY "if (V > 0) { y = 1; } else { x = 1; }", "'y' has no value where this condition is not met"},
      {EASY "x = 50; if (x > 20) { x = 20; }", "circular definitions: x needs x"},
      {EASY "x = 1; .unit(mV);", "text.model:7:9: unknown markup '.unit'\n  allowed: external, flag"},
      {EASY "x = 1; .units(furlong);", "unknown unit 'furlong'"},
      {EASY "x = 1; .units(mV;", "expected: ')'"},
      {EASY "x[2] = 1;", "lists are not read; write each of their variables by itself"},
      {EASY "x = 1; y; .store();", "'y' is updated by hand (.store())"},
      {EASY "x = 1; y = z; .store(); z = 0.5*y;", "'y' is updated by hand (.store())"},
      {EASY "x = 1; /* never", "a comment that does not end"},
      {EASY "x = 1; }", "this bracket was never opened"},
      {EASY "x = 1; group { y;", "the file ends where '}' is expected"},
      {EASY "x = (1 + 2;", "unexpected ';'; expected: )"},
      {EASY "x = V > 0 ? 1;", "expected: ':' of a choice"},
      {EASY "x = k; k; .external();", "'k' comes from outside (.external()), and nothing here gives it a value"},
      {EASY "x = q; diff_q = 1;", "state 'q' has no initial value\n  write q_init = ..;"},
      {EASY "q; x = q; q_init = 0.1; q_inf = 0.5;",
       "state 'q' has no rate: of q_inf and tau_q only the first is there"},
      {EASY "q; x = q; q_init = 0.1; tau_q = 5;", "only the second is there\n  write the other one, or diff_q = ..;"},
      {EASY "q; k; k = 1; .param(); x = q; q_init = 0.1; q_inf = 0.5; tau_q = 0;",
       "the rate of change of 'q' is not a number: is a time constant in it 0?"},
      {EASY "x = t;", "'x' depends on the time itself"},
      {EASY "x = 1 $ 2;", "unexpected character '$'"},
      {"V; .external(Vm); V_init = 1; diff_w = 1; w_init = 1;", "'Iion' is not assigned\n  write Iion = INa"},
      {"V; .external(Vm); Iion = 2;", "state 'V' has no initial value\n  write V_init = ..;"},
      {"V; .external(Vm); Iion = 2; V_init = w; diff_w = 1; w_init = V;", "the initial value of 'V' is not a number"},
  };
  refuse("text.model", row, sizeof row / sizeof *row);
}

static void refused_units(void **state) {
  (void)state;
  CellModel *model;
  assert_ok(cell_model_parse(
      "text.cellml", HEAD STATES EQ("<ci>x</ci>", AP("plus", CN("1") "<cn cellml:units=\"volt\">2</cn>")) END, &model));
  assert_fails(cell_model_check_units(model), ERR_INPUT,
               "text.cellml:10:23: units do not fit: both sides of a sum: [1] and [V]");
  status_warnings_clear();
  cell_model_warn_units(model);
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(strstr(status_warning(0), "text.cellml: units do not fit at 3 places;"));
  assert_non_null(strstr(status_warning(0), "text.cellml:10:23: units do not fit: both sides of a sum: [1] and [V]\n"));
  status_warnings_clear();
  cell_model_destroy(&model);
  assert_ok(cell_model_parse("text.model", EASY "x = y + z; y = 1; .units(mV); z = 2; .units(ms);", &model));
  assert_fails(cell_model_check_units(model), ERR_INPUT,
               "text.model:7:7: units do not fit: both sides of a sum: [mV] and [ms]");
  cell_model_destroy(&model);
}

/* A published file of CellML, whose units fit nowhere, is a warning of the first three; of those that are asked for, and in other
 * formats, an error. */
static void units_by_format(void **state) {
  (void)state;
  static const struct {
    const char *ending, *text;
  } file[] = {{".cellml", HEAD STATES EQ("<ci>x</ci>", AP("plus", CN("1") "<cn cellml:units=\"volt\">2</cn>"
                                                                          "<cn cellml:units=\"second\">2</cn>"
                                                                          "<cn cellml:units=\"metre\">2</cn>"
                                                                          "<cn cellml:units=\"mole\">2</cn>")) END},
              {".model", EASY "x = y + z; y = 1; .units(mV); z = 2; .units(ms);"}};
  for (int k = 0; k < 2; ++k) {
    char path[64];
    int kind;
    snprintf(path, sizeof path, "/tmp/sinew-units-XXXXXX%s", file[k].ending);
    const int to = mkstemps(path, (int)strlen(file[k].ending));
    assert_true(to >= 0 && write(to, file[k].text, strlen(file[k].text)) == (ssize_t)strlen(file[k].text));
    close(to);
    status_warnings_clear();
    if (k) assert_fails(imported_open(&(ImportParams){.path = path}, &kind), ERR_INPUT, "units do not fit");
    else assert_ok(imported_open(&(ImportParams){.path = path}, &kind));
    imported_close(kind);
    assert_int_equal(status_warning_count(), k ? 0 : 1);
    if (!k) {
      assert_non_null(strstr(status_warning(0), "units do not fit at 6 places; the numbers are taken as they are"));
      assert_non_null(strstr(status_warning(0), "\n  and 3 more\n"));
    }
    status_warnings_clear();
    assert_fails(imported_open(&(ImportParams){.path = path, .units = UNITS_CHECK}, &kind), ERR_INPUT,
                 "units do not fit");
    assert_ok(imported_open(&(ImportParams){.path = path, .units = UNITS_IGNORE}, &kind));
    imported_close(kind);
    assert_int_equal(status_warning_count(), 0);
    unlink(path);
  }
}

/* Formulas and chains of definitions that are too long for the stack are refused, in each format. */
static void long_ones(void **state) {
  (void)state;
  enum { N = 6000, MANY = 11000, ROOM = 64 * MANY };
  char *text = malloc(ROOM), *at = text;
  CellModel *model;
  assert_non_null(text);
  at += sprintf(at, "%sx = V", EASY);
  for (int k = 0; k < N; ++k) at += sprintf(at, " + V");
  sprintf(at, ";");
  assert_fails(cell_model_parse("text.model", text, &model), ERR_INPUT, "a formula with more than");
  for (int back = 0; back < 2; ++back) {
    at = text + sprintf(text, "%sx = a%d; a0 = V;\n", EASY, N - 1);
    for (int k = 1; k < N; ++k) at += sprintf(at, "a%d = a%d*2;\n", back ? N - k : k, (back ? N - k : k) - 1);
    assert_fails(cell_model_parse("text.model", text, &model), ERR_INPUT,
                 "operations and definitions one after the other");
  }
  at = text + sprintf(text, EASY);
  for (int k = 0; k < MANY; ++k) at += sprintf(at, "b%d = 1;", k);
  assert_fails(cell_model_parse("text.model", text, &model), ERR_INPUT, "more than 10000 variables");
  at = text;
  for (int k = 0; k < N; ++k) at += sprintf(at, "<a>");
  assert_fails(cell_model_parse("text.cellml", text, &model), ERR_INPUT, "elements are nested more than 256 deep");
  at = text + sprintf(text, "%sx = ", EASY);
  for (int k = 0; k < N; ++k) *at++ = '(';
  *at = 0;
  assert_fails(cell_model_parse("text.model", text, &model), ERR_INPUT, "brackets are nested more than");
  at = text + sprintf(text, "%s%s<apply><eq/><ci>x</ci>", HEAD, STATES);
  for (int k = 0; k < 60; ++k) at += sprintf(at, "<apply><arcsinh/>");
  at += sprintf(at, "<ci>V</ci>");
  for (int k = 0; k < 60; ++k) at += sprintf(at, "</apply>");
  sprintf(at, "</apply>%s", END);
  assert_fails(cell_model_parse("text.cellml", text, &model), ERR_INPUT, "a formula with more than");
  free(text);
}

static void zero_byte(void **state) {
  (void)state;
  char path[] = "/tmp/sinew-cell-XXXXXX.cellml";
  CellModel *model;
  const int file = mkstemps(path, 7);
  assert_true(file >= 0);
  assert_int_equal(write(file, "<model>\n\0</model>", 17), 17);
  close(file);
  assert_fails(cell_model_load(path, &model), ERR_INPUT, ":2: a byte of zero; a cell model is a text");
  assert_int_equal(unlink(path), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(refused_xml),    cmocka_unit_test(refused_cellml),
                                     cmocka_unit_test(refused_easyml), cmocka_unit_test(refused_units),
                                     cmocka_unit_test(long_ones),      cmocka_unit_test(zero_byte),
                                     cmocka_unit_test(units_by_format)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
