/* From a deck to a Case with its mesh. */
#include "app/deck/deck_hub.h"
#include "app/deck/deck_private.h"
#include "app/deck/deck_supports.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool deck_is(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && strcasecmp(path + n - 4, ".inp") == 0;
}

bool deck_is_heat(const Deck *d) { return d->procedure.analysis == DECK_HEAT || d->model.family >= INP_HEAT_SOLID; }

bool deck_has_modes(const Deck *d) {
  return d->procedure.analysis == DECK_MODES || d->procedure.analysis == DECK_BUCKLING;
}

int deck_dim(const Deck *d) { return d->model.family == INP_SOLID || d->model.family == INP_HEAT_SOLID ? 3 : 2; }

static void step_release(DeckStep *step) {
  for (int k = 0; k < DECK_STEP_KINDS; ++k) deck_nodes_release(&step->nodes[k]);
  FREE(step->face);
  FREE(step->body);
}

void deck_steps_release(Deck *d) {
  for (int32_t i = 0; i < d->n_kept; ++i) step_release(&d->step[i]);
  FREE(d->step);
  d->n_kept = 0;
}

static void deck_release(Deck *d) {
  deck_steps_release(d);
  for (int32_t i = 0; i < d->model.n_material; ++i)
    for (int k = 0; k < DECK_TABLES; ++k) FREE(d->model.material[i].table[k].value);
  for (int32_t i = 0; i < d->acts.n_amplitude; ++i) FREE(d->acts.amplitude[i].point);
  for (int32_t i = 0; i < d->n_group; ++i) {
    FREE(d->group[i].name);
    FREE(d->group[i].item);
  }
  for (int k = 0; k < DECK_KINDS; ++k) deck_nodes_release(&d->nodes[k]);
  deck_hubs_release(d);
  FREE(d->model.frame);
  FREE(d->model.frame_of);
  FREE(d->model.equation);
  FREE(d->model.term);
  FREE(d->model.tie);
  FREE(d->model.interaction);
  FREE(d->model.pair);
  FREE(d->model.mass);
  FREE(d->model.spring);
  deck_bolts_release(d);
  FREE(d->title);
  FREE(d->procedure.ratio);
  FREE(d->row);
  FREE(d->model.material);
  FREE(d->model.axes);
  FREE(d->model.section);
  FREE(d->acts.amplitude);
  FREE(d->acts.face);
  FREE(d->acts.body);
  FREE(d->acts.begins.item);
  FREE(d->tables.item);
  FREE(d->group);
  FREE(d->out.place);
  text_release(&d->out.text);
  inp_close(&d->inp);
}

/* Whether linear quadrilaterals and hexahedra have incompatible modes: all of them or none. */
static Status deck_bends(Deck *d) {
  const InpDeck *inp = d->inp;
  for (int32_t i = 0; i < inp->n_elements; ++i) {
    const InpType *type = inp->elements[i].type, *first = d->model.linear ? d->model.linear : type;
    if (!element_type(type->kind)->bubbles) continue;
    if (type->bends != first->bends)
      return inp_fail(inp, &inp->card[inp->elements[i].card],
                      "%s beside %s: linear elements have incompatible modes all or none; write one of the two",
                      type->name, first->name);
    d->model.linear = first;
  }
  return OK;
}

/* One kind of model in a deck; its first line of *HEADING. */
static Status deck_begin(Deck *d) {
  InpCursor cursor = {0};
  InpLine line;
  const InpDeck *inp = d->inp;
  d->model.family = inp->elements[0].type->family;
  for (int32_t i = 1; i < inp->n_elements; ++i)
    if (inp->elements[i].type->family != d->model.family)
      return inp_fail(inp, &inp->card[inp->elements[i].card], "%s beside %s: elements of one family are understood",
                      inp->elements[i].type->name, inp->elements[0].type->name);
  TRY(deck_bends(d));
  for (int32_t c = 0; c < inp->n_card; ++c) {
    d->procedure.n_card += inp_is(&inp->card[c], "STEP");
    const char *large = inp_is(&inp->card[c], "STEP") ? inp_parameter(&inp->card[c], "NLGEOM") : NULL;
    d->procedure.goes_large |= large && strcasecmp(large, "NO") != 0;
    d->procedure.moves |= inp_is(&inp->card[c], "DYNAMIC");
    d->procedure.creeps |= inp_is(&inp->card[c], "VISCO");
    const char *amplitude = inp_parameter(&inp->card[c], "AMPLITUDE");
    d->procedure.follows |= amplitude && (!inp_is(&inp->card[c], "STEP") || strcasecmp(amplitude, "STEP") == 0);
    if (inp_is(&inp->card[c], "HEATTRANSFER") && d->model.family < INP_HEAT_SOLID) /* *BOUNDARY may stand before it */
      d->model.family = d->model.family == INP_SOLID          ? INP_HEAT_SOLID
                        : d->model.family == INP_AXISYMMETRIC ? INP_HEAT_AXISYMMETRIC
                                                              : INP_HEAT_PLANE;
    if (d->title || !inp_is(&inp->card[c], "HEADING") || !inp_next(inp, &inp->card[c], &cursor, &line)) continue;
    TRY(mem_alloc(DECK_NAME, 1, "the title", (void **)&d->title));
    for (int k = 0; k < line.n; ++k)
      snprintf(d->title + strlen(d->title), DECK_NAME - strlen(d->title), "%s%s", k ? ", " : "", line.field[k]);
  }
  return OK;
}

