/* Loads on faces, and the cards of these and of body loads. Faces with equal values become one group and one entry of
 * the case. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static Status add_face(Deck *d, const DeckFace *given) {
  DeckFace added = *given, *const face = &added;
  added.step = d->n_step;
  TRY(deck_is_ahead(d, &added.ahead));
  if (d->acts.n_face == d->acts.room_face) {
    RESIZE(d->acts.face, 2 * (int64_t)d->acts.n_face + 16, "faces with loads");
    d->acts.room_face = 2 * d->acts.n_face + 16;
  }
  d->acts.face[d->acts.n_face++] = *face;
  return OK;
}

/* Face `number` of the line's element or set. */
static Status faces_of_elements(Deck *d, const InpLine *line, DeckFace face, int64_t number) {
  int64_t tag;
  const bool one = inp_item(d->inp, 0, false, line->field[0], &tag);
  const InpSet *set = one ? NULL : inp_elset(d->inp, line->field[0]);
  const int32_t element = one ? tag_map_find(&d->inp->element_of, tag) : -1;
  if (one ? element < 0 : !set)
    return inp_line_fail(d->inp, d->card, line, "there is no element%s '%.80s'", one ? "" : " set", line->field[0]);
  TRY(deck_row(d, line, &face.row));
  d->row[face.row].name = set ? set->name : NULL;
  for (int32_t i = 0; i < (set ? set->n : 1); ++i) {
    face.facet.element = set ? set->item[i] : element;
    const ElementKind kind = inp_kind_of(d->inp, face.facet.element);
    face.facet.face = number > 0 && number < 7 ? inp_face(kind, (int32_t)number) : -1;
    if (face.facet.face < 0)
      return inp_line_fail(d->inp, d->card, line, "element %lld (%s) has no face %s",
                           (long long)d->inp->element_tag[face.facet.element], element_type(kind)->name,
                           line->field[1]);
    TRY(add_face(d, &face));
  }
  return OK;
}

static Status dload_line(Deck *d, const InpLine *line) {
  const char *label = line->n > 1 ? line->field[1] : "";
  int64_t number;
  double v[9] = {0};
  for (int k = 2; k < line->n && k < 11; ++k) TRY(inp_number(d->inp, d->card, line, k, &v[k - 2]));
  if (strcasecmp(label, "GRAV") == 0) {
    const double length = hypot(hypot(v[1], v[2]), v[3]);
    if (!(length > 0) || !isfinite(length))
      return inp_line_fail(d->inp, d->card, line, "gravity has no direction: its length is %g", length);
    return deck_body_load(
        d, line, (DeckBody){.load = DECK_GRAVITY, .value = {v[0], v[1] / length, v[2] / length, v[3] / length}});
  }
  if (strcasecmp(label, "CENTRIF") == 0) {
    if (!(v[0] >= 0)) return inp_line_fail(d->inp, d->card, line, "the square of the speed is %g, must be >= 0", v[0]);
    DeckBody body = {.load = DECK_CENTRIFUGAL};
    memcpy(body.value, v, sizeof body.value);
    return deck_body_load(d, line, body);
  }
  if (toupper((unsigned char)*label) == 'P' && inp_whole(label + 1, &number))
    return faces_of_elements(d, line, (DeckFace){.load = DECK_PRESSURE, .value = {v[0]}}, number);
  return inp_line_fail(d->inp, d->card, line, "the load '%.40s' is not understood; P1 to P6, GRAV and CENTRIF are",
                       label);
}

/* OP=NEW drops the loads of the steps before. */
static Status faces_operation(Deck *d) {
  int32_t n = 0;
  bool drops;
  TRY(deck_renews(d, &d->acts.step, &d->acts.renewed, &drops));
  if (!drops) return OK;
  for (int32_t i = 0; i < d->acts.n_face; ++i)
    if (d->acts.face[i].step == d->n_step) d->acts.face[n++] = d->acts.face[i];
  d->acts.n_face = n;
  n = 0;
  for (int32_t i = 0; i < d->acts.n_body; ++i)
    if (d->acts.body[i].step == d->n_step) d->acts.body[n++] = d->acts.body[i];
  d->acts.n_body = n;
  return OK;
}

