/* Between the files of the case: the kinds of physics, and the keys that their tables share. */
#pragma once
#include "app/input/case.h"
#include "mesh/mesh.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
#define AT(type, member) .offset = offsetof(type, member)

struct Setup;
struct Run;

/* What a physics makes of a case file: its keys, and what they mean together. One per line of case_kinds.def. */
struct CaseKind {
  const char *name;
  const char *region, *regions; /* what an entry of `materials:` and its list are called: "material", "materials" */
  const Schema *schema;
  /* One value against another, beyond what all physics share. */
  void (*check)(Case *c, Complaints *complaints);
  /* Letters behind the name of a sum, one column each: "xyz" makes left-x, left-y, left-z; "" is one column without. */
  const char *(*sum_letters)(const Case *c, const CaseSum *sum);
  const struct CaseKind *with_analysis; /* of a case that has the key `analysis`; NULL: none */
  bool checkpoints;                     /* a run of it can be resumed, and says so itself */
  uint32_t cell_sums;                   /* bit f: field f of a sum is one of elements; else of nodes */
  /* Case against mesh (setup.h), and the whole run (run.h). */
  Status (*bind)(const Case *c, const Mesh *mesh, struct Setup *setup, Complaints *complaints);
  Status (*run)(struct Run *run);
};
#define CASE_KIND(name) extern const CaseKind name##_case;
#include "app/input/case_kinds.def"
#undef CASE_KIND

int case_kind_count(void);
const CaseKind *case_kind(int i);
/* Of the physics that the map `root` names, or would fit best; never NULL. */
const CaseKind *case_kind_of(const Tree *tree, int32_t root);

/* Keys that stand first in the table of every physics, and the solver's. */
extern const Word case_physics_words[];
extern const Word case_model_words[];
extern const Schema case_elastic_material_schema, case_elastic_boundary_schema, case_elastic_body_schema;
extern const Schema case_mesh_schema, case_solver_schema, case_time_schema, case_heart_time_schema, case_initial_schema,
    case_source_schema;
/* clang-format off */
#define CASE_HEAD_KEYS                                                                                                 \
  {"version", VALUE_INTEGER, true, AT(Case, version), .min = 1, .max = 1, .meaning = "of the case format; 1"},         \
      {"title", VALUE_TEXT, false, AT(Case, title), .meaning = "one line for people"},                                 \
      {"units", VALUE_TEXT, false, AT(Case, units), .meaning = "a label that is echoed into the output"},              \
      {"mesh", VALUE_MAP, true, AT(Case, mesh), .schema = &case_mesh_schema, .meaning = "{file: plate.geo}"},          \
      {"physics", VALUE_WORD, true, AT(Case, physics), .words = case_physics_words, .meaning = "elasticity, heat or monodomain"}
/* clang-format on */
/* Keys of every row of expect:, of members of CaseExpect. */
/* clang-format off */
#define CASE_EXPECT_KEYS(quantities)                                                                                   \
  {"probe", VALUE_TEXT, false, AT(CaseExpect, probe), .meaning = "name of a probe"},                                   \
      {"sum", VALUE_TEXT, false, AT(CaseExpect, sum), .meaning = "column of a sum, such as left-reaction-x"},          \
      {"quantity", VALUE_WORD, false, AT(CaseExpect, quantity), .words = quantities, .meaning = "of the whole case"},  \
      {"value", VALUE_NUMBER, true, AT(CaseExpect, value), .meaning = "what is expected"},                             \
      {"rtol", VALUE_NUMBER, false, AT(CaseExpect, rtol), .open_min = true, .max = INFINITY,                           \
       .meaning = "tolerance relative to the value; 1e-6 when neither is given"},                                      \
      {"atol", VALUE_NUMBER, false, AT(CaseExpect, atol), .open_min = true, .max = INFINITY,                           \
       .meaning = "tolerance in the unit of the value"}
/* clang-format on */
/* Words of a probe, in the order that static (PROBE_...) and harmonic elasticity share. */
/* clang-format off */
#define ELASTIC_PROBE_WORDS                                                                                            \
  {"displacement-x", false}, {"displacement-y", false}, {"displacement-z", false}, {"stress-xx", false},               \
      {"stress-yy", false}, {"stress-zz", false}, {"stress-xy", false}, {"stress-yz", false}, {"stress-xz", false},    \
      {"von-mises", false}
/* clang-format on */
/* clang-format off */
#define CASE_SOLVER_KEY                                                                                                \
  {"solver", VALUE_MAP, false, AT(Case, solver), .schema = &case_solver_schema, .meaning = "optional as a whole"}
/* clang-format on */

/* For the checks of a kind: complains where a list of n directions is not as long as the case has directions; nothing
 * where only the mesh knows how many there are. */
void case_check_directions(const Case *c, const char *key, int32_t n, Place place, Complaints *out);
/* Materials and boundary of elasticity. */
void case_check_elastic(Case *c, Complaints *out);
/* All that the tables cannot say, of any physics. */
Status case_check(Case *c, Complaints *complaints);
