/* Between the files of the case: the keys that the tables of all physics share. */
#pragma once
#include "app/input/carp_names.h"
#include "app/input/library.h"
#include "app/input/physics.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
#define AT(type, member) .offset = offsetof(type, member)
#define VARYING(type, member) .varying = offsetof(type, member)
/* What every Schema says. */
#define SCHEMA(what_, keys, type) .what = what_, .n = COUNT(keys), .key = keys, .size = sizeof(type)

/* Keys that stand first in the table of every physics, and the solver's. */
extern const Word physics_words[];
/* case_steps.c: Case.time, from `time` or from the steps, which are checked. */
void case_fill_time(Case *c, Diagnostics *out);
/* case_check.c: of a run, or a step, that ends there and begins with steps of that length. */
void case_check_adaptive(const CaseAdaptive *adaptive, double step, double end, Diagnostics *out);
extern const Schema case_mesh_schema, case_solver_schema, case_time_schema, case_heart_time_schema,
    case_adaptive_schema, case_cell_steps_schema, case_initial_schema, case_source_schema, case_function_schema,
    case_adapt_schema;
/* case_adapt.c: what holds in each physics that has it. */
void case_check_adapt(const Case *c, Diagnostics *out);
/* clang-format off */
#define CASE_TITLE_KEYS                                                                                                \
  {"version", VALUE_INTEGER, true, AT(Case, version), .min = 1, .max = 1, .meaning = "of the case format; 1"},         \
      {"title", VALUE_TEXT, false, AT(Case, title), .meaning = "one line for people"},                                 \
      {"units", VALUE_TEXT, false, AT(Case, units), .meaning = "a label that is echoed into the output"}
#define CASE_PHYSICS_KEY                                                                                               \
  {"physics", VALUE_WORD, true, AT(Case, physics_word), .words = physics_words, .meaning = "elasticity, heat, monodomain, eikonal or electromechanics"}
#define CASE_HEAD_KEYS                                                                                                 \
  CASE_TITLE_KEYS,                                                                                                     \
      {"mesh", VALUE_MAP, true, AT(Case, mesh), .schema = &case_mesh_schema, .meaning = "{file: plate.geo}"},          \
      {"functions", VALUE_MAPS, false, AT(Case, functions), .schema = &case_function_schema, .meaning = "of one number, by their points, that expressions may call"}, \
      CASE_PHYSICS_KEY
/* clang-format on */
/* Keys of every row of expect:, of members of CaseExpect. */
/* clang-format off */
#define CASE_EXPECT_KEYS(quantities)                                                                                   \
  {"probe", VALUE_TEXT, false, AT(CaseExpect, probe), .meaning = "name of a probe"},                                   \
      {"sum", VALUE_TEXT, false, AT(CaseExpect, sum), .meaning = "column of a sum, such as left-reaction-x"},          \
      CASE_EXPECT_VALUE_KEYS(quantities)
#define CASE_EXPECT_VALUE_KEYS(quantities)                                                                             \
  {"quantity", VALUE_WORD, false, AT(CaseExpect, quantity), .words = quantities, .meaning = "of the whole case"},      \
      {"value", VALUE_NUMBER, true, AT(CaseExpect, value), .meaning = "what is expected"},                             \
      {"rtol", VALUE_NUMBER, false, AT(CaseExpect, rtol), .open_min = true, .max = INFINITY,                           \
       .meaning = "tolerance relative to the value; 1e-6 when neither is given"},                                      \
      {"atol", VALUE_NUMBER, false, AT(CaseExpect, atol), .open_min = true, .max = INFINITY,                           \
       .meaning = "tolerance in the unit of the value"}
/* clang-format on */
/* Of a material that the library may give. */
/* clang-format off */
#define CASE_LIBRARY_KEY(type)                                                                                         \
  {"name", VALUE_WORD, false, AT(type, name), .words = library_words,                                                  \
   .meaning = "of the library, whose figures stand for parameters that are not given; see 'sinew list library'"}
/* clang-format on */
/* Keys of every row of output.tables. */
/* clang-format off */
#define CASE_TABLE_KEYS(words_)                                                                                        \
  {"on", VALUE_NAMES, true, AT(CaseTable, on), .meaning = "group or list of groups"},                                  \
      {"field", VALUE_WORD, true, AT(CaseTable, field), .words = words_, .meaning = "what it lists"}
/* clang-format on */
/* Of tables of what does not go in time. */
/* clang-format off */
#define CASE_TABLE_TIME_KEY                                                                                            \
  {"time", VALUE_NUMBER, false, AT(CaseTable, time), .max = INFINITY,                                                  \
   .meaning = "in its head; the number of the step unless given"}
/* clang-format on */
/* How results.hdf stores: members of CaseOutput. */
extern const Word output_precision_words[], output_compression_words[];
/* clang-format off */
#define CASE_OUTPUT_STORAGE_KEYS                                                                                       \
  {"precision", VALUE_WORD, false, AT(CaseOutput, precision), .initial = "double", .words = output_precision_words,    \
   .meaning = "of the numbers of fields in results.hdf: double or single"},                                            \
      {"compression", VALUE_WORD, false, AT(CaseOutput, compression), .initial = "none",                               \
       .words = output_compression_words, .meaning = "of results.hdf: none or fast"}
/* clang-format on */
/* clang-format off */
#define CASE_SOLVER_KEY                                                                                                \
  {"solver", VALUE_MAP, false, AT(Case, solver), .schema = &case_solver_schema, .meaning = "optional as a whole"}
/* clang-format on */

/* For the checks of a kind: an error where a list of n directions is not as long as the case has directions; nothing
 * where only the mesh knows how many there are. */
/* NULL: no probe has that name. */
const CaseProbe *case_probe_named(const Case *c, const char *name);
void case_check_directions(const Case *c, const char *key, int32_t n, Place place, Diagnostics *out);
/* case_functions.c: the names of `functions:`, before anything is read; then their points. */
Status case_functions_name(Case *c, int32_t root);
Status case_functions_fill(Case *c, Diagnostics *diagnostics);
/* Lines of two numbers of a file, the first of which rises, into table->at and table->value, owned by the caller; none where what is
 * wrong was reported. */
Status case_table_read(Case *c, const TextValue *file, ExprTable *table, Diagnostics *diagnostics);
/* Of those that no expression calls. */
void case_functions_warn(const Case *c);
void case_functions_release(Case *c);
/* The bytes of a file that the case names, owned by the caller; what is wrong with it is told and leaves NULL. */
Status case_file_bytes(const Case *c, const TextValue *file, char **bytes, size_t *n, Diagnostics *diagnostics);
/* Tables by regions become part of what the case is known by. */
Status case_tables_note(Case *c, Diagnostics *diagnostics);
/* All that the tables cannot say, of any physics. */
Status case_check(Case *c, Diagnostics *diagnostics);
/* One more file that the case names, as it was read: to files_hash. */
void case_note(Case *c, const void *bytes, size_t n);
/* What units in the file of a model do, in the order of ImportUnits from 1. */
extern const Word model_units_words[];
