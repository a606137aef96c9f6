/* The keys of a case file of elasticity as one table: those of some analyses say which (Key.only). The checks of values
 * against each other are in case_elastic_check.c and, of one analysis, in case_finite.c, case_harmonic.c and the like. A new
 * key is a line here and a member in case.h. */
#include "app/fibers/case_fibers.h"
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/modal.h"
#include "app/input/case_tables.h"
#include "app/input/library.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

/* Bits for Key.only and Word.only, beside those of analysis.h. */
enum {
  STATIC = ANALYSIS_STATIC,
  LOADED = ANALYSIS_STATIC | HAS_MEMORY, /* with the forces of supports */
  RESPONSE = ANALYSIS_HARMONIC | ANALYSIS_TRANSIENT,
  TOUCHES = ANALYSIS_FINITE | ANALYSIS_STEPPED | ANALYSIS_MOTION,
  BOLTED = ANALYSIS_FINITE | ANALYSIS_STEPPED | ANALYSIS_NEWTON_MOTION,
  MOVES = ANALYSIS_TRANSIENT | ANALYSIS_NEWTON_MOTION,
  MODES = HAS_MODES | ANALYSIS_STRESSED,
  NATURAL = ANALYSIS_MODAL | ANALYSIS_STRESSED
};

const Word case_model_words[] = {{"plane-stress", 0}, {"plane-strain", 0}, {"3d", 0}, {"axisymmetric", 0}, {NULL, 0}};

