/* Power grids of chips as systems of equations: conductances G, node voltages x, currents b, G x = b. */
#pragma once
#include "algebra/pattern.h"

typedef struct NetlistParams {
  int32_t n;       /* unknowns to come close to, from below, at least 16 */
  int32_t n_layer; /* of metal, 1 to 8 */
  int32_t n_pad;   /* about, a square lattice of them on the top layer; 0: every 7th node there */
  double top;      /* what a wire on top conducts per length, one at the bottom 1; 0: a piece on layer k conducts 2^k */
  double via;      /* what a via conducts, a piece at the bottom 1; 0: 20 */
} NetlistParams;

typedef struct Netlist {
  Pattern *pattern; /* owned, scalars */
  double *value;    /* owned, [entries of the pattern] */
  double *current;  /* owned, [n] */
} Netlist;
/* The same numbers for the same parameters, always. Released by the caller, also after a failure. */
Status netlist_create(const NetlistParams *params, Netlist *out);
void netlist_release(Netlist *netlist);
