/* The keys of a case file of elasticity, as tables. A new key is a line here and a member in case.h. */
#include "app/case.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
#define AT(type, member) .offset = offsetof(type, member)

static const Word physics_words[] = {{"elasticity", false}, {"heat", true}, {"monodomain", true}, {NULL, false}};
static const Word model_words[] = {{"plane-stress", false}, {"plane-strain", false}, {"3d", false}, {NULL, false}};
static const Word preconditioner_words[] = {{"auto", false},
#define PRECONDITIONER(id, name, meaning) {name, false},
#include "solver/preconditioners.def"
#undef PRECONDITIONER
                                            {"neumann", true}, {"chebyshev", true}, {"ssor", true}, {"pmg", true},
                                            {"cmg", true},     {"amg", true},       {NULL, false}};
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
static const Word material_words[] = {
#define MATERIAL(name) {#name, false},
#include "physics/materials.def"
#undef MATERIAL
    {NULL, false}};
static const Word field_words[] = {{"displacement", false},   {"stress", false},       {"von-mises", false},
                                   {"principal", false},      {"reaction", false},     {"strain-energy", false},
                                   {"element-stress", false}, {"point-stress", false}, {NULL, false}};
static const Word probe_words[] = {{"displacement-x", false},
                                   {"displacement-y", false},
                                   {"displacement-z", false},
                                   {"stress-xx", false},
                                   {"stress-yy", false},
                                   {"stress-zz", false},
                                   {"stress-xy", false},
                                   {"stress-yz", false},
                                   {"stress-xz", false},
                                   {"von-mises", false},
                                   {"principal-1", false},
                                   {"principal-2", false},
                                   {"principal-3", false},
                                   {"reaction-x", false},
                                   {"reaction-y", false},
                                   {"reaction-z", false},
                                   {NULL, false}};
static const Word sum_words[] = {{"reaction", false}, {"strain-energy", false}, {NULL, false}};
static const Word quantity_words[] = {
    {"strain-energy", false}, {"unknowns", false}, {"iterations", false}, {NULL, false}};
_Static_assert(COUNT(field_words) == N_OUTPUT_FIELDS + 1, "one word per OutputField");
_Static_assert(COUNT(probe_words) == N_PROBE_FIELDS + 1, "one word per ProbeField");

static const Key mesh_keys[] = {
    {"file", VALUE_TEXT, true, AT(CaseMesh, file), .meaning = "path of the mesh, from the case file's folder"},
    {"scale", VALUE_NUMBER, false, AT(CaseMesh, scale), .initial = "1", .open_min = true, .max = INFINITY,
     .meaning = "multiplies all coordinates"},
    {"order", VALUE_INTEGER, false, AT(CaseMesh, order), .min = 1, .max = 2,
     .meaning = "1 or 2: makes the elements so"},
    {"refine", VALUE_INTEGER, false, AT(CaseMesh, refine), .initial = "0", .max = 10,
     .meaning = "uniform refinements after reading"}};
static const Schema mesh_schema = {
    .what = "mesh", .n = COUNT(mesh_keys), .key = mesh_keys, .size = sizeof(CaseMesh), .plain = "file"};

static const Key material_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseMaterial, on), .meaning = "group or list of groups of elements"},
    {"type", VALUE_WORD, false, AT(CaseMaterial, type), .initial = "isotropic", .words = material_words,
     .meaning = "law; see 'sinew list materials'"}};

static const Param *params_of_kind(int kind, int *n) {
  const MaterialType *type = material_type(kind);
  *n = type ? type->n_param : 0;
  return type ? type->param : NULL;
}

static const Param *params_before(const Tree *tree, int32_t map, int *n) {
  const int32_t type = tree_member(tree, map, "type");
  const char *name = type >= 0 ? tree->node[type].text : NULL;
  const int kind = name ? material_by_name(name) : 0;
  return params_of_kind(kind < 0 ? 0 : kind, n);
}

static const Param *params_after(const void *target, int *n) {
  return params_of_kind(((const CaseMaterial *)target)->type.value, n);
}

static const Schema material_schema = {.what = "a material",
                                       .n = COUNT(material_keys),
                                       .key = material_keys,
                                       .size = sizeof(CaseMaterial),
                                       .params = params_before,
                                       .params_of = params_after,
                                       .params_offset = offsetof(CaseMaterial, value)};

static const Key fix_keys[] = {{"x", VALUE_EXPR, false, AT(CaseFix, x), .meaning = "displacement in x"},
                               {"y", VALUE_EXPR, false, AT(CaseFix, y), .meaning = "displacement in y"},
                               {"z", VALUE_EXPR, false, AT(CaseFix, z), .meaning = "displacement in z"}};
static const Schema fix_schema = {
    .what = "fix", .n = COUNT(fix_keys), .key = fix_keys, .size = sizeof(CaseFix), .whole = "all"};

static const Key boundary_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseBoundary, on), .meaning = "group or list of groups"},
    {"fix", VALUE_MAP, false, AT(CaseBoundary, fix), .schema = &fix_schema, .meaning = "all, or {x: 0, y: 0.1}"},
    {"symmetry", VALUE_FLAG, false, AT(CaseBoundary, symmetry), .meaning = "no displacement along the normal"},
    {"traction", VALUE_EXPRS, false, AT(CaseBoundary, traction), .meaning = "force per area"},
    {"pressure", VALUE_EXPR, false, AT(CaseBoundary, pressure), .meaning = "per area, pushing on the body"},
    {"force", VALUE_EXPRS, false, AT(CaseBoundary, force), .meaning = "total force, spread over the group"},
    {"spring", VALUE_EXPR_OR_EXPRS, false, AT(CaseBoundary, spring), .meaning = "stiffness per area"}};