/* Words of other programs. */
static const char *model_meant(const char *text) {
  static const char thin[] =
      "there are no shells, membranes, plates, beams and trusses: 'model: 3d' with 'order: 2' in "
      "'mesh' solves thin bodies as solids (docs/howto/thin-walls.md)",
                    flat[] = "a thin sheet is 'plane-stress', a slice of a long body 'plane-strain'";
  static const struct {
    const char *begin, *meant;
  } rows[] = {{"shell", thin}, {"membrane", thin}, {"plate", thin},
              {"beam", thin},  {"truss", thin},    {"frame", thin},
              {"2d", flat},    {"plane", flat},    {"solid", "did you mean '3d'?"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (!strncmp(text, rows[i].begin, strlen(rows[i].begin)) && !strchr(text, '-')) return rows[i].meant;
  return NULL;
}
static const Word analysis_words[] = {
#define ANALYSIS(NAME, name) {#name, 0},
#define ANALYSIS_OF_STRAIN(NAME, name)
#define ANALYSIS_OF_KEYS(NAME, name)
#include "app/elasticity/analyses.def"
    {NULL, 0}};
static const Word material_words[] = {
#define MATERIAL(name, word, law) {word, 0},
#include "physics/materials.def"
#undef MATERIAL
    {NULL, 0}};
const Word case_formulation_words[] = {
    {"auto", 0}, {"displacement", 0}, {"mean-dilatation", 0}, {"incompatible-modes", 0}, {NULL, 0}};
static const Word strain_words[] = {{"small", 0}, {"finite", 0}, {NULL, 0}};
const Word case_part_words[] = {{"amplitude", 0}, {"phase", 0}, {"real", 0}, {"imaginary", 0}, {NULL, 0}};
enum { SECTIONED = ANALYSIS_STATIC | ANALYSIS_STEPPED };
static const Word sum_words[] = {{"reaction", 0},
                                 {"strain-energy", 0},
                                 {"contact-force", TOUCHES},
                                 {"moment", 0},
                                 {"contact-moment", TOUCHES},
                                 {"section-force", SECTIONED},
                                 {"section-moment", SECTIONED},
                                 {"volume", HAS_CAVITY},
                                 {"pressure", HAS_CAVITY},
                                 {"bolt-force", BOLTED},
                                 {"bolt-elongation", BOLTED},
                                 {NULL, 0}};
static const Word quantity_words[] = {{"unknowns", 0},
                                      {"iterations", 0},
                                      {"rigid-motions", MODES},
                                      {"frequency", NATURAL},
                                      {"participation-x", NATURAL},
                                      {"participation-y", NATURAL},
                                      {"participation-z", NATURAL},
                                      {"effective-mass-x", NATURAL},
                                      {"effective-mass-y", NATURAL},
                                      {"effective-mass-z", NATURAL},
                                      {"load-factor", ANALYSIS_BUCKLING},
                                      {"safety", ANALYSIS_STATIC | HAS_LOAD_STEPS},
                                      {"strain-energy", LOADED},
                                      {"kinetic-energy", ANALYSIS_NEWTON_MOTION},
                                      {"dissipated-energy", HAS_MEMORY},
                                      {"external-work", HAS_MEMORY},
                                      {"steps", HAS_STEPS},
                                      {NULL, 0}};
_Static_assert(COUNT(quantity_words) == N_MODAL_QUANTITIES + 7, "ModalQuantity comes first");
static const Word spacing_words[] = {{"linear", 0}, {"logarithmic", 0}, {"modes", 0}, {NULL, 0}};
static const Word method_words[] = {{"direct", 0}, {"modes", 0}, {NULL, 0}};
static const Word remainder_words[] = {{"static", 0}, {"none", 0}, {NULL, 0}};

static const Key cylinder_keys[] = {
    {"origin", VALUE_VECTOR, true, AT(CaseCylinder, origin), .meaning = "a point of its line"},
    {"axis", VALUE_VECTOR, false, AT(CaseCylinder, axis), .meaning = "direction of its line; z in a flat model"}};
static const Schema cylinder_schema = {SCHEMA("cylinder", cylinder_keys, CaseCylinder), .optional = true};

static const Key axes_keys[] = {
    {"x", VALUE_EXPRS, false, AT(CaseAxes, x), .meaning = "direction of axis 1: numbers or expressions in x, y, z"},
    {"y", VALUE_EXPRS, false, AT(CaseAxes, y),
     .meaning = "a direction in the plane of axes 1 and 2, numbers or expressions"},
    {"field", VALUE_TEXT, false, AT(CaseAxes, field),
     .meaning = "data of the mesh: 3 components are axis 1; 9 on elements are axes 1, 2 and 3"},
    {"cylinder", VALUE_MAP, false, AT(CaseAxes, cylinder), .schema = &cylinder_schema,
     .meaning = "axis 1 away from a line, 2 around it, 3 along it"},
    {"fibers", VALUE_MAP, false, AT(CaseAxes, fibers), .schema = &fibers_schema,
     .meaning = "axis 1 as a heart has it: {rule: ldrb, lv: endo, epi: epi, base: base} gives sheets too"},
    {"sheets", VALUE_MAP, false, AT(CaseAxes, sheets), .schema = &sheets_schema, .meaning = "axis 2 beside fibers"}};
const Schema case_axes_schema = {SCHEMA("axes", axes_keys, CaseAxes), .plain = "field", .optional = true};

static const Key curve_keys[] = {
    {"file", VALUE_TEXT, true, AT(CaseTest, file), .meaning = "lines of strain and stress, a table of two columns"},
    {"of", VALUE_WORD, true, AT(CaseTest, of), .words = case_curve_words,
     .meaning = "of what: engineering, force and elongation over the size before; true, Cauchy stress and logarithm; "
                "plastic, as `yield`"}};
static const Schema curve_schema = {SCHEMA("curve", curve_keys, CaseTest), .optional = true};

/* The keys behind `on`, if any, then a comma. */
#define MATERIAL_KEYS(unless, ...)                                                                                     \
  {"on", VALUE_NAMES, true, AT(CaseMaterial, on), .meaning = "group or list of groups of elements"},                   \
      __VA_ARGS__{"type",                                                                                              \
                  VALUE_WORD,                                                                                          \
                  false,                                                                                               \
                  AT(CaseMaterial, type),                                                                              \
                  .initial = unless,                                                                                   \
                  .words = material_words,                                                                             \
                  .meaning = "law; see 'sinew list materials'"},                                                       \
  {                                                                                                                    \
    "axes", VALUE_MAP, false, AT(CaseMaterial, axes),                                                                  \
        .schema = &case_axes_schema,                                                                                   \
        .meaning = "of a material with directions: {x: [1, 0, 0], y: [0, 1, 0]}; those of the model unless given"      \
  }
#define VISCOSITY_KEY(kinds)                                                                                           \
  {                                                                                                                    \
    "viscosity", VALUE_NUMBER, false, AT(CaseMaterial, viscosity),                                                     \
        .initial = "0", .max = INFINITY, .only = (kinds),                                                              \
        .meaning = "eta of a stress eta dE/dt more, of the rate of Green and Lagrange's strain: stress times time"     \
  }
#define STRESS_KEY(word, k, said)                                                                                      \
  {                                                                                                                    \
    word, VALUE_NUMBER, false, AT(CaseStress, value[k]), .initial = "0", .min = -INFINITY, .max = INFINITY,            \
                                                         VARYING(CaseStress, varying[k]), .meaning = said              \
  }
static const Key stress_keys[] = {
    STRESS_KEY("xx", 0, "stress; a number, an expression of the place, {field: NAME} or {table: FILE.csv, by: region}"),
    STRESS_KEY("yy", 1, "likewise; data on elements may have a component for each of their points"),
    STRESS_KEY("zz", 2, "likewise, of the hoop in an axisymmetric model"),
    STRESS_KEY("xy", 3, "likewise"),
    STRESS_KEY("yz", 4, "likewise"),
    STRESS_KEY("xz", 5, "likewise")};
static const Schema stress_schema = {SCHEMA("initial-stress", stress_keys, CaseStress), .optional = true};
static const Key material_keys[] = {
    MATERIAL_KEYS("isotropic", CASE_LIBRARY_KEY(CaseMaterial), ),
    {"curve", VALUE_MAP, false, AT(CaseMaterial, curve), .schema = &curve_schema,
     .meaning = "of `plastic`, in place of `yield`: a tensile test, {file: steel.csv, of: engineering}"},
    {"strength", VALUE_MAP, false, AT(CaseMaterial, strength), .schema = &case_strength_schema,
     .meaning = "for the field `safety`: {yield: 235}, {tension: 40, compression: 400}, or along axes {X: 1500, Y: 40, "
                "Sxy: 68}"},
    VISCOSITY_KEY(ANALYSIS_NEWTON_MOTION),
    {"initial-stress", VALUE_MAP, false, AT(CaseMaterial, initial), .schema = &stress_schema,
     .only = ANALYSIS_STATIC | HAS_LOAD_STEPS | ANALYSIS_NEWTON_MOTION | ANALYSIS_MODAL | ANALYSIS_STRESSED,
     .meaning = "stress before anything acts, in x, y and z: {xx: 120, yy: \"-40*z\"}; the body comes to rest with it"},
    {"active", VALUE_MAP, false, AT(CaseMaterial, active), .schema = &case_active_schema,
     .only = ANALYSIS_FINITE | ANALYSIS_MOTION, .instead = "'strain: finite' with 'time', where muscle shortens",
     .meaning =
         "muscle that pulls along axis 1: {tension: \"60*t\", form: invariant} or {model: land, calcium: \"..\"}"}};

static const Param *material_params(int32_t kind, int *n) {
  const MaterialType *type = material_type(kind);
  *n = type ? type->n_param : 0;
  return type ? type->param : NULL;
}

static bool material_idle(const void *root, const void *map, const char *name) {
  (void)map;
  return strcmp(name, "thickness") == 0 && case_axisymmetric(root);
}

/* Fibres and sheets of muscle are shown under axes, where they are too. */
static bool muscle_idle(const void *root, const void *map, const char *name) {
  return material_idle(root, map, name) || strcmp(name, "fibers") == 0 || strcmp(name, "sheets") == 0;
}

#define MATERIAL_SCHEMA                                                                                                \
  .chooser = "type", .params = material_params, .params_offset = offsetof(CaseMaterial, value),                        \
  .varying_offset = offsetof(CaseMaterial, varying), .curves_offset = offsetof(CaseMaterial, curves)
/* The materials of the library stand under `name`. */
static const char *material_elsewhere(const char *key) {
  bool named = strcmp(key, "material") == 0;
  for (int i = 0; i < library_count(); ++i) named |= strcmp(key, library_row(i)->word) == 0;
  return named ? "is no key here; a material of the library is 'name: steel'\n  'sinew list library' has all of them"
               : NULL;
}
static const Schema material_schema = {SCHEMA("a material", material_keys, CaseMaterial), MATERIAL_SCHEMA,
                                       .idle = material_idle, .elsewhere = material_elsewhere};

static const Key muscle_keys[] = {
    MATERIAL_KEYS("guccione", ),
    {"fibers", VALUE_MAP, false, AT(CaseMaterial, axes.fibers), .schema = &fibers_schema,
     .meaning =
         "in the place of axes: {rule: ldrb, lv: endo, epi: epi, base: base}, {field: fiber} or {direction: ..}"},
    {"sheets", VALUE_MAP, false, AT(CaseMaterial, axes.sheets), .schema = &sheets_schema, .meaning = "{field: sheet}"},
    VISCOSITY_KEY(0),
    {"tension", VALUE_MAP, false, AT(CaseMaterial, active), .schema = &case_tension_schema,
     .meaning = "that it pulls with along its fibres: {model: land, calcium: \"..\"}, or {value: \"60*t\", form: "
                "invariant}; none unless given"}};
const Schema case_muscle_schema = {SCHEMA("an entry of muscle", muscle_keys, CaseMaterial), MATERIAL_SCHEMA,
                                   .idle = muscle_idle};

static const Key fix_keys[] = {{"x", VALUE_EXPR, false, AT(CaseFix, x), .meaning = "displacement in x"},
                               {"y", VALUE_EXPR, false, AT(CaseFix, y), .meaning = "displacement in y"},
                               {"z", VALUE_EXPR, false, AT(CaseFix, z), .meaning = "displacement in z"}};
/* What nodes of solids do not have. */
static const char *fix_elsewhere(const char *key) {
  return strcmp(key, "rx") && strcmp(key, "ry") && strcmp(key, "rz")
             ? NULL
             : "is a rotation, and nodes of solids have none\n  remedy: leave it out; a group that turns as one has "
               "'rigid: {at: [0, 0, 0], fix: {rx: 0}}' in place of 'fix'";
}
static const char *boundary_elsewhere(const char *key) {
  return strcmp(key, "moment") ? NULL
                               : "is about a point\n  remedy: 'distribute: {at: [0, 0, 0], moment: ..}', or 'rigid' "
                                 "where the group moves as one";
}
static const char *case_elsewhere(const char *key) {
  return strcmp(key, "sections") ? NULL
                                 : "are of shells and beams, which are not available\n  remedy: mesh the solid; "
                                   "docs/howto/thin-walls.md says how";
}
static const Schema case_fix_schema = {SCHEMA("fix", fix_keys, CaseFix), .whole = "all", .elsewhere = fix_elsewhere};

/* What resists velocities acts where there are some, and a volume is prescribed at finite strain. */
#define ACT_KINDS(roles)                                                                                               \
  ((roles)&ACT_VISCOUS ? (uint32_t)(RESPONSE | MOVES | HAS_PUMP) : (roles)&ACT_CAVITY ? (uint32_t)HAS_CAVITY : 0)
static const Key boundary_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseBoundary, on), .meaning = "group or list of groups"},
#define ACT(type, member, value, load, on, roles, schema_, meaning_)                                                   \
  {#member, value, false, AT(CaseBoundary, member), .schema = schema_, .meaning = meaning_, .only = ACT_KINDS(roles)},
#include "app/input/acts.def"
#undef ACT
    {"follower", VALUE_FLAG, false, AT(CaseBoundary, follower),
     .meaning = "of pressure at finite strain: on the facets where they have gone to, as without this key; or not"},
    {"phase", VALUE_NUMBER, false, AT(CaseBoundary, phase), .min = -INFINITY, .max = INFINITY, .only = HAS_FREQUENCIES,
     .meaning = "degrees: the loads and motions of this entry are that much ahead"},
    {"reach", VALUE_NUMBER, false, AT(CaseBoundary, reach),
     .meaning =
         "of a tie or a periodic pair: the largest distance between the surfaces; without it 2.5 % of the size of "
         "the facets there"},
    {"rotate", VALUE_MAP, false, AT(CaseBoundary, rotate), .schema = &case_rotate_schema,
     .meaning = "of a periodic pair: one side is the other one turned: `{origin: [0, 0, 0], axis: [0, 0, 1]}`"},
    {"closes", VALUE_FLAG, false, AT(CaseBoundary, closes),
     .only = ANALYSIS_STATIC | ANALYSIS_FINITE | ANALYSIS_STEPPED | ANALYSIS_STRESSED,
     .meaning = "of a tie: true: gaps and overlaps that the mesh has between the surfaces close, with the stress that "
                "this makes; false: they stay, without stress"}};
