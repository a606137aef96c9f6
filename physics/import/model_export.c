#include "physics/import/model_export.h"
#include "core/memory.h"
#include "physics/import/cell_plan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Export {
  const CellModel *model;
  const char *name;
  CellGraph *cell;
  CellTrial trial; /* stiff by the order of `cell` */
  char *text;      /* owned */
  size_t n, room;
  Status status;
  int32_t *readers; /* [graph.n] of one function */
  bool *named;      /* [graph.n] it is a variable there */
} Export;

static void put(Export *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Export *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int more = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (e->status == OK && e->n + (size_t)more + 1 > e->room) {
    const size_t room = 2 * (e->n + (size_t)more + 4096);
    e->status = mem_resize((int64_t)room, 1, "a header of a cell model", (void **)&e->text);
    e->room = room;
  }
  if (e->status != OK) return;
  va_start(args, format);
  vsnprintf(e->text + e->n, e->room - e->n, format, args);
  va_end(args);
  e->n += (size_t)more;
}

/* The shortest text that reads back to the same number. */
static void put_number(Export *e, double value) {
  char text[40];
  for (int digits = 6; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    const double back = strtod(text, NULL);
    if (!memcmp(&back, &value, sizeof value)) break;
  }
  put(e, strpbrk(text, ".en") ? "%s" : "%s.", text);
}

static const char *const op_text[N_IONIC_OPS] = {
#define OP1(name, value) [IONIC_OP_##name] = #value,
#define OP2(name, value) [IONIC_OP_##name] = #value,
#define OP3(name, value) [IONIC_OP_##name] = #value,
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
};

static int place_of(const Export *e, int32_t index) {
  for (int j = 0; j < e->cell->n_state; ++j)
    if (e->cell->graph.node[e->cell->leaf[j]].a == index) return j;
  return 0;
}

static void put_node(Export *e, int32_t k);

