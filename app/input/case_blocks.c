/* Keys that the case files of several physics share: mesh, solver, time, initial values, sources. A new key is a line
 * here and a member in case.h. */
#include "app/input/case_format.h"
#include "app/input/case_tables.h"
#include "solver/precond/precond.h"

#include <math.h>
#include <string.h>

static const Word preconditioner_words[] = {{"auto", 0},
#define PRECONDITIONER(id, name, meaning) {name, 0},
#include "solver/precond/preconditioners.def"
#undef PRECONDITIONER
                                            {NULL, 0}};
static const Word method_words[] = {{"auto", 0}, {"iterative", 0}, {"direct", 0}, {NULL, 0}};
static const Word precision_words[] = {{"double", 0}, {"mixed", 0},    {"auto", 0}, {"float", 0},
                                       {"half", 0},   {"bfloat16", 0}, {"int8", 0}, {NULL, 0}};
static const Word format_words[] = {{"auto", 0},
#define FORMAT(id, name, meaning) {name, 0},
#include "algebra/formats.def"
#undef FORMAT
                                    {NULL, 0}};
static const Word variant_words[] = {{"scalar", 0}, {"vector", 0}, {"k1", 0},   {"k1r", 0}, {"k1rs", 0},
                                     {"k2", 0},     {"k2r", 0},    {"k2rs", 0}, {"r", 0},   {NULL, 0}};
static const Word numbering_words[] = {{"auto", 0},
#define ORDER(ID, function, name, meaning) {name, 0},
#include "mesh/order/orders.def"
#undef ORDER
                                       {NULL, 0}};

/* Names of the element library. */
const Word output_precision_words[] = {{"double", 0}, {"single", 0}, {NULL, 0}};
const Word output_compression_words[] = {{"none", 0}, {"fast", 0}, {NULL, 0}};
static const Word grid_words[] = {{"quad4", 0},  {"tri3", 0},     {"hex8", 0}, {"tet4", 0},
                                  {"wedge6", 0}, {"pyramid5", 0}, {NULL, 0}};
static const Word order_words[] = {{"auto", 0}, {NULL, 0}};
static const Key region_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseMeshRegion, name), .meaning = "of the group of elements that it becomes"},
    {"within", VALUE_NAMES, false, AT(CaseMeshRegion, within),
     .meaning = "groups that its elements come from, and are no longer in; all that no region before has unless given"},
    {"field", VALUE_TEXT, false, AT(CaseMeshRegion, field),
     .meaning = "data of the mesh, 1 component, such as intensities of an image"},
    {"above", VALUE_NUMBER, false, AT(CaseMeshRegion, above), .meaning = "of the field: from this value on"},
    {"below", VALUE_NUMBER, false, AT(CaseMeshRegion, below), .meaning = "of the field: less than this"},
    {"share", VALUE_EXPR, false, AT(CaseMeshRegion, share),
     .meaning = "0 to 1: so much of it, at random; a number or an expression"},
    {"size", VALUE_NUMBER, false, AT(CaseMeshRegion, size), .open_min = true, .max = INFINITY,
     .meaning = "of the random cells, which are in it as a whole; each element alone unless given"},
    {"seed", VALUE_INTEGER, false, AT(CaseMeshRegion, seed), .initial = "1", .max = 1e9,
     .meaning = "of what is random: the same seed, the same region"}};
static const Schema region_schema = {SCHEMA("a region of the mesh", region_keys, CaseMeshRegion)};
static const Key mesh_keys[] = {
    {"file", VALUE_TEXT, false, AT(CaseMesh, file), .meaning = "path of the mesh, from the case file's folder"},
    {"grid", VALUE_VECTOR, false, AT(CaseMesh, grid), .meaning = "nodes per direction of a structured grid"},
    {"image", VALUE_TEXT, false, AT(CaseMesh, image),
     .meaning = "path of an image whose pixels are the nodes of a grid"},
    {"size", VALUE_NUMBER_OR_VECTOR, false, AT(CaseMesh, size),
     .meaning = "lengths of a grid or image; of geometry the largest size of an element"},
    {"element", VALUE_WORD, false, AT(CaseMesh, element), .words = grid_words, .meaning = "of a grid or image"},
    {"gmsh", VALUE_FACTORS, false, AT(CaseMesh, gmsh),
     .meaning = "of a .geo: numbers that take the place of its DefineConstant, {radius: 2}"},
    {"scale", VALUE_NUMBER, false, AT(CaseMesh, scale), .initial = "1", .open_min = true, .max = INFINITY,
     .meaning = "multiplies all coordinates"},
    {"order", VALUE_INTEGER, false, AT(CaseMesh, order), .min = 1, .max = 3, .words = order_words,
     .meaning = "1, 2 or 3 (triangles, tetrahedra): makes the elements so; auto: as the file has them"},
    {"refine", VALUE_INTEGER, false, AT(CaseMesh, refine), .initial = "0", .max = 10,
     .meaning = "uniform refinements after reading"},
    {"regions", VALUE_MAPS, false, AT(CaseMesh, regions), .schema = &region_schema,
     .meaning = "groups that are made of its elements, by data of the mesh or at random, a list"}};
