#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/case_elasticity.h"
#include "app/run/ranks.h"
#include "physics/material.h"
#include "physics/material_kernels.h"

#include <string.h>

/* The bits of the analyses in which a column of fields.def says so. */
#define FIELD_KINDS(WHAT, statics, finite, transient, vibration, stepped)                                              \
  (WHAT##_##statics * ANALYSIS_STATIC | WHAT##_##finite * (ANALYSIS_FINITE | ANALYSIS_MOTION) |                        \
   WHAT##_##transient * (ANALYSIS_TRANSIENT | ANALYSIS_NEWTON_MOTION) |                                                \
   WHAT##_##vibration * (ANALYSIS_HARMONIC | HAS_MODES) | WHAT##_##stepped * (ANALYSIS_STEPPED | ANALYSIS_MOVING))
#define ONLY_WORD(word, only) {word, (only) ? (uint32_t)(only) : KIND_NONE},
#define STATES_OF_BLOCK(name)
#define STATES_OF_LINEAR(name)
#define STATES_OF_POINT(name) name##_states(STATE)
#define MATERIAL(name, word, law) STATES_OF_##law(name)
const Word elastic_field_words[] = {
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, ...)                                                  \
  ONLY_WORD(word, FIELD_KINDS(FIELD_WORD, __VA_ARGS__))
#define ELASTIC_ALIAS(NAME, of, word, parts, unit, ...) ONLY_WORD(word, FIELD_KINDS(FIELD_WORD, __VA_ARGS__))
#include "assembly/elasticity/fields.def"
#define STATE(word, meaning, unit, initial) {word, HAS_MEMORY},
#include MATERIALS_DEF
    active_states(STATE)
#undef STATE
#define STATE(word, meaning, unit, initial) {"element-" word, HAS_MEMORY},
#include MATERIALS_DEF
        active_states(STATE)
#undef STATE
#define STATE(word, meaning, unit, initial) {"point-" word, HAS_MEMORY},
#include MATERIALS_DEF
            active_states(STATE)
#undef STATE
#define WORD_FIELDS HAS_CELLS
#define WORD_WALLS HAS_PUMP
#define WORD_MAPS 0
#define WORD_PEAKS 0
#define CELL(word, unit, of) ONLY_WORD(word, WORD_##of)
                cell_fields(CELL)
#undef CELL
                    {NULL, 0}};
const Word elastic_map_words[] = {
#define IS_FIELDS(word)
#define IS_WALLS(word)
#define IS_MAPS(word) {word, HAS_CELLS},
#define IS_PEAKS(word) {word, HAS_PUMP},
#define CELL(word, unit, of) IS_##of(word)
    cell_fields(CELL)
#undef CELL
        {NULL, 0}};
const Word elastic_probe_words[] = {
#define ELASTIC_FIELD(NAME, m, word, where, parts, unit, linear, ...)                                                  \
  FIELD_##parts(word, ONLY_WORD, FIELD_KINDS(FIELD_PROBE, __VA_ARGS__))
#define ELASTIC_ALIAS(NAME, of, word, parts, unit, ...)                                                                \
  FIELD_##parts(word, ONLY_WORD, FIELD_KINDS(FIELD_PROBE, __VA_ARGS__))
#include "assembly/elasticity/fields.def"
#define STATE(word, meaning, unit, initial) {word, HAS_MEMORY},
#include MATERIALS_DEF
    active_states(STATE)
#undef STATE
#define PROBE_FIELDS HAS_CELLS
#define PROBE_WALLS HAS_PUMP
#define PROBE_MAPS HAS_CELLS
#define PROBE_PEAKS HAS_PUMP
#define CELL(word, unit, of) {word, PROBE_##of},
        cell_fields(CELL)
#undef CELL
            {NULL, 0}};

static bool is_word(const Case *c, int32_t k) { return kind_has(c->physics->kind, elastic_field_words[k].only); }

bool elastic_field_asked(const Case *c, int32_t field) { return words_have(&c->output.fields, field); }

FieldBits elastic_fields_asked(const Case *c) {
  FieldBits which = 0;
  for (int32_t k = 0; k < elastic_field_rows(); ++k)
    if (elastic_field_asked(c, k)) which |= FIELD_BIT(elastic_field[k].of);
  return which;
}