/* Groups of the case, then the sets of elements and surfaces that it does not
 * name, for people. */
static Status deck_mesh(Deck *d, Mesh **out) {
  InpGroup *group = NULL;
  const InpDeck *inp = d->inp;
  int32_t n = 0;
  Status status = OK;
  ALLOC(group, d->n_group + inp->n_elset, "groups");
  for (int32_t i = 0; i < inp->n_elset; ++i)
    group[n++] = (InpGroup){inp->elset[i].name, INP_ELEMENTS, inp->elset[i].n, inp->elset[i].item, NULL};
  for (int32_t i = 0; i < d->n_group; ++i) group[n++] = d->group[i].group;
  status = inp_mesh(d->inp, n, group, out);
  if (status == OK) status = deck_fields(d, *out);
  if (status != OK) mesh_destroy(out);
  FREE(group);
  return status;
}

/* The names of the files stay with the case, whose places point at them. */
static Status deck_made(Deck *d, CaseMade *made) {
  ALLOC(made->file, d->inp->n_file, "files of a deck");
  for (int32_t i = 0; i < d->inp->n_file; ++i) {
    const char *path = d->inp->file[i].path;
    TRY(mem_text(path, "files of a deck", &made->file[i]));
    ++made->n_file;
    for (int32_t k = 0; k < d->out.n_line; ++k)
      if (d->out.place[k].file == path) d->out.place[k].file = made->file[i];
  }
  made->place = d->out.place;
  made->n_place = d->out.n_line;
  d->out.place = NULL;
  return deck_mesh(d, &made->mesh);
}

static Status deck_say(Deck *d, const char *path, const char *mesh_file) {
  const char *slash = strrchr(path, '/');
  TRY(deck_begin(d));
  TRY(deck_read(d));
  if (deck_has_cases(d) && d->procedure.analysis == DECK_STATIC && (deck_supports_change(d) || deck_groups_move(d))) {
    d->procedure.resupports = true; /* with what amplitudes have made of loads at ends of steps */
    for (int32_t i = 0; i < d->n_row; ++i) d->row[i].amplitude = 0;
  }
  TRY(deck_points_ready(d));
  return deck_write_case(d, mesh_file ? mesh_file : slash ? slash + 1 : path);
}

static Status deck_to_case(Deck *d, const char *path, const char *mesh_file, int n_set, const char *const *set,
                           Case **out) {
  char message[4096];
  CaseMade *made = NULL;
  TRY(inp_open(path, &d->inp));
  const Status said = deck_say(d, path, mesh_file);
  snprintf(message, sizeof message, "%s", said == OK ? "" : status_message());
  CHECK(said != ERR_MESH, ERR_INPUT, "%s", message); /* what is wrong behind the mesh is wrong with the case */
  TRY(said);
  ALLOC(made, 1, "the mesh of a deck");
  const Status status = deck_made(d, made);
  if (status != OK) case_made_release(&made);
  TRY(status);
  return case_parse_made(path, d->out.text.data, (size_t)d->out.text.n, n_set, set, made, out);
}

Status deck_load(const char *path, const char *mesh_file, int n_set, const char *const *set, Case **out) {
  Deck *d = NULL;
  *out = NULL;
  ALLOC(d, 1, "a deck");
  const Status status = deck_to_case(d, path, mesh_file, n_set, set, out);
  deck_release(d);
  FREE(d);
  return status;
}
