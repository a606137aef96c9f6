/* Temperatures of decks, and material tables over temperature: numbers where the temperature is uniform, else fields at
 * the nodes. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEATED_TEXT = 7000 };

static double temperature_before(const Deck *d, int32_t node) { return deck_value(&d->nodes[DECK_INITIAL], node, 0); }

/* With t of a step. */
static double temperature_at(const Deck *d, const DeckNodes *t, int32_t node) {
  return t->n && !isnan(t->value[node][0]) ? t->value[node][0] : temperature_before(d, node);
}

/* At the end of the last step. */
static const DeckNodes *temperature_last(const Deck *d) { return &d->step[d->n_kept - 1].nodes[DECK_TEMPERATURE]; }

static bool temperature_uniform(const Deck *d, const DeckNodes *t, double *value) {
  *value = temperature_at(d, t, 0);
  for (int32_t i = 0; i < d->inp->n_node; ++i)
    if (temperature_at(d, t, i) != *value) return false;
  return true;
}

static bool temperature_differs(const Deck *d) {
  for (int32_t s = 0; s + 1 < d->n_kept && (deck_has_cases(d) || deck_is_chain(d)); ++s)
    for (int32_t i = 0; i < d->inp->n_node; ++i)
      if (temperature_at(d, &d->step[s].nodes[DECK_TEMPERATURE], i) !=
          temperature_at(d, &d->step[s + 1].nodes[DECK_TEMPERATURE], i))
        return true;
  return false;
}

static bool expands(const Deck *d) {
  bool any = false;
  for (int32_t i = 0; i < d->model.n_material; ++i) {
    any |= d->model.material[i].expansion_field;
    for (int k = 0; k < 3; ++k) any |= d->model.material[i].expansion[k] != 0;
  }
  return any;
}

bool deck_is_heated(const Deck *d) { return (d->acts.has_temperature && expands(d)) || deck_flows_by_temperature(d); }

static Status refuse_uneven(const Deck *d) {
  return deck_row_fail(d, d->step[0].row,
                       "a temperature that differs from node to node is not understood beside an AMPLITUDE of "
                       "temperatures, and of *VISCO; one for all nodes is");
}

/* Does a temperature follow an amplitude? */
static bool follows_any(const Deck *d) {
  bool any = false;
  for (int32_t s = 0; s < d->n_step; ++s) {
    const DeckNodes *t = &d->step[s].nodes[DECK_TEMPERATURE];
    for (int32_t i = 0; t->n && i < d->inp->n_node; ++i)
      any = any || (!isnan(t->value[i][0]) && deck_follows(d, t->row[i][0]));
  }
  return any;
}

/* In motion: one temperature for all nodes at all times, which is written over t. */
static bool moves_evenly(const Deck *d) {
  double value;
  bool even = d->procedure.moves && deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &value);
  for (int32_t s = 0; s < d->n_kept && even; ++s)
    even = temperature_uniform(d, &d->step[s].nodes[DECK_TEMPERATURE], &value);
  return even;
}

/* Does each step of a chain go straight to temperatures of its own? */
static bool goes_straight(const Deck *d) {
  return deck_is_chain(d) && !d->procedure.creeps && !follows_any(d) && !moves_evenly(d);
}

/* The amplitude that all nodes follow in a step. */
static Status amplitude_of_step(const Deck *d, const DeckStep *step, int32_t *amplitude) {
  const DeckNodes *t = &step->nodes[DECK_TEMPERATURE];
  *amplitude = t->n && !isnan(t->value[0][0]) ? deck_follows(d, t->row[0][0]) : 0;
  for (int32_t i = 0; t->n && i < d->inp->n_node; ++i)
    if ((isnan(t->value[i][0]) ? 0 : deck_follows(d, t->row[i][0])) != *amplitude)
      return deck_row_fail(d, step->row, "temperatures of different amplitudes are not understood in load steps");
  return OK;
}

