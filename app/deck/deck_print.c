/* *NODE PRINT and *EL PRINT: tables in the layout of CalculiX. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct PrintWord {
  const char *word, *field;
  bool has_total;
} PrintWord;

static const PrintWord of_nodes[] = {{"U", "displacement", false}, {"RF", "internal-force", true}, {NULL, NULL, false}};
/* Strains come first: plane stress is without them, as no field has what is across the plane. */
enum { STRAINS = 2 };
static const PrintWord of_elements[] = {{"E", "point-strain", false},
                                        {"ME", "point-mechanical-strain", false},
                                        {"S", "point-stress", false},
                                        {"ENER", "point-energy", false},
                                        {"ELSE", "strain-energy", true},
                                        {"EVOL", "volume", true},
                                        {NULL, NULL, false}};
static const PrintWord of_modes[] = {{NULL, NULL, false}}; /* modes.csv and the steps of results.hdf have them */
static const PrintWord of_motion[] = {{"U", "displacement", false}, {"V", "velocity", false}, {NULL, NULL, false}};
static const PrintWord of_displacements[] = {{"U", "displacement", false}, {NULL, NULL, false}};
static const PrintWord of_moving_elements[] = {
    {"S", "point-stress", false}, {"ELSE", "strain-energy", true}, {NULL, NULL, false}};
/* CalculiX has one plastic strain under all four names. Strains come first, as above. */
static const PrintWord of_large_elements[] = {{"E", "point-strain", false},
                                              {"ME", "point-mechanical-strain", false},
                                              {"S", "point-stress", false},
                                              {"PEEQ", "point-plastic-strain", false},
                                              {"PE", "point-plastic-strain", false},
                                              {"CEEQ", "point-plastic-strain", false},
                                              {"CE", "point-plastic-strain", false},
                                              {"ENER", "point-energy", false},
                                              {"ELSE", "strain-energy", true},
                                              {"EVOL", "volume", true},
                                              {NULL, NULL, false}};
static const PrintWord of_heat_nodes[] = {{"NT", "temperature", false}, {NULL, NULL, false}};
/* In time what a node takes up is the capacity's too. */
static const PrintWord of_steady_heat[] = {
    {"NT", "temperature", false}, {"RFL", "internal-flow", false}, {NULL, NULL, false}};
static const PrintWord of_heat_elements[] = {{"HFL", "point-flux", false}, {NULL, NULL, false}};

static Status print_warn(const Deck *d, DeckRow row, const char *word) {
  return deck_warn(d, row, "no table of %.40s is written", word);
}

/* Twice in a step. */
static bool printed_already(const Deck *d, const DeckPrint *print) {
  for (int32_t i = 0; i < d->tables.n; ++i) {
    const DeckPrint *p = &d->tables.item[i];
    if (!p->last && p->on == print->on && p->total == print->total && p->global == print->global &&
        strcmp(p->field, print->field) == 0)
      return true;
  }
  return false;
}

/* What a table does not have is left out with a warning: results of the rest
 * are as good. */
static Status print_words(Deck *d, const PrintWord *words, DeckPrint print) {
  const char *total = inp_parameter(d->card, "TOTALS"), *global = inp_parameter(d->card, "GLOBAL");
  InpCursor cursor = {0};
  InpLine line;
  total = !total ? NULL : strcasecmp(total, "ONLY") == 0 ? "only" : strcasecmp(total, "YES") == 0 ? "with" : NULL;
  print.global = global && strcasecmp(global, "YES") == 0;
  print.first = d->n_step;
  while (inp_next(d->inp, d->card, &cursor, &line))
    for (int k = 0; k < line.n; ++k) {
      const PrintWord *w = words;
      while (w->word && strcasecmp(w->word, line.field[k]) != 0) ++w;
      if (!*line.field[k]) continue;
      if (!w->word) {
        TRY(print_warn(d, deck_line(&line), line.field[k]));
        continue;
      }
      print.field = deck_any_touches(d) && strcmp(w->field, "internal-force") == 0 ? "external-force" : w->field;
      print.total = w->has_total ? total : NULL;
      if (printed_already(d, &print)) continue;
      TRY(deck_row(d, &line, &print.row));
      TRY(deck_grow((void **)&d->tables.item, d->tables.n, sizeof *d->tables.item, "tables"));
      d->tables.item[d->tables.n++] = print;
    }
  return OK;
}

