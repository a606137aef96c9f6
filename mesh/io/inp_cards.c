/* The keyword cards of a deck, over all files that it includes. A keyword is a line that begins with one asterisk; one
 * that ends with a comma goes on in the next line. */
#include "core/memory.h"
#include "mesh/io/inp.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { FILES_MOST = 1000, DEPTH_MOST = 50, KEYWORD_MOST = 4000 };

typedef struct Includes {
  int32_t depth;
  int32_t file[DEPTH_MOST]; /* those that are being read */
} Includes;

Status inp_fail(const InpDeck *deck, const InpCard *card, const char *format, ...) {
  char text[1500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return source_fail(&deck->file[card->file].source, card->at, "*%s: %s", card->name, text);
}

bool inp_is(const InpCard *card, const char *name) { return strcmp(card->name, name) == 0; }

const char *inp_parameter(const InpCard *card, const char *name) {
  for (int32_t i = 0; i < card->n_parameter; ++i)
    if (strcmp(card->parameter[i].name, name) == 0) return card->parameter[i].value;
  return NULL;
}

static bool cards_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The byte of the next keyword at or behind `at`; the end of the file where there is none. */
static int64_t next_keyword(const TextSource *source, int64_t at) {
  const char *bytes = source->bytes, *end = bytes + source->size;
  for (const char *p = bytes + at; (p = memchr(p, '*', (size_t)(end - p))); ++p) {
    const char *before = p;
    while (before > bytes && cards_blank(before[-1])) --before;
    if (before > bytes && before[-1] != '\n') continue;
    if (p[1] != '*') return p - bytes;
    const char *next = memchr(p, '\n', (size_t)(end - p)); /* a comment */
    if (!next) break;
    p = next;
  }
  return source->size;
}

/* The words of a keyword without line ends into text; *end: the byte behind them. */
static Status keyword_text(const TextSource *source, int64_t at, char text[KEYWORD_MOST], int64_t *end) {
  int n = 0;
  bool more = true;
  int64_t p = at + 1;
  while (more && p < source->size) {
    char last = ',';
    for (; p < source->size && source->bytes[p] != '\n'; ++p) {
      const char c = source->bytes[p];
      if (!cards_blank(c)) last = c;
      if (n + 2 >= KEYWORD_MOST)
        return source_fail(source, at, "a keyword of more than %d characters", KEYWORD_MOST - 2);
      text[n++] = isprint((unsigned char)c) ? c : c == '\t' || c == '\r' ? ' ' : '?';
    }
    if (p < source->size) ++p;
    more = n > 0 && last == ',';
  }
  text[n] = 0;
  *end = p;
  return OK;
}

/* Without blanks, in capitals. */
static Status plain_word(const char *from, size_t n, char **out) {
  TRY(mem_text_part(from, n, "a keyword", out));
  size_t m = 0;
  for (size_t i = 0; i < n; ++i)
    if (!isspace((unsigned char)from[i])) (*out)[m++] = (char)toupper((unsigned char)from[i]);
  (*out)[m] = 0;
  return OK;
}

/* Without blanks and quotes around it. */
static Status plain_value(const char *from, size_t n, char **out) {
  while (n && isspace((unsigned char)from[n - 1])) --n;
  while (n && isspace((unsigned char)*from)) ++from, --n;
  if (n > 1 && *from == '"' && from[n - 1] == '"') ++from, n -= 2;
  return mem_text_part(from, n, "a keyword", out);
}

static Status keyword_parameters(InpCard *card, const char *p) {
  int32_t n = 0;
  for (const char *q = p; *q; ++q) n += *q == ',';
  ALLOC(card->parameter, n, "parameters of a keyword");
  while (*p == ',') {
    const size_t length = strcspn(++p, ",");
    const char *equals = memchr(p, '=', length);
    const size_t name = equals ? (size_t)(equals - p) : length;
    InpParameter *parameter = &card->parameter[card->n_parameter++];
    TRY(plain_word(p, name, &parameter->name));
    TRY(plain_value(equals ? equals + 1 : "", equals ? length - name - 1 : 0, &parameter->value));
    if (!*parameter->name) {
      FREE(parameter->name);
      FREE(parameter->value);
      --card->n_parameter;
    }
    p += length;
  }
  return OK;
}

static Status add_data(InpDeck *deck, int32_t file, int64_t begin, int64_t end) {
  if (deck->n_card == 0 || inp_skip(&deck->file[file].source, begin, end) >= end) return OK;
  if (deck->n_data == deck->room_data) {
    RESIZE(deck->data, 2 * deck->n_data + 16, "data of a deck");
    deck->room_data = 2 * deck->n_data + 16;
  }
  deck->data[deck->n_data++] = (InpData){file, begin, end};
  ++deck->card[deck->n_card - 1].n;
  return OK;
}

static Status add_card(InpDeck *deck, int32_t file, int64_t at, const char *text) {
  if (deck->n_card == deck->room_card) {
    RESIZE(deck->card, 2 * deck->n_card + 16, "cards of a deck");
    deck->room_card = 2 * deck->n_card + 16;
  }
  InpCard *card = &deck->card[deck->n_card++];
  *card = (InpCard){.file = file, .at = at, .first = deck->n_data};
  const size_t name = strcspn(text, ",");
  TRY(plain_word(text, name, &card->name));
  return keyword_parameters(card, text + name);
}

static Status read_file(InpDeck *deck, const char *path, Includes *includes);

Status inp_beside(const InpDeck *deck, const InpCard *card, const char *parameter, char path[INP_PATH]) {
  const char *name = inp_parameter(card, parameter), *root = deck->file[0].path, *slash = strrchr(root, '/');
  if (!name || !*name) return inp_fail(deck, card, "has no %s=; write *%s, %s=file", parameter, card->name, parameter);
  const int n = slash && name[0] != '/' ? (int)(slash + 1 - root) : 0;
  if ((size_t)snprintf(path, INP_PATH, "%.*s%s", n, root, name) >= INP_PATH)
    return inp_fail(deck, card, "the path is too long");
  return OK;
}

static Status read_include(InpDeck *deck, Includes *includes) {
  InpCard *card = &deck->card[deck->n_card - 1];
  char path[INP_PATH];
  struct stat info, other;
  TRY(inp_beside(deck, card, "INPUT", path));
  if (stat(path, &info) != 0)
    return inp_fail(deck, card, "cannot find '%s'; paths start at the folder of the deck", path);
  for (int32_t k = 0; k < includes->depth; ++k)
    if (stat(deck->file[includes->file[k]].path, &other) == 0 && other.st_ino == info.st_ino &&
        other.st_dev == info.st_dev)
      return inp_fail(deck, card, "'%s' includes itself", path);
  if (includes->depth == DEPTH_MOST || deck->n_file == FILES_MOST)
    return inp_fail(deck, card, "more than %d files, or %d inside each other", FILES_MOST, DEPTH_MOST);
  /* what the file begins with goes on with the card before */
  FREE(card->name);
  for (int32_t i = 0; i < card->n_parameter; ++i) {
    FREE(card->parameter[i].name);
    FREE(card->parameter[i].value);
  }
  FREE(card->parameter);
  --deck->n_card;
  return read_file(deck, path, includes);
}

static Status read_cards(InpDeck *deck, int32_t file, Includes *includes) {
  char *text = NULL;
  Status status = OK;
  ALLOC(text, KEYWORD_MOST, "a keyword");
  int64_t at = next_keyword(&deck->file[file].source, 0), end = 0;
  status = add_data(deck, file, 0, at);
  while (status == OK && at < deck->file[file].source.size) {
    TRY_DONE(keyword_text(&deck->file[file].source, at, text, &end));
    TRY_DONE(add_card(deck, file, at, text));
    const bool include = inp_is(&deck->card[deck->n_card - 1], "INCLUDE");
    if (include) TRY_DONE(read_include(deck, includes));
    at = next_keyword(&deck->file[file].source, end);
    TRY_DONE(add_data(deck, file, end, at));
  }
done:
  FREE(text);
  return status;
}

static Status read_file(InpDeck *deck, const char *path, Includes *includes) {
  RESIZE(deck->file, deck->n_file + 1, "files of a deck");
  const int32_t file = deck->n_file++;
  TRY(mem_text(path, "a keyword", &deck->file[file].path));
  TRY(source_open(path, deck->file[file].path, &deck->file[file].source));
  includes->file[includes->depth++] = file;
  const Status status = read_cards(deck, file, includes);
  --includes->depth;
  return status;
}

/* Cards that came from a file in between are numbered by data; where an include adds to a card, its data are together
 * since nothing else is read meanwhile. */
static Status read_deck(InpDeck *deck, const char *path) {
  Includes includes = {0};
  TRY(read_file(deck, path, &includes));
  CHECK(deck->n_card > 0, ERR_MESH, "%s: holds no keyword, a line that begins with one '*'", path);
  TRY(inp_flatten(deck));
  TRY(inp_read_nodes(deck));
  TRY(inp_read_elements(deck));
  TRY(inp_read_sets(deck));
  return inp_read_surfaces(deck);
}

Status inp_open(const char *path, InpDeck **out) {
  InpDeck *deck = NULL;
  ALLOC(deck, 1, "a deck");
  const Status status = read_deck(deck, path);
  if (status != OK) inp_close(&deck);
  *out = deck;
  return status;
}

Status inp_create(const char *path, InpDeck **out) {
  ALLOC(*out, 1, "a mesh file");
  InpDeck *deck = *out;
  ALLOC(deck->file, 1, "a mesh file");
  deck->n_file = 1;
  TRY(mem_text(path, "the name of a mesh file", &deck->file[0].path));
  return OK;
}

static void sets_close(InpSet **set, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    FREE((*set)[i].name);
    FREE((*set)[i].item);
  }
  FREE(*set);
}

