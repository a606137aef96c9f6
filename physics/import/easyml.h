/* EasyML, the language of openCARP's ionic models (opencarp.org/documentation/examples/01_ep_single_cell/05_easyml): statements,
 * and the model that they make. */
#pragma once
#include "physics/import/model_token.h"

typedef struct EasyVariable {
  Name name, outside; /* outside: what .external() calls it; text NULL: it is none */
  Unit unit;
  int32_t value; /* formula; NONE: never assigned */
  bool adjustable, stored, limited;
  double lower, upper; /* where limited */
  ModelPlace place;
} EasyVariable;

typedef struct EasyMl {
  TokenText at;
  CellModel *model;
  EasyVariable *variable;
  int32_t *touched; /* variables by the statements that name them, which a markup behind is for */
  int32_t n_variable, n_touched, depth;
} EasyMl;

/* The variable of a name, a new one where there is none. */
Status easyml_variable(EasyMl *e, Name name, ModelPlace place, int32_t *out);
int32_t easyml_find(const EasyMl *e, Name name);
/* A formula that is the variable's name. */
Status easyml_name(EasyMl *e, Name name, ModelPlace place, int32_t *out);
Status easyml_op(EasyMl *e, int op, ModelPlace place, int32_t a, int32_t b, int32_t c, int32_t *out);
/* A text of the model's own, "%.*s%.*s%s". */
Status easyml_text(EasyMl *e, Name a, Name b, const char *c, Name *out);
/* .units(mV) and the like, from the point on, for variables touched[from .. n_touched). */
Status easyml_markup(EasyMl *e, int32_t from);
/* What statements said becomes the model. */
Status easyml_build(EasyMl *e);