static Status face_lines(Deck *d, DeckLine one) {
  InpCursor cursor = {0};
  InpLine line;
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  TRY(deck_amplitude(d));
  TRY(faces_operation(d));
  while (inp_next(d->inp, d->card, &cursor, &line))
    if (line.n) TRY(one(d, &line));
  return OK;
}

Status deck_card_dload(Deck *d) {
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "is a force, in a step of heat transfer; *DFLUX is understood");
  return face_lines(d, dload_line);
}

static Status dsload_line(Deck *d, const InpLine *line) {
  DeckFace face = {.load = DECK_PRESSURE};
  const InpSurface *surface = inp_surface(d->inp, line->field[0]);
  if (!surface || !surface->facet)
    return inp_line_fail(d->inp, d->card, line, "there is no surface of elements '%.80s'", line->field[0]);
  if (line->n < 2 || strcasecmp(line->field[1], "P") != 0)
    return inp_line_fail(d->inp, d->card, line, "the load '%.40s' is not understood; P is",
                         line->n > 1 ? line->field[1] : "");
  TRY(inp_number(d->inp, d->card, line, 2, &face.value[0]));
  TRY(deck_row(d, line, &face.row));
  d->row[face.row].name = surface->name;
  for (int32_t i = 0; i < surface->n; ++i) {
    face.facet = surface->facet[i];
    TRY(add_face(d, &face));
  }
  return OK;
}

Status deck_card_dsload(Deck *d) { return face_lines(d, dsload_line); }

static Status dflux_line(Deck *d, const InpLine *line) {
  const char *label = line->n > 1 ? line->field[1] : "";
  int64_t number;
  double value;
  TRY(inp_number(d->inp, d->card, line, 2, &value));
  if (strcasecmp(label, "BF") == 0) return deck_body_load(d, line, (DeckBody){.load = DECK_SOURCE, .value = {value}});
  if (toupper((unsigned char)*label) == 'S' && inp_whole(label + 1, &number))
    return faces_of_elements(d, line, (DeckFace){.load = DECK_FLUX, .value = {value}}, number);
  return inp_line_fail(d->inp, d->card, line, "the load '%.40s' is not understood; S1 to S6 and BF are", label);
}

Status deck_card_dflux(Deck *d) {
  if (!deck_is_heat(d)) return inp_fail(d->inp, d->card, "is heat, in a step of statics; *DLOAD is understood");
  return face_lines(d, dflux_line);
}

static Status film_line(Deck *d, const InpLine *line) {
  const char *label = line->n > 1 ? line->field[1] : "";
  int64_t number;
  DeckFace face = {.load = DECK_FILM};
  TRY(inp_number(d->inp, d->card, line, 2, &face.value[0]));
  TRY(inp_number(d->inp, d->card, line, 3, &face.value[1]));
  if (toupper((unsigned char)*label) != 'F' || !inp_whole(label + 1, &number))
    return inp_line_fail(d->inp, d->card, line, "the load '%.40s' is not understood; F1 to F6 are", label);
  return faces_of_elements(d, line, face, number);
}

Status deck_card_film(Deck *d) {
  if (!deck_is_heat(d)) return inp_fail(d->inp, d->card, "is heat, in a step of statics");
  return face_lines(d, film_line);
}

