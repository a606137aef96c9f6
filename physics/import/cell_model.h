/* A cell model as its file has it, before anything is worked out: variables with formulas, units and initial values.
 * Every format is read into this; texts are views into the file's own text. */
#pragma once
#include "core/name.h"
#include "physics/import/unit.h"
#include "physics/ionic_program.h"

enum { NONE = -1, NAME_TEXT = 160, MODEL_VARIABLES = 10000 }; /* most variables of a model */

/* Where something stands: line and column from 1; file 0 is the model's own, k the one that it imports as its k-th. */
typedef struct ModelPlace {
  int32_t line, column, file;
} ModelPlace;

typedef enum FormulaKind {
  FORMULA_NUMBER,
  FORMULA_NAME,       /* first, or first.second; variable after model_resolve, or from the beginning */
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
  int32_t variable; /* NONE: not resolved yet */
  /* operations one in another and all of them, itself included; filled in by model_add_node */
  int32_t depth, size;
  ModelPlace place;
} FormulaNode;

/* ROLE_OUTSIDE: a model of tension is told it, and has no value of its own; ROLE_INPUT: what tells it is known. */
typedef enum ModelRole { ROLE_NONE, ROLE_TIME, ROLE_PACE, ROLE_POTENTIAL, ROLE_OUTSIDE, ROLE_INPUT } ModelRole;

typedef struct ModelVariable {
  Name name, outside;        /* outside: what other programs call it, text NULL: they do not */
  int32_t component, parent; /* parent: NONE, or the variable that it is nested in */
  int32_t formula, initial;  /* NONE: has none; initial: of a state, whose formula is its derivative */
  bool is_state;
  bool adjustable; /* the file says so */
  bool limited;    /* a state stays from lower to upper, which may be infinite */
  double lower, upper;
  Unit unit;
  ModelRole role;
  ModelPlace place;
} ModelVariable;

typedef struct ModelAlias {
  int32_t component;
  Name name, first, second; /* name stands for first.second */
  ModelPlace place;
} ModelAlias;

/* A file that a model imports; text is kept for names, or a name that was made up. */
typedef struct ModelFile {
  char *path, *text; /* owned */
} ModelFile;

typedef struct CellModel {
  char *path, *text; /* owned */
  ModelFile *more;   /* owned, [n_more] */
  Name *component;   /* owned, [n_component] */
  ModelVariable *variable;
  ModelAlias *alias;
  FormulaNode *node;
  int32_t n_component, n_variable, n_alias, n_node, n_more;
  bool tension;   /* of a muscle, which has no potential */
  bool cellml;    /* the format: published files have units that do not fit, which no other program looks at */
  int32_t *order; /* owned, [n_variable] after model_sort: who needs no other first */
} CellModel;

/* What the ending of a path may be, for messages. */
#define CELL_MODEL_ENDINGS ".mmt (Myokit), .cellml or .xml (CellML), .model (EasyML of openCARP)"

/* Reads a file by its ending: .mmt, .cellml or .xml, .model. ERR_INPUT with place, what is wrong and what to do; the model is whole: names are
 * resolved, variables sorted. */
Status cell_model_load(const char *path, CellModel **out);
/* A model of tension, which has no potential. */
Status cell_model_load_tension(const char *path, CellModel **out);
/* The same of a text in memory; `path` for its ending and for messages. */
Status cell_model_parse(const char *path, const char *text, CellModel **out);
void cell_model_destroy(CellModel **model);
/* Which state is the potential and which variable the stimulus, by name; NULL: as the file says. A model with no state
 * beside the potential, of passive cells, gets one, `unused`. ERR_INPUT: unknown names, with those that may be meant. */
Status cell_model_choose(CellModel *model, const char *potential, const char *stimulus);
/* Formulas against the units that are given: ERR_INPUT names the first five that do not fit. */
Status cell_model_check_units(const CellModel *model);
/* The same as a warning of the first three. */
void cell_model_warn_units(const CellModel *model);
/* Which variable "component.name" (or "name", where one alone has it) is; NONE. */
int32_t cell_model_find(const CellModel *model, const char *name);
/* ERR_INPUT: there is no such variable; the nearest one. */
Status cell_model_unknown(const CellModel *model, const char *name);
/* "component.name". */
const char *cell_model_name(const CellModel *model, int32_t variable, char text[NAME_TEXT]);

/* ---- for the readers of formats ---- */
/* Lists grow by doubling: is one of n full, and how long is it then? */
static inline bool model_list_full(int32_t n) { return n == 0 || (n >= 64 && (n & (n - 1)) == 0); }
static inline int32_t model_list_grown(int32_t n) { return n ? 2 * n : 64; }
Status model_fail(const CellModel *model, ModelPlace place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The path of a file that a place is in. */
const char *model_path(const CellModel *model, ModelPlace place);
/* A file as a text that ends with a NUL and has none within; owned by the caller. ERR_INPUT, ERR_IO with its path. */
Status model_file_text(const char *path, char **text);
/* Both become the model's own; path may be NULL. They stay with the caller where it fails. */
Status model_keep(CellModel *model, char *path, char *text, int32_t *file);
/* The stimulus of a model that does not say which it is: a variable of such a name that depends on the time. */
Status model_find_stimulus(CellModel *model);
/* Does a formula need the time, be it by other variables? mark: [n_variable] zeros, then what was found so far. */
bool model_needs_time(const CellModel *model, int32_t formula, uint8_t *mark);
Status model_add_component(CellModel *model, Name name, int32_t *out);
Status model_add_variable(CellModel *model, ModelVariable variable, int32_t *out);
Status model_add_alias(CellModel *model, ModelAlias alias);
Status model_add_node(CellModel *model, FormulaNode node, int32_t *out);
/* Names of all formulas, then the order. ERR_INPUT: unknown names with the nearest, circles with all their members. */
Status model_resolve(CellModel *model);
Status model_sort(CellModel *model);
Status mmt_parse(CellModel *model);
Status cellml_parse(CellModel *model);
Status easyml_parse(CellModel *model);
