/* The keywords that are understood, with the parameters that each may have. */
#include "app/deck/deck_private.h"

#include <stdio.h>
#include <string.h>

typedef struct Keyword {
  const char *name, *parameters;
  Status (*read)(Deck *d);
} Keyword;

static const Keyword keywords[] = {
#define CARD(name, parameters, read) {name, parameters, deck_card_##read},
#define CARD_TOO CARD
#define CARD_PASSED(name, parameters) {name, parameters, NULL},
#include "app/deck/cards.def"
};
enum { N_KEYWORDS = sizeof keywords / sizeof *keywords };

static bool has_word(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *p = list; (p = strstr(p, word)); p += n)
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n])) return true;
  return false;
}

static Status unknown_keyword(const Deck *d) {
  char list[1200] = "";
  for (int i = 0; i < N_KEYWORDS; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", keywords[i].name);
  return inp_fail(d->inp, d->card, "is not understood; understood are INCLUDE, %s", list);
}

static Status check_parameters(const Deck *d, const Keyword *k) {
  const char *const kept = *k->parameters ? k->parameters : "none";
  for (int32_t i = 0; k->parameters && i < d->card->n_parameter; ++i)
    if (!has_word(k->parameters, d->card->parameter[i].name))
      return inp_fail(d->inp, d->card, "the parameter %.60s is not understood; understood: %s",
                      d->card->parameter[i].name, kept);
  return OK;
}

/* Read before the others, which ask for reference nodes. */
static bool is_early(const Keyword *k) {
  return k->read == deck_card_rigid || k->read == deck_card_coupling || k->read == deck_card_distributing ||
         k->read == deck_card_mpc;
}

static Status read_card(Deck *d, bool early) {
  for (int i = 0; i < N_KEYWORDS; ++i) {
    if (!inp_is(d->card, keywords[i].name)) continue;
    if (is_early(&keywords[i]) != early) return OK;
    d->now.amplitude = 0;
    if (keywords[i].parameters) TRY(check_parameters(d, &keywords[i]));
    return keywords[i].read ? keywords[i].read(d) : OK;
  }
  return early ? OK : unknown_keyword(d);
}

Status deck_read(Deck *d) {
  for (int32_t early = 1; early >= 0; --early)
    for (int32_t c = 0; c < d->inp->n_card; ++c) {
      d->card = &d->inp->card[c];
      TRY(read_card(d, early));
    }
  if (d->now.in_step) TRY(deck_end_step(d));
  CHECK(d->procedure.analysis != DECK_NO_ANALYSIS, ERR_INPUT,
        "%s: has no *STEP with *STATIC or *HEAT TRANSFER; 'mesh: {file: DECK}' "
        "in a case file takes its mesh alone",
        d->inp->file[0].path);
  return OK;
}
