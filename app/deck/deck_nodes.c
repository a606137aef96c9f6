/* Values at nodes: supports and temperatures, where the last row counts, and forces, which add up within a step, as in
 * CalculiX. Nodes with equal values become one group and one entry of the case. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void deck_nodes_release(DeckNodes *nodes) {
  FREE(nodes->value);
  FREE(nodes->row);
  nodes->n = 0;
}

Status deck_nodes_copy(const Deck *d, const DeckNodes *from, DeckNodes *to) {
  const int32_t n = d->inp->n_node;
  if (!from->n) return OK;
  ALLOC(to->value, n, "values at nodes");
  ALLOC(to->row, n, "values at nodes");
  memcpy(to->value, from->value, (size_t)n * sizeof *to->value);
  memcpy(to->row, from->row, (size_t)n * sizeof *to->row);
  to->n = from->n;
  return OK;
}

double deck_value(const DeckNodes *nodes, int32_t node, int k) {
  return nodes->n && node >= 0 && !isnan(nodes->value[node][k]) ? nodes->value[node][k] : 0;
}

bool deck_nodes_equal(const Deck *d, const DeckNodes *a, const DeckNodes *b) {
  if (!a->n || !b->n) return !a->n && !b->n;
  for (int32_t i = 0; i < d->inp->n_node; ++i)
    for (int k = 0; k < DECK_VALUES; ++k)
      if (a->value[i][k] != b->value[i][k] && !(isnan(a->value[i][k]) && isnan(b->value[i][k]))) return false;
  return true;
}

Status deck_nodes_ready(Deck *d, DeckNodes *nodes) {
  const int32_t n = d->inp->n_node;
  if (nodes->n++) return OK;
  ALLOC(nodes->value, n, "values at nodes");
  ALLOC(nodes->row, n, "values at nodes");
  for (int32_t i = 0; i < n; ++i)
    for (int k = 0; k < DECK_VALUES; ++k) nodes->value[i][k] = (double)NAN;
  return OK;
}

Status deck_nodes_of(Deck *d, const InpLine *line, int32_t *one, const InpSet **set) {
  int64_t tag;
  *set = NULL, *one = -1;
  if (line->n && inp_item(d->inp, 0, true, line->field[0], &tag)) {
    *one = tag_map_find(&d->inp->node_of, tag);
    return *one >= 0 ? OK : inp_line_fail(d->inp, d->card, line, "node %lld does not exist", (long long)tag);
  }
  *set = line->n ? inp_nset(d->inp, line->field[0]) : NULL;
  return *set ? OK
              : inp_line_fail(d->inp, d->card, line, "there is no node set '%.80s'", line->n ? line->field[0] : "");
}

/* One value, from a row of now. */
static Status node_set(Deck *d, DeckNodes *nodes, const InpLine *line, int32_t row, int32_t node, int k, double value) {
  const bool load = nodes == &d->nodes[DECK_FORCE] || nodes == &d->nodes[DECK_AHEAD] || nodes == &d->nodes[DECK_MOMENT];
  double *now = &nodes->value[node][k];
  int32_t *from = &nodes->row[node][k];
  if (!load || isnan(*now) || d->row[*from].step != d->n_step || *now == 0) {
    *now = value, *from = row;
    return OK;
  }
  if (value != 0 && d->row[*from].amplitude != d->now.amplitude)
    return inp_line_fail(d->inp, d->card, line,
                         "node %lld has a load by another amplitude in this direction, which is not understood",
                         (long long)d->inp->node_tag[node]);
  *now += value;
  return OK;
}

/* Value k of the line's nodes. */
Status deck_nodes_set(Deck *d, DeckNodes *nodes, const InpLine *line, int k, double value) {
  int32_t one, row;
  const InpSet *set;
  TRY(deck_nodes_of(d, line, &one, &set));
  TRY(deck_nodes_ready(d, nodes));
  TRY(deck_row(d, line, &row));
  d->row[row].set = set;
  for (int32_t i = 0; i < (set ? set->n : 1); ++i)
    TRY(node_set(d, nodes, line, row, set ? set->item[i] : one, k, value));
  return OK;
}