/* FREQUENCY=, the last of which counts for all of the step as in CalculiX; *never: 0, nothing is printed. */
static Status print_frequency(Deck *d, bool *never) {
  const char *word = inp_parameter(d->card, "FREQUENCY");
  int64_t every = 1;
  int32_t row;
  if (word && (!inp_whole(word, &every) || every < 0))
    return inp_fail(d->inp, d->card, "FREQUENCY=%.40s is not a whole number from 0 on", word);
  *never = every == 0;
  if (!word || *never) return OK;
  TRY(deck_row(d, NULL, &row));
  d->tables.every = every, d->tables.row = row;
  return OK;
}

/* Tables of nodes, or of elements, of the steps before go on up to a step that asks for others of the kind. */
static Status print_begin(Deck *d, bool nodes, bool *never) {
  if (deck_ends_in_modes(d)) {
    *never = true;
    return deck_warn(d, deck_card(d), "*%s of modes: no table is written; modes.csv has them", d->card->name);
  }
  TRY(print_frequency(d, never));
  if (d->tables.step[nodes] == d->n_step) return OK;
  d->tables.step[nodes] = d->n_step;
  for (int32_t i = 0; i < d->tables.n; ++i)
    if (d->tables.item[i].of_nodes == nodes && !d->tables.item[i].last) d->tables.item[i].last = d->n_step - 1;
  return OK;
}

/* *NODE FILE, *EL FILE: fields (deck_file.c) are of the times of the tables. */
Status deck_card_file(Deck *d) {
  bool never;
  return print_frequency(d, &never);
}

/* Forces and flows through faces, contacts and sections: of these no table is written. */
Status deck_card_no_print(Deck *d) { return deck_warn(d, deck_card(d), "*%s: no table is written", d->card->name); }

static const PrintWord of_contact[] = {{"CDIS", "contact-gap", false},      {"CDISP", "contact-gap", false},
                                       {"CSTR", "contact-pressure", false}, {"CSTRESS", "contact-pressure", false},
                                       {"CF", "contact-force", true},       {NULL, NULL, false}};

/* Of the nodes of a surface that touches. */
Status deck_print_contact(Deck *d, const char *on) {
  bool never;
  TRY(print_frequency(d, &never));
  return never ? OK : print_words(d, of_contact, (DeckPrint){.on = on, .of_nodes = true, .global = true});
}

/* The set without reference nodes, which are none of the body. */
static Status printed_nodes(Deck *d, const InpSet *set, const char **group) {
  int32_t *item = NULL, n = 0;
  for (int32_t i = 0; i < set->n; ++i) n += !d->model.hub_of || !d->model.hub_of[set->item[i]];
  if (n == set->n) return deck_group(d, (InpGroup){set->name, INP_NODES, set->n, set->item, NULL}, NULL, set, group);
  *group = NULL;
  if (n == 0) return print_warn(d, deck_card(d), "reference nodes");
  ALLOC(item, n, "a group of nodes");
  n = 0;
  for (int32_t i = 0; i < set->n; ++i)
    if (!d->model.hub_of[set->item[i]]) item[n++] = set->item[i];
  return deck_group(d, (InpGroup){set->name, INP_NODES, n, item, NULL}, item, set, group);
}

Status deck_card_no_points(Deck *d) {
  status_warn("%s: *TIME POINTS: tables are of all times that are stored", d->inp->file[d->card->file].path);
  return OK;
}