void inp_card_close(InpCard *card) {
  for (int32_t k = 0; k < card->n_parameter; ++k) {
    FREE(card->parameter[k].name);
    FREE(card->parameter[k].value);
  }
  FREE(card->parameter);
  FREE(card->name);
}

void inp_close(InpDeck **deck) {
  InpDeck *d = *deck;
  if (!d) return;
  for (int32_t i = 0; i < d->n_file; ++i) {
    source_close(&d->file[i].source);
    FREE(d->file[i].path);
  }
  for (int32_t i = 0; i < d->n_card; ++i) inp_card_close(&d->card[i]);
  sets_close(&d->nset, d->n_nset);
  sets_close(&d->elset, d->n_elset);
  for (int32_t i = 0; i < d->n_surface; ++i) {
    FREE(d->surface[i].name);
    FREE(d->surface[i].facet);
    FREE(d->surface[i].node);
  }
  for (int k = 0; k < 3; ++k) FREE(d->index[k].slot);
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    FREE(d->list[k].nodes);
    FREE(d->list[k].tag);
  }
  tag_map_destroy(&d->node_of);
  tag_map_destroy(&d->element_of);
  for (int32_t i = 0; i < d->n_scope; ++i) FREE(d->scope[i].name);
  FREE(d->scope);
  FREE(d->surface);
  FREE(d->elements);
  FREE(d->element_tag);
  FREE(d->node_tag);
  FREE(d->x);
  FREE(d->data);
  FREE(d->card);
  FREE(d->file);
  FREE(*deck);
}