/* Whether a line names a reference node. */
static bool names_hub(Deck *d, const InpLine *line) {
  int32_t one;
  const InpSet *set;
  bool any = false;
  if (!d->model.hub_of) return false;
  if (deck_nodes_of(d, line, &one, &set) != OK) return status_clear(), false; /* said where it is set */
  for (int32_t i = 0; i < (set ? set->n : 1); ++i) any |= d->model.hub_of[set ? set->item[i] : one] != 0;
  return any;
}

Status deck_renews(Deck *d, int32_t *step, int32_t *renewed, bool *drops) {
  const char *op = inp_parameter(d->card, "OP");
  const bool renew = op && strcasecmp(op, "NEW") == 0 && (d->n_step > 1 || inp_is(d->card, "BOUNDARY")),
             first = *step != d->n_step;
  if (renew && d->procedure.viscous)
    return inp_fail(d->inp, d->card, "OP=NEW in a step of *VISCO is not understood; a load of 0 is");
  *drops = renew && first;
  *step = d->n_step;
  if (*drops) *renewed = d->n_step;
  if (!renew || first || *renewed == d->n_step) return OK;
  return deck_warn(d, deck_card(d), "*%s: OP=NEW drops nothing after another *%s of the step without it", d->card->name,
                   d->card->name);
}

/* OP=NEW of loads drops those of the steps before. */
static Status nodes_operation(Deck *d, DeckNodes *nodes) {
  bool drops;
  TRY(deck_renews(d, &nodes->step, &nodes->renewed, &drops));
  if (drops) deck_nodes_release(nodes);
  return OK;
}

/* Names of Abaqus for supports. */
static bool named_support(const char *name, int *first, int *last) {
  static const struct {
    const char *name;
    int first, last;
  } list[] = {{"ENCASTRE", 1, 3}, {"PINNED", 1, 3}, {"XSYMM", 1, 1}, {"YSYMM", 2, 2}, {"ZSYMM", 3, 3}};
  for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
    if (strcasecmp(list[i].name, name) == 0) {
      *first = list[i].first, *last = list[i].last;
      return true;
    }
  return false;
}

static Status boundary_line(Deck *d, const InpLine *line) {
  int64_t first = 0, last = 0;
  int a, b;
  double value = 0;
  const bool named = line->n > 1 && named_support(line->field[1], &a, &b);
  if (named) first = a, last = b;
  else {
    if (line->n < 2 || !inp_whole(line->field[1], &first))
      return inp_line_fail(d->inp, d->card, line, "'%.40s' is not a direction; 1 to 3 are, and 11 the temperature",
                           line->n > 1 ? line->field[1] : "");
    last = first;
    if (line->n > 2 && *line->field[2] && !inp_whole(line->field[2], &last))
      return inp_line_fail(d->inp, d->card, line, "'%.40s' is not a direction", line->field[2]);
    TRY(inp_number(d->inp, d->card, line, 3, &value));
  }
  if (first == 0 && last == 0 && deck_is_heat(d)) first = last = 11; /* as older decks of CalculiX have it */
  if (first < 1 || last < first || last > 11 || (last > 6 && first != 11))
    return inp_line_fail(d->inp, d->card, line,
                         "directions %lld to %lld; 1 to 3 are understood, and "
                         "11, the temperature",
                         (long long)first, (long long)last);
  const bool hub = last > 3 && last < 11 && names_hub(d, line);
  for (int64_t k = first; k <= last; ++k) {
    if (hub && k > 3) {
      TRY(deck_nodes_set(d, &d->nodes[DECK_TURN], line, (int)k - 4, value));
      continue;
    }
    if (k > 3 && k < 11 && value != 0)
      return inp_line_fail(d->inp, d->card, line, "direction %lld is a rotation, which elements here do not have",
                           (long long)k);
    if ((k == 11) != deck_is_heat(d)) continue;
    if (k == 11 || k <= deck_dim(d)) TRY(deck_nodes_set(d, &d->nodes[DECK_FIX], line, k == 11 ? 0 : (int)k - 1, value));
  }
  return OK;
}