Status deck_card_node_print(Deck *d) {
  const char *name = inp_parameter(d->card, "NSET"), *group;
  const InpSet *set = name ? inp_nset(d->inp, name) : NULL;
  bool never;
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  TRY(print_begin(d, true, &never));
  if (never) return OK;
  if (!set || set->n == 0) return inp_fail(d->inp, d->card, "there is no node set '%.80s'", name ? name : "");
  TRY(printed_nodes(d, set, &group));
  if (!group) return OK;
  return print_words(d,
                     deck_is_heat(d) && d->procedure.steady       ? of_steady_heat
                     : deck_is_heat(d)                            ? of_heat_nodes
                     : deck_has_modes(d)                          ? of_modes
                     : d->procedure.analysis == DECK_STEADY_STATE ? of_displacements
                     : deck_is_timed(d)                           ? of_motion
                                                                  : of_nodes,
                     (DeckPrint){.on = group, .set = set, .of_nodes = true});
}

Status deck_card_el_print(Deck *d) {
  const char *name = inp_parameter(d->card, "ELSET");
  const InpSet *set = name ? inp_elset(d->inp, name) : NULL;
  const int without = d->model.family == INP_PLANE_STRESS ? STRAINS : 0;
  bool never;
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  TRY(print_begin(d, false, &never));
  if (never) return OK;
  if (!set || set->n == 0) return inp_fail(d->inp, d->card, "there is no element set '%.80s'", name ? name : "");
  return print_words(d,
                     deck_is_heat(d)                            ? of_heat_elements
                     : d->procedure.large || deck_is_stepped(d) ? of_large_elements + without
                     : deck_is_timed(d)                         ? of_moving_elements
                     : deck_has_modes(d) || deck_is_response(d) ? of_modes
                                                                : of_elements + without,
                     (DeckPrint){.on = set->name, .set = set});
}

static bool sets_meet(const InpSet *a, const InpSet *b) {
  int32_t i = 0, j = 0;
  while (i < a->n && j < b->n && a->item[i] != b->item[j]) *(a->item[i] < b->item[j] ? &i : &j) += 1;
  return i < a->n && j < b->n;
}

/* CalculiX prints vectors in the directions of *TRANSFORM and tensors in those of ORIENTATION, unless GLOBAL=YES. */
static bool printed_local(const Deck *d, const DeckPrint *p) {
  const bool tensor = strcmp(p->field, "point-stress") == 0 || strcmp(p->field, "point-strain") == 0 ||
                      strcmp(p->field, "point-mechanical-strain") == 0;
  if (p->global || (!p->of_nodes && !tensor)) return false;
  for (int32_t i = 0; p->of_nodes && d->model.frame_of && i < p->set->n; ++i)
    if (d->model.frame_of[p->set->item[i]]) return true;
  for (int32_t i = 0; !p->of_nodes && i < d->model.n_section; ++i)
    if (d->model.section[i].axes && sets_meet(d->model.section[i].on, p->set)) return true;
  return false;
}

/* The nodes of the body with the directions of a *TRANSFORM, as a group; NULL: there are none. */
static Status frame_group(Deck *d, int32_t frame, const char **name) {
  int32_t *item = NULL, n = 0;
  char text[32];
  ALLOC(item, d->inp->n_node, "a group of nodes");
  for (int32_t i = 0; i < d->inp->n_node; ++i)
    if (d->model.frame_of[i] == frame + 1 && !(d->model.hub_of && d->model.hub_of[i])) item[n++] = i;
  *name = NULL;
  if (n == 0) {
    FREE(item);
    return OK;
  }
  snprintf(text, sizeof text, "transform-%d", frame + 1);
  return deck_group(d, (InpGroup){text, INP_NODES, n, item, NULL}, item, NULL, name);
}