static int by_place(const void *left, const void *right) {
  const DeckFace *a = left, *b = right;
  if (a->load != b->load) return a->load < b->load ? -1 : 1;
  if (a->ahead != b->ahead) return a->ahead ? 1 : -1;
  if (a->facet.element != b->facet.element) return a->facet.element < b->facet.element ? -1 : 1;
  if (a->facet.face != b->facet.face) return a->facet.face < b->facet.face ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

static int by_value(const void *left, const void *right) {
  const DeckFace *a = left, *b = right;
  if (a->load != b->load) return a->load < b->load ? -1 : 1;
  if (a->ahead != b->ahead) return a->ahead ? 1 : -1;
  if (a->amplitude != b->amplitude) return a->amplitude < b->amplitude ? -1 : 1;
  for (int k = 0; k < 2; ++k)
    if (a->value[k] != b->value[k]) return a->value[k] < b->value[k] ? -1 : 1;
  return by_place(left, right);
}

/* Faces [first, first + n) as a group; `row` is the lowest of them. */
static Status face_group(Deck *d, const DeckStep *step, int32_t first, int32_t n, int32_t row, const char **name) {
  InpFacet *facet = NULL;
  char text[DECK_NAME];
  int64_t line;
  bool one = d->row[row].name != NULL;
  for (int32_t i = 0; i < n; ++i) one = one && step->face[first + i].row == row;
  TRY(source_line(&d->inp->file[d->row[row].file].source, d->row[row].at, &line));
  if (one)
    snprintf(text, sizeof text, "%.150s%s", d->row[row].name, inp_surface(d->inp, d->row[row].name) ? "" : "-faces");
  else snprintf(text, sizeof text, "faces-of-line-%lld", (long long)line);
  ALLOC(facet, n, "a group of faces");
  for (int32_t i = 0; i < n; ++i) facet[i] = step->face[first + i].facet;
  return deck_group(d, (InpGroup){text, INP_FACETS, n, NULL, facet}, facet, NULL, name);
}

static Status write_faces(Deck *d, const DeckStep *step, int32_t first, int32_t n) {
  char value[DECK_LOAD];
  const char *name;
  const DeckFace *face = &step->face[first];
  int32_t row = face->row;
  for (int32_t i = 1; i < n; ++i)
    if (face[i].row < row) row = face[i].row;
  TRY(face_group(d, step, first, n, row, &name));
  deck_load_text(d, face->amplitude, face->value[0], value);
  if (face->load == DECK_PRESSURE)
    return deck_entry(d, row, name, "pressure: %s%s", value, face->ahead ? ", phase: 90" : "");
  if (face->load == DECK_FLUX) return deck_entry(d, row, name, "flux: %s", value);
  return deck_entry(d, row, name, "convection: {coefficient: %.17g, ambient: %s}", face->value[1], value);
}

static bool same_face(const DeckFace *a, const DeckFace *b) {
  return a->load == b->load && a->ahead == b->ahead && a->facet.element == b->facet.element &&
         a->facet.face == b->facet.face;
}

/* What a step says of a face takes the place of what the steps before have left there; its own rows add up, as in CalculiX. */
static Status replace_faces(Deck *d) {
  int32_t n = 0;
  if (d->acts.n_face)
    qsort(d->acts.face, (size_t)d->acts.n_face, sizeof *d->acts.face, by_place); /* no array yet without faces */
  for (int32_t i = 0; i < d->acts.n_face; ++i) {
    const DeckFace *now = &d->acts.face[i];
    while (n && same_face(&d->acts.face[n - 1], now) && d->acts.face[n - 1].step < now->step) --n;
    DeckFace *before = n && same_face(&d->acts.face[n - 1], now) ? &d->acts.face[n - 1] : NULL;
    if (before && now->load == DECK_FILM)
      return deck_row_fail(d, now->row, "a face of element %lld has two films: give one",
                           (long long)d->inp->element_tag[now->facet.element]);
    if (before && d->row[before->row].amplitude == d->row[now->row].amplitude) before->value[0] += now->value[0];
    else d->acts.face[n++] = *now;
  }
  d->acts.n_face = n;
  return OK;
}

Status deck_faces_copy(Deck *d, DeckStep *step) {
  TRY(replace_faces(d));
  TRY(deck_replace_bodies(d));
  ALLOC(step->face, d->acts.n_face, "faces with loads");
  ALLOC(step->body, d->acts.n_body, "body loads");
  for (int32_t i = 0; i < d->acts.n_face; ++i) step->face[i] = d->acts.face[i];
  for (int32_t i = 0; i < d->acts.n_body; ++i) step->body[i] = d->acts.body[i];
  step->n_face = d->acts.n_face, step->n_body = d->acts.n_body;
  deck_faces_scale(d, step->n_face, step->face, step->n_body, step->body, true);
  for (int32_t i = 0; i < step->n_face; ++i) step->face[i].amplitude = deck_follows(d, step->face[i].row);
  qsort(step->face, (size_t)step->n_face, sizeof *step->face, by_value);
  return OK;
}

Status deck_write_faces(Deck *d, const DeckStep *step) {
  for (int32_t i = 0; i < step->n_face;) {
    int32_t n = 1;
    const DeckFace *a = &step->face[i];
    while (i + n < step->n_face && a[n].load == a->load && a[n].ahead == a->ahead && a[n].amplitude == a->amplitude &&
           a[n].value[0] == a->value[0] && a[n].value[1] == a->value[1])
      ++n;
    TRY(write_faces(d, step, i, n));
    i += n;
  }
  return OK;
}