const Schema case_elastic_boundary_schema = {SCHEMA("a boundary entry", boundary_keys, CaseBoundary),
                                             .elsewhere = boundary_elsewhere};

static const Word take_words[] = {{"membrane", 0}, {"bending", 0}, {"membrane-bending", 0}, {"peak", 0}, {NULL, 0}};
static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"field", VALUE_WORD, true, AT(CaseProbe, field), .words = elastic_probe_words, .hides = elastic_word_hides,
     .meaning = "displacement-x, stress-xx, ..."},
    {"part", VALUE_WORD, false, AT(CaseProbe, part), .initial = "amplitude", .words = case_part_words,
     .only = HAS_FREQUENCIES, .meaning = "amplitude, phase (degrees), real or imaginary"},
    {"to", VALUE_VECTOR, false, AT(CaseProbe, to), .only = ANALYSIS_STATIC,
     .meaning = "the other end of a line through a wall, whose stress is linearised"},
    {"take", VALUE_WORD, false, AT(CaseProbe, take), .words = take_words, .only = ANALYSIS_STATIC,
     .meaning = "of the stress along the line, at its start"}};
const Schema case_elastic_probe_schema = {SCHEMA("a probe", probe_keys, CaseProbe)};

static const Key cut_keys[] = {
    {"at", VALUE_VECTOR, true, AT(CaseCut, at), .meaning = "a point of the plane; section-moment is about it"},
    {"normal", VALUE_VECTOR, true, AT(CaseCut, normal),
     .meaning = "across the plane; what lies ahead acts on what lies behind"}};