const Schema case_mesh_schema = {SCHEMA("mesh", mesh_keys, CaseMesh), .plain = "file"};

static const Key preconditioner_keys[] = {{"type", VALUE_WORD, false, AT(CasePreconditioner, type), .initial = "auto",
                                           .words = preconditioner_words,
                                           .meaning = "see 'sinew list preconditioners'"},
                                          {"degree", VALUE_INTEGER, false, AT(CasePreconditioner, degree), .min = 1,
                                           .max = 64, .meaning = "of the polynomial"}};
/* Parameters of the type that word `kind` names; word 0 is auto, which has none. */
static const Param *precond_params(int32_t kind, int *n) {
  const PrecondType *type = precond_type(kind - 1);
  *n = type ? type->n_param : 0;
  return type ? type->param : NULL;
}

static const Schema preconditioner_schema = {SCHEMA("preconditioner", preconditioner_keys, CasePreconditioner),
                                             .plain = "type", .chooser = "type", .params = precond_params,
                                             .params_offset = offsetof(CasePreconditioner, value)};
_Static_assert((int)PRECOND_MAX_PARAMS <= (int)CASE_MAX_PARAMS, "room for the parameters of a preconditioner");

static const Key format_keys[] = {
    {"type", VALUE_WORD, false, AT(CaseFormat, type), .initial = "sbell", .words = format_words,
     .meaning = "see 'sinew list formats'"},
    {"variant", VALUE_WORD, false, AT(CaseFormat, variant), .words = variant_words,
     .meaning = "scalar, vector (csr), k1 to k2rs (ell-warp), r (segspmv)"},
    {"slice", VALUE_INTEGER, false, AT(CaseFormat, slice), .min = 32, .max = 1 << 20, .meaning = "rows of a slice"},
    {"threads", VALUE_INTEGER, false, AT(CaseFormat, threads), .min = 1, .max = 32,
     .meaning = "of a GPU that share a row"},
    {"threshold", VALUE_INTEGER, false, AT(CaseFormat, threshold), .min = 1, .max = 1 << 20,
     .meaning = "row length beyond which ell-warp splits, of a segment of segspmv, of a tile of csr-balanced"},
    {"window", VALUE_INTEGER, false, AT(CaseFormat, window), .min = 1, .max = INT32_MAX,
     .meaning = "rows among which rows are sorted by length; 1: none"}};
static const Schema format_schema = {SCHEMA("format", format_keys, CaseFormat), .plain = "type"};

static const Key solver_keys[] = {
    {"method", VALUE_WORD, false, AT(CaseSolver, method), .initial = "auto", .words = method_words,
     .meaning = "iterative: conjugate gradients; direct: a sparse factorisation, on the `CPU`"},
    {"rtol", VALUE_NUMBER, false, AT(CaseSolver, rtol), .initial = "1e-8", .open_min = true, .max = 1, .open_max = true,
     .meaning = "on the true relative residual |b - A x| / |b|; 1e-6 unless given in a harmonic analysis"},
    {"max-iterations", VALUE_INTEGER, false, AT(CaseSolver, max_iterations), .min = 1, .max = 1e12,
     .meaning = "bound of the iterations; chosen from the size when absent"},
    {"preconditioner", VALUE_MAP, false, AT(CaseSolver, preconditioner), .schema = &preconditioner_schema,
     .meaning = "of the conjugate gradients"},
    {"precision", VALUE_WORD, false, AT(CaseSolver, precision), .initial = "auto", .words = precision_words,
     .meaning =
         "of the preconditioner; auto: low precision on a GPU, float on the CPU, more where needed; the answer is as "
         "exact as rtol says"},
    {"format", VALUE_MAP, false, AT(CaseSolver, format), .schema = &format_schema,
     .meaning = "of the matrix; see 'sinew list formats'"},
    {"numbering", VALUE_WORD, false, AT(CaseSolver, numbering), .initial = "auto", .words = numbering_words,
     .meaning = "of the nodes inside the solver; results keep the mesh's"}};
/* A direct solve has no preconditioner to choose, and works in double. */
static bool solver_idle(const void *root, const void *map, const char *name) {
  const char *method = ((const CaseSolver *)map)->method.text;
  if (strcmp(name, "preconditioner") == 0) return method && strcmp(method, "direct") == 0;
  return strcmp(name, "precision") == 0 && case_is_direct(root);
}
const Schema case_solver_schema = {SCHEMA("solver", solver_keys, CaseSolver), .idle = solver_idle};

#define TIME_SCHEME(id, name) {name, 0},
#define TIME_SCHEME_OF_STATES(id, name)
static const Word scheme_words[] = {
#include "solver/time/schemes.def"
    {NULL, 0}};
#define TIME_SCHEME_OF_STATES(id, name) {name, 0},
static const Word heart_scheme_words[] = {
#include "solver/time/schemes.def"
    {NULL, 0}};
