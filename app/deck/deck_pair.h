/* Pairs of surfaces that touch or are tied, as a deck has them. */
#pragma once
#include "mesh/io/inp.h"

#include <stdbool.h>
#include <stdint.h>

/* How surfaces of a pair act on each other. */
typedef enum DeckBehavior { DECK_HARD, DECK_LINEAR, DECK_EXPONENTIAL, DECK_TIED } DeckBehavior;
/* What a step says of it. */
typedef struct DeckFriction {
  int32_t step, row;
  double value;
} DeckFriction;
enum { DECK_FRICTIONS = 64 };
typedef struct DeckInteraction {
  const char *name; /* view */
  DeckBehavior behavior;
  double slope; /* the first number of its behavior */
  double friction;
  int32_t row;
  bool changes; /* the next *FRICTION is for the step, by *CHANGE FRICTION */
  DeckFriction change[DECK_FRICTIONS];
  int32_t n_change;
} DeckInteraction;
typedef struct DeckPair {
  int32_t row;
  const char *on, *to, *interaction; /* groups of faces, and a name; views */
  const InpSurface *side[2];
  bool adjusts, fitted, small, by_nodes; /* small: SMALL SLIDING; by_nodes: NODE TO SURFACE */
  bool tie;               /* of *TIE: nodes behind the other surface are no nearer than those before it */
  double adjust;          /* nodes up to this distance are moved onto the other surface, */
  const InpSet *adjusted; /* or these */
  double interference;    /* of `fitted` */
  double apart;           /* of what is tied: the largest gap, which closes */
} DeckPair;

typedef struct DeckTie {
  int32_t row;
  const char *on, *to; /* groups of faces, views */
  double reach;        /* 0: as the faces' size says */
  const InpSurface *side[2];
  bool stays;        /* ADJUST=NO: nodes are not moved */
  bool cyclic;       /* of the cuts of a sector, */
  int32_t sectors;   /* of which there are so many; 0: not said yet */
  double axis[2][3]; /* two points of it */
  const char *name;  /* NULL: none */
} DeckTie;

/* ---- deck_place.c ---- */
typedef struct Deck Deck;
/* Between nodes of the one surface and the other, where that has not moved the node: below 0 behind it. */
typedef struct DeckGap {
  double least, most, moved; /* moved: the farthest that a node was */
  int32_t n_moved;
} DeckGap;
/* Moves nodes that ADJUST names. */
Status deck_adjust(const Deck *deck, const DeckPair *pair, DeckGap *gap);
/* The largest extent of all nodes, and that of a face of the surface along an axis, by corners. */
double deck_size(const Deck *deck);
double deck_facet_size(const Deck *deck, const InpSurface *surface);