/* What a step adds to the temperature over the time: from `before` straight to its own value, in motion at once, or at once to where its amplitude begins
 * and along that. *end: where it ends. */
static Status step_text(const Deck *d, int32_t s, double before, double now, char *text, size_t size, double *end) {
  const DeckStep *step = &d->step[s];
  const double begin = s ? d->step[s - 1].end : 0, period = step->end - begin, once = 1e-9 * period;
  int32_t at;
  char name[DECK_NAME];
  *text = 0, *end = now;
  TRY(amplitude_of_step(d, step, &at));
  if (at == 0) {
    if (now < before || now > before)
      snprintf(text, size, "+(%.17g)*min(max((t-%.17g)/%.17g,0),1)", now - before, begin, step->moves ? once : period);
    return OK;
  }
  const DeckAmplitude *a = &d->acts.amplitude[at - 1];
  const double from = a->total ? begin : 0, first = now * deck_amplitude_at(a, from), move = from - begin;
  if (first < before || first > before)
    snprintf(text, size, "+(%.17g)*min(max((t-%.17g)/%.17g,0),1)", first - before, begin, once);
  *end = now * deck_amplitude_at(a, from + period);
  if (deck_amplitude_constant(a)) return OK;
  deck_amplitude_name(d, at - 1, name);
  snprintf(text + strlen(text), size - strlen(text), "+(%.17g)*(%s(min(max(t,%.17g),%.17g)+(%.17g))-(%.17g))", now,
           name, begin, step->end, move, deck_amplitude_at(a, from));
  return OK;
}

/* Over the time of all steps. */
static Status heated_text(const Deck *d, char *text, size_t size, double *reference) {
  char one[DECK_NAME + 400];
  double before, now;
  if (!deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], reference)) return refuse_uneven(d);
  size_t n = (size_t)snprintf(text, size, "%.17g", before = *reference);
  for (int32_t s = 0; s < d->n_step; ++s) {
    if (!temperature_uniform(d, &d->step[s].nodes[DECK_TEMPERATURE], &now)) return refuse_uneven(d);
    TRY(step_text(d, s, before, now, one, sizeof one, &before));
    if (n + sizeof one >= size) return deck_row_fail(d, d->step[s].row, "more steps with temperatures than understood");
    n += (size_t)snprintf(text + n, size - n, "%s", one);
  }
  return OK;
}

/* Of one that differs from node to node. */
static Status check_initial(const Deck *d) {
  if (!deck_flows_by_temperature(d)) return OK;
  return deck_row_fail(d, d->procedure.row,
                       "an initial temperature that differs from node to node is not understood beside a metal that "
                       "flows by the temperature");
}

Status deck_write_temperature(Deck *d) {
  char text[HEATED_TEXT];
  double reference, value;
  if (deck_is_heat(d)) {
    if (!deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &reference))
      return d->procedure.steady ? OK : deck_write(d, -1, "initial: {field: initial-temperature}");
    return d->nodes[DECK_INITIAL].n && !d->procedure.steady ? deck_write(d, -1, "initial: %.17g", reference) : OK;
  }
  if (!deck_is_heated(d)) return OK;
  if (d->procedure.analysis == DECK_MODES && !d->procedure.prestress) return OK; /* which know no temperature */
  if (deck_has_cases(d) || goes_straight(d)) return OK;                          /* each has its own */
  const bool moves = d->procedure.moves && (follows_any(d) || moves_evenly(d));
  if (moves && follows_any(d)) TRY(deck_check_heated_steps(d));
  if (deck_is_chain(d) || moves || (d->procedure.flows && d->procedure.follows)) {
    TRY(heated_text(d, text, sizeof text, &reference));
    return deck_write(d, -1, "thermal: {reference: %.17g, temperature: \"%s\"}", reference, text);
  }
  const bool one = deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &reference);
  const bool same = temperature_uniform(d, temperature_last(d), &value);
  if (!one) TRY(check_initial(d));
  if (one && same) return deck_write(d, -1, "thermal: {reference: %.17g, temperature: %.17g}", reference, value);
  return deck_write(d, -1, "thermal: {reference: %.17g, temperature: {field: temperature}}", one ? reference : 0.0);
}

