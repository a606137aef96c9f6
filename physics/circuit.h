/* A circulation without space: chambers, vessels and sources of pressure, and what flows between them (Regazzoni et al. 2022,
 * J. Comput. Phys. 457:111083; Westerhof et al. 2009, Med. Biol. Eng. Comput. 47:131, for Windkessels). Units: ms, mL, kPa.
 *
 * A step is backward differentiation of second order (the first one of first order) with all pressures at its end. The
 * volumes of its nodes are the gradient of a convex function of the pressures, since every flow grows with the difference
 * of pressure that drives it, so that Newton's method with a line search converges whatever the valves do. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { CIRCUIT_NODES = 24, CIRCUIT_BRANCHES = 32, CIRCUIT_NAME = 48 };

/* E(t) = passive + active e(t); e rises as (1 - cos)/2 over `contraction` from `start` on, falls likewise over `relaxation`,
 * and is 0 for the rest of the cycle. p = E (V - v0). */
typedef struct Elastance {
  double active, passive;                /* kPa/mL */
  double v0;                             /* mL, of no pressure */
  double start, contraction, relaxation; /* ms */
} Elastance;
/* kPa/mL at t ms of beats that last `cycle` ms. */
double elastance_at(const Elastance *e, double cycle, double t);

typedef enum CircuitNodeKind {
  CIRCUIT_SOURCE,  /* of constant pressure */
  CIRCUIT_VESSEL,  /* V = compliance p */
  CIRCUIT_CHAMBER, /* V = v0 + p/E(t) */
  CIRCUIT_CAVITY   /* of a body, whose pressure is found by whoever solves for that */
} CircuitNodeKind;

typedef struct CircuitNode {
  char name[CIRCUIT_NAME];
  CircuitNodeKind kind;
  double pressure;   /* of a source; of a cavity at t = 0 */
  double compliance; /* of a vessel, mL/kPa */
  Elastance elastance;
  double begin; /* volume at t = 0, mL */
} CircuitNode;

/* Flow Q from node `from` to node `to`, mL/ms, by the difference d of their pressures. An inertance in series:
 * inertance Q' = d - resistance Q. A valve with an impedance z behind it, and perhaps an inertance beside that:
 * d = (resistance + z) Q - z q, inertance q' = z (Q - q), as long as Q > 0, else d = closed Q. */
typedef struct CircuitBranch {
  char name[CIRCUIT_NAME];
  int32_t from, to;
  double resistance; /* kPa ms/mL; of an open valve */
  bool valve;
  double closed;    /* resistance of the closed valve; INFINITY: it is tight */
  double impedance; /* z; 0: none */
  double inertance; /* kPa ms2/mL; 0: none */
  double begin;     /* of the inertance at t = 0, mL/ms: its Q or q */
} CircuitBranch;

typedef struct Circuit {
  double cycle;     /* ms */
  bool first_order; /* all steps are: they may be of any length */
  int32_t n_node, n_branch;
  CircuitNode node[CIRCUIT_NODES];
  CircuitBranch branch[CIRCUIT_BRANCHES];
} Circuit;

typedef struct CircuitState {
  double t; /* ms */
  int64_t steps;
  double volume[CIRCUIT_NODES], pressure[CIRCUIT_NODES];  /* of sources: what has flown into them */
  double flow[CIRCUIT_BRANCHES], inert[CIRCUIT_BRANCHES]; /* Q, and what goes through an inertance */
  double volume_before[CIRCUIT_NODES], inert_before[CIRCUIT_BRANCHES];
} CircuitState;

void circuit_start(const Circuit *circuit, CircuitState *out);
/* From state->t to `end`; steps of one length from circuit_start on, unless they are of first order. Cavities have the pressures of
 * the state. ERR_NUMERIC: a number is none. */
Status circuit_step(const Circuit *circuit, double end, CircuitState *state);
/* Volumes that a step of first order to `end` would give n cavities, by their nodes and pressures, and how much less they are by
 * more pressure: slope[n][n] = -dV/dp, symmetric and positive semidefinite. ERR_NUMERIC as circuit_step. */
Status circuit_answer(const Circuit *circuit, double end, const CircuitState *state, int32_t n, const int32_t *node,
                      const double *pressure, double *volume, double *slope);
/* Of all chambers, cavities and vessels, mL. */
double circuit_volume(const Circuit *circuit, const CircuitState *state);