static const Schema boundary_schema = {
    .what = "a boundary entry", .n = COUNT(boundary_keys), .key = boundary_keys, .size = sizeof(CaseBoundary)};

static const Key body_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseBody, on), .meaning = "group or list of groups of elements"},
    {"gravity", VALUE_EXPRS, true, AT(CaseBody, gravity), .meaning = "acceleration, times the material's density"}};
static const Schema body_schema = {
    .what = "a body entry", .n = COUNT(body_keys), .key = body_keys, .size = sizeof(CaseBody)};

static const Key preconditioner_keys[] = {{"type", VALUE_WORD, false, AT(CasePreconditioner, type), .initial = "auto",
                                           .words = preconditioner_words,
                                           .meaning = "see 'sinew list preconditioners'"},
                                          {"degree", VALUE_INTEGER, false, AT(CasePreconditioner, degree), .min = 1,
                                           .max = 64, .meaning = "of the polynomial"}};
static const Schema preconditioner_schema = {"preconditioner", COUNT(preconditioner_keys), preconditioner_keys,
                                             sizeof(CasePreconditioner), .plain = "type"};

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
static const Schema solver_schema = {
    .what = "solver", .n = COUNT(solver_keys), .key = solver_keys, .size = sizeof(CaseSolver)};

static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"field", VALUE_WORD, true, AT(CaseProbe, field), .words = probe_words,
     .meaning = "displacement-x, stress-xx, ..."}};
static const Schema probe_schema = {
    .what = "a probe", .n = COUNT(probe_keys), .key = probe_keys, .size = sizeof(CaseProbe)};

static const Key sum_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseSum, name), .meaning = "start of its columns in probes.csv"},
    {"on", VALUE_NAMES, true, AT(CaseSum, on), .meaning = "group or list of groups"},
    {"field", VALUE_WORD, true, AT(CaseSum, field), .words = sum_words, .meaning = "reaction or strain-energy"}};
static const Schema sum_schema = {.what = "a sum", .n = COUNT(sum_keys), .key = sum_keys, .size = sizeof(CaseSum)};

static const Key output_keys[] = {
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[displacement, stress, von-mises]",
     .words = field_words, .meaning = "written to results.hdf"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &probe_schema, .meaning = "values at points"},
    {"sums", VALUE_MAPS, false, AT(CaseOutput, sums), .schema = &sum_schema, .meaning = "totals over groups"}};
static const Schema output_schema = {
    .what = "output", .n = COUNT(output_keys), .key = output_keys, .size = sizeof(CaseOutput)};

static const Key expect_keys[] = {
    {"probe", VALUE_TEXT, false, AT(CaseExpect, probe), .meaning = "name of a probe"},
    {"sum", VALUE_TEXT, false, AT(CaseExpect, sum), .meaning = "column of a sum, such as left-reaction-x"},
    {"quantity", VALUE_WORD, false, AT(CaseExpect, quantity), .words = quantity_words, .meaning = "of the whole case"},
    {"value", VALUE_NUMBER, true, AT(CaseExpect, value), .meaning = "what is expected"},
    {"rtol", VALUE_NUMBER, false, AT(CaseExpect, rtol), .open_min = true, .max = INFINITY,
     .meaning = "tolerance relative to the value; 1e-6 when neither is given"},
    {"atol", VALUE_NUMBER, false, AT(CaseExpect, atol), .open_min = true, .max = INFINITY,
     .meaning = "tolerance in the unit of the value"}};
static const Schema expect_schema = {
    .what = "an expect row", .n = COUNT(expect_keys), .key = expect_keys, .size = sizeof(CaseExpect)};

static const Key case_keys[] = {
    {"version", VALUE_INTEGER, true, AT(Case, version), .min = 1, .max = 1, .meaning = "of the case format; 1"},
    {"title", VALUE_TEXT, false, AT(Case, title), .meaning = "one line for people"},
    {"units", VALUE_TEXT, false, AT(Case, units), .meaning = "a label that is echoed into the output"},
    {"mesh", VALUE_MAP, true, AT(Case, mesh), .schema = &mesh_schema, .meaning = "{file: plate.geo}"},
    {"physics", VALUE_WORD, true, AT(Case, physics), .words = physics_words, .meaning = "elasticity"},
    {"model", VALUE_WORD, true, AT(Case, model), .words = model_words, .meaning = "plane-stress, plane-strain or 3d"},
    {"materials", VALUE_MAPS, true, AT(Case, materials), .schema = &material_schema, .meaning = "a list"},
    {"boundary", VALUE_MAPS, false, AT(Case, boundary), .schema = &boundary_schema, .meaning = "supports and loads"},
    {"body", VALUE_MAPS, false, AT(Case, body), .schema = &body_schema, .meaning = "forces on volumes"},
    {"solver", VALUE_MAP, false, AT(Case, solver), .schema = &solver_schema, .meaning = "optional as a whole"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "fields, probes, sums"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
static const Schema whole_schema = {.what = "the case", .n = COUNT(case_keys), .key = case_keys, .size = sizeof(Case)};

const Schema *case_schema(void) {
  return &whole_schema;
}