bool deck_step_is_heated(const Deck *d, const DeckStep *step) {
  double reference, value;
  if (!deck_is_heated(d) || deck_is_heat(d)) return false;
  return !deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &reference) ||
         !temperature_uniform(d, &step->nodes[DECK_TEMPERATURE], &value) || value != reference;
}

/* Are they those of the step before, or of the start? */
static bool temperature_stays(const Deck *d, int32_t step) {
  const DeckNodes *now = &d->step[step].nodes[DECK_TEMPERATURE];
  bool stays = true;
  for (int32_t i = 0; i < d->inp->n_node && stays; ++i)
    stays = temperature_at(d, now, i) ==
            (step ? temperature_at(d, &d->step[step - 1].nodes[DECK_TEMPERATURE], i) : temperature_before(d, i));
  return stays;
}

Status deck_write_heated(Deck *d, int32_t step) {
  double reference, value;
  const DeckStep *s = &d->step[step];
  if (deck_is_chain(d) ? !deck_is_heated(d) || !goes_straight(d) || temperature_stays(d, step)
                       : !deck_step_is_heated(d, s))
    return OK;
  const bool one = deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &reference);
  const bool same = temperature_uniform(d, &s->nodes[DECK_TEMPERATURE], &value);
  if (!one) TRY(check_initial(d));
  if (one && same)
    return deck_write(d, s->row, "    thermal: {reference: %.17g, temperature: %.17g}", reference, value);
  return deck_write(d, s->row, "    thermal: {reference: %.17g, temperature: {field: temperature-%d}}",
                    one ? reference : 0.0, step + 1);
}

/* Boxes of first order have one temperature each, the mean of their nodes, in Abaqus and CalculiX; so have simplices here. */
static bool by_elements(const Mesh *mesh) {
  bool any = false;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    const bool box = type->n_node == 1 << type->dim;
    if (type->dim != mesh->dim || mesh->block[b].n == 0) continue;
    if (type->order > 1 || (!box && type->n_node != type->dim + 1)) return false;
    any = any || box;
  }
  return any;
}

/* At node or element i; t NULL: before. */
static double temperature_in(const Deck *d, const Mesh *mesh, bool elements, const DeckNodes *t, int32_t i) {
  double sum = 0;
  if (!elements) return t ? temperature_at(d, t, i) : temperature_before(d, i);
  const int32_t n = element_type(mesh_block_of(mesh, i)->kind)->n_node, *nodes = mesh_nodes_of(mesh, i);
  for (int32_t a = 0; a < n; ++a) sum += temperature_in(d, mesh, false, t, nodes[a]);
  return sum / n;
}

Status deck_field_new(Mesh *mesh, bool elements, const char *name, int n_component, double **value) {
  RESIZE(mesh->field, mesh->n_field + 1, "fields");
  MeshField *field = &mesh->field[mesh->n_field++];
  *field = (MeshField){.on_nodes = !elements, .n_component = n_component};
  TRY(mem_text(name, "the name of a field", &field->name));
  ALLOC(field->value, (int64_t)n_component * (elements ? mesh->n_element : mesh->n_node), "values of a field");
  *value = field->value;
  return OK;
}

static Status field_of(const Deck *d, const DeckNodes *t, const char *name, Mesh *mesh) {
  double reference, *value;
  const bool one = deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &reference), elements = t && by_elements(mesh);
  TRY(deck_field_new(mesh, elements, name, 1, &value));
  for (int32_t i = 0; i < (elements ? mesh->n_element : mesh->n_node); ++i) {
    const double before = temperature_in(d, mesh, elements, NULL, i);
    value[i] = t ? temperature_in(d, mesh, elements, t, i) - (one ? 0 : before) : before;
  }
  return OK;
}