static const Schema cut_schema = {SCHEMA("a cut", cut_keys, CaseCut), .optional = true};
static const Key sum_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseSum, name), .meaning = "start of its columns in probes.csv"},
    {"on", VALUE_NAMES, true, AT(CaseSum, on), .meaning = "group or list of groups"},
    {"field", VALUE_WORD, true, AT(CaseSum, field), .words = sum_words,
     .meaning = "reaction or strain-energy; moment of the reactions; force or moment through a cut; volume or pressure "
                "of a cavity whose volume is prescribed"},
    {"about", VALUE_VECTOR, false, AT(CaseSum, about), .meaning = "the point that a moment is about"},
    {"cut", VALUE_MAP, false, AT(CaseSum, cut), .schema = &cut_schema, .only = SECTIONED,
     .meaning = "of a section: {at: [1, 0, 0], normal: [1, 0, 0]}"}};
const Schema case_elastic_sum_schema = {SCHEMA("a sum", sum_keys, CaseSum)};

#define FIELDS_KEY(initial_, only_)                                                                                    \
  {                                                                                                                    \
    "fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = initial_, .words = elastic_field_words,           \
                                                          .hides = elastic_word_hides, .only = only_,                  \
                                                          .meaning = "written to results.hdf"                          \
  }
static const Key output_keys[] = {
    {"every", VALUE_NUMBER, false, AT(CaseOutput, every), .open_min = true, .max = INFINITY, .only = HAS_STEPS,
     .meaning = "time between stored steps; each step of fixed ones, the longest of adaptive ones unless given"},
    {"checkpoint", VALUE_NUMBER, false, AT(CaseOutput, checkpoint), .open_min = true, .max = INFINITY,
     .only = HAS_STEPS, .meaning = "time between checkpoints"},
    {"peaks", VALUE_FLAG, false, AT(CaseOutput, peaks), .initial = "false", .only = HAS_STEPS,
     .meaning = "the largest displacement and stress and the smallest safety factor of all steps, stored or not, and "
                "rows of probes.csv for all"},
    FIELDS_KEY("[displacement, stress, von-mises]", ANALYSIS_STATIC | ANALYSIS_STEPPED | ANALYSIS_MOVING),
    FIELDS_KEY("[displacement, cauchy, von-mises]", ANALYSIS_FINITE | ANALYSIS_MOTION),
    FIELDS_KEY("[displacement]", RESPONSE | HAS_MODES),
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &case_elastic_probe_schema,
     .meaning = "values at points"},
    {"sums", VALUE_MAPS, false, AT(CaseOutput, sums), .schema = &case_elastic_sum_schema, .only = LOADED,
     .meaning = "totals over groups"},
    {"tables", VALUE_MAPS, false, AT(CaseOutput, tables), .schema = &case_elastic_table_schema,
     .only = LOADED | RESPONSE,
     .meaning = "numbers of groups as text; of vibrations the real, then the imaginary part"},
    {"directions", VALUE_MAPS, false, AT(CaseOutput, directions), .schema = &case_directions_schema,
     .only = LOADED | RESPONSE, .meaning = "what tables with 'local: true' are in"},
    CASE_LOOP_KEYS,
    CASE_OUTPUT_STORAGE_KEYS};