FieldPart elastic_probe(const Case *c, int32_t i) {
  const char *word = case_probe(c, i)->field.text; /* NULL: none that is known, which has been said */
  return word ? field_part(elastic_field, elastic_field_rows(), word) : (FieldPart){-1, 0};
}

/* Of maps, which are the last rows, in the order of elastic_map_words. */
static bool map_asked(const Case *c, int32_t k) {
  const int32_t map = k - elastic_cell_row() - CELL_ACTIVATION;
  return map >= 0 && words_have(&c->output.cell_maps, map);
}

static bool probe_asks(const Case *c, int32_t k) {
  bool asks = false;
  for (int32_t i = 0; i < c->output.probes.n; ++i) asks = asks || elastic_probe(c, i).row == k;
  return asks;
}

bool elastic_state_asked(const Case *c, int32_t k) {
  return (k >= N_ELASTIC_FIELDS && (elastic_field_asked(c, k) || map_asked(c, k))) || probe_asks(c, k);
}

/* Of a field of states: the state that it lists at nodes, elements or points. */
static const char *state_of(const char *word) {
  static const char *const where[] = {"element-", "point-"};
  for (int i = 0; i < 2; ++i)
    if (strncmp(word, where[i], strlen(where[i])) == 0) return word + strlen(where[i]);
  return word;
}

const char *elastic_state_word(int32_t k) { return state_of(elastic_field[k].word); }

bool elastic_walls_asked(const Case *c) {
  bool asked = false;
  for (int32_t k = CELL_CIRCUMFERENTIAL; k <= CELL_RADIAL; ++k)
    asked |= elastic_has(c, HAS_PUMP) && elastic_state_asked(c, elastic_cell_row() + k);
  return asked;
}

bool elastic_peaks_asked(const Case *c) {
  bool asked = false;
  for (int32_t k = CELL_PEAK_STRETCH; k <= CELL_PEAK_TENSION_TIME; ++k)
    asked |= elastic_has(c, HAS_PUMP) && elastic_state_asked(c, elastic_cell_row() + k);
  return asked;
}

static bool is_of_contact(const char *word) { return strncmp(word, "contact-", strlen("contact-")) == 0; }

bool elastic_word_hides(const Tree *tree, const char *word) {
  const char *const state = state_of(word);
  bool of_some = is_of_contact(word), own = false;
  for (int kind = 0; kind < material_count(); ++kind) of_some = of_some || material_state(kind, state) >= 0;
  const bool of_muscle = elasticity_active_state(state) >= 0;
  for (int32_t i = 0; i < tree->n && !own; ++i) {
    const TreeNode *node = &tree->node[i];
    const int kind = node->text ? material_by_name(node->text) : -1;
    const char *key = node->key ? node->key : "", *text = node->text ? node->text : "";
    own = (kind >= 0 && material_state(kind, state) >= 0) ||
          (of_muscle && (strcmp(key, "active") == 0 || strcmp(text, "electromechanics") == 0)) ||
          (is_of_contact(word) && strcmp(key, "contact") == 0);
  }
  return (of_some || of_muscle) && !own;
}

/* Where row k is asked for: by a probe, or among the fields. */
static Place asked_at(const Case *c, int32_t k) {
  Place place = c->output.fields.place;
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    if (elastic_probe(c, i).row == k) place = case_probe(c, i)->field.place;
  return place;
}

static void check_contact_fields(const Case *c, Diagnostics *out) {
  for (int32_t k = 0; k < N_ELASTIC_FIELDS && case_contacts(c) == 0; ++k)
    if (is_of_contact(elastic_field[k].word) && (elastic_field_asked(c, k) || probe_asks(c, k)))
      report_error(out, asked_at(c, k), "%s: nothing opens or closes in this case, %s\n  remedy: leave it out",
                   elastic_field[k].word,
                   place_given(c->contact.place) ? "all of whose 'contact:' is tied" : "which has no 'contact:'");
}

void case_check_states(const Case *c, Diagnostics *out) {
  check_contact_fields(c, out);
  for (int32_t k = N_ELASTIC_FIELDS; k < elastic_cell_row(); ++k) {
    bool found = false;
    for (int32_t m = 0; m < c->materials.n; ++m)
      found = found || material_state(case_material(c, m)->type.value, elastic_state_word(k)) >= 0 ||
              (case_material(c, m)->active.model.text && elasticity_active_state(elastic_state_word(k)) >= 0);
    if (!found && elastic_state_asked(c, k))
      report_error(out, asked_at(c, k), "%s: no material of this case has the state '%s'\n  remedy: leave it out",
                   elastic_field[k].word, elastic_state_word(k));
  }
}

