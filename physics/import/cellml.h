/* CellML 1.0, 1.1 and 2.0 (cellml.org/specifications) on the way to a cell model: components of one file and of those that it
 * imports, their variables, what is connected, and where each is defined. */
#pragma once
#include "core/xml.h"
#include "physics/import/cell_model.h"

/* A file; [0] is the model's own. */
typedef struct CellmlFile {
  Xml xml;
  const char *path; /* view */
  int32_t file;     /* of places */
} CellmlFile;

/* A component. Within a scope, which is a file or what is imported of one, connections know it by its name. */
typedef struct CellmlPart {
  int32_t doc, node, component; /* of the cell model */
  int32_t first, n;             /* its variables */
} CellmlPart;

typedef struct CellmlSeen {
  int32_t scope, part;
  Name name;
} CellmlSeen;

typedef struct CellmlVariable {
  Name name, initial; /* initial: text NULL: none */
  Unit unit;
  int32_t part, node; /* element of the part's file */
  int32_t joined;     /* one that it is connected to, nearer to the first of them all, which is joined to itself */
  int32_t equation;   /* <apply><eq/> of the part; NONE */
  int32_t by;         /* variable by which that is a derivative; NONE: it is none */
  int32_t definer;    /* of the first: who has the equation, else the initial value; NONE */
  int32_t starter;    /* of the first: who has the initial value; NONE */
  int32_t variable;   /* of the cell model; NONE: not made yet */
} CellmlVariable;

typedef struct Cellml {
  CellModel *model;
  CellmlFile *doc;
  CellmlPart *part;
  CellmlSeen *seen;
  CellmlVariable *variable;
  int32_t n_doc, n_part, n_seen, n_variable, n_scope, n_unit; /* n_unit: how many were worked out */
  int32_t time;                                               /* variable of all derivatives; NONE */
} Cellml;

ModelPlace cellml_place(const Cellml *c, int32_t doc, int32_t node);
/* Fails with the place of an element. */
#define CELLML_FAIL(c, doc, node, ...) model_fail((c)->model, cellml_place(c, doc, node), __VA_ARGS__)
/* The first of all that a variable is connected to. */
int32_t cellml_first(Cellml *c, int32_t variable);
int32_t cellml_find(const Cellml *c, int32_t part, Name name);
/* Of a part's file and element: the unit of that name there. `at`: who asks, for messages. */
Status cellml_unit(Cellml *c, int32_t doc, int32_t component, Name name, int32_t at, Unit *out);
/* Files, components, variables and connections. */
Status cellml_open(Cellml *c, int32_t file, const char *path, char *text, int32_t *doc);
Status cellml_components(Cellml *c);
Status cellml_connections(Cellml *c, int32_t doc, int32_t scope);
/* Which file <import> names: opened, or found. */
Status cellml_imported(Cellml *c, int32_t doc, int32_t node, int32_t *out);
/* A formula of a part. */
Status cellml_formula(Cellml *c, int32_t part, int32_t node, int32_t *out);
/* The value of a variable as the part has it, in its own unit: a name, or one times a number. */
Status cellml_value(Cellml *c, int32_t variable, int32_t at_doc, int32_t at, int32_t *out);
/* A formula times a number that takes it from a unit to another one of the same powers. */
Status cellml_converted(Cellml *c, int32_t formula, Unit from, Unit to, int32_t *out);
/* Splits <apply><diff/>: its variable and the one by which. */
Status cellml_derivative(Cellml *c, int32_t part, int32_t node, int32_t *of, int32_t *by);
bool cellml_number(Name text, double *out);
/* Equations to variables, and both to the cell model. */
Status cellml_equations(Cellml *c);
Status cellml_variables(Cellml *c);
