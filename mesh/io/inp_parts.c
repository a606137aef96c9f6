/* *PART, *INSTANCE and *ASSEMBLY made flat: each instance has the cards of its part, with names "instance.name", and
 * numbers of its own. Instance k of those with numbers below 1000 has its numbers from 1000 k on (k = 0, 1, ...), what
 * the assembly itself has comes behind all instances. */
#include "core/memory.h"
#include "mesh/io/inp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Cards of a part, in the list as it was read. */
typedef struct Part {
  const char *name;
  int32_t first, n;
} Part;

typedef struct Flattening {
  InpDeck *deck;
  InpCard *from; /* those that were read; what is taken over leaves its place empty */
  int32_t n_from;
  Part *part;
  int32_t n_part;
} Flattening;

/* What may stand in a part, and which of its parameters are names of the part. */
static const struct {
  const char *card, *name[2];
} inside[] = {{"NODE", {"NSET", NULL}},       {"ELEMENT", {"ELSET", NULL}}, {"NSET", {"NSET", NULL}},
              {"ELSET", {"ELSET", NULL}},     {"SURFACE", {"NAME", NULL}},  {"SOLIDSECTION", {"ELSET", "ORIENTATION"}},
              {"ORIENTATION", {"NAME", NULL}}};
enum { N_INSIDE = sizeof inside / sizeof *inside };

static Status card_room(InpDeck *deck, InpCard **out) {
  RESIZE(deck->card, (int64_t)deck->n_card + 1, "cards of a deck");
  deck->room_card = deck->n_card + 1;
  *out = &deck->card[deck->n_card++];
  *out[0] = (InpCard){0};
  return OK;
}

static Status card_copy(InpDeck *deck, const InpCard *from) {
  InpCard *to;
  TRY(card_room(deck, &to));
  to->file = from->file, to->at = from->at, to->first = from->first, to->n = from->n;
  TRY(mem_text(from->name, "a keyword", &to->name));
  ALLOC(to->parameter, from->n_parameter, "parameters of a keyword");
  for (int32_t i = 0; i < from->n_parameter; ++i) {
    ++to->n_parameter;
    TRY(mem_text(from->parameter[i].name, "a keyword", &to->parameter[i].name));
    TRY(mem_text(from->parameter[i].value, "a keyword", &to->parameter[i].value));
  }
  return OK;
}

static Status card_move(InpDeck *deck, InpCard *from) {
  InpCard *to;
  TRY(card_room(deck, &to));
  *to = *from;
  *from = (InpCard){0};
  return OK;
}

/* The last card is one of an instance. */
static Status card_inside(InpDeck *deck, int32_t scope) {
  InpCard *card = &deck->card[deck->n_card - 1];
  int k = 0;
  while (k < N_INSIDE && !inp_is(card, inside[k].card)) ++k;
  if (k == N_INSIDE)
    return inp_fail(deck, card,
                    "inside a part or an instance is not understood; *NODE, *ELEMENT, *NSET, *ELSET, *SURFACE, "
                    "*SOLID SECTION and *ORIENTATION are");
  card->scope = scope;
  for (int32_t i = 0; i < card->n_parameter; ++i)
    for (int j = 0; j < 2; ++j) {
      InpParameter *p = &card->parameter[i];
      char name[INP_NAME], *whole = NULL;
      if (!inside[k].name[j] || strcmp(p->name, inside[k].name[j]) != 0 || !*p->value) continue;
      TRY(mem_text(inp_scoped(deck, scope, p->value, name), "a keyword", &whole));
      FREE(p->value);
      p->value = whole;
    }
  return OK;
}

static Status check_parameters(const InpDeck *deck, const InpCard *card, const char *other) {
  for (int32_t i = 0; i < card->n_parameter; ++i)
    if (strcmp(card->parameter[i].name, "NAME") != 0 && strcmp(card->parameter[i].name, other) != 0)
      return inp_fail(deck, card, "the parameter %.60s is not understood; understood: NAME%s%s",
                      card->parameter[i].name, *other ? " " : "", other);
  const char *name = inp_parameter(card, "NAME");
  return name && *name ? OK : inp_fail(deck, card, "has no NAME=");
}