/* OP=NEW drops all supports of before, those in front of the first step too. */
static Status supports_operation(Deck *d) {
  const char *op = inp_parameter(d->card, "OP");
  DeckNodes *fix = &d->nodes[DECK_FIX], *turn = &d->nodes[DECK_TURN];
  bool drops;
  const DeckAnalysis analysis = d->procedure.analysis;
  if (!op || strcasecmp(op, "NEW") != 0 || (!fix->n && !turn->n)) return fix->step = d->n_step, OK;
  if (!d->now.in_step || !d->now.has_procedure)
    return inp_fail(d->inp, d->card, "OP=NEW in front of the procedure of a step is not understood; behind it is");
  if (d->n_step > 1 && ((analysis != DECK_STATIC && analysis != DECK_DYNAMIC) || d->procedure.viscous))
    return inp_fail(d->inp, d->card, "OP=NEW in a later step is understood in *STATIC and *DYNAMIC; MOD is elsewhere");
  TRY(deck_renews(d, &fix->step, &fix->renewed, &drops));
  if (!drops) return OK;
  deck_nodes_release(fix);
  deck_nodes_release(turn);
  return OK;
}

Status deck_card_boundary(Deck *d) {
  TRY(deck_amplitude(d));
  TRY(supports_operation(d));
  if (inp_parameter(d->card, "FIXED")) return deck_bolts_fix(d);
  return deck_lines(d, boundary_line);
}

static Status load_lines(Deck *d, int64_t low, int64_t high) {
  InpCursor cursor = {0};
  InpLine line;
  double value;
  int64_t k;
  bool ahead;
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  TRY(deck_amplitude(d));
  TRY(deck_is_ahead(d, &ahead));
  DeckNodes *force = ahead ? &d->nodes[DECK_AHEAD] : &d->nodes[DECK_FORCE];
  TRY(nodes_operation(d, force));
  if (force->renewed == d->n_step && d->nodes[DECK_MOMENT].renewed != d->n_step)
    deck_nodes_release(&d->nodes[DECK_MOMENT]);
  d->nodes[DECK_MOMENT].renewed = force->renewed;
  while (inp_next(d->inp, d->card, &cursor, &line)) {
    const bool whole = line.n > 1 && inp_whole(line.field[1], &k);
    if (whole && k == 0 && low == 11) k = 11; /* as older decks of CalculiX have it */
    const bool moment = whole && low == 1 && k > 3 && k < 7 && names_hub(d, &line);
    if (!whole || k < low || (k > high && !moment))
      return inp_line_fail(d->inp, d->card, &line, "'%.40s' is not a direction; %lld to %lld are",
                           line.n > 1 ? line.field[1] : "", (long long)low, (long long)high);
    TRY(inp_number(d->inp, d->card, &line, 2, &value));
    if (ahead && names_hub(d, &line))
      return inp_line_fail(d->inp, d->card, &line, "LOAD CASE=2 on a reference node is not understood");
    if (moment) {
      TRY(deck_nodes_set(d, &d->nodes[DECK_MOMENT], &line, (int)k - 4, value));
      continue;
    }
    if (k > deck_dim(d) && k < 11 && value != 0)
      return inp_line_fail(d->inp, d->card, &line, "direction %lld in a flat model", (long long)k);
    if (k <= deck_dim(d) || k == 11) TRY(deck_nodes_set(d, force, &line, k == 11 ? 0 : (int)k - 1, value));
  }
  return OK;
}

Status deck_card_cload(Deck *d) {
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "is a force, in a step of heat transfer; *CFLUX is understood");
  return load_lines(d, 1, 3);
}

Status deck_card_cflux(Deck *d) {
  if (!deck_is_heat(d)) return inp_fail(d->inp, d->card, "is heat, in a step of statics; *CLOAD is understood");
  return load_lines(d, 11, 11);
}

static Status temperature_line(Deck *d, DeckNodes *nodes, const InpLine *line) {
  double value;
  if (line->n > 2) return inp_line_fail(d->inp, d->card, line, "more than one temperature; solid elements have one");
  TRY(inp_number(d->inp, d->card, line, 1, &value));
  return deck_nodes_set(d, nodes, line, 0, value);
}
static Status temperature_now(Deck *d, const InpLine *line) {
  return temperature_line(d, &d->nodes[DECK_TEMPERATURE], line);
}
static Status temperature_initial(Deck *d, const InpLine *line) {
  return temperature_line(d, &d->nodes[DECK_INITIAL], line);
}

Status deck_card_temperature(Deck *d) {
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  TRY(deck_amplitude(d));
  if (d->now.amplitude && deck_is_timed(d) && d->procedure.analysis != DECK_DYNAMIC)
    return inp_fail(d->inp, d->card, "AMPLITUDE of temperatures in a step of heat or of modes is not understood");
  TRY(nodes_operation(d, &d->nodes[DECK_TEMPERATURE])); /* what it says nothing of is as it was at the start again */
  d->acts.has_temperature = true;
  if (inp_parameter(d->card, "FILE")) return deck_temperature_file(d);
  return deck_lines(d, temperature_now);
}