static bool temperature_varies(const Deck *d) {
  double value;
  bool varies = !deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &value);
  for (int32_t s = deck_has_cases(d) || goes_straight(d) ? 0 : d->n_kept - 1; s < d->n_kept; ++s)
    varies = varies || !temperature_uniform(d, &d->step[s].nodes[DECK_TEMPERATURE], &value);
  return varies;
}

/* Plain boxes cannot follow a strain that is linear in them: beside others, whose temperatures go by the shape functions, theirs do
 * so too, and what they cannot follow is stress. */
static void warn_of_boxes(const Deck *d, const Mesh *mesh) {
  bool expands = false;
  for (int32_t i = 0; i < d->model.n_material; ++i) expands = expands || d->model.material[i].n_expansion > 0;
  if (!expands || !d->model.linear || d->model.linear->bends ||
      (d->procedure.analysis == DECK_MODES && !d->procedure.prestress))
    return;
  if (by_elements(mesh) || !temperature_varies(d)) return;
  status_warn(
      "%s: the temperature varies within %s beside elements of second order or wedges, and these plain elements "
      "cannot follow what it strains: their stress is wrong by up to E alpha times what the temperature "
      "varies by within an element, where CalculiX takes the mean of each\n  remedy: %sI in place of %s, or "
      "elements of second order alone",
      d->inp->file[0].path, d->model.linear->name, d->model.linear->name, d->model.linear->name);
}

static Status temperature_fields(const Deck *d, Mesh *mesh) {
  double value;
  char name[40];
  const bool one = deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &value);
  if (deck_is_heat(d)) return one || d->procedure.steady ? OK : field_of(d, NULL, "initial-temperature", mesh);
  if (!d->acts.has_temperature) return OK;
  warn_of_boxes(d, mesh);
  if (!deck_has_cases(d) && !goes_straight(d)) return field_of(d, temperature_last(d), "temperature", mesh);
  for (int32_t s = 0; s < d->n_kept; ++s) {
    snprintf(name, sizeof name, "temperature-%d", (int)s + 1);
    if (!one || !temperature_uniform(d, &d->step[s].nodes[DECK_TEMPERATURE], &value))
      TRY(field_of(d, &d->step[s].nodes[DECK_TEMPERATURE], name, mesh));
  }
  return OK;
}

/* Values of a table at a temperature; outside of it those of its ends. */
static void table_at(const DeckTable *t, double temperature, double *out) {
  const int width = t->need + 1;
  int32_t i = 0;
  while (i < t->n && t->value[i * width + t->need] < temperature) ++i;
  const double *low = &t->value[(i ? i - 1 : 0) * width], *high = &t->value[(i < t->n ? i : t->n - 1) * width];
  const double reach = high[t->need] - low[t->need], part = reach > 0 ? (temperature - low[t->need]) / reach : 0;
  for (int k = 0; k < t->need; ++k) out[k] = low[k] + part * (high[k] - low[k]);
}

bool deck_table_varies(const DeckTable *t) {
  for (int32_t i = 1; i < t->n; ++i)
    if (memcmp(&t->value[i * (t->need + 1)], t->value, (size_t)t->need * sizeof *t->value) != 0) return true;
  return false;
}

/* Mean expansion from `before` to `now`, of a table of strains over what the temperature is above the material's own
 * zero. */
static void expansion_between(const DeckMaterial *m, double before, double now, double *out) {
  const DeckTable *t = &m->table[DECK_EXPANSION];
  double a[DECK_CONSTANTS], b[DECK_CONSTANTS];
  const double near = 1e-4 * (1 + fabs(now));
  if (fabs(now - before) < near) before = now - near, now += near;
  table_at(t, before, a);
  table_at(t, now, b);
  for (int k = 0; k < t->need; ++k) out[k] = (b[k] * (now - m->zero) - a[k] * (before - m->zero)) / (now - before);
}