#undef TIME_SCHEME
static const Key adaptive_keys[] = {
    {"tolerance", VALUE_NUMBER, true, AT(CaseAdaptive, tolerance), .open_min = true, .max = 1, .open_max = true,
     .meaning = "of the error of the whole run, relative to the size of the solution"},
    {"min", VALUE_NUMBER, false, AT(CaseAdaptive, min), .open_min = true, .max = INFINITY, .meaning = "shortest step"},
    {"max", VALUE_NUMBER, false, AT(CaseAdaptive, max), .open_min = true, .max = INFINITY, .meaning = "longest step"}};
const Schema case_adaptive_schema = {SCHEMA("adaptive", adaptive_keys, CaseAdaptive), .optional = true};
/* clang-format off */
#define TIME_KEYS(SCHEME, WORDS, MORE)                                                                                              \
  {"end", VALUE_NUMBER, true, AT(CaseTime, end), .open_min = true, .max = INFINITY, .meaning = "it starts at 0"},     \
      {"step", VALUE_NUMBER, true, AT(CaseTime, step), .open_min = true, .max = INFINITY,                              \
       .meaning = "length of a step, or about that of the first ones when adaptive"},                                  \
      {"scheme", VALUE_WORD, false, AT(CaseTime, scheme), .initial = SCHEME, .words = WORDS,                           \
       .meaning = "of the steps" MORE},                                                                                \
      {"adaptive", VALUE_MAP, false, AT(CaseTime, adaptive), .schema = &case_adaptive_schema,                               \
       .meaning = "steps as long as the tolerance allows"}
/* clang-format on */
static const Key time_keys[] = {TIME_KEYS("backward-euler", scheme_words, "")};
/* Backward Euler makes fronts too fast by several percent at the usual steps (docs/theory/monodomain.md); BDF2 costs
 * the same. */
static const Key heart_time_keys[] = {
    TIME_KEYS("bdf2", heart_scheme_words,
              "; rush-larsen: states of the cells first; rush-larsen-chebyshev: and the potential by explicit stages, "
              "nothing is solved")};
const Schema case_time_schema = {SCHEMA("time", time_keys, CaseTime), .optional = true};
const Schema case_heart_time_schema = {SCHEMA("time", heart_time_keys, CaseTime), .optional = true,
                                       .elsewhere = carp_key};

static const Key cell_steps_keys[] = {
    {"step", VALUE_NUMBER, true, AT(CaseCellSteps, step), .open_min = true, .max = INFINITY,
     .meaning = "ms; the step of the body is a multiple of it"},
    {"scheme", VALUE_WORD, false, AT(CaseCellSteps, scheme), .initial = "bdf2", .words = heart_scheme_words,
     .meaning = "as of a heart alone; cells whose states go first have rush-larsen-chebyshev unless it is given"},
    {"refine", VALUE_INTEGER, false, AT(CaseCellSteps, refine), .initial = "0", .max = 4,
     .meaning = "how often the elements of the body are split for the cells"}};
/* Cells choose a scheme where none is given. */
static bool cell_steps_idle(const void *root, const void *map, const char *name) {
  (void)root;
  return strcmp(name, "scheme") == 0 && !place_given(((const CaseCellSteps *)map)->scheme.place);
}
const Schema case_cell_steps_schema = {SCHEMA("cells", cell_steps_keys, CaseCellSteps), .idle = cell_steps_idle};

static const Key initial_keys[] = {
    {"value", VALUE_EXPR, false, AT(CaseInitial, value), .meaning = "a number or an expression in x, y, z"},
    {"field", VALUE_TEXT, false, AT(CaseInitial, field), .meaning = "data of the mesh, a number on each node"},
    {"image", VALUE_TEXT, false, AT(CaseInitial, image), .meaning = "path of a grey image"},
    {"low", VALUE_NUMBER, false, AT(CaseInitial, low), .meaning = "value of black; 0 unless given"},
    {"high", VALUE_NUMBER, false, AT(CaseInitial, high), .meaning = "value of white; 1 unless given"}};
const Schema case_initial_schema = {SCHEMA("initial", initial_keys, CaseInitial), .plain = "value", .optional = true};

static const Key source_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseSource, on), .meaning = "group or list of groups of elements"},
    {"value", VALUE_EXPR, true, AT(CaseSource, value), .meaning = "per volume and time"}};
const Schema case_source_schema = {SCHEMA("a source entry", source_keys, CaseSource)};

static const Key point_keys[] = {
    {"at", VALUE_NUMBER, true, AT(CasePoint, at), .meaning = "rises from point to point"},
    {"value", VALUE_NUMBER, true, AT(CasePoint, value), .meaning = "of the function there"}};
static const Schema point_schema = {SCHEMA("a point", point_keys, CasePoint)};
static const Key function_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseFunction, name), .meaning = "as expressions call it: quake(t)"},
    {"file", VALUE_TEXT, false, AT(CaseFunction, file),
     .meaning = "path of a table: lines of two numbers, rising in the first"},
    {"points", VALUE_MAPS, false, AT(CaseFunction, points), .schema = &point_schema,
     .meaning = "in place of a file: straight from one to the next, constant outside"}};
const Schema case_function_schema = {SCHEMA("a function", function_keys, CaseFunction)};