static Status write_direction(Deck *d, int32_t row, const char *on, const char *rest, const DeckAxes *axes) {
  char text[300];
  deck_axes_text(axes, deck_dim(d), text, sizeof text);
  if (axes->cylinder && deck_dim(d) == 2 && axes->b[2] < axes->a[2])
    return deck_row_fail(d, row, "a table in directions around an axis along -z is not understood; GLOBAL=YES is");
  return deck_entry(d, row, on, "axes: %s%s", text, rest);
}

static Status write_directions(Deck *d, const bool local[2]) {
  char quoted[2 * DECK_NAME + 3], rest[2 * DECK_NAME + 20];
  const int32_t row = d->tables.item[0].row;
  TRY(deck_write(d, row, "  directions:"));
  for (int32_t i = 0; local[0] && i < d->model.n_section; ++i) {
    const DeckSection *s = &d->model.section[i];
    if (!s->axes) continue;
    snprintf(rest, sizeof rest, ", name: %s", deck_quote(s->axes, quoted));
    TRY(write_direction(d, s->row, s->on->name, rest, deck_axes_named(d, s->axes)));
  }
  for (int32_t i = 0; local[1] && i < d->model.n_frame; ++i) {
    const char *name;
    TRY(frame_group(d, i, &name));
    if (name) TRY(write_direction(d, row, name, ", of: nodes", &d->model.frame[i]));
  }
  return OK;
}

enum { DECK_STEPS = 4000 };

/* CalculiX' energy is the work of the stress on all of the mechanical strain: of a metal what has flowed too. */
static void print_works(const Deck *d, DeckPrint *p) {
  if (d->procedure.flows && !strcmp(p->field, "point-energy")) p->field = "point-work";
  if (d->procedure.flows && !strcmp(p->field, "strain-energy")) p->field = "element-work";
}

/* What is left out of a table, with its reason; NULL: nothing. The energy of a law is no sum of works where its constants change. */
static const char *print_lacks(const Deck *d, const char *field) {
  if (!d->acts.has_temperature || !deck_flows_by_temperature(d)) return NULL;
  if (!strcmp(field, "point-work")) return "ENER of a metal whose constants go with the temperature";
  return !strcmp(field, "element-work") ? "ELSE of a metal whose constants go with the temperature" : NULL;
}

/* Tables that are not there, and without load cases those of another step than the last. */
static Status drop_tables(Deck *d) {
  int32_t n = 0;
  for (int32_t i = 0; i < d->tables.n; ++i) {
    const DeckRow *row = &d->row[d->tables.item[i].row];
    if (!deck_has_cases(d) && !deck_is_chain(d) && d->tables.item[i].last) continue;
    print_works(d, &d->tables.item[i]);
    const char *lacks = print_lacks(d, d->tables.item[i].field);
    if (lacks) TRY(print_warn(d, *row, lacks));
    else d->tables.item[n++] = d->tables.item[i];
  }
  d->tables.n = n;
  return OK;
}

/* The load cases or steps that a table is of, where these are not all. */
static void print_steps(const Deck *d, int32_t first, int32_t last, char text[DECK_STEPS]) {
  size_t n = 0;
  const char *key = deck_is_chain(d) ? "steps" : "load-cases";
  *text = 0;
  if ((!deck_has_cases(d) && !deck_is_chain(d)) || (first == 1 && last == d->n_step)) return;
  for (int32_t s = first; s <= last && n + 40 < DECK_STEPS; ++s)
    n += (size_t)snprintf(text + n, DECK_STEPS - n, "%s%s%sstep-%d", s == first ? ", " : "", s == first ? key : ", ",
                          s == first ? ": [" : "", s);
  snprintf(text + n, DECK_STEPS - n, "]");
}

/* Steps that do not end at 1, 2 ...: each has a table with a time of its own. */
static bool print_by_steps(const Deck *d) {
  const bool still = (d->procedure.analysis == DECK_STATIC && !d->procedure.large && !deck_is_stepped(d)) ||
                     (d->procedure.analysis == DECK_HEAT && d->procedure.steady);
  bool whole = true;
  for (int32_t s = 0; s < d->n_step; ++s) whole &= d->step[s].end == s + 1;
  return still && !whole;
}

