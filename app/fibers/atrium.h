/* Fibres of atria by rule: bundles by solutions of Laplace's equation between the openings (Piersanti, Africa, Fedele, Vergara, Dede,
 * Corno, Quarteroni, Comput. Methods Appl. Mech. Engrg. 373, 113468, 2021), in volumes and in surfaces in space. In each
 * bundle fibres run at right angles to the gradient of one of the solutions, and along the wall. */
#pragma once
#include "app/fibers/ldrb.h"

/* Openings and places of an atrium, by the words of the case: `rim` below. */
enum { RIM_MV, RIM_LPV, RIM_RPV, RIM_LAA, RIM_TV, RIM_SVC, RIM_IVC, RIM_RAA, RIM_TOP, N_RIM };
/* Where bundles end: values of the solutions. Of the left atrium three. */
enum { TO_MV, TO_LPV, TO_RPV, TO_TV, TO_RAW, TO_CT_MINUS, TO_CT_PLUS, TO_ICV, TO_SCV, TO_IB, TO_RAS, N_BUNDLE };
extern const char *const atrial_rim[N_RIM], *const atrial_bundle[N_BUNDLE];

typedef struct AtriumParams {
  const Mesh *mesh; /* borrowed; a volume, or surfaces in space */
  bool right;
  const Group *endo, *epi; /* surfaces of a volume; of surfaces NULL */
  const Group *rim
      [N_RIM]; /* of any dimension; of the left atrium the first four (NULL: it has no appendage), of the right one the others */
  double septum[3]; /* from the middle of the tricuspid valve: its nodes on that side are those of the septum */
  double bundle[N_BUNDLE];
} AtriumParams;
/* Bundles of the paper's idealised atria, in an order in which all of them are there (printed, lpv and rpv, and ib and ras, have each
 * other's numbers); the rest zero. */
AtriumParams atrium_params_default(void);

/* As ldrb_create: `transmural` is the depth (0 in surfaces), `apicobasal` the solution from the valve to the veins, `sheet` the direction
 * across the wall. ERR_INPUT: an opening that is missing or empty, or none of whose nodes is left to it; nodes without any direction. */
Status atrium_create(Exec *exec, const AtriumParams *params, LdrbFields *out);
