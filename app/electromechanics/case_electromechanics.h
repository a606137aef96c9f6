/* Between the files of the heart as a pump. */
#pragma once
#include "app/electromechanics/beat.h"
#include "app/input/physics.h"
#include "physics/circuit.h"

/* Physics.kind of a circulation alone; HAS_MUSCLE is that of a body of muscle, HAS_CELLS that of one with its cells. */
enum { HAS_CIRCULATION = 1 << 23 };
extern const Schema electromechanics_schema, circulation_schema;
void electromechanics_check(Case *c, Diagnostics *diagnostics);
void circulation_check(Case *c, Diagnostics *diagnostics);
/* Of cavities, chambers and vessels: what columns of loops.csv can be called, each by a name of its own. */
void circulation_check_names(const Case *c, Diagnostics *diagnostics);
/* Rows with `loop`. */
void circulation_check_expectations(const Case *c, Diagnostics *diagnostics);
/* Of a body of muscle, with a circulation or without. */
void pump_check(Case *c, Diagnostics *diagnostics);
/* What a closed loop does not say of vessels and valves: the defaults. */
void circulation_fill_closed(CaseCirculation *circulation);

static inline const CaseChamber *circulation_chamber(const Case *c, int32_t i) {
  return (const CaseChamber *)maps_item(&c->circulation.chambers, sizeof(CaseChamber), i);
}

/* The elastances of a closed loop unless given. */
enum { CLOSED_LA, CLOSED_LV, CLOSED_RA, CLOSED_RV, N_CLOSED };
_Static_assert((int)N_CLOSED == (int)CASE_LOOP_CHAMBERS, "chambers of a closed loop");
extern const char *const closed_name[N_CLOSED];
Elastance closed_elastance(int which, double cycle); /* ms */
extern const double closed_volume[N_CLOSED];
/* As given, else those; `begin`: the volume. */
Elastance elastance_of_case(const CaseElastance *given, const Elastance *unless);
/* Of a checked case; chambers that have a body are cavities, unless it is `alone`. */
void circuit_of_case(const Case *c, bool alone, Circuit *out);
void circuit_closed_fill(const Case *c, bool alone, Circuit *out);
/* The node of a chamber, by its number in the case, of a closed loop CLOSED_LA and so on. */
int32_t circuit_chamber_node(const Case *c, const Circuit *circuit, int32_t chamber);
/* How to add to a circuit: their index. */
int32_t circuit_add_node(Circuit *circuit, const char *name, const CircuitNode *node);
int32_t circuit_add_branch(Circuit *circuit, const char *name, const CircuitBranch *branch);
/* The branch that empties this node through a valve; -1: none. */
int32_t circuit_outflow(const Circuit *circuit, int32_t node);
/* The chambers, in the order of the nodes; returns how many. */
int32_t circuit_chambers(const Circuit *circuit, int32_t node[CIRCUIT_NODES]);
/* Of the volumes since then, relative to what the chambers hold. */
double circuit_change(const Circuit *circuit, const CircuitState *state, const double before[CIRCUIT_NODES]);
/* Prints the circuit. */
void circuit_print(const Circuit *circuit);
/* ---- case_circulation_check.c ---- */
/* The cavity of this name, -1: none; and the names that there are, at most so many: how many. */
int32_t case_cavity_called(const Case *c, const char *name);
int case_cavity_names(const Case *c, int most, const char **names);
/* An error: there is no cavity of that name. */
void case_refuse_cavity(const Case *c, const TextValue *name, Diagnostics *diagnostics);
/* ---- case_unload.c ---- */
void unload_check(const Case *c, Diagnostics *out);
double case_unload_tolerance(const Case *c); /* mm */