/* The tables of a print: one of all of its steps, or one of each. */
static Status write_tables(Deck *d, const DeckPrint *p, bool turned) {
  char steps[DECK_STEPS], time[48] = "";
  const bool each = print_by_steps(d);
  const int32_t end = p->last ? p->last : d->n_step;
  for (int32_t s = p->first; s <= end; s = each ? s + 1 : end + 1) {
    print_steps(d, s, each ? s : end, steps);
    if (each) snprintf(time, sizeof time, ", time: %.17g", d->step[s - 1].end);
    TRY(deck_entry(d, p->row, p->on, "field: %s%s%s%s%s%s", p->field, turned ? ", local: true" : "",
                   p->total ? ", total: " : "", p->total ? p->total : "", steps, time));
  }
  return OK;
}

/* FREQUENCY= of load steps: a time where all have one length, which the ends of steps are beside. */
static Status write_every_step(Deck *d) {
  bool same = true;
  const DeckStep *first = &d->step[0], *last = &d->step[d->n_step - 1];
  for (int32_t s = 0; s < d->n_step; ++s)
    same = same && d->step[s].direct && fabs(d->step[s].first_step / first->first_step - 1) < 1e-9;
  if (!same)
    return deck_warn(d, d->row[d->tables.row],
                     "FREQUENCY=%lld changes nothing where increments are not DIRECT and of one length: all are stored",
                     (long long)d->tables.every);
  const double every = (double)d->tables.every * first->first_step;
  return deck_write(d, d->tables.row, "  every: %.17g", every < last->end ? every : last->end);
}

/* When tables are written. */
static Status write_every(Deck *d) {
  const int32_t row = d->tables.n ? d->tables.item[0].row : d->tables.row;
  const bool stepped = deck_is_chain(d) || ((d->procedure.large || deck_is_stepped(d)) && !deck_is_timed(d));
  if (stepped && !d->procedure.direct && d->n_step == 1)
    return d->tables.n ? deck_write(d, row, "  every: %.17g", d->procedure.period) : OK;
  if ((!deck_is_timed(d) && !stepped) || d->tables.every < 2) return OK;
  if (stepped) return write_every_step(d);
  if (!d->procedure.direct)
    return deck_warn(d, d->row[d->tables.row],
                     "FREQUENCY=%lld changes nothing without DIRECT: steps are Sinew's own, of which all are stored",
                     (long long)d->tables.every);
  const double every = (double)d->tables.every * d->procedure.first_step;
  return deck_write(d, d->tables.row, "  every: %.17g", every < d->procedure.period ? every : d->procedure.period);
}

Status deck_write_output(Deck *d) {
  bool local[2] = {false, false};
  char fields[DECK_FIELDS];
  int32_t row = d->tables.row;
  TRY(drop_tables(d));
  TRY(deck_fields_of(d, fields, &row));
  if (d->tables.n == 0 && d->tables.every < 2 && !*fields) return OK;
  if (d->tables.n) row = d->tables.item[0].row;
  d->out.indent = "    ";
  d->out.heading = "output:", d->out.heading_row = row;
  if (*fields) TRY(deck_write(d, row, "  fields: [%s]", fields));
  TRY(write_every(d));
  if (d->tables.n) TRY(deck_write(d, d->tables.item[0].row, "  tables:"));
  d->out.heading = NULL;
  for (int32_t i = 0; i < d->tables.n; ++i) {
    const DeckPrint *p = &d->tables.item[i];
    const bool turned = printed_local(d, p);
    local[p->of_nodes] |= turned;
    TRY(write_tables(d, p, turned));
  }
  return local[0] || local[1] ? write_directions(d, local) : OK;
}
