/* Keys that the case files of all physics share: mesh and solver. A new key is a line here and a member in case.h. */
#include "app/case_tables.h"
#include "solver/precond.h"

#include <math.h>
#include <string.h>

static const Word preconditioner_words[] = {{"auto", false},
#define PRECONDITIONER(id, name, meaning) {name, false},
#include "solver/preconditioners.def"
#undef PRECONDITIONER
                                            {"pmg", true}, {"cmg", true}, {"amg", true}, {NULL, false}};
static const Word precision_words[] = {{"double", false}, {"mixed", false}, {NULL, false}};
static const Word format_words[] = {{"auto", false},
#define FORMAT(id, name, meaning) {name, false},
#include "solver/formats.def"
#undef FORMAT
                                    {NULL, false}};
static const Word numbering_words[] = {{"auto", false},
#define ORDER(ID, function, name, meaning) {name, false},
#include "mesh/orders.def"
#undef ORDER
                                       {NULL, false}};

static const Key mesh_keys[] = {
    {"file", VALUE_TEXT, true, AT(CaseMesh, file), .meaning = "path of the mesh, from the case file's folder"},
    {"scale", VALUE_NUMBER, false, AT(CaseMesh, scale), .initial = "1", .open_min = true, .max = INFINITY,
     .meaning = "multiplies all coordinates"},
    {"order", VALUE_INTEGER, false, AT(CaseMesh, order), .min = 1, .max = 2,
     .meaning = "1 or 2: makes the elements so"},
    {"refine", VALUE_INTEGER, false, AT(CaseMesh, refine), .initial = "0", .max = 10,
     .meaning = "uniform refinements after reading"}};
const Schema case_mesh_schema = {
    .what = "mesh", .n = COUNT(mesh_keys), .key = mesh_keys, .size = sizeof(CaseMesh), .plain = "file"};

static const Key preconditioner_keys[] = {{"type", VALUE_WORD, false, AT(CasePreconditioner, type), .initial = "auto",
                                           .words = preconditioner_words,
                                           .meaning = "see 'sinew list preconditioners'"},
                                          {"degree", VALUE_INTEGER, false, AT(CasePreconditioner, degree), .min = 1,
                                           .max = 64, .meaning = "of the polynomial"}};
/* Parameters of the type that word `kind` names; word 0 is auto, which has none. */
static const Param *params_of_precond(int32_t kind, int *n) {
  const PrecondType *type = precond_type(kind - 1);
  *n = type ? type->n_param : 0;
  return type ? type->param : NULL;
}

static const Param *precond_params_before(const Tree *tree, int32_t node, int *n) {
  const int32_t type = tree->node[node].kind == TREE_MAP ? tree_member(tree, node, "type") : node;
  const char *name = type >= 0 ? tree->node[type].text : NULL;
  int32_t kind = 0;
  for (int32_t i = 0; name && i < precond_count(); ++i)
    if (!strcmp(name, precond_name(i))) kind = i + 1;
  return params_of_precond(kind, n);
}

static const Param *precond_params_after(const void *target, int *n) {
  return params_of_precond(((const CasePreconditioner *)target)->type.value, n);
}

static const Schema preconditioner_schema = {.what = "preconditioner",
                                             .n = COUNT(preconditioner_keys),
                                             .key = preconditioner_keys,
                                             .size = sizeof(CasePreconditioner),
                                             .plain = "type",
                                             .params = precond_params_before,
                                             .params_of = precond_params_after,
                                             .params_offset = offsetof(CasePreconditioner, value)};
_Static_assert((int)PRECOND_MAX_PARAMS <= (int)CASE_MAX_PARAMS, "room for the parameters of a preconditioner");

static const Key solver_keys[] = {
    {"rtol", VALUE_NUMBER, false, AT(CaseSolver, rtol), .initial = "1e-8", .open_min = true, .max = 1, .open_max = true,
     .meaning = "on the true relative residual |b - A x| / |b|"},
    {"max-iterations", VALUE_INTEGER, false, AT(CaseSolver, max_iterations), .min = 1, .max = 1e12,
     .meaning = "bound of the iterations; chosen from the size when absent"},
    {"preconditioner", VALUE_MAP, false, AT(CaseSolver, preconditioner), .schema = &preconditioner_schema,
     .meaning = "of the conjugate gradients"},
    {"precision", VALUE_WORD, false, AT(CaseSolver, precision), .initial = "mixed", .words = precision_words,
     .meaning = "of the preconditioner; the answer is as exact as rtol says"},
    {"format", VALUE_WORD, false, AT(CaseSolver, format), .initial = "sbell", .words = format_words,
     .meaning = "of the matrix; see 'sinew list formats'"},
    {"numbering", VALUE_WORD, false, AT(CaseSolver, numbering), .initial = "auto", .words = numbering_words,
     .meaning = "of the nodes inside the solver; results keep the mesh's"}};
const Schema case_solver_schema = {
    .what = "solver", .n = COUNT(solver_keys), .key = solver_keys, .size = sizeof(CaseSolver)};