const Schema case_elastic_output_schema = {SCHEMA("output", output_keys, CaseOutput)};

static const Key expect_keys[] = {{"probe", VALUE_TEXT, false, AT(CaseExpect, probe), .meaning = "name of a probe"},
                                  {"sum", VALUE_TEXT, false, AT(CaseExpect, sum), .only = LOADED,
                                   .meaning = "column of a sum, such as left-reaction-x"},
                                  CASE_EXPECT_VALUE_KEYS(quantity_words),
                                  {"load-case", VALUE_TEXT, false, AT(CaseExpect, load_case), .only = STATIC,
                                   .meaning = "name of a load case, combination or envelope; the last unless given"},
                                  {"time", VALUE_NUMBER, false, AT(CaseExpect, time), .max = INFINITY,
                                   .only = HAS_STEPS, .meaning = "when; the end unless given"},
                                  {"frequency", VALUE_NUMBER, false, AT(CaseExpect, frequency), .max = INFINITY,
                                   .only = HAS_FREQUENCIES, .meaning = "at which one, Hz; the last unless given"},
                                  {"mode", VALUE_INTEGER, false, AT(CaseExpect, mode), .min = 1, .max = EIGEN_MOST,
                                   .only = MODES, .meaning = "of which mode; the last unless given"}};
