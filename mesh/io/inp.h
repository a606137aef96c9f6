/* A deck of Abaqus or CalculiX (.inp): its keyword cards over all files that it includes, and what they say of the
 * mesh: nodes, elements, sets and surfaces. What the cards say of materials and loads is for others (app/deck). */
#pragma once
#include "mesh/mesh.h"
#include "mesh/tag_map.h"
#include "core/text_source.h"

typedef struct InpFile {
  char *path; /* owned */
  TextSource source;
} InpFile;

/* Lines of data behind a keyword. */
typedef struct InpData {
  int32_t file;
  int64_t begin, end;
} InpData;

typedef struct InpParameter {
  char *name, *value; /* owned; the name in capitals without blanks; "" where no value is given */
} InpParameter;

typedef struct InpCard {
  char *name; /* owned, "SOLIDSECTION": capitals without blanks */
  int32_t file, n_parameter;
  int64_t at; /* byte of its line */
  InpParameter *parameter;
  int32_t first, n; /* in InpDeck.data */
  int32_t scope;    /* what names and numbers of its data are of; 0: of the whole */
  int32_t n_node;   /* of *NODE */
} InpCard;

/* The whole (0), or an instance of a part: its numbers, and where it is put. */
typedef struct InpScope {
  char *name;                         /* owned */
  int64_t offset[2];                  /* of the numbers of elements and nodes */
  double shift[3], at[3], turn[3][3]; /* x becomes at + turn (x + shift - at) */
} InpScope;

typedef enum InpFamily {
  INP_SOLID,
  INP_PLANE_STRESS,
  INP_PLANE_STRAIN,
  INP_AXISYMMETRIC,
  INP_HEAT_SOLID,
  INP_HEAT_PLANE,
  INP_HEAT_AXISYMMETRIC
} InpFamily;

/* An element type of decks. */
typedef struct InpType {
  const char *name;
  ElementKind kind;
  InpFamily family;
  const char *order; /* letter k, counted from 'a': the deck's place of our node k; NULL: the same */
  bool bends;        /* with incompatible modes */
} InpType;

/* The elements of one card: [first, first + n) of their kind. */
typedef struct InpElements {
  const InpType *type;
  int32_t card, first, n;
} InpElements;

typedef struct InpSet {
  char *name; /* owned, as first written */
  int32_t n, room;
  int32_t *item; /* owned, ascending: nodes, or elements as ids of the deck (below) */
} InpSet;

typedef struct InpFacet {
  int32_t element, face; /* id of the deck; face of our element */
} InpFacet;

typedef struct InpSurface {
  char *name; /* owned; the first member, as that of a set */
  int32_t n;
  InpFacet *facet; /* owned; NULL: a surface of nodes */
  int32_t *node;   /* owned; NULL: of facets */
} InpSurface;

/* Where a list has its names, which go by their letters, large or small. */
typedef struct InpIndex {
  int32_t *slot;  /* owned, [n_slot]: 1 + place in the list; 0: empty */
  int64_t n_slot; /* a power of two, or 0 */
} InpIndex;

/* Ids of elements are counted through all kinds in order: base[kind] + place in its list. */
typedef struct InpDeck {
  InpFile *file; /* owned; file[0] is the deck */
  InpCard *card;
  InpData *data;
  int32_t n_file, n_card, n_data, room_card, room_data;
  InpScope *scope; /* owned, [n_scope], at least one */
  int32_t n_scope;
  int32_t n_node;
  double (*x)[3];
  int64_t *node_tag;
  TagMap node_of;
  struct {
    int32_t n;
    int32_t *nodes;
    int64_t *tag;
  } list[N_ELEMENT_KINDS];
  int32_t base[N_ELEMENT_KINDS + 1];
  InpElements *elements; /* in the order of the deck */
  int32_t n_elements;
  int64_t *element_tag; /* owned, [base[N_ELEMENT_KINDS]] */
  TagMap element_of;
  InpSet *nset, *elset;
  int32_t n_nset, n_elset;
  InpSurface *surface;
  int32_t n_surface;
  InpIndex index[3]; /* of elset, nset, surface */
} InpDeck;

/* Reads the files, their cards and the mesh. ERR_MESH with file and line. */
Status inp_open(const char *path, InpDeck **out);
/* An empty one that bears a file's name in messages, for readers of other formats: inp_mesh makes the Mesh of the nodes and
 * elements that they put in. To be closed after a failure too. */
Status inp_create(const char *path, InpDeck **out);
void inp_close(InpDeck **deck);

