/* What a material is at one quadrature point, for C and CUDA.
 *
 * A material answers a displacement gradient H_ij = du_i / dX_j with the first Piola-Kirchhoff stress P = dW/dH and,
 * where asked, its derivative. It may read the material's axes, the time step and the fields of a coupled problem, and
 * keep a state from step to step. Under small strains P is the Cauchy stress and depends on the symmetric part of H
 * only. Tensors are row by row: component ij at 3 i + j. */
#pragma once
#include "core/unit_kind.h"
#include "physics/elastic_model.h"

/* Parts of an energy, for mean dilatation: fibres see F as it is, and all else the mean change of volume. */
typedef enum PointPart {
  PART_ALL,
  PART_MATRIX, /* without fibres */
  PART_FIBRES  /* these alone; of materials that have set PointOut.fibres */
} PointPart;

typedef struct PointIn {
  const double *H;    /* [9] */
  const double *axes; /* [9], row k is the unit vector of material axis k + 1 in the global frame */
  const double *old;  /* [n_state] at the start of the step */
  /* 0: no time passes, and the answer to the H that `old` is of is that of the step which ended there; below 0: nothing creeps in it */
  double dt;
#define POINT_INPUT(NAME, member, word, unit, meaning) double member;
#include "physics/point_inputs.def"
  bool finite;       /* linear laws: of the Green-Lagrange strain (Saint Venant and Kirchhoff), not of H */
  bool plane_stress; /* H33 is what lets nothing act across the plane; a linear law is, under small strains,
                                 reduced to that already */
  PointPart part;
  double kink;          /* where a tangent jumps, over which width of a strain it goes over instead; 0: it jumps */
  const double *before; /* [9] H at the start of the step, where PointOut.flow is asked for; NULL: it is not */
} PointIn;

/* By what the accuracy of a step of a material that flows is judged: the equivalent plastic strain that it adds, and how much the
 * direction of flow turns in it, 1 - cos (under small strains only). */
enum { FLOW_STRAIN, FLOW_DIRECTION, FLOW_PARTS };

/* Of MaterialShape.reads. */
typedef enum PointInputKind {
#define POINT_INPUT(NAME, member, word, unit, meaning) POINT_##NAME,
#include "physics/point_inputs.def"
  N_POINT_INPUTS
} PointInputKind;
#define POINT_INPUT_BIT(NAME) (1u << POINT_##NAME)

typedef struct PointOut {
  double *state; /* [n_state] at the end of the step */
  double *A;     /* [81], dP_ij / dH_kl at 9 (3 i + j) + 3 k + l; NULL: not wanted */
  double P[9];
  double energy; /* W, per reference volume */
  double H33;    /* that of H, or what plane stress made of it */
  bool fibres;   /* PART_MATRIX has left some out */
  double flow[FLOW_PARTS];
} PointOut;

HD void point_clear(PointOut *out) {
  out->energy = 0;
  for (int k = 0; k < 9; ++k) out->P[k] = 0;
  for (int k = 0; out->A && k < 81; ++k) out->A[k] = 0;
}

/* A law of `size` numbers, as the element kernels read it: LINEAR materials 21 moduli in the global frame and six of
 * thermal expansion, POINT materials their parameters, at LAW_LATER 1
 * where material_law_later says so, thermal expansion at LAW_SWELL and, from LAW_AXES on, their axes. At LAW_INITIAL all have the
 * elastic strain, Voigt, that they begin with: that of the initial stress. */
enum {
  LAW_MODULI = 21,
  LAW_LATER = 19,
  LAW_SWELL = 20,
  LAW_AXES = 21,
  LAW_INITIAL = 30,
  LAW_SIZE = 36,
  POINT_MAX_STATES = 32
};

/* A row of the table of a material that is not linear: what calls its function has taken this out of F before. */
#define POINT_EXPANSION                                                                                                \
  {                                                                                                                    \
    "expansion", "1/temperature", 0, false, -INFINITY, INFINITY, true, true,                                           \
        "thermal expansion, the same in all directions"                                                                \
  }

/* One state of a material, its unit, and its value before the first step. It is a field of results by its name; materials may have
 * states of the same name and unit. */
typedef struct MaterialState {
  const char *name, *meaning;
  UnitKind unit;
  double initial;
} MaterialState;
/* Of a material that is not linear: a macro name_states(STATE), STATE("word", "meaning", unit, initial) of each in the order of
 * PointIn.old, with LENGTH for UNIT_LENGTH; empty where there are none. For the shape of one with states, the table name_state[] =
 * {name_states(MATERIAL_STATE)}. */
#define MATERIAL_STATE(word, meaning, unit, initial) {word, meaning, UNIT_##unit, initial},
#define MATERIAL_STATES(name) (int32_t)(sizeof name##_state / sizeof name##_state[0]), name##_state
#define NO_STATES 0, NULL

/* What a material needs of those who call it. A nonlinear material is solved by Newton's method; an unsymmetric one
 * has no place in today's matrices. */
typedef struct MaterialShape {
  int32_t n_state;            /* of materials that are not linear */
  const MaterialState *state; /* [n_state] */
  bool linear, symmetric;
  bool axes;   /* its directions matter */
  bool finite; /* large displacement gradients: the Cauchy stress is P F^T / det F */
  bool across; /* of one that is not linear: the same in all directions across axis 1 */
  bool
      flows; /* without a change of volume. P need not be the derivative of an energy, and A is the symmetric part of dP/dH */
  bool begins;                               /* of one that is not linear: it reads LAW_INITIAL */
  bool judged;                               /* its function says in PointOut.flow how far a step goes */
  const char *small;                         /* a parameter that has a meaning under small strains only; NULL: none */
  int32_t (*remembers)(const double *value); /* how many of the states are in use; NULL: all */
  /* What it has taken of the work that was done to it, per volume, by its states, of which number j is state[j stride]; NULL: it
   * does not know. */
  double (*dissipated)(const double *value, const double *state, int64_t stride);
  unsigned reads; /* of one that is not linear: POINT_INPUT_BIT of each input that its function reads */
} MaterialShape;
