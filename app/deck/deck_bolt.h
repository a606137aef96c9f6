/* Bolts of a deck: sections that are tightened by the force or the displacement of a node of theirs. */
#pragma once
#include "core/status.h"

#include <stdint.h>

typedef struct Deck Deck;
typedef struct DeckStep DeckStep;

typedef enum DeckBoltAct { DECK_BOLT_STAYS, DECK_BOLT_FORCE, DECK_BOLT_LENGTH, DECK_BOLT_LOCK } DeckBoltAct;
/* What a step does with it. */
typedef struct DeckBoltStep {
  DeckBoltAct act;
  double value;
  int32_t row; /* that says so */
} DeckBoltStep;

typedef struct DeckBolt {
  int32_t row, node;
  const char *on; /* group of faces, a view */
  double axis[3]; /* to the elements whose faces these are */
  double sign;    /* of what the node has where its shank is pulled */
  int32_t locked; /* step with FIXED, from 1; 0: none */
  int32_t lock_row, n_step;
  DeckBoltStep *step; /* owned, [n_step] */
} DeckBolt;

/* What a step says of their nodes, which it keeps no more; then the entries of a step */
Status deck_bolts_step(Deck *d, DeckStep *step);
Status deck_bolts_fix(Deck *d); /* *BOUNDARY, FIXED */
Status deck_write_bolts(Deck *d, int32_t step);
void deck_bolts_release(Deck *d);