Status deck_card_initial(Deck *d) {
  const char *type = inp_parameter(d->card, "TYPE");
  if (type && strcasecmp(type, "VELOCITY") == 0) return deck_lines(d, deck_initial_velocity);
  if (type && strcasecmp(type, "STRESS") == 0) return deck_lines(d, deck_initial_stress);
  if (type && (strcasecmp(type, "PLASTIC STRAIN") == 0 || strcasecmp(type, "PLASTICSTRAIN") == 0))
    return deck_lines(d, deck_initial_plastic);
  if (!type || strcasecmp(type, "TEMPERATURE") != 0)
    return inp_fail(d->inp, d->card, "TYPE=%s is not understood; TEMPERATURE, VELOCITY, STRESS and PLASTIC STRAIN are",
                    type ? type : "");
  return deck_lines(d, temperature_initial);
}

bool deck_nodes_uniform(const Deck *d, const DeckNodes *nodes, double *value) {
  *value = deck_value(nodes, 0, 0);
  for (int32_t i = 1; i < d->inp->n_node; ++i)
    if (deck_value(nodes, i, 0) != *value) return false;
  return true;
}

/* A node with its values, for sorting; the bits are those of its numbers. */
typedef struct Entry {
  uint64_t bits[DECK_VALUES];
  int32_t node, row, amplitude[DECK_VALUES];
} Entry;
/* Nodes of equal values. */
typedef struct Class {
  int32_t first, n, row;
} Class;

static int same_values(const Entry *a, const Entry *b) {
  for (int k = 0; k < DECK_VALUES; ++k) {
    if (a->amplitude[k] != b->amplitude[k]) return a->amplitude[k] < b->amplitude[k] ? -1 : 1;
    if (a->bits[k] != b->bits[k]) return a->bits[k] < b->bits[k] ? -1 : 1;
  }
  return 0;
}

static int by_values(const void *left, const void *right) {
  const Entry *a = left, *b = right;
  const int order = same_values(a, b);
  if (order) return order;
  return (a->node > b->node) - (a->node < b->node);
}