const Schema case_elastic_expect_schema = {SCHEMA("an expect row", expect_keys, CaseExpect)};

static const Key frequency_keys[] = {
    {"at", VALUE_NAMES, false, AT(CaseFrequency, at), .meaning = "one number or a rising list, Hz"},
    {"from", VALUE_NUMBER, false, AT(CaseFrequency, from), .max = INFINITY, .meaning = "first of a sweep, Hz"},
    {"to", VALUE_NUMBER, false, AT(CaseFrequency, to), .open_min = true, .max = INFINITY,
     .meaning = "last of a sweep, Hz"},
    {"count", VALUE_INTEGER, false, AT(CaseFrequency, count), .min = 2, .max = 100000,
     .meaning = "frequencies of a sweep, both ends counted; with spacing modes between two natural frequencies"},
    {"spacing", VALUE_WORD, false, AT(CaseFrequency, spacing), .initial = "linear", .words = spacing_words,
     .meaning = "of a sweep: linear, logarithmic, or modes: close together at natural frequencies"},
    {"bias", VALUE_NUMBER, false, AT(CaseFrequency, bias), .min = 1, .max = INFINITY,
     .meaning = "with spacing modes, how much closer there, 3 unless given; 1: not at all"}};
static const Schema frequency_schema = {SCHEMA("frequency", frequency_keys, CaseFrequency), .plain = "at"};

/* Damping of one frequency, or of one mode. */
#define LINEAR_DAMPING                                                                                                 \
  .only = RESPONSE,                                                                                                    \
  .instead = "alpha, beta or 'dashpot' on facets; in linear motion, at small strains and without 'steps', it goes"
static const Key damping_keys[] = {{"loss-factor", VALUE_NUMBER, false, AT(CaseDamping, loss_factor), .initial = "0",
                                    .max = INFINITY, LINEAR_DAMPING, .meaning = "structural: K (1 + i loss-factor)"},
                                   {"alpha", VALUE_NUMBER, false, AT(CaseDamping, alpha), .initial = "0",
                                    .max = INFINITY, .meaning = "Rayleigh: i omega alpha M, 1/s"},
                                   {"beta", VALUE_NUMBER, false, AT(CaseDamping, beta), .initial = "0", .max = INFINITY,
                                    .meaning = "Rayleigh: i omega beta K, s"},
                                   {"ratio", VALUE_NAMES, false, AT(CaseDamping, ratio), LINEAR_DAMPING,
                                    .meaning = "share of critical damping, with method modes: one for all, or a list "
                                               "of those of mode 1, 2, ..."}};
static const Schema damping_schema = {SCHEMA("damping", damping_keys, CaseDamping), .plain = "loss-factor"};

static const Key analysis_keys[] = {
    {"type", VALUE_WORD, true, AT(CaseAnalysis, type), .words = analysis_words,
     .meaning = "static (as without 'analysis:'), harmonic, modal, buckling or transient"},
    {"frequency", VALUE_MAP, true, AT(CaseAnalysis, frequency), .schema = &frequency_schema, .only = HAS_FREQUENCIES,
     .meaning = "Hz: a number, a rising list, or {from: 10, to: 100, count: 91}"},
    {"rho-infinity", VALUE_NUMBER, false, AT(CaseAnalysis, rho_infinity), .initial = "0.8", .max = 1, .only = MOVES,
     .meaning = "fraction of much faster vibrations that a step leaves: 1 all, 0 none"},
    {"hht", VALUE_NUMBER, false, AT(CaseAnalysis, hht), .min = -1. / 3, .max = 0, .only = MOVES,
     .meaning =
         "in place of rho-infinity: steps by the method of Hilber, Hughes and Taylor with this alpha, as in CalculiX"},
    {"method", VALUE_WORD, false, AT(CaseAnalysis, method), .initial = "direct", .words = method_words,
     .only = RESPONSE, .meaning = "direct, a solve for each frequency or step, or modes: by the lowest of them"},
    {"modes", VALUE_INTEGER, true, AT(CaseAnalysis, modes), .min = 1, .max = EIGEN_MOST, .only = MODES,
     .meaning = "how many, from the lowest elastic one or load factor on"},
    {"modes", VALUE_INTEGER, false, AT(CaseAnalysis, modes), .min = 1, .max = EIGEN_MOST, .only = RESPONSE,
     .meaning = "how many, with method modes"},
    {"remainder", VALUE_WORD, false, AT(CaseAnalysis, remainder), .words = remainder_words, .only = RESPONSE,
     .meaning = "what the other modes do: static, as if at rest (so unless given), or none"},
    {"damping", VALUE_MAP, false, AT(CaseAnalysis, damping), .schema = &damping_schema, .only = RESPONSE | MOVES,
     .meaning = "{alpha: 1, beta: 1e-5}, with method modes {ratio: 0.01}; of vibrations {loss-factor: 0.02} too"},
    {"diameters", VALUE_NAMES, false, AT(CaseAnalysis, diameters), .only = ANALYSIS_MODAL,
     .meaning = "of a sector: how many nodal diameters modes have, [0, 1, 2], `modes` for each; none: 0"},
    {"prestress", VALUE_FLAG, false, AT(CaseAnalysis, prestress), .initial = "false", .only = NATURAL,
     .meaning = "modes of the body under the stress of the loads"}};