static bool expansion_varies(const Deck *d, const DeckMaterial *m) {
  return d->acts.has_temperature && m->n_expansion && deck_table_varies(&m->table[DECK_EXPANSION]);
}

Status deck_check_heated_steps(const Deck *d) {
  for (int32_t i = 0; i < d->model.n_material && deck_is_heated(d); ++i) {
    const DeckMaterial *m = &d->model.material[i];
    const DeckTable *elastic = &m->table[DECK_ELASTICITY];
    if (deck_material_flows(m)) continue; /* its law has them */
    const int32_t row = elastic->n && deck_table_varies(elastic) ? elastic->row
                        : expansion_varies(d, m)                 ? m->table[DECK_EXPANSION].row
                                                                 : -1;
    if (row >= 0)
      return deck_row_fail(d, row,
                           "depends on the temperature, which changes within the step with NLGEOM; that is not "
                           "understood: constants are");
  }
  return OK;
}

/* From the lowest to the highest temperature of all nodes and times, and those of the table. */
static void reached(const Deck *d, const DeckTable *t, double *low, double *high) {
  *low = t->value[t->need], *high = t->value[t->n * (t->need + 1) - 1];
  for (int32_t s = -1; s < d->n_kept; ++s)
    for (int32_t i = 0; i < d->inp->n_node; ++i) {
      const DeckNodes *nodes = s < 0 ? &d->nodes[DECK_INITIAL] : &d->step[s].nodes[DECK_TEMPERATURE];
      const double value = s < 0 ? temperature_before(d, i) : temperature_at(d, nodes, i);
      const int32_t at = s >= 0 && nodes->n && !isnan(nodes->value[i][0]) ? deck_follows(d, nodes->row[i][0]) : 0;
      for (int32_t k = 0; k < (at ? d->acts.amplitude[at - 1].n : 1); ++k) {
        const double now = at ? value * d->acts.amplitude[at - 1].point[k][1] : value;
        *low = fmin(*low, now), *high = fmax(*high, now);
      }
    }
}

/* Pairs of the temperature and the mean expansion from the reference up to it: of the table itself where that begins there, else as many
 * as keep it to 1e-5. */
Status deck_expansion_text(const Deck *d, const DeckMaterial *m, char *text, size_t size) {
  enum { PIECES = 100, MOST = PIECES + 1 + DECK_WARM_MOST };
  const DeckTable *t = &m->table[DECK_EXPANSION];
  double reference, low, high, v[DECK_CONSTANTS], x[MOST], y[MOST];
  int n = 0;
  if (!deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &reference) || t->n > DECK_WARM_MOST || m->n_expansion != 1)
    return deck_row_fail(d, t->row,
                         "depends on the temperature, which is understood of *PLASTIC with TYPE=ISO, at most %d rows "
                         "and one initial temperature",
                         DECK_WARM_MOST);
  reached(d, t, &low, &high);
  const bool same = m->zero == reference;
  for (int k = 0, i = 0; k <= PIECES || i < t->n;) {
    const double piece = k <= PIECES ? low + (high - low) * k / PIECES : (double)INFINITY,
                 row = i < t->n ? t->value[2 * i + 1] : (double)INFINITY;
    x[n] = fmin(piece, row);
    k += piece <= row, i += row <= piece;
    if (same && x[n] < row) continue;
    if (same) table_at(t, x[n], v);
    else expansion_between(m, reference, x[n], v);
    y[n++] = v[0];
  }
  deck_pairs(text, size, n, x, y, 1);
  return OK;
}