FieldBits elastic_probes_need(const Case *c) {
  FieldBits which = 0;
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    which |= FIELD_BIT(elastic_field[elastic_probe(c, i).row].of) | (case_probe(c, i)->to.n ? FIELD_STRESS : 0);
  return which;
}

static UnitKind column_kind(const Case *c, int32_t i) {
  static const UnitKind of_sum[] = {
      [SUM_REACTION] = UNIT_FORCE,        [SUM_STRAIN_ENERGY] = UNIT_ENERGY,  [SUM_CONTACT_FORCE] = UNIT_FORCE,
      [SUM_MOMENT] = UNIT_MOMENT,         [SUM_CONTACT_MOMENT] = UNIT_MOMENT, [SUM_SECTION_FORCE] = UNIT_FORCE,
      [SUM_SECTION_MOMENT] = UNIT_MOMENT, [SUM_VOLUME] = UNIT_NONE,           [SUM_PRESSURE] = UNIT_STRESS,
      [SUM_BOLT_FORCE] = UNIT_FORCE,      [SUM_BOLT_ELONGATION] = UNIT_LENGTH};
  if (i < c->output.probes.n) {
    const FieldType *f = &elastic_field[elastic_probe(c, i).row];
    return case_probe(c, i)->part.value == PART_PHASE && f->linear ? UNIT_ANGLE : f->unit; /* of vibrations */
  }
  i -= c->output.probes.n;
  for (int32_t k = 0; k < c->output.sums.n; i -= sum_columns(c, case_sum(c, k++)))
    if (i < sum_columns(c, case_sum(c, k))) return of_sum[case_sum(c, k)->field.value];
  return UNIT_NONE;
}

const char *elastic_column_unit(const Case *c, const Units *units, int32_t i) {
  return units_text(units, column_kind(c, i));
}

StreamField elastic_stream_field(const Case *c, int32_t k) {
  return stream_field(&elastic_field[k], elastic_field_asked(c, k));
}

/* The first word of the analysis that has these numbers, else the row itself. */
static int32_t carrier(const Case *c, int32_t of) {
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k)
    if (is_word(c, k) && elastic_field[k].of == of) return k;
  return of;
}

void elastic_stream_fields(const Run *run, FieldBits more, int64_t n_point, ElasticTake *take, StreamField *out) {
  const Mesh *mesh = run_mesh(run);
  for (int32_t k = 0; k < elastic_field_rows(); ++k) {
    const FieldType *f = &elastic_field[k];
    const bool states = k >= N_ELASTIC_FIELDS;
    const bool carries = states ? elastic_state_asked(run->c, k) : more >> f->of & 1 && carrier(run->c, f->of) == k;
    const int64_t items = f->where == WHERE_POINTS     ? n_point
                          : f->where == WHERE_ELEMENTS ? mesh->n_element - setup_first_solved(mesh)
                                                       : mesh->n_node;
    out[k] = elastic_stream_field(run->c, k);
    if (map_asked(run->c, k)) out[k].wanted = true;
    if (map_asked(run->c, k) && !probe_asks(run->c, k)) out[k].when = STREAM_REQUEST; /* probes see each stored time */
    out[k].n_taken = out[k].wanted || carries ? items * f->width : 0;
    out[k].take = take;
    out[k].unpack = result_field_taken;
  }
}

/* Words that share numbers have them in one of them, or alike. */
ElasticFields elastic_fields_of(const StreamMoment *moment) {
  ElasticFields fields = {0};
  for (int32_t k = N_ELASTIC_FIELDS - 1; k >= 0; --k)
    if (moment->value && moment->value[k] && (elastic_field[k].unit == elastic_field[elastic_field[k].of].unit))
      elastic_field_put(&fields, k, (double *)(uintptr_t)moment->value[k]);
  if (moment->value) fields.state = (double *const *)(uintptr_t)(moment->value + N_ELASTIC_FIELDS);
  return fields;
}