static bool analysis_idle(const void *root, const void *map, const char *name) {
  (void)map;
  return strcmp(name, "rho-infinity") == 0 && case_by_modes(root);
}
static const Schema analysis_schema = {SCHEMA("analysis", analysis_keys, CaseAnalysis), .optional = true,
                                       .idle = analysis_idle};

static const Key initial_keys[] = {
    {"displacement", VALUE_EXPRS, false, AT(CaseInitial, displacement),
     .meaning = "[x, y, z], expressions of the place"},
    {"velocity", VALUE_EXPRS, false, AT(CaseInitial, velocity), .meaning = "[x, y, z], expressions of the place"},
    {"velocity-field", VALUE_TEXT, false, AT(CaseInitial, field),
     .meaning = "in place of velocity: data of the mesh on nodes, of three components"}};
static const Schema initial_schema = {SCHEMA("initial", initial_keys, CaseInitial), .optional = true};

#define LIMIT_KEYS                                                                                                       \
  {"min", VALUE_NUMBER, false, AT(CaseAdaptive, min), .open_min = true, .max = INFINITY, .meaning = "shortest step"},    \
      {"max", VALUE_NUMBER, false, AT(CaseAdaptive, max), .open_min = true, .max = INFINITY, .meaning = "longest step"}, \
      {"strain",                                                                                                         \
       VALUE_NUMBER,                                                                                                     \
       false,                                                                                                            \
       AT(CaseAdaptive, strain),                                                                                         \
       .open_min = true,                                                                                                 \
       .max = 1,                                                                                                         \
       .meaning = "most plastic strain that a step may add at a point, such as 2e-3"},                                   \
  {                                                                                                                      \
    "cut", VALUE_FLAG, false, AT(CaseAdaptive, cut),                                                                     \
        .meaning = "false, or adaptive: false: all steps have the length of step, and one that fails ends the run"       \
  }
static const Key adaptive_keys[] = {LIMIT_KEYS};
static const Key motion_adaptive_keys[] = {
    LIMIT_KEYS,
    {"tolerance", VALUE_NUMBER, false, AT(CaseAdaptive, tolerance), .open_min = true, .max = 1, .open_max = true,
     .meaning = "with inertia: of the error of all steps, relative to the size of the solution"}};
const Schema case_load_adaptive_schema = {SCHEMA("adaptive", adaptive_keys, CaseAdaptive), .plain = "cut",
                                          .optional = true};
const Schema case_motion_adaptive_schema = {SCHEMA("adaptive", motion_adaptive_keys, CaseAdaptive), .plain = "cut",
                                            .optional = true};
static const Key time_keys[] = {
    {"end", VALUE_NUMBER, true, AT(CaseTime, end), .open_min = true, .max = INFINITY, .meaning = "it starts at 0"},
    {"step", VALUE_NUMBER, true, AT(CaseTime, step), .open_min = true, .max = INFINITY,
     .meaning = "length of a step, or about that of the first ones when adaptive"},
    {"adaptive", VALUE_MAP, false, AT(CaseTime, adaptive), .schema = &case_adaptive_schema, .only = MOVES,
     .meaning = "steps as long as the tolerance allows"},
    {"adaptive", VALUE_MAP, false, AT(CaseTime, adaptive), .schema = &case_load_adaptive_schema, .only = HAS_LOAD_STEPS,
     .meaning = "steps as long as Newton's method converges quickly; unless given, those of step, cut where it fails; "
                "false: never cut"}};
static const Schema time_schema = {SCHEMA("time", time_keys, CaseTime)};
const Schema case_load_time_schema = {SCHEMA("time", time_keys, CaseTime), .optional = true};

