/* Bulk data of Nastran (.bdf, .nas, .dat): its cards over all files that it includes, and the mesh that they describe.
 * A card is a line with a name and those behind it that continue it: 8 fields of 8 characters a line, 4 of 16 where the
 * name ends with '*', or as many between commas. */
#pragma once
#include "mesh/io/inp.h"

enum { NAS_NAME = 9 };

/* Where reading a card is. */
typedef struct NasCard {
  const TextSource *source;
  int64_t at;                  /* byte of the card */
  char name[NAS_NAME];         /* in capitals, without '*' */
  const char *line, *line_end; /* the line, or its copy in tabs */
  const char *after, *end;     /* of the file: its line end, the end */
  const char *p;               /* free fields: the next one */
  int32_t k, n;                /* fields of the line: read, all */
  bool separated;              /* by commas */
  char tabs[128];              /* a line with its tabs as blanks */
} NasCard;

typedef struct NasGrid {
  int32_t id, system, file;
  int64_t at;
  double x[3];
} NasGrid;

typedef struct NasElement {
  int32_t id, property, file;
  ElementKind kind;
  int64_t at, first; /* byte of its card; in NasBulk.node */
} NasElement;

/* A card that is neither a node nor an element, or a comment that names something. */
typedef struct NasOther {
  int32_t file;
  int64_t at;
} NasOther;

/* A piece of a file that begins with a card, and what is in it; first_*: how many are before it. */
typedef struct NasSpan {
  int32_t file;
  int64_t begin, end;
  int64_t n_grid, n_element, n_node, n_other;
  int64_t first_grid, first_element, first_node, first_other;
} NasSpan;

typedef struct NasBulk {
  InpDeck *deck; /* owned: its files; nodes and elements for inp_mesh */
  int64_t n_grid, n_element, n_node, n_other;
  NasGrid *grid;       /* owned */
  NasElement *element; /* owned */
  int32_t *node;       /* owned, numbers of the nodes of elements, as the cards have them */
  NasOther *other;     /* owned */
  int32_t *item;       /* owned, [n_element]: the deck's id of an element */
} NasBulk;

/* ---- nastran_card.c ---- */
/* The card or line at byte `at`; `end` ends the file. */
void nas_card_open(NasCard *card, const TextSource *source, int64_t at, int64_t end);
/* Its next field without blanks around it, of 0 characters where it is blank; false: the card ends. */
bool nas_field(NasCard *card, const char **text, int *n);
/* The next field as a number; `missing` where it is blank. */
Status nas_whole(NasCard *card, const char *what, int32_t missing, int32_t *out);
Status nas_real(NasCard *card, const char *what, double *out);
Status nas_fail(const NasCard *card, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first byte behind the card at byte `at`; comments inside of it are passed over. */
int64_t nas_next_line(const TextSource *source, int64_t at, int64_t end);

/* ---- nastran_bulk.c ---- */
/* All cards of a file and of those that it includes: nodes and elements by all threads. */
Status nas_read(const char *path, NasBulk *out);
/* Letter k, counted from 'a': the card's place of node k of such an element; NULL: the same. */
const char *nas_order(ElementKind kind);

/* ---- nastran_system.c ---- */
/* Coordinates of all nodes in the basic system; makes deck->node_of. */
Status nas_nodes(NasBulk *bulk);

/* ---- nastran_groups.c ---- */
/* Elements into the lists of the deck, and their groups: properties and sets. */
Status nas_elements(NasBulk *bulk);
Status nas_groups(NasBulk *bulk, InpGroups *out);