Status deck_material_at(const Deck *d, DeckMaterial *m) {
  const DeckTable *elastic = &m->table[DECK_ELASTICITY], *density = &m->table[DECK_DENSITY];
  double now, before;
  const bool flows = deck_material_flows(m); /* its law has tables */
  const int32_t varies = !flows && elastic->n && deck_table_varies(elastic) ? elastic->row
                         : m->has_density && deck_table_varies(density)     ? density->row
                         : !flows && expansion_varies(d, m)                 ? m->table[DECK_EXPANSION].row
                                                                            : -1;
  if (varies >= 0 && temperature_differs(d))
    return deck_row_fail(
        d, varies,
        "depends on the temperature, which differs from step to step; that is not understood: a deck for "
        "each step is");
  const bool one = temperature_uniform(d, temperature_last(d), &now),
             still = deck_nodes_uniform(d, &d->nodes[DECK_INITIAL], &before);
  if (one && m->has_density && deck_table_varies(density)) table_at(density, now, &m->density);
  if (one && elastic->n && deck_table_varies(elastic)) table_at(elastic, now, m->moduli);
  if (one && still && expansion_varies(d, m)) expansion_between(m, before, now, m->expansion);
  if (!one && m->has_density && deck_table_varies(density))
    return deck_row_fail(d, density->row,
                         "depends on a temperature that varies, which is not understood; constants are");
  if (flows) return OK;
  m->young_field = !one && elastic->n && deck_table_varies(elastic);
  m->expansion_field = !(one && still) && expansion_varies(d, m);
  if (m->young_field && m->elastic != DECK_ISOTROPIC)
    return deck_row_fail(d, elastic->row, "depends on a temperature that varies, which is understood of TYPE=ISO only");
  if (m->expansion_field && m->n_expansion != 1)
    return deck_row_fail(d, m->table[DECK_EXPANSION].row,
                         "depends on a temperature that varies, which is understood of TYPE=ISO only");
  return OK;
}

static Status material_fields(const Deck *d, const DeckMaterial *m, Mesh *mesh) {
  char name[DECK_NAME + 16];
  double *young = NULL, *poisson = NULL, *expansion = NULL, v[DECK_CONSTANTS];
  const bool elements = by_elements(mesh);
  if (m->young_field) {
    snprintf(name, sizeof name, "young-%.*s", DECK_NAME - 1, m->name);
    TRY(deck_field_new(mesh, elements, name, 1, &young));
    snprintf(name, sizeof name, "poisson-%.*s", DECK_NAME - 1, m->name);
    TRY(deck_field_new(mesh, elements, name, 1, &poisson));
  }
  if (m->expansion_field) {
    snprintf(name, sizeof name, "expansion-%.*s", DECK_NAME - 1, m->name);
    TRY(deck_field_new(mesh, elements, name, 1, &expansion));
  }
  for (int32_t i = 0; i < (elements ? mesh->n_element : mesh->n_node); ++i) {
    const double now = temperature_in(d, mesh, elements, temperature_last(d), i);
    if (young) table_at(&m->table[DECK_ELASTICITY], now, v), young[i] = v[0], poisson[i] = v[1];
    if (expansion) expansion_between(m, temperature_in(d, mesh, elements, NULL, i), now, &expansion[i]);
  }
  return OK;
}

static Status velocity_field(const Deck *d, Mesh *mesh) {
  double *value;
  if (!d->acts.velocity_field) return OK;
  TRY(deck_field_new(mesh, false, "initial-velocity", 3, &value));
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; k < deck_dim(d); ++k) value[3 * (int64_t)i + k] = deck_value(&d->nodes[DECK_VELOCITY], i, k);
  return OK;
}

Status deck_fields(const Deck *d, Mesh *mesh) {
  TRY(temperature_fields(d, mesh));
  TRY(velocity_field(d, mesh));
  TRY(deck_initial_fields(d, mesh));
  for (int32_t i = 0; i < d->model.n_material; ++i)
    if (d->model.material[i].young_field || d->model.material[i].expansion_field)
      TRY(material_fields(d, &d->model.material[i], mesh));
  return OK;
}
