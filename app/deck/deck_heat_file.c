/* *TEMPERATURE with FILE: what a run of heat has left at nodes in a .frd, as CalculiX and `sinew convert` write it in text. Columns are
 * fixed: a key of three characters, the number of a node in ten (five in the short form) and a value in twelve. */
#include "app/deck/deck_private.h"
#include "app/input/input_file.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 3, LONG = 10, SHORT = 5, VALUE = 12, FORM_SHORT = 0, FORM_LONG = 1 };

typedef struct HeatFile {
  Deck *d;
  DeckNodes *to;
  const char *path;
  int64_t wanted, step, form; /* steps from 1 on */
  int64_t n_block, last_step; /* blocks of temperatures at the step wanted, and the last step that has any */
  int32_t row;
  bool inside; /* of a block that is wanted */
} HeatFile;

static bool begins(const char *line, const char *word) { return strncmp(line, word, strlen(word)) == 0; }

/* The last whole number of a line that ends there; `otherwise` without any. */
static int64_t last_number(const char *line, const char *end, int64_t otherwise) {
  const char *at = end;
  while (at > line && (at[-1] == ' ' || at[-1] == '\r')) --at;
  const char *behind = at;
  while (at > line && at[-1] >= '0' && at[-1] <= '9') --at;
  return at < behind ? strtoll(at, NULL, 10) : otherwise;
}

static Status take_node(HeatFile *h, const char *line, int64_t n) {
  char number[LONG + 1] = "", value[VALUE + 1] = "", *end = value;
  const int width = h->form == FORM_SHORT ? SHORT : LONG;
  if (n >= KEY + width + VALUE) {
    memcpy(number, line + KEY, (size_t)width);
    memcpy(value, line + KEY + width, VALUE);
  }
  const double temperature = strtod(value, &end);
  if (end == value || !isfinite(temperature))
    return inp_fail(h->d->inp, h->d->card, "'%s' has a line of temperatures without a number: '%.*s'", h->path,
                    (int)(n < 60 ? n : 60), line);
  const int32_t node = tag_map_find(&h->d->inp->node_of, strtoll(number, NULL, 10));
  if (node < 0) return OK; /* of a body that is not in this deck */
  h->to->value[node][0] = temperature;
  h->to->row[node][0] = h->row;
  return OK;
}

static Status take_line(HeatFile *h, const char *line, const char *end) {
  if (begins(line, "    2C") || begins(line, "  100CL")) {
    h->form = last_number(line, end, FORM_LONG);
    if (h->form != FORM_SHORT && h->form != FORM_LONG)
      return inp_fail(
          h->d->inp, h->d->card,
          "'%s' is binary, which is not understood; text is, which *NODE FILE writes and *NODE OUTPUT does not",
          h->path);
  }
  if (begins(line, "    1PSTEP")) h->step = last_number(line, end, 0);
  if (begins(line, " -4  NDTEMP")) {
    h->inside = h->step == h->wanted;
    h->n_block += h->inside;
    h->last_step = h->step;
  }
  if (begins(line, " -3")) h->inside = false;
  return h->inside && begins(line, " -1") ? take_node(h, line, end - line) : OK;
}

static Status take_lines(HeatFile *h, const char *text) {
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    TRY(take_line(h, line, end));
  }
  if (h->n_block) return OK;
  if (h->last_step)
    return inp_fail(h->d->inp, h->d->card, "'%s' has no temperatures of step %lld; it has those of steps up to %lld",
                    h->path, (long long)h->wanted, (long long)h->last_step);
  return inp_fail(h->d->inp, h->d->card,
                  "'%s' has no temperatures: *NODE FILE with NT in the steps of heat writes them", h->path);
}

static Status check_whole(const HeatFile *h) {
  const InpDeck *inp = h->d->inp;
  int32_t n = 0, first = -1;
  for (int32_t i = inp->n_node - 1; i >= 0; --i)
    if (isnan(h->to->value[i][0])) ++n, first = i;
  if (n == inp->n_node) return inp_fail(inp, h->d->card, "'%s' has the temperature of no node of this deck", h->path);
  if (!n) return OK;
  return deck_warn(h->d, deck_card(h->d), "'%s' has no temperature of %d nodes, the first is %lld: they keep theirs",
                   h->path, (int)n, (long long)inp->node_tag[first]);
}

Status deck_temperature_file(Deck *d) {
  enum { MOST = 1 << 30 };
  char path[INP_PATH], *text = NULL;
  size_t n = 0;
  const char *step = inp_parameter(d->card, "BSTEP");
  HeatFile h = {.d = d, .to = &d->nodes[DECK_TEMPERATURE], .path = path, .wanted = 1, .form = FORM_LONG};
  InpLine line;
  if (step && (!inp_whole(step, &h.wanted) || h.wanted < 1))
    return inp_fail(d->inp, d->card, "BSTEP=%.40s is not understood; a number of a step is, from 1 on", step);
  if (inp_parameter(d->card, "AMPLITUDE"))
    return inp_fail(d->inp, d->card, "AMPLITUDE beside FILE is not understood; one of the two is");
  if (deck_first_line(d, &line))
    return inp_fail(d->inp, d->card, "lines beside FILE are not understood; a card of their own behind it is");
  TRY(inp_beside(d->inp, d->card, "FILE", path));
  TRY(deck_nodes_ready(d, h.to));
  TRY(deck_row(d, NULL, &h.row));
  Status status = input_file(path, "file of temperatures", MOST, &text, &n);
  if (status == ERR_INPUT) {
    char said[1024];
    snprintf(said, sizeof said, "%s", status_message());
    status = inp_fail(d->inp, d->card, "FILE: %s", said);
  }
  if (status == OK) status = take_lines(&h, text);
  if (status == OK) status = check_whole(&h);
  FREE(text);
  return status;
}