/* From the card of a part, or an instance, to the card that ends it. */
static Status find_end(const Flattening *f, int32_t begin, const char *end, const char *said, int32_t *out) {
  for (*out = begin + 1; *out < f->n_from; ++*out) {
    if (inp_is(&f->from[*out], end)) return OK;
    if (inp_is(&f->from[*out], "PART") || inp_is(&f->from[*out], "INSTANCE") || inp_is(&f->from[*out], "STEP")) break;
  }
  return inp_fail(f->deck, &f->from[begin], "has no *%s", said);
}

static Status add_part(Flattening *f, int32_t begin, int32_t end) {
  const InpCard *card = &f->from[begin];
  TRY(check_parameters(f->deck, card, ""));
  RESIZE(f->part, f->n_part + 1, "parts of a deck");
  f->part[f->n_part++] = (Part){inp_parameter(card, "NAME"), begin + 1, end - begin - 1};
  return OK;
}

/* Two lines at most: a shift; two points of an axis and an angle in degrees, by which it is turned then. */
static Status read_place(const InpDeck *deck, const InpCard *card, InpScope *scope) {
  InpCursor cursor = {0};
  InpLine line;
  double v[7], axis[3], length = 0;
  for (int k = 0; k < 9; ++k) scope->turn[k / 3][k % 3] = k % 4 == 0;
  if (!inp_next(deck, card, &cursor, &line)) return OK;
  for (int k = 0; k < 3; ++k) TRY(inp_number(deck, card, &line, k, &scope->shift[k]));
  if (!inp_next(deck, card, &cursor, &line)) return OK;
  for (int k = 0; k < 7; ++k) TRY(inp_number(deck, card, &line, k, &v[k]));
  for (int k = 0; k < 3; ++k) axis[k] = v[3 + k] - v[k], length += axis[k] * axis[k], scope->at[k] = v[k];
  length = sqrt(length);
  if (!(length > 0)) return inp_line_fail(deck, card, &line, "the two points of the axis are the same");
  const double angle = v[6] * acos(-1) / 180, c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; ++i) axis[i] /= length;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int k = 3 - i - j; /* the third; of R = c I + s [axis] + (1 - c) axis axis^T */
      const double cross = i == j ? 0 : (j + 1) % 3 == i ? axis[k] : -axis[k];
      scope->turn[i][j] = (i == j ? c : 0) + s * cross + (1 - c) * axis[i] * axis[j];
    }
  return OK;
}

static Status add_scope(InpDeck *deck, const char *name) {
  RESIZE(deck->scope, deck->n_scope + 1, "instances of a deck");
  InpScope *scope = &deck->scope[deck->n_scope++];
  *scope = (InpScope){0};
  return mem_text(name, "a keyword", &scope->name);
}

static Status add_instance(Flattening *f, int32_t begin, int32_t end) {
  InpDeck *deck = f->deck;
  const InpCard *card = &f->from[begin];
  TRY(check_parameters(deck, card, "PART"));
  const char *name = inp_parameter(card, "NAME"), *of = inp_parameter(card, "PART");
  const Part *part = NULL;
  for (int32_t i = 0; i < f->n_part; ++i)
    if (of && strcasecmp(f->part[i].name, of) == 0) part = &f->part[i];
  if (!part) return inp_fail(deck, card, "there is no part '%.80s' before it", of ? of : "");
  if (inp_scope(deck, name) > 0) return inp_fail(deck, card, "the instance '%.80s' is given twice", name);
  TRY(add_scope(deck, name));
  const int32_t scope = deck->n_scope - 1;
  TRY(read_place(deck, card, &deck->scope[scope]));
  for (int32_t i = 0; i < part->n; ++i) {
    TRY(card_copy(deck, &f->from[part->first + i]));
    TRY(card_inside(deck, scope));
  }
  for (int32_t i = begin + 1; i < end; ++i) {
    TRY(card_move(deck, &f->from[i]));
    TRY(card_inside(deck, scope));
  }
  return OK;
}

/* What a set of the assembly lists is of this instance. */
static Status set_of_instance(InpDeck *deck) {
  InpCard *card = &deck->card[deck->n_card - 1];
  const char *name = inp_parameter(card, "INSTANCE");
  if (!name || !(inp_is(card, "NSET") || inp_is(card, "ELSET"))) return OK;
  card->scope = inp_scope(deck, name);
  return card->scope > 0 ? OK : inp_fail(deck, card, "there is no instance '%.80s'", name);
}