/* ERR_MESH with "file:line: *KEYWORD: " before the text. */
Status inp_fail(const InpDeck *deck, const InpCard *card, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum { INP_PATH = 4096 };
/* The path of a file that a parameter of the card names: beside the deck, unless it is absolute. */
Status inp_beside(const InpDeck *deck, const InpCard *card, const char *parameter, char path[INP_PATH]);
bool inp_is(const InpCard *card, const char *name);
/* The value of a parameter, "" where it has none, NULL where it is not there. */
const char *inp_parameter(const InpCard *card, const char *name);

void inp_card_close(InpCard *card);

/* ---- inp_data.c: lines of data ---- */
enum { INP_FIELDS = 24, INP_LINE = 1000, INP_NAME = 2200 };
/* A line in fields, without blanks around them. */
typedef struct InpLine {
  int32_t file, n;
  int64_t at;
  const char *field[INP_FIELDS];
  char text[INP_LINE];
} InpLine;
/* Where reading is; zero at the start. */
typedef struct InpCursor {
  int32_t data;
  int64_t at; /* 0: at the beginning of the data */
} InpCursor;
/* The next line of a card that is neither blank nor a comment; false: there is none. */
bool inp_next(const InpDeck *deck, const InpCard *card, InpCursor *cursor, InpLine *line);
typedef struct InpNumbers {
  int32_t n;
  int64_t number[INP_FIELDS];
} InpNumbers;
/* The next line where it is of whole numbers without sign and nothing else; false: it is not, and is for inp_next. */
bool inp_next_numbers(const InpDeck *deck, const InpCard *card, InpCursor *cursor, InpNumbers *numbers);
Status inp_line_fail(const InpDeck *deck, const InpCard *card, const InpLine *line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Field k as a number; 0 where it is empty or not there. */
Status inp_number(const InpDeck *deck, const InpCard *card, const InpLine *line, int k, double *out);
bool inp_whole(const char *text, int64_t *out);

/* A piece of the data of a card, of whole lines, that one thread reads. */
typedef struct InpSpan {
  int32_t file;
  int64_t begin, end, first, n; /* first: lines or numbers before it; n: in it */
} InpSpan;
/* All data of a card in spans; numbers: counts what commas, blanks and line ends separate, else lines. *spans: owned by
 * the caller. */
Status inp_spans(const InpDeck *deck, const InpCard *card, bool numbers, InpSpan **spans, int32_t *n);
/* The first byte of a line of data in [at, end), over blank lines and comments; end: none. */
int64_t inp_skip(const TextSource *source, int64_t at, int64_t end);

/* ---- inp_parts.c ---- */
/* Instances get the cards of their parts, which go. */
Status inp_flatten(InpDeck *deck);
int32_t inp_scope(const InpDeck *deck, const char *name); /* -1: there is no such instance */
/* A name of the scope as the whole deck knows it: "instance.name". */
const char *inp_scoped(const InpDeck *deck, int32_t scope, const char *name, char text[INP_NAME]);
/* The number of a node or element in the whole, from one of the scope, or of the whole "instance.number"; false: no
 * number. */
bool inp_item(const InpDeck *deck, int32_t scope, bool nodes, const char *text, int64_t *tag);
/* A point of an instance, and a direction, to where they are. */
void inp_place(const InpScope *scope, double x[3]);
void inp_turn(const InpScope *scope, double x[3]);
/* Finds where the numbers of scopes begin, whose largest numbers are most[n_scope]. */
Status inp_offsets(InpDeck *deck, bool nodes, const int64_t *most);

/* ---- inp_elements.c ---- */
const InpType *inp_type(const char *name); /* NULL: not known */
/* The first type of that kind: solids, plane stress; NULL: decks have none. */
const InpType *inp_type_of(ElementKind kind);
/* Our face of face 1, 2, ... of the deck; -1: it has no such face. */
int32_t inp_face(ElementKind kind, int32_t face);
/* A card of elements at nodes, which are none of the mesh: reference nodes of *DISTRIBUTING COUPLING, masses, springs. */
bool inp_is_of_nodes(const InpCard *card);
Status inp_read_nodes(InpDeck *deck);
Status inp_read_elements(InpDeck *deck);
ElementKind inp_kind_of(const InpDeck *deck, int32_t element);
const int32_t *inp_nodes_of(const InpDeck *deck, int32_t element);

/* ---- inp_sets.c ---- */
Status inp_read_sets(InpDeck *deck);
const InpSet *inp_nset(const InpDeck *deck, const char *name);
const InpSet *inp_elset(const InpDeck *deck, const char *name);
Status inp_read_surfaces(InpDeck *deck);
const InpSurface *inp_surface(const InpDeck *deck, const char *name);

/* ---- inp_mesh.c ---- */
typedef enum InpGroupKind { INP_NODES, INP_FACETS, INP_ELEMENTS } InpGroupKind;
/* A group of the mesh that is made; one of the lists, all borrowed, each item once. */
typedef struct InpGroup {
  const char *name;
  InpGroupKind kind;
  int32_t n;
  const int32_t *item; /* nodes or elements */
  const InpFacet *facet;
} InpGroup;
/* Groups with what they borrow. */
typedef struct InpGroups {
  int32_t n, n_list;
  InpGroup *group; /* owned */
  char **name;     /* owned, [n] */
  int32_t **list;  /* owned, [n_list]: what items are parts of */
} InpGroups;
/* Adds one; copies the name, borrows the item. */
Status inp_groups_add(InpGroups *groups, const char *name, InpGroupKind kind, int32_t n, const int32_t *item);
/* Adds a list of n ids, zeroed. */
Status inp_groups_list(InpGroups *groups, int64_t n, int32_t **out);
void inp_groups_destroy(InpGroups *groups);
/* The mesh with these groups. Takes nodes and elements out of the deck. */
Status inp_mesh(InpDeck *deck, int32_t n_group, const InpGroup *group, Mesh **out);