#define LOAD_CASES .only = STATIC, .instead = "a case file of its own for each set of loads"
static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"model", VALUE_WORD, true, AT(Case, model), .words = case_model_words, .meant = model_meant,
     .meaning = "plane-stress, plane-strain, 3d or axisymmetric"},
    {"strain", VALUE_WORD, false, AT(Case, strain), .initial = "small", .words = strain_words,
     .meaning = "small: displacements do not change the body; finite: they may be large, in steps of 'time:'"},
    {"formulation", VALUE_WORD, false, AT(Case, formulation), .initial = "auto", .words = case_formulation_words,
     .meaning =
         "displacement; incompatible-modes, of quad4 and hex8 that bend; mean-dilatation, where a material nearly "
         "keeps its volume; auto"},
    {"analysis", VALUE_MAP, false, AT(Case, analysis), .schema = &analysis_schema,
     .meaning = "{type: modal, modes: 10}; static without this key"},
    {"materials", VALUE_MAPS, true, AT(Case, materials), .schema = &material_schema, .meaning = "a list"},
    {"boundary", VALUE_MAPS, false, AT(Case, boundary), .schema = &case_elastic_boundary_schema,
     .meaning = "supports and loads"},
    {"body", VALUE_MAPS, false, AT(Case, body), .schema = &case_elastic_body_schema, .meaning = "forces on volumes"},
    {"thermal", VALUE_MAP, false, AT(Case, thermal), .schema = &case_thermal_schema,
     .only = STATIC | HAS_LOAD_STEPS | HAS_MODES | ANALYSIS_NEWTON_MOTION,
     .instead = "a static case of its own; where all is linear and strains are small what it finds adds to this",
     .meaning = "{reference: 20, temperature: 120}"},
    {"equations", VALUE_MAPS, false, AT(Case, equations), .schema = &case_equation_schema,
     .meaning = "between displacements of nodes"},
    {"springs", VALUE_MAPS, false, AT(Case, springs), .schema = &case_spring_schema,
     .meaning = "between two nodes, or one and the ground"},
    {"contact", VALUE_MAPS, false, AT(Case, contact), .schema = &case_contact_schema, .only = TOUCHES,
     .instead = "a static case, where what is closed is a result; or 'symmetry' or 'fix' where a surface stays closed",
     .meaning = "surfaces that may touch rigid obstacles or other bodies"},
    {"bolts", VALUE_MAPS, false, AT(Case, bolts), .schema = &case_bolt_schema, .only = BOLTED,
     .instead = "a static case, where a preload is a load of steps",
     .meaning = "preloads by cuts through shanks: {on: shank_cut, axis: [0, 0, 1], preload: 5e4, lock: 1}"},
    {"load-cases", VALUE_MAPS, false, AT(Case, load_cases), .schema = &case_load_case_schema, LOAD_CASES,
     .meaning = "loads that are solved for one after the other, with one stiffness"},
    {"combinations", VALUE_MAPS, false, AT(Case, combinations), .schema = &case_combination_schema, LOAD_CASES,
     .meaning = "sums of load cases, each times a factor"},
    {"envelopes", VALUE_MAPS, false, AT(Case, envelopes), .schema = &case_envelope_schema, LOAD_CASES,
     .meaning = "the worst of several load cases and combinations, at each node"},
    {"initial", VALUE_MAP, false, AT(Case, initial), .schema = &initial_schema, .only = MOVES,
     .meaning = "{displacement: [0, 0, 0], velocity: [0, 0, -1]}; at rest unless given"},
    {"time", VALUE_MAP, true, AT(Case, time), .schema = &time_schema, .only = ANALYSIS_TRANSIENT,
     .meaning = "{end: 1, step: 0.01}"},
    {"time", VALUE_MAP, false, AT(Case, single), .schema = &case_load_time_schema, .only = HAS_MEMORY,
     .meaning = "{end: 1, step: 0.01}; or there are 'steps'"},
    {"steps", VALUE_MAPS, false, AT(Case, steps), .schema = &case_step_schema, .only = HAS_MEMORY,
     .meaning = "one after the other: what acts changes from one to the next"},
    CASE_SOLVER_KEY,
    {"adapt", VALUE_MAP, false, AT(Case, adapt), .schema = &case_adapt_schema, .only = STATIC | ANALYSIS_STEPPED,
     .instead = "'mesh: {file: .., size: ..}', or a geometry whose sizes a static case of the same part has found",
     .meaning = "{energy: 0.02}: passes on meshes that follow the error"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &case_elastic_output_schema,
     .meaning = "fields, probes, sums"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &case_elastic_expect_schema,
     .meaning = "rows for 'sinew verify'"}};
const Schema elasticity_schema = {SCHEMA("the case", case_keys, Case), .elsewhere = case_elsewhere};
