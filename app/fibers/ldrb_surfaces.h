/* Which nodes the surfaces of rule-based fibres hold. */
#pragma once
#include "app/fibers/ldrb.h"

/* Sets of nodes, as laplace_solve takes them; 0: none. */
enum { LDRB_LV = 1, LDRB_RV, LDRB_EPI };
enum { LDRB_APEX = 1, LDRB_BASE };

typedef struct LdrbSurfaces {
  uint8_t *in_body; /* owned, [n_node], as are the others: 1 at nodes with a solved element */
  uint8_t *across;  /* LDRB_LV ... */
  uint8_t *along;   /* LDRB_APEX ...; NULL with an axis */
  uint8_t
      *rim; /* 1 where the left endocardium meets the base or, with an axis, the group that holds epicardium and base */
} LdrbSurfaces;

/* Checks the groups; errors are those of ldrb_create. */
Status ldrb_surfaces_create(const LdrbParams *params, LdrbSurfaces *out);
void ldrb_surfaces_release(LdrbSurfaces *surfaces);
