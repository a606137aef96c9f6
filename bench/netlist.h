/* Power grids of chips as systems of equations: conductances G, node voltages x, currents b, G x = b. */
#pragma once
#include "assembly/pattern.h"

typedef struct NetlistParams {
  int32_t n;       /* unknowns to come close to, from below, at least 16 */
  int32_t n_layer; /* of metal, 1 to 8 */
} NetlistParams;

typedef struct Netlist {
  Pattern *pattern; /* owned, scalars */
  double *value;    /* owned, [entries of the pattern] */
  double *current;  /* owned, [n] */
} Netlist;
/* The same numbers for the same parameters, always. Released by the caller, also after a failure. */
Status netlist_create(const NetlistParams *params, Netlist *out);
void netlist_release(Netlist *netlist);
