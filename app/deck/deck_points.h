/* Elements at nodes of a deck, which are none of its mesh: masses, springs and dashpots. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Deck Deck;
typedef struct DeckStep DeckStep;

/* Of each element of a card *MASS. */
typedef struct DeckMass {
  int32_t node, row;
  const char *set; /* ELSET of its *ELEMENT, a view */
  double mass;
} DeckMass;

typedef struct DeckSpring {
  int32_t row, n_node, node[2];
  int component; /* 0 to 2; -1: along the line */
  bool viscous;  /* the value is that of a dashpot */
  double value;
} DeckSpring;

/* A set of masses, as *ELEMENT names it; NULL: it is none. */
const char *deck_mass_set(const Deck *d, const char *name);
/* Whether masses count beside their weight: in modes and motion. */
bool deck_masses_count(const Deck *d);
/* To a step: the weight of masses becomes a force. */
Status deck_masses_load(Deck *d, DeckStep *step);
double deck_mass_at(const Deck *d, int32_t node); /* of a node, in total */
Status deck_write_masses(Deck *d);                /* entries of `boundary`, but of reference nodes */
/* When all is read: each element has its card, and ends that are none of the body are held; these leave no entry. */
Status deck_points_ready(Deck *d);
Status deck_write_springs(Deck *d);
