/* The stress that bodies of decks have before anything acts: of CalculiX at each integration point, of Abaqus for an element or a
 * set; the case gets it as data on elements, one number for an element or one for each of its points. */
#include "app/deck/deck_private.h"
#include "core/ascending.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const STRESS[6] = {"xx", "yy", "zz", "xy", "yz", "xz"};

static Status add_stress(Deck *d, const InpLine *line, const DeckStress *stress) {
  const ElementKind kind = inp_kind_of(d->inp, stress->element);
  Quadrature rule;
  TRY(element_stiffness_quadrature(element_type(kind), &rule));
  const bool same_points = d->model.family == INP_SOLID && element_type(kind)->shape != SHAPE_WEDGE;
  if (stress->point >= 0 && !same_points)
    return inp_line_fail(d->inp, d->card, line,
                         "stress at points of wedges and flat elements, which are others here, is not understood\n  "
                         "remedy: a line of an element or set and six numbers, as in Abaqus");
  if (stress->point >= rule.n)
    return inp_line_fail(d->inp, d->card, line, "element %lld (%s) has %d integration points",
                         (long long)d->inp->element_tag[stress->element], element_type(kind)->name, rule.n);
  DeckStresses *all = &d->acts.begins;
  if (all->n == all->room) {
    const int32_t room = all->room ? 2 * all->room : 64;
    RESIZE(all->item, room, "initial stress");
    all->room = room;
  }
  all->item[all->n++] = *stress;
  return OK;
}

static Status read_line(Deck *d, const InpLine *line, int32_t row) {
  static const int order[6] = {0, 1, 2, 3, 5, 4}; /* xx yy zz xy xz yz, in both programs */
  DeckStress stress = {.point = -1, .row = row};
  int64_t tag, point = 0;
  const bool by_point = line->n >= 8 && *line->field[7];
  const InpSet *set = by_point ? NULL : inp_elset(d->inp, line->field[0]);
  if (d->now.in_step) return inp_fail(d->inp, d->card, "is in a step; it stands before the first one");
  if (by_point && (!inp_whole(line->field[1], &point) || point < 1))
    return inp_line_fail(d->inp, d->card, line, "'%.40s' is not the number of an integration point", line->field[1]);
  if (by_point) stress.point = (int32_t)point - 1;
  for (int k = 0; k < 6; ++k) TRY(inp_number(d->inp, d->card, line, k + (by_point ? 2 : 1), &stress.value[order[k]]));
  const bool one = !set && inp_item(d->inp, d->card->scope, false, line->field[0], &tag);
  stress.element = one ? tag_map_find(&d->inp->element_of, tag) : -1;
  if (!set && stress.element < 0)
    return inp_line_fail(d->inp, d->card, line, "there is no element%s '%.80s'", one ? "" : " set", line->field[0]);
  for (int32_t i = 0; i < (set ? set->n : 1); ++i) {
    if (set) stress.element = set->item[i];
    TRY(add_stress(d, line, &stress));
  }
  return OK;
}

Status deck_initial_stress(Deck *d, const InpLine *line) { return read_line(d, line, 0); }
Status deck_initial_plastic(Deck *d, const InpLine *line) {
  int32_t row;
  TRY(deck_row(d, line, &row));
  return read_line(d, line, 1 + row);
}

static bool has_element(const InpSet *on, int32_t element) { return ascending_find(on->n, on->item, element) >= 0; }

bool deck_begins(const Deck *d, const InpSet *on) {
  bool any = false;
  for (int32_t i = 0; i < d->acts.begins.n && !any; ++i) any = has_element(on, d->acts.begins.item[i].element);
  return any;
}

static bool acts_at_points(const Deck *d) {
  for (int32_t i = 0; i < d->acts.begins.n; ++i)
    if (d->acts.begins.item[i].point >= 0) return true;
  return false;
}

void deck_initial_text(char *text, size_t size) {
  snprintf(text, size, ", initial-stress: {");
  for (int k = 0; k < 6; ++k)
    snprintf(text + strlen(text), size - strlen(text), "%s%s: {field: initial-stress-%s}", k ? ", " : "", STRESS[k],
             STRESS[k]);
  snprintf(text + strlen(text), size - strlen(text), "}");
}

/* The elements of the mesh by those of the deck, owned by the caller; -1: none. */
static Status mesh_elements(const Deck *d, const Mesh *mesh, int32_t **out) {
  const int32_t n = d->inp->base[N_ELEMENT_KINDS];
  ALLOC(*out, n, "elements of a deck");
  for (int32_t i = 0; i < n; ++i) (*out)[i] = -1;
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *b = &mesh->block[k];
    if (element_type(b->kind)->dim != mesh->dim) continue;
    for (int32_t e = 0; e < b->n; ++e) {
      const int32_t of = tag_map_find(&d->inp->element_of, b->tag[e]);
      if (of >= 0) (*out)[of] = b->first + e;
    }
  }
  return OK;
}

/* The stress of a row. */
static Status stress_of(const Deck *d, const DeckStress *s, double out[6]) {
  memcpy(out, s->value, sizeof s->value);
  for (int32_t i = 0; s->row && i < d->model.n_section; ++i) {
    const DeckMaterial *m = deck_material_named(d, d->model.section[i].material);
    if (!m || !has_element(d->model.section[i].on, s->element)) continue;
    if (m->elastic != DECK_ISOTROPIC || deck_table_varies(&m->table[DECK_ELASTICITY]))
      return deck_row_fail(d, s->row - 1,
                           "TYPE=PLASTIC STRAIN is understood of *ELASTIC with TYPE=ISO and one temperature");
    const double G = m->moduli[0] / (2 * (1 + m->moduli[1])), nu = m->moduli[1],
                 mean = 2 * G * nu / (1 - 2 * nu) * (out[0] + out[1] + out[2]);
    for (int k = 0; k < 6; ++k) out[k] = -2 * G * out[k] - (k < 3 ? mean : 0);
  }
  return OK;
}

Status deck_initial_fields(const Deck *d, Mesh *mesh) {
  double *value[6];
  int32_t *element = NULL;
  Status status = OK;
  if (!d->acts.begins.n) return OK;
  const int32_t width = acts_at_points(d) ? mesh_most_points(mesh) : 1;
  for (int k = 0; k < 6; ++k) {
    char name[40];
    snprintf(name, sizeof name, "initial-stress-%s", STRESS[k]);
    TRY(deck_field_new(mesh, true, name, width, &value[k]));
  }
  TRY(mesh_elements(d, mesh, &element));
  for (int32_t i = 0; i < d->acts.begins.n && status == OK; ++i) {
    const DeckStress *s = &d->acts.begins.item[i];
    const int32_t e = element[s->element];
    double stress[6];
    status = stress_of(d, s, stress);
    for (int32_t q = 0; e >= 0 && q < width; ++q)
      for (int k = 0; k < 6 && (s->point < 0 || s->point == q); ++k) value[k][(int64_t)e * width + q] = stress[k];
  }
  FREE(element);
  return status;
}
