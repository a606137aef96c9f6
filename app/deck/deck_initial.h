/* The stress that bodies of decks begin with (deck_initial.c), and their velocities. */
#pragma once
#include "mesh/io/inp.h"

struct Deck;
/* xx yy zz xy yz xz at one point of an element of the deck, or at all (-1). Of a strain that has flowed, of the tensor, the stress is
 * that of its elastic opposite; row: of its card, 0: it is a stress. */
typedef struct DeckStress {
  int32_t element, point, row;
  double value[6];
} DeckStress;
typedef struct DeckStresses {
  DeckStress *item; /* owned */
  int32_t n, room;
} DeckStresses;
/* Lines of *INITIAL CONDITIONS. */
Status deck_initial_plastic(struct Deck *d, const InpLine *line);
Status deck_initial_stress(struct Deck *d, const InpLine *line);
Status deck_initial_velocity(struct Deck *d, const InpLine *line);
/* Whether some element of the set has a stress; the key of its material then; and the data on the mesh. */
bool deck_begins(const struct Deck *d, const InpSet *on);
void deck_initial_text(char *text, size_t size);
Status deck_initial_fields(const struct Deck *d, Mesh *mesh);
/* deck_temperature.c: a field of zeros. */
Status deck_field_new(Mesh *mesh, bool elements, const char *name, int n_component, double **value);
