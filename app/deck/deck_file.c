/* Fields of results.hdf: those that are there always, and what *NODE FILE, *EL FILE, *CONTACT FILE and the like ask for. */
#include "app/deck/deck_private.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What is solved, of which one bit is set, and what it has. */
enum {
  STATIC = 1,
  STEPS = 2,
  LARGE = 4,
  MOTION = 8,
  LARGE_MOTION = 16,
  VIBRATION = 32,
  HEAT = 64,
  SMALL_STEPS = STATIC | STEPS,
  ANY_LARGE = LARGE | LARGE_MOTION,
  LOADED = SMALL_STEPS | ANY_LARGE,
  FLOWS = 128,
  TOUCHES = 256,
  COLD = 512 /* no temperatures: all strain is mechanical */
};

/* A word and its field: of these analyses, where all that it needs is there. */
typedef struct FileWord {
  const char *word, *field;
  unsigned of, needs;
} FileWord;
static const FileWord words[] = {
    {"U", "displacement", LOADED | MOTION | VIBRATION, 0},
    {"V", "velocity", MOTION | LARGE_MOTION, 0},
    {"A", "acceleration", MOTION | LARGE_MOTION, 0},
    {"S", "stress", SMALL_STEPS | MOTION | VIBRATION, 0},
    {"S", "cauchy", ANY_LARGE, 0},
    {"MISES", "von-mises", LOADED | MOTION | VIBRATION, 0},
    {"SP", "principal", LOADED, 0},
    {"E", "strain", SMALL_STEPS, 0},
    {"E", "green-lagrange", ANY_LARGE, 0},
    {"ME", "strain", SMALL_STEPS, COLD},
    {"ME", "green-lagrange", ANY_LARGE, COLD},
    {"RF", "reaction", LOADED, TOUCHES},
    {"RF", "internal-force", LOADED, 0},
    {"ENER", "strain-energy", SMALL_STEPS, 0},
    {"ENER", "energy", ANY_LARGE, 0},
    {"ELSE", "strain-energy", SMALL_STEPS, 0},
    {"ELSE", "energy", ANY_LARGE, 0},
    {"ERR", "stress-error", STATIC, 0},
    {"NOE", "", ~0u, 0}, /* without an estimate of the error */
    {"PEEQ", "plastic-strain", STEPS | MOTION | ANY_LARGE, FLOWS},
    {"PE", "plastic-strain", STEPS | MOTION | ANY_LARGE, FLOWS},
    {"CEEQ", "plastic-strain", STEPS | MOTION | ANY_LARGE, FLOWS},
    {"CE", "plastic-strain", STEPS | MOTION | ANY_LARGE, FLOWS},
    {"CDIS", "contact-gap", STEPS | LARGE, TOUCHES},
    {"CDISP", "contact-gap", STEPS | LARGE, TOUCHES},
    {"CSTR", "contact-pressure", STEPS | LARGE, TOUCHES},
    {"CSTRESS", "contact-pressure", STEPS | LARGE, TOUCHES},
    {"CF", "contact-force", STEPS | LARGE, TOUCHES},
    {"NT", "temperature", HEAT, 0},
    {"HFL", "flux", HEAT, 0},
};
/* There always, in this order. */
static const FileWord always[] = {
    {NULL, "displacement", LOADED | MOTION | VIBRATION, 0},
    {NULL, "stress", SMALL_STEPS, 0},
    {NULL, "cauchy", ANY_LARGE, 0},
    {NULL, "von-mises", LOADED, 0},
    {NULL, "temperature", HEAT, 0},
    {NULL, "contact-pressure", STEPS | LARGE, TOUCHES},
    {NULL, "contact-gap", STEPS | LARGE, TOUCHES},
    {NULL, "contact-force", STEPS | LARGE, TOUCHES},
    {NULL, "plastic-strain", STEPS | MOTION | ANY_LARGE, FLOWS},
    {NULL, "plastic-xx, plastic-yy, plastic-zz, plastic-xy, plastic-yz, plastic-xz", STEPS | MOTION | ANY_LARGE, FLOWS},
};

