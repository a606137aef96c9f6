/* A cell model as its file has it, before anything is worked out: variables with formulas, units and initial values.
 * Every format is read into this; texts are views into the file's own text. */
#pragma once
#include "physics/import/unit.h"
#include "physics/ionic_program.h"

enum { NONE = -1, NAME_TEXT = 160 };

/* A part of the file's text. */
typedef struct Name {
  const char *text;
  int32_t n;
} Name;

/* Where something stands, from 1. */
typedef struct ModelPlace {
  int32_t line, column;
} ModelPlace;

typedef enum FormulaKind {
  FORMULA_NUMBER,
  FORMULA_NAME,       /* first, or first.second; variable after model_resolve */
  FORMULA_DERIVATIVE, /* dot of it */
  FORMULA_OP          /* IonicOp in op */
} FormulaKind;

typedef struct FormulaNode {
  FormulaKind kind;
  int32_t op;
  int32_t child[3]; /* NONE: no more */
  double number;
  Unit unit; /* of a number */
  Name first, second;
  int32_t variable;
  ModelPlace place;
} FormulaNode;

typedef enum ModelRole { ROLE_NONE, ROLE_TIME, ROLE_PACE, ROLE_POTENTIAL } ModelRole;

typedef struct ModelVariable {
  Name name;
  int32_t component, parent; /* parent: NONE, or the variable that it is nested in */
  int32_t formula, initial;  /* NONE: has none; initial: of a state, whose formula is its derivative */
  bool is_state;
  Unit unit;
  ModelRole role;
  ModelPlace place;
} ModelVariable;

typedef struct ModelAlias {
  int32_t component;
  Name name, first, second; /* name stands for first.second */
  ModelPlace place;
} ModelAlias;

typedef struct CellModel {
  char *path, *text; /* owned */
  Name *component;   /* owned, [n_component] */
  ModelVariable *variable;
  ModelAlias *alias;
  FormulaNode *node;
  int32_t n_component, n_variable, n_alias, n_node;
  int32_t *order; /* owned, [n_variable] after model_sort: who needs no other first */
} CellModel;

/* Reads a file by its ending: .mmt. ERR_INPUT with place, what is wrong and what to do; the model is whole: names are
 * resolved, variables sorted. */
Status cell_model_load(const char *path, CellModel **out);
/* The same of a text in memory; `path` for its ending and for messages. */
Status cell_model_parse(const char *path, const char *text, CellModel **out);
void cell_model_destroy(CellModel **model);
/* Formulas against the units that are given: ERR_INPUT names the first five that do not fit. */
Status cell_model_check_units(const CellModel *model);
/* Which variable "component.name" (or "name", where one alone has it) is; NONE. */
int32_t cell_model_find(const CellModel *model, const char *name);
/* "component.name". */
const char *cell_model_name(const CellModel *model, int32_t variable, char text[NAME_TEXT]);

/* ---- for the readers of formats ---- */
Status model_fail(const CellModel *model, ModelPlace place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
Status model_add_component(CellModel *model, Name name, int32_t *out);
Status model_add_variable(CellModel *model, ModelVariable variable, int32_t *out);
Status model_add_alias(CellModel *model, ModelAlias alias);
Status model_add_node(CellModel *model, FormulaNode node, int32_t *out);
bool name_is(Name name, const char *text);
bool name_same(Name a, Name b);
/* Names of all formulas, then the order. ERR_INPUT: unknown names with the nearest, circles with all their members. */
Status model_resolve(CellModel *model);
Status model_sort(CellModel *model);
Status mmt_parse(CellModel *model);