/* The operation's own text with its operands in place of a, b and c. */
static void put_op(Export *e, const GraphNode *n) {
  const char *text = op_text[n->op];
  for (const char *p = text; *p; ++p) {
    const bool alone = (p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_')) &&
                       !(isalnum((unsigned char)p[1]) || p[1] == '_');
    if (alone && *p >= 'a' && *p <= 'c') put_node(e, *p == 'a' ? n->a : *p == 'b' ? n->b : n->c);
    else put(e, "%c", *p);
  }
}

static void put_node(Export *e, int32_t k) {
  const GraphNode *n = &e->cell->graph.node[k];
  if (n->op == IONIC_OP_SET && n->number < 0) {
    put(e, "(");
    put_number(e, n->number);
    put(e, ")");
  } else if (n->op == IONIC_OP_SET) put_number(e, n->number);
  else if (n->op == IONIC_OP_V) put(e, "V");
  else if (n->op == IONIC_OP_STIMULUS) put(e, "stimulus");
  else if (n->op == IONIC_OP_STATE && n->a >= GRAPH_PARAMETER) put(e, "c->value[%d]", (int)n->a - GRAPH_PARAMETER);
  else if (n->op == IONIC_OP_STATE) put(e, "s[%d]", place_of(e, n->a));
  else if (e->named[k]) put(e, "x%d", (int)k);
  else put(e, "("), put_op(e, n), put(e, ")");
}

static void count(Export *e, int32_t k) {
  const GraphNode *n = &e->cell->graph.node[k];
  const int operands = graph_operands(n->op);
  const int32_t of[3] = {n->a, n->b, n->c};
  if (e->readers[k]++ > 0) return;
  for (int o = 0; o < operands; ++o) count(e, of[o]);
}

/* Is an operand written more than once in the text of an operation, as in a * a? */
static bool repeats(int op) {
  return op == IONIC_OP_SQUARE || op == IONIC_OP_CUBE || op == IONIC_OP_MIN || op == IONIC_OP_MAX ||
         op == IONIC_OP_REMAINDER;
}

/* What is needed more than once is a variable; the others stand where they are needed. */
static void put_variables(Export *e, int n_wanted, const int32_t *wanted) {
  const Graph *g = &e->cell->graph;
  for (int32_t k = 0; k < g->n; ++k) e->readers[k] = 0, e->named[k] = false;
  for (int i = 0; i < n_wanted; ++i) count(e, wanted[i]);
  for (int32_t k = 0; k < g->n; ++k)
    if (e->readers[k] && repeats(g->node[k].op))
      e->readers[g->node[k].a] += 2, e->readers[g->node[k].b < 0 ? k : g->node[k].b] += 2;
  for (int32_t k = 0; k < g->n; ++k) {
    if (e->readers[k] < 2 || graph_operands(g->node[k].op) == 0) continue;
    put(e, "  const double x%d = ", (int)k);
    put_op(e, &g->node[k]);
    put(e, ";\n");
    e->named[k] = true;
  }
}

static void put_gates(Export *e) {
  CellGraph *c = e->cell;
  int32_t wanted[2 * IONIC_IMPORTED_STATES];
  int n = 0;
  for (int j = 0; j < c->n_gate; ++j) wanted[n++] = c->decay[j], wanted[n++] = c->target[j];
  put(e, "HD void %s_gates(const IonicConstants *c, const double V, const double *s, double *rate, double *target) {\n",
      e->name);
  put(e, "  (void)c, (void)V, (void)s, (void)rate, (void)target;\n");
  put_variables(e, n, wanted);
  for (int j = 0; j < c->n_gate; ++j) {
    put(e, "  rate[%d] = ", j);
    put_node(e, c->decay[j]);
    put(e, ";\n  target[%d] = ", j);
    put_node(e, c->target[j]);
    put(e, ";\n");
  }
  put(e, "}\n\n");
}

static void put_currents(Export *e) {
  CellGraph *c = e->cell;
  int32_t wanted[2 * IONIC_IMPORTED_STATES + 2];
  int n = 0;
  wanted[n++] = c->force, wanted[n++] = c->slope;
  for (int j = c->n_gate; j < c->n_state; ++j) {
    wanted[n++] = c->rate[j];
    if (e->trial.stiff[j]) wanted[n++] = c->decay[j];
  }
  put(e,
      "HD double %s_currents(const IonicConstants *c, const double V, const double stimulus, const double *s, double "
      "*by_V,\n"
      "    double *g, double *decay) {\n  (void)c, (void)V, (void)stimulus, (void)s, (void)g, (void)decay;\n",
      e->name);
  put_variables(e, n, wanted);
  for (int j = c->n_gate; j < c->n_state; ++j) {
    put(e, "  g[%d] = ", j);
    put_node(e, c->rate[j]);
    put(e, e->trial.stiff[j] ? ";\n  decay[%d] = fmax(0, " : ";\n  decay[%d] = 0;\n", j);
    if (e->trial.stiff[j]) put_node(e, c->decay[j]), put(e, ");\n");
  }
  put(e, "  *by_V = ");
  put_node(e, c->slope);
  put(e, ";\n  return ");
  put_node(e, c->force);
  put(e, ";\n}\n\n");
}

static void put_rest(Export *e) {
  const CellGraph *c = e->cell;
  put(e, "HD double %s_rest(const IonicConstants *c, double *s) {\n  (void)c;\n", e->name);
  for (int j = 0; j < c->n_state; ++j) {
    put(e, "  s[%d] = ", j);
    put_number(e, c->initial[j]);
    put(e, ";\n");
  }
  put(e, "  return ");
  put_number(e, c->V);
  put(e, ";\n}\n");
  const double slope[2] = {e->trial.max_slope, e->trial.front_slope};
  for (int k = 0; k < 2; ++k) {
    put(e, "HD double %s_%s_slope(const IonicConstants *c) {\n  (void)c;\n  return ", e->name, k ? "front" : "max");
    put_number(e, slope[k]);
    put(e, ";\n}\n");
  }
}

/* "ina.g_na" as a key of a case file: "ina-g-na". */
static const char *key_of(const Export *e, int32_t variable, char text[NAME_TEXT]) {
  cell_model_name(e->model, variable, text);
  for (char *p = text; *p; ++p) *p = *p == '.' || *p == '_' ? '-' : (char)tolower((unsigned char)*p);
  return text;
}

static void put_tables(Export *e) {
  const CellGraph *c = e->cell;
  char text[NAME_TEXT], unit[UNIT_TEXT];
  put(e, "\n#ifdef IONIC_TABLES\nstatic const Param %s_param[] = {\n", e->name);
  for (int k = 0; k < c->n_parameter; ++k) {
    const ModelVariable *v = &e->model->variable[c->parameter[k]];
    unit_text(v->unit, unit);
    const size_t n = strlen(unit);
    put(e, "    {\"%s\", \"%.*s\", ", key_of(e, c->parameter[k], text), v->unit.known ? (int)n - 2 : 1,
        v->unit.known ? unit + 1 : "1");
    put_number(e, e->model->node[v->formula].number);
    put(e, ", false, -INFINITY, INFINITY, true, true, \"%s\"},\n", cell_model_name(e->model, c->parameter[k], text));
  }
  if (!c->n_parameter) put(e, "    {\"unused\", \"1\", 0, false, -INFINITY, INFINITY, true, true, \"nothing\"},\n");
  put(e, "};\nstatic const IonicPreset %s_preset[] = {{\"file\", \"as the file has it\", {", e->name);
  for (int k = 0; k < c->n_parameter; ++k) {
    put(e, k ? ", " : "");
    put_number(e, e->model->node[e->model->variable[c->parameter[k]].formula].number);
  }
  put(e, c->n_parameter ? "}}};\n" : "0}}};\n");
  put(e, "static const char %s_meaning[] = \"a cell model of a file\";\n#endif\n", e->name);
}

static void put_head(Export *e) {
  const CellGraph *c = e->cell;
  const char *slash = strrchr(e->model->path, '/');
  char name[NAME_TEXT], unit[UNIT_TEXT];
  put(e,
      "/* Made by 'sinew model export' of %s. Over 500 lines because, and Over 60 lines because, a program wrote it. "
      "To\n"
      " * compile it in, put it into physics/ and add to physics/ionics.def its header and the line\n"
      " *   IONIC_GATES(%s, \"%s\", %d, %d) */\n#pragma once\n#include \"physics/ionic_math.h\"\n#include "
      "\"physics/ionic_model.h\"\n\n#include "
      "<math.h>\n\n",
      slash ? slash + 1 : e->model->path, e->name, e->name, c->n_state, c->n_gate);
  put(e, "#define %s_states(STATE)", e->name);
  for (int j = 0; j < c->n_state; ++j)
    put(e, " \\\n  STATE(\"%s\", \"%s, %s\")", cell_state_word(e->model, c, j, name), "as in the file",
        unit_text(e->model->variable[c->variable[j]].unit, unit));
  put(e, "\n\n");
}

/* A header steps each state alone. */
static Status check_blocks(const CellModel *m, const CellGraphParams *params) {
  CellPlan plan;
  char name[NAME_TEXT] = "";
  int n = 0;
  TRY(cell_plan_create(m, params, &plan));
  for (int j = 0; j < plan.graph->n_state; ++j)
    if (plan.graph->block[j] && n++ == 0) cell_model_name(m, plan.graph->variable[j], name);
  cell_plan_release(&plan);
  CHECK(
      n == 0, ERR_INPUT,
      "%s: %d states, the first of them '%s', exchange so quickly that they have to step together, which a header does "
      "not do\n  remedy: run the file itself, 'ionic: {file: ..}'",
      m->path, n, name);
  return OK;
}

/* The states that are stiff are found with all numbers as they are. */
static Status find_stiff(Export *e) {
  CellGraph *plain = NULL;
  CellTrial trial;
  const CellGraphParams params = {.parameters = false};
  TRY(check_blocks(e->model, &params));
  TRY(cell_graph_create(e->model, &params, &plain));
  const Status status = cell_trial(plain, &trial);
  e->trial = trial;
  for (int j = 0; status == OK && j < plain->n_state; ++j)
    for (int k = 0; k < e->cell->n_state; ++k)
      if (e->cell->variable[k] == plain->variable[j]) e->trial.stiff[k] = trial.stiff[j];
  cell_graph_destroy(&plain);
  return status;
}

static Status write_all(Export *e) {
  const CellGraphParams params = {.parameters = true};
  TRY(cell_graph_create(e->model, &params, &e->cell));
  TRY(find_stiff(e));
  ALLOC(e->readers, e->cell->graph.n, "a header of a cell model");
  ALLOC(e->named, e->cell->graph.n, "a header of a cell model");
  put_head(e);
  put_gates(e);
  put_currents(e);
  put_rest(e);
  put_tables(e);
  return e->status;
}

Status model_export(const CellModel *model, const char *name, char **text) {
  Export e = {.model = model, .name = name};
  *text = NULL;
  for (const char *p = name; *p || p == name; ++p)
    CHECK(islower((unsigned char)*p) || (p > name && (*p == '_' || isdigit((unsigned char)*p))), ERR_INPUT,
          "'%s' is not a name for a model\n  allowed: small letters, digits and _, a letter first", name);
  const Status status = write_all(&e);
  FREE(e.readers);
  FREE(e.named);
  cell_graph_destroy(&e.cell);
  if (status != OK) FREE(e.text);
  *text = e.text;
  return status;
}