static unsigned what_is_solved(const Deck *d) {
  const DeckProcedure *p = &d->procedure;
  const unsigned has =
      (p->flows ? FLOWS : 0) | (deck_any_touches(d) ? TOUCHES : 0) | (d->acts.has_temperature ? 0 : COLD);
  if (deck_is_heat(d)) return has | HEAT;
  if (deck_has_modes(d) || deck_is_response(d)) return has | (p->analysis == DECK_MODAL_DYNAMIC ? MOTION : VIBRATION);
  if (deck_is_timed(d)) return has | (p->large ? LARGE_MOTION : MOTION);
  return has | (p->large ? LARGE : deck_is_stepped(d) ? STEPS : STATIC);
}

static bool is_there(const FileWord *w, unsigned solved) { return (w->of & solved) && (w->needs & ~solved) == 0; }

/* Appends a word to a list of them, once. */
static void list_add(char *list, size_t size, const char *word) {
  const size_t n = strlen(list), length = strlen(word);
  if (length == 0) return;
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ',' || !at[length])) return;
  if (n + length + 2 < size) snprintf(list + n, size - n, "%s%s", n ? ", " : "", word);
}

static bool is_file(const InpCard *card) {
  static const char *const name[] = {"NODEFILE",      "ELFILE",        "CONTACTFILE", "NODEOUTPUT",
                                     "ELEMENTOUTPUT", "CONTACTOUTPUT", "ENERGYOUTPUT"};
  for (size_t i = 0; i < sizeof name / sizeof *name; ++i)
    if (inp_is(card, name[i])) return true;
  return false;
}

/* The words of a card, in upper case: to the fields, or to those that have none. */
static void card_add(const Deck *d, const InpCard *card, unsigned solved, char fields[DECK_FIELDS],
                     char lacking[DECK_FIELDS]) {
  InpCursor cursor = {0};
  InpLine line;
  while (inp_next(d->inp, card, &cursor, &line))
    for (int k = 0; k < line.n; ++k) {
      const FileWord *found = NULL;
      for (size_t i = 0; i < sizeof words / sizeof *words && !found; ++i)
        if (strcasecmp(words[i].word, line.field[k]) == 0 && is_there(&words[i], solved)) found = &words[i];
      if (*line.field[k]) list_add(found ? fields : lacking, DECK_FIELDS, found ? found->field : line.field[k]);
    }
}

Status deck_fields_of(Deck *d, char fields[DECK_FIELDS], int32_t *row) {
  const unsigned solved = what_is_solved(d);
  const InpCard *first = NULL;
  char lacking[DECK_FIELDS] = "";
  bool local = false;
  *fields = 0;
  for (size_t i = 0; i < sizeof always / sizeof *always; ++i)
    if (is_there(&always[i], solved)) list_add(fields, DECK_FIELDS, always[i].field);
  const size_t n = strlen(fields);
  for (int32_t c = 0; c < d->inp->n_card; ++c) {
    const InpCard *card = &d->inp->card[c];
    const char *global = inp_parameter(card, "GLOBAL");
    if (!is_file(card)) continue;
    if (!first) first = card;
    local = local || (global && strcasecmp(global, "NO") == 0);
    card_add(d, card, solved, fields, lacking);
  }
  if (!first) {
    if (!deck_is_stepped(d)) *fields = 0; /* as the case has them */
    return OK;
  }
  d->card = first;
  if (*lacking) TRY(deck_warn(d, deck_card(d), "results.hdf has no field of %s", lacking));
  if (local) TRY(deck_warn(d, deck_card(d), "GLOBAL=NO changes nothing: fields are in x, y and z"));
  if (strlen(fields) == n && !deck_is_stepped(d)) *fields = 0;
  return deck_row(d, NULL, row);
}