static int by_row(const void *left, const void *right) {
  const Class *a = left, *b = right;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

/* The group of a class: the set of its row where that is it. */
static Status class_group(Deck *d, const Class *c, const Entry *entry, const char **name) {
  char text[DECK_NAME];
  int32_t *item = NULL;
  const InpSet *set = d->row[c->row].set;
  bool whole = set && set->n == c->n;
  for (int32_t i = 0; whole && i < c->n; ++i) whole = entry[c->first + i].node == set->item[i];
  if (whole) return deck_group(d, (InpGroup){set->name, INP_NODES, set->n, set->item, NULL}, NULL, set, name);
  int64_t line;
  TRY(source_line(&d->inp->file[d->row[c->row].file].source, d->row[c->row].at, &line));
  if (c->n == 1) snprintf(text, sizeof text, "node-%lld", (long long)d->inp->node_tag[entry[c->first].node]);
  else snprintf(text, sizeof text, "nodes-of-line-%lld", (long long)line);
  ALLOC(item, c->n, "a group of nodes");
  for (int32_t i = 0; i < c->n; ++i) item[i] = entry[c->first + i].node;
  return deck_group(d, (InpGroup){text, INP_NODES, c->n, item, NULL}, item, NULL, name);
}

static Status write_class(Deck *d, DeckKind kind, const Class *c, const Entry *entry) {
  const bool force = kind != DECK_FIX;
  char text[DECK_LOAD], values[3 * DECK_LOAD] = "";
  const char *name;
  double value[DECK_VALUES];
  const int dim = deck_is_heat(d) ? 1 : deck_dim(d);
  TRY(class_group(d, c, entry, &name));
  memcpy(value, entry[c->first].bits, sizeof value);
  for (int k = 0; k < dim; ++k) {
    const char *comma = *values ? ", " : "";
    if (!force && isnan(value[k])) continue;
    deck_load_text(d, entry[c->first].amplitude[k], force ? isnan(value[k]) ? 0 : c->n * value[k] : value[k], text);
    if (force || deck_is_heat(d))
      snprintf(values + strlen(values), sizeof values - strlen(values), "%s%s", comma, text);
    else snprintf(values + strlen(values), sizeof values - strlen(values), "%s%c: %s", comma, "xyz"[k], text);
  }
  if (deck_is_heat(d)) return deck_entry(d, c->row, name, "%s: %s", force ? "power" : "temperature", values);
  return deck_entry(d, c->row, name, force ? "force: [%s]%s" : "fix: {%s}%s", values,
                    kind == DECK_AHEAD ? ", phase: 90" : "");
}

/* What is turned has parts of all that acts, by one amplitude. */
static Status turned_amplitude(const Deck *d, const DeckNodes *nodes, Entry *entry) {
  int32_t one = -1;
  for (int k = 0; k < DECK_VALUES; ++k) {
    if (isnan(nodes->value[entry->node][k]) || nodes->value[entry->node][k] == 0) continue;
    if (one >= 0 && entry->amplitude[k] != entry->amplitude[one])
      return deck_row_fail(d, entry->row, "directions of *TRANSFORM by different amplitudes are not understood");
    one = k;
  }
  const int32_t amplitude = one < 0 ? 0 : entry->amplitude[one];
  for (int k = 0; k < DECK_VALUES; ++k) entry->amplitude[k] = amplitude;
  return OK;
}

/* Bits that are equal where the numbers are: one NaN, one zero. The row is that which spoke last. */
static Status entry_fill(const Deck *d, const DeckNodes *nodes, int32_t node, const double value[DECK_VALUES],
                         Entry *entry) {
  *entry = (Entry){.node = node, .row = -1};
  for (int k = 0; k < DECK_VALUES; ++k) {
    const double v = isnan(value[k]) ? (double)NAN : value[k] + 0.0, said = nodes->value[node][k];
    const int32_t row = isnan(said) ? -1 : nodes->row[node][k], amplitude = row < 0 ? 0 : deck_follows(d, row);
    if (row > entry->row) entry->row = row;
    memcpy(&entry->bits[k], &v, sizeof v);
    entry->amplitude[k] = said != 0 ? amplitude : 0;
  }
  return d->model.frame_of && d->model.frame_of[node] && nodes != &d->nodes[DECK_HELD]
             ? turned_amplitude(d, nodes, entry)
             : OK;
}

static Status write_nodes(Deck *d, const DeckNodes *nodes, DeckKind kind) {
  const bool force = kind != DECK_FIX;
  Entry *entry = NULL;
  Class *class = NULL;
  Status status = OK;
  int32_t n = 0, n_class = 0;
  if (!nodes->n) return OK;
  ALLOC(entry, d->inp->n_node, "values at nodes");
  for (int32_t i = 0; i < d->inp->n_node; ++i) {
    double v[DECK_VALUES];
    memcpy(v, nodes->value[i], sizeof v);
    if (d->model.hub_of && d->model.hub_of[i]) continue;
    if (force) deck_frame_force(d, i, v);
    else if (nodes != &d->nodes[DECK_HELD]) deck_frame_fix(d, i, v);
    if (force ? (v[0] != 0 && !isnan(v[0])) || (v[1] != 0 && !isnan(v[1])) || (v[2] != 0 && !isnan(v[2]))
              : !isnan(v[0]) || !isnan(v[1]) || !isnan(v[2]))
      TRY_DONE(entry_fill(d, nodes, i, v, &entry[n++]));
  }
  qsort(entry, (size_t)n, sizeof *entry, by_values);
  ALLOC_DONE(class, n, "values at nodes");
  for (int32_t i = 0; i < n; ++i) {
    if (!i || same_values(&entry[i], &entry[i - 1]) != 0) class[n_class++] = (Class){i, 0, entry[i].row};
    Class *c = &class[n_class - 1];
    ++c->n;
    if (entry[i].row < c->row) c->row = entry[i].row;
  }
  qsort(class, (size_t)n_class, sizeof *class, by_row);
  for (int32_t i = 0; i < n_class; ++i) TRY_DONE(write_class(d, kind, &class[i], entry));
done:
  FREE(class);
  FREE(entry);
  return status;
}

Status deck_write_nodes(Deck *d, const DeckStep *step, DeckKind kind) {
  return write_nodes(d, &step->nodes[kind], kind);
}

Status deck_write_held(Deck *d) { return write_nodes(d, &d->nodes[DECK_HELD], DECK_FIX); }