static Status flatten(Flattening *f) {
  for (int32_t c = 0, end; c < f->n_from; ++c) {
    if (inp_is(&f->from[c], "PART")) {
      TRY(find_end(f, c, "ENDPART", "END PART", &end));
      TRY(add_part(f, c, end));
      c = end;
    } else if (inp_is(&f->from[c], "INSTANCE")) {
      TRY(find_end(f, c, "ENDINSTANCE", "END INSTANCE", &end));
      TRY(add_instance(f, c, end));
      c = end;
    } else if (inp_is(&f->from[c], "ENDPART") || inp_is(&f->from[c], "ENDINSTANCE")) {
      return inp_fail(f->deck, &f->from[c], "ends something that did not begin");
    } else if (!inp_is(&f->from[c], "ASSEMBLY") && !inp_is(&f->from[c], "ENDASSEMBLY")) {
      TRY(card_move(f->deck, &f->from[c]));
      TRY(set_of_instance(f->deck));
    }
  }
  return OK;
}

Status inp_flatten(InpDeck *deck) {
  bool any = false;
  TRY(add_scope(deck, ""));
  for (int k = 0; k < 3; ++k) deck->scope[0].turn[k][k] = 1;
  for (int32_t c = 0; c < deck->n_card; ++c)
    any |= inp_is(&deck->card[c], "PART") || inp_is(&deck->card[c], "ENDPART") || inp_is(&deck->card[c], "ASSEMBLY") ||
           inp_is(&deck->card[c], "INSTANCE") || inp_parameter(&deck->card[c], "INSTANCE");
  if (!any) return OK;
  Flattening f = {.deck = deck, .from = deck->card, .n_from = deck->n_card};
  deck->card = NULL;
  deck->n_card = deck->room_card = 0;
  const Status status = flatten(&f);
  for (int32_t c = 0; c < f.n_from; ++c) inp_card_close(&f.from[c]);
  FREE(f.from);
  FREE(f.part);
  return status;
}

int32_t inp_scope(const InpDeck *deck, const char *name) {
  for (int32_t i = 1; i < deck->n_scope; ++i)
    if (strcasecmp(deck->scope[i].name, name) == 0) return i;
  return -1;
}

const char *inp_scoped(const InpDeck *deck, int32_t scope, const char *name, char text[INP_NAME]) {
  if (scope == 0) return name;
  snprintf(text, INP_NAME, "%s.%s", deck->scope[scope].name, name);
  return text;
}

bool inp_item(const InpDeck *deck, int32_t scope, bool nodes, const char *text, int64_t *tag) {
  const char *dot = scope == 0 ? strrchr(text, '.') : NULL;
  char name[INP_NAME];
  if (dot && dot > text && dot[1]) {
    snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
    scope = inp_scope(deck, name);
    if (scope < 0) return false;
    text = dot + 1;
  }
  if (!inp_whole(text, tag)) return false;
  *tag += deck->scope[scope].offset[nodes];
  return true;
}

void inp_turn(const InpScope *scope, double x[3]) {
  double y[3] = {0};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) y[i] += scope->turn[i][j] * x[j];
  memcpy(x, y, sizeof y);
}

void inp_place(const InpScope *scope, double x[3]) {
  for (int k = 0; k < 3; ++k) x[k] += scope->shift[k] - scope->at[k];
  inp_turn(scope, x);
  for (int k = 0; k < 3; ++k) x[k] += scope->at[k];
}

Status inp_offsets(InpDeck *deck, bool nodes, const int64_t *most) {
  int64_t all = 0, step = 1;
  for (int32_t i = 0; i < deck->n_scope; ++i) all = most[i] > all ? most[i] : all;
  while (step <= all) step *= 10;
  for (int32_t i = 1; i < deck->n_scope; ++i) deck->scope[i].offset[nodes] = (i - 1) * step;
  deck->scope[0].offset[nodes] = deck->n_scope > 1 ? (deck->n_scope - 1) * step : 0;
  CHECK(all + deck->n_scope * step < INT32_MAX || deck->n_scope == 1, ERR_MESH,
        "%s: %d instances with numbers up to %lld; all numbers together may reach %d", deck->file[0].path,
        deck->n_scope - 1, (long long)all, INT32_MAX);
  return OK;
}
