/* The case text made from a deck, line by line with its places; rows and groups. */
#include "app/deck/deck_cyclic.h"
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

Status deck_grow(void **list, int32_t n, size_t size, const char *what) {
  return mem_resize((int64_t)n + 1, size, what, list);
}

Status deck_row(Deck *d, const InpLine *line, int32_t *row) {
  if ((d->n_row & (d->n_row - 1)) == 0) RESIZE(d->row, d->n_row ? 2 * (int64_t)d->n_row : 1, "rows of a deck");
  *row = d->n_row;
  d->row[d->n_row++] = line ? deck_line(line) : deck_card(d);
  d->row[d->n_row - 1].amplitude = d->now.amplitude;
  d->row[d->n_row - 1].step = d->now.in_step ? d->n_step : 0;
  return OK;
}

Status deck_row_fail(const Deck *d, int32_t row, const char *format, ...) {
  char text[1500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return source_fail(&d->inp->file[d->row[row].file].source, d->row[row].at, "%s", text);
}

Status deck_warn(const Deck *d, DeckRow row, const char *format, ...) {
  char text[1500];
  int64_t line;
  InpFile *file = &d->inp->file[row.file];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  TRY(source_line(&file->source, row.at, &line));
  status_warn("%s:%lld: %s", file->path, (long long)line, text);
  return OK;
}

DeckRow deck_line(const InpLine *line) { return (DeckRow){.file = line->file, .at = line->at}; }
DeckRow deck_card(const Deck *d) { return (DeckRow){.file = d->card->file, .at = d->card->at}; }

Status deck_lines(Deck *d, DeckLine one) {
  InpCursor cursor = {0};
  InpLine line;
  while (inp_next(d->inp, d->card, &cursor, &line)) TRY(one(d, &line));
  return OK;
}

bool deck_first_line(const Deck *d, InpLine *line) {
  InpCursor cursor = {0};
  return inp_next(d->inp, d->card, &cursor, line);
}

const char *deck_quote(const char *name, char text[2 * DECK_NAME + 3]) {
  int n = 0;
  text[n++] = '"';
  for (const char *p = name; *p && n < 2 * DECK_NAME; ++p) {
    if (*p == '"' || *p == '\\') text[n++] = '\\';
    text[n++] = *p;
  }
  text[n++] = '"', text[n] = 0;
  return text;
}

void deck_list(char *text, size_t size, int n, const double *value) {
  snprintf(text, size, "[");
  for (int k = 0; k < n; ++k) snprintf(text + strlen(text), size - strlen(text), "%s%.17g", k ? ", " : "", value[k]);
  snprintf(text + strlen(text), size - strlen(text), "]");
}

void deck_pairs(char *text, size_t size, int n, const double *x, const double *y, int stride) {
  size_t at = (size_t)snprintf(text, size, "[");
  for (int i = 0; i < n && at < size; ++i)
    at += (size_t)snprintf(text + at, size - at, "%s[%.17g, %.17g]", i ? ", " : "", x[i * stride], y[i * stride]);
  if (at < size) snprintf(text + at, size - at, "]");
}

/* The place of a row in its file. */
static Status row_place(Deck *d, int32_t row, Place *place) {
  int64_t line;
  *place = (Place){.line = 1, .column = 1, .file = d->inp->file[0].path};
  if (row < 0) return OK;
  TRY(source_line(&d->inp->file[d->row[row].file].source, d->row[row].at, &line));
  *place = (Place){.line = (int32_t)line, .column = 1, .file = d->inp->file[d->row[row].file].path};
  return OK;
}

enum { DECK_LINE = 3 * 8192 };
Status deck_write(Deck *d, int32_t row, const char *format, ...) {
  char text[DECK_LINE];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  CHECK(n < (int)sizeof text, ERR_BUG, "a line of %d bytes", n);
  if (d->out.heading) {
    const char *heading = d->out.heading;
    d->out.heading = NULL;
    TRY(deck_write(d, d->out.heading_row, "%s", heading));
  }
  if ((d->out.n_line & (d->out.n_line - 1)) == 0)
    RESIZE(d->out.place, d->out.n_line ? 2 * (int64_t)d->out.n_line : 1, "places of a deck");
  TRY(row_place(d, row, &d->out.place[d->out.n_line]));
  ++d->out.n_line;
  text_add(&d->out.text, "%s\n", text);
  return d->out.text.status;
}

Status deck_entry(Deck *d, int32_t row, const char *on, const char *format, ...) {
  char text[DECK_LINE], quoted[2 * DECK_NAME + 3];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return deck_write(d, row, "%s- {on: %s, %s}", d->out.indent, deck_quote(on, quoted), text);
}

static bool group_is(const DeckGroup *g, const InpGroup *group, const void *of) {
  return of && g->of == of && g->group.kind == group->kind;
}

static bool group_taken(const Deck *d, const char *name, InpGroupKind kind) {
  for (int32_t i = 0; i < d->n_group; ++i)
    if (strcmp(d->group[i].name, name) == 0 &&
        (d->group[i].group.kind == kind || (kind != INP_ELEMENTS && d->group[i].group.kind != INP_ELEMENTS)))
      return true;
  return false;
}

Status deck_group(Deck *d, InpGroup group, void *item, const void *of, const char **name) {
  char text[DECK_NAME + 32];
  for (int32_t i = 0; i < d->n_group; ++i)
    if (group_is(&d->group[i], &group, of)) {
      FREE(item);
      *name = d->group[i].name;
      return OK;
    }
  DeckGroup *g = NULL;
  Status status = OK;
  snprintf(text, sizeof text, "%.*s", DECK_NAME - 1, group.name);
  for (int k = 2; group_taken(d, text, group.kind); ++k)
    snprintf(text, sizeof text, "%.*s-%d", DECK_NAME - 1, group.name, k);
  status = deck_grow((void **)&d->group, d->n_group, sizeof *d->group, "groups");
  if (status == OK) {
    g = &d->group[d->n_group];
    *g = (DeckGroup){.group = group, .of = of};
    status = mem_text(text, "the name of a group", &g->name);
  }
  if (status != OK) {
    FREE(item);
    return status;
  }
  g->item = item;
  g->group.name = g->name;
  ++d->n_group;
  *name = g->name;
  return OK;
}

Status deck_elements_group(Deck *d, const InpLine *line, DeckBody *body) {
  int64_t tag;
  char text[64];
  int32_t *item = NULL;
  if (!inp_item(d->inp, 0, false, line->field[0], &tag)) {
    const InpSet *set = inp_elset(d->inp, line->field[0]);
    if (!set) return inp_line_fail(d->inp, d->card, line, "there is no element set '%.80s'", line->field[0]);
    body->on = set->name, body->set = set;
    return OK;
  }
  const int32_t element = tag_map_find(&d->inp->element_of, tag);
  if (element < 0) return inp_line_fail(d->inp, d->card, line, "element %lld does not exist", (long long)tag);
  ALLOC(item, 1, "a group of elements");
  *item = body->element = element;
  snprintf(text, sizeof text, "element-%lld", (long long)tag);
  return deck_group(d, (InpGroup){text, INP_ELEMENTS, 1, item, NULL}, item, &d->inp->element_tag[element], &body->on);
}

static Status write_time(Deck *d) {
  const bool steps = (d->procedure.large || deck_is_stepped(d)) && !deck_is_timed(d);
  if (deck_is_chain(d) || (!deck_is_timed(d) && !steps)) return OK;
  const bool motion = d->procedure.analysis != DECK_HEAT;
  if (d->procedure.direct)
    return deck_write(d, d->procedure.row, "time: {end: %.17g, step: %.17g%s}", d->procedure.period,
                      d->procedure.first_step,
                      steps    ? ", adaptive: false"
                      : motion ? ""
                               : ", scheme: backward-euler");
  const double max = d->procedure.max_step > 0 && d->procedure.max_step < d->procedure.period ? d->procedure.max_step
                                                                                              : d->procedure.period;
  double min = d->procedure.min_step > 0 ? d->procedure.min_step : 1e-5 * d->procedure.period;
  if (min > d->procedure.first_step) min = d->procedure.first_step;
  if (min < 1e-12 * d->procedure.period) min = 1e-12 * d->procedure.period;
  if (steps)
    return deck_write(d, d->procedure.row, "time: {end: %.17g, step: %.17g, adaptive: {min: %.17g, max: %.17g}}",
                      d->procedure.period, d->procedure.first_step < max ? d->procedure.first_step : max, min, max);
  if (motion && deck_any_touches(d)) {
    TRY(deck_warn_even(d, d->procedure.row));
    return deck_write(d, d->procedure.row, "time: {end: %.17g, step: %.17g}", d->procedure.period,
                      d->procedure.first_step < max ? d->procedure.first_step : max);
  }
  return deck_write(d, d->procedure.row,
                    "time: {end: %.17g, step: %.17g, adaptive: {tolerance: %s, min: %.17g, max: %.17g}}",
                    d->procedure.period, d->procedure.first_step < max ? d->procedure.first_step : max,
                    motion ? "1e-3" : "1e-4", min, max);
}

/* Written in front of what follows, if anything does. */
static void heading(Deck *d, int32_t row, const char *text) { d->out.heading = text, d->out.heading_row = row; }

static Status write_step(Deck *d, const DeckStep *step) {
  d->out.indent = "  ";
  heading(d, -1, "boundary:");
  TRY(deck_write_held(d));
  TRY(deck_write_hubs(d));
  TRY(deck_write_ties(d));
  TRY(deck_write_nodes(d, step, DECK_FIX));
  TRY(deck_write_nodes(d, step, DECK_FORCE));
  TRY(deck_write_nodes(d, step, DECK_AHEAD));
  TRY(deck_write_faces(d, step));
  heading(d, -1, "contact:");
  TRY(deck_write_pairs(d, false));
  heading(d, -1, "bolts:");
  TRY(deck_write_bolts(d, d->n_step - 1));
  heading(d, step->n_body ? step->body[0].row : -1, deck_is_heat(d) ? "source:" : "body:");
  TRY(deck_write_body(d, step));
  d->out.heading = NULL;
  return OK;
}

static Status write_load_case(Deck *d, int32_t i, bool with_fix) {
  const DeckStep *step = &d->step[i];
  TRY(deck_write(d, step->row, "  - name: step-%d", i + 1));
  d->out.indent = "      ";
  heading(d, step->row, "    boundary:");
  if (with_fix) TRY(deck_write_nodes(d, step, DECK_FIX));
  TRY(deck_write_nodes(d, step, DECK_FORCE));
  TRY(deck_write_faces(d, step));
  heading(d, step->row, "    body:");
  TRY(deck_write_body(d, step));
  d->out.heading = NULL;
  return deck_write_heated(d, i);
}

bool deck_has_cases(const Deck *d) {
  return d->n_step > 1 && !d->procedure.prestress && !deck_is_response(d) && !deck_is_chain(d);
}

static bool any_value(const Deck *d, const DeckNodes *nodes) {
  bool any = false;
  for (int32_t i = 0; nodes->n && i < d->inp->n_node; ++i)
    for (int k = 0; k < DECK_VALUES; ++k) any |= nodes->value[i][k] < 0 || nodes->value[i][k] > 0;
  return any;
}

/* Whether anything but supports acts in a step. */
static bool step_acts(const Deck *d, const DeckStep *step) {
  return step->n_face || step->n_body || deck_step_is_heated(d, step) || any_value(d, &step->nodes[DECK_FORCE]);
}

/* Whether anything in a step gives stress. */
static bool step_loads(const Deck *d, const DeckStep *step) {
  return step_acts(d, step) || deck_is_heated(d) || any_value(d, &step->nodes[DECK_FIX]);
}

/* Steps of linear statics: each has what acts at its end. Supports that are the
 * same in all stand once, unless they are all that acts in one. */
static Status write_load_cases(Deck *d) {
  bool same = step_acts(d, &d->step[0]);
  for (int32_t i = 1; i < d->n_step; ++i)
    same = same && step_acts(d, &d->step[i]) &&
           deck_nodes_equal(d, &d->step[0].nodes[DECK_FIX], &d->step[i].nodes[DECK_FIX]);
  d->out.indent = "  ";
  heading(d, -1, "boundary:");
  TRY(deck_write_held(d));
  TRY(deck_write_hubs(d));
  TRY(deck_write_ties(d));
  if (same) TRY(deck_write_nodes(d, &d->step[0], DECK_FIX));
  d->out.heading = NULL;
  TRY(deck_write(d, d->step[0].row, "load-cases:"));
  for (int32_t i = 0; i < d->n_step; ++i) TRY(write_load_case(d, i, !same));
  return OK;
}

/* Steps without NLGEOM before those with it are linear. */
static Status check_small_first(const Deck *d) {
  const char *other = d->procedure.moves ? "*DYNAMIC" : d->model.family == INP_PLANE_STRESS ? "CPS" : NULL;
  int32_t first = 0;
  if (!d->n_kept || !d->step[0].small) return OK;
  while (first < d->n_kept && d->step[first].small) ++first;
  for (int32_t m = 0; m < d->model.n_material; ++m)
    if (d->model.material[m].elastic == DECK_RUBBER) other = "*HYPERELASTIC";
  for (int32_t e = 0; e < d->model.n_equation; ++e)
    if (d->model.equation[e].keep) other = "*MPC";
  if (!other || first == d->n_kept) return OK;
  return deck_row_fail(
      d, d->step[first].row,
      "NLGEOM after a step without it is understood of linear materials and metals in *STATIC, not beside %s; "
      "from the first step on it is",
      other);
}

/* What load steps do not have, in one line. */
static Status check_large(const Deck *d) {
  for (int32_t i = 0; i < d->n_step; ++i) TRY(deck_flows_check(d, &d->step[i]));
  TRY(deck_flows_tell(d));
  TRY(check_small_first(d));
  if (!d->procedure.large) return d->procedure.flows ? deck_check_heated_steps(d) : OK;
  for (int32_t e = 0; e < d->model.n_equation; ++e)
    if (d->model.equation[e].keep && (d->procedure.moves || deck_ends_in_modes(d)))
      return deck_row_fail(d, d->model.equation[e].row, "*MPC in %s with NLGEOM is not understood; *STATIC is",
                           d->procedure.moves ? "*DYNAMIC" : "*FREQUENCY about a step");
  for (int32_t i = 0; i < d->model.n_hub; ++i)
    if (!d->model.hub[i].rigid && !d->model.hub[i].spin)
      return deck_row_fail(d, d->model.hub[i].row,
                           "*DISTRIBUTING in steps with NLGEOM, where the nodes that a force is spread over turn, is "
                           "not understood; *KINEMATIC and *RIGID BODY are, and *DISTRIBUTING without NLGEOM");
  return deck_check_heated_steps(d);
}

Status deck_write_case(Deck *d, const char *mesh_file) {
  static const char *const models[] = {"3d", "plane-stress", "plane-strain", "axisymmetric"};
  char quoted[2 * DECK_NAME + 3], path[4096], diameters[DECK_DIAMETERS_TEXT];
  const bool turning = d->model.family == INP_AXISYMMETRIC || d->model.family == INP_HEAT_AXISYMMETRIC;
  TRY(check_large(d));
  TRY(deck_write(d, -1, "version: 1"));
  if (d->title && *d->title) TRY(deck_write(d, -1, "title: %s", deck_quote(d->title, quoted)));
  size_t n = 0;
  for (const char *p = mesh_file; *p && n + 2 < sizeof path; ++p) {
    if (*p == '"' || *p == '\\') path[n++] = '\\';
    path[n++] = *p;
  }
  path[n] = 0;
  TRY(deck_write(d, -1, "mesh: {file: \"%s\"}", path));
  TRY(deck_write(d, -1, "physics: %s", deck_is_heat(d) ? "heat" : "elasticity"));
  if (!deck_is_heat(d) || turning)
    TRY(deck_write(d, -1, "model: %s", turning ? "axisymmetric" : models[d->model.family]));
  if (d->procedure.large) TRY(deck_write(d, d->now.step_row, "strain: finite"));
  const bool bends = d->model.linear && d->model.linear->bends; /* else metals flow by mean dilatation */
  if (d->model.linear && !deck_is_heat(d) && (bends || !(d->procedure.large || d->procedure.flows)))
    TRY(deck_write(d, -1, "formulation: %s", bends ? "incompatible-modes" : "displacement"));
  TRY(deck_write_functions(d));
  TRY(deck_write_motion(d));
  TRY(deck_write_response(d));
  TRY(deck_write_diameters(d, diameters, sizeof diameters));
  if (deck_has_modes(d))
    TRY(deck_write(
        d, d->procedure.row, "analysis: {type: %s, modes: %lld%s%s}",
        d->procedure.analysis == DECK_MODES ? "modal" : "buckling", (long long)d->procedure.n_mode, diameters,
        d->procedure.prestress && (d->acts.begins.n || step_loads(d, &d->step[d->n_step - 1])) ? ", prestress: true"
                                                                                               : ""));
  if (deck_ends_in_modes(d))
    TRY(deck_write(d, d->procedure.row, "analysis: {type: modal, modes: %lld, prestress: true}",
                   (long long)d->procedure.n_mode));
  TRY(deck_write_materials(d));
  TRY(deck_is_chain(d)    ? deck_write_chain(d)
      : deck_has_cases(d) ? write_load_cases(d)
                          : write_step(d, &d->step[d->n_step - 1]));
  TRY(deck_write_equations(d));
  TRY(deck_write_springs(d));
  TRY(deck_write_temperature(d));
  TRY(write_time(d));
  return deck_write_output(d);
}
