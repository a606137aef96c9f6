/* From `circulation:` to a circuit. */
#include "app/electromechanics/case_electromechanics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int32_t circuit_add_node(Circuit *circuit, const char *name, const CircuitNode *node) {
  circuit->node[circuit->n_node] = *node;
  snprintf(circuit->node[circuit->n_node].name, CIRCUIT_NAME, "%s", name);
  return circuit->n_node++;
}

int32_t circuit_add_branch(Circuit *circuit, const char *name, const CircuitBranch *branch) {
  circuit->branch[circuit->n_branch] = *branch;
  snprintf(circuit->branch[circuit->n_branch].name, CIRCUIT_NAME, "%s", name);
  return circuit->n_branch++;
}

static double given_or(const NumberValue *value, double unless) {
  return place_given(value->place) ? value->value : unless;
}

Elastance elastance_of_case(const CaseElastance *given, const Elastance *unless) {
  const Elastance none = {0}, *d = unless ? unless : &none;
  return (Elastance){.active = given_or(&given->active, d->active),
                     .passive = given_or(&given->passive, d->passive),
                     .v0 = given_or(&given->v0, d->v0),
                     .start = given_or(&given->start, d->start),
                     .contraction = given_or(&given->contraction, d->contraction),
                     .relaxation = given_or(&given->relaxation, d->relaxation)};
}

/* Without an elastance it is a cavity. */
static int32_t add_chamber(Circuit *out, const char *name, const CaseElastance *e) {
  if (!place_given(e->place)) return circuit_add_node(out, name, &(CircuitNode){.kind = CIRCUIT_CAVITY});
  return circuit_add_node(
      out, name,
      &(CircuitNode){.kind = CIRCUIT_CHAMBER, .elastance = elastance_of_case(e, NULL), .begin = e->volume.value});
}

static int32_t add_source(Circuit *out, const char *chamber, const char *what, double pressure) {
  char name[CIRCUIT_NAME];
  snprintf(name, sizeof name, "%.24s-%s", chamber, what);
  return circuit_add_node(out, name, &(CircuitNode){.kind = CIRCUIT_SOURCE, .pressure = pressure});
}

static CircuitBranch valve_of(const CaseValve *valve, int32_t from, int32_t to) {
  return (CircuitBranch){.from = from,
                         .to = to,
                         .valve = true,
                         .resistance = valve->open.value,
                         .closed = given_or(&valve->closed, (double)INFINITY)};
}

static void add_inflow(Circuit *out, const char *chamber, const CaseInflow *from, int32_t node) {
  char name[CIRCUIT_NAME];
  int32_t source = add_source(out, chamber, place_given(from->atrium.place) ? "veins" : "atrium", from->pressure.value);
  if (place_given(from->atrium.place)) {
    snprintf(name, sizeof name, "%.24s-atrium", chamber);
    const int32_t atrium = add_chamber(out, name, &from->atrium.elastance);
    snprintf(name, sizeof name, "%.24s-veins", chamber);
    circuit_add_branch(out, name, &(CircuitBranch){.from = source, .to = atrium, .resistance = from->atrium.r.value});
    source = atrium;
  }
  snprintf(name, sizeof name, "%.24s-inflow", chamber);
  const CircuitBranch valve = valve_of(&from->valve, source, node);
  circuit_add_branch(out, name, &valve);
}

static void add_outflow(Circuit *out, const char *chamber, const CaseOutflow *to, int32_t node) {
  const CaseWindkessel *w = &to->windkessel;
  char name[CIRCUIT_NAME];
  int32_t into;
  if (place_given(w->place)) {
    snprintf(name, sizeof name, "%.24s-artery", chamber);
    into = circuit_add_node(
        out, name,
        &(CircuitNode){.kind = CIRCUIT_VESSEL, .compliance = w->c.value, .begin = w->c.value * w->pressure.value});
  } else into = add_source(out, chamber, "artery", to->pressure.value);
  CircuitBranch valve = valve_of(&to->valve, node, into);
  valve.impedance = w->zc.value;
  valve.inertance = w->l.value;
  snprintf(name, sizeof name, "%.24s-outflow", chamber);
  circuit_add_branch(out, name, &valve);
  if (!place_given(w->place)) return;
  const int32_t ground = add_source(out, chamber, "drain", 0);
  snprintf(name, sizeof name, "%.24s-artery", chamber);
  circuit_add_branch(out, name, &(CircuitBranch){.from = into, .to = ground, .resistance = w->r.value});
}

void circuit_of_case(const Case *c, bool alone, Circuit *out) {
  const CaseCirculation *k = &c->circulation;
  *out = (Circuit){.cycle = k->cycle.value};
  if (k->model.value == CIRCULATION_CLOSED) {
    circuit_closed_fill(c, alone, out);
    return;
  }
  for (int32_t i = 0; i < k->chambers.n; ++i) {
    const CaseChamber *chamber = circulation_chamber(c, i);
    const int32_t node = add_chamber(out, chamber->name.text, &chamber->elastance);
    add_inflow(out, chamber->name.text, &chamber->from, node);
    add_outflow(out, chamber->name.text, &chamber->to, node);
  }
}

int32_t circuit_chamber_node(const Case *c, const Circuit *circuit, int32_t chamber) {
  const bool closed = c->circulation.model.value == CIRCULATION_CLOSED;
  const char *name = closed ? closed_name[chamber] : circulation_chamber(c, chamber)->name.text;
  int32_t i = 0;
  while (i < circuit->n_node && strcmp(circuit->node[i].name, name) != 0) ++i;
  return i;
}

double circuit_change(const Circuit *circuit, const CircuitState *state, const double before[CIRCUIT_NODES]) {
  double most = 0, held = 0;
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    if (circuit->node[i].kind == CIRCUIT_SOURCE) continue;
    most = fmax(most, fabs(state->volume[i] - before[i]));
    if (circuit->node[i].kind == CIRCUIT_CHAMBER) held = fmax(held, fabs(before[i]));
  }
  return held > 0 ? most / held : most;
}

int32_t circuit_outflow(const Circuit *circuit, int32_t node) {
  for (int32_t b = 0; b < circuit->n_branch; ++b)
    if (circuit->branch[b].valve && circuit->branch[b].from == node) return b;
  return -1;
}

int32_t circuit_chambers(const Circuit *circuit, int32_t node[CIRCUIT_NODES]) {
  int32_t n = 0;
  for (int32_t i = 0; i < circuit->n_node; ++i)
    if (circuit->node[i].kind == CIRCUIT_CHAMBER) node[n++] = i;
  return n;
}

void circuit_print(const Circuit *circuit) {
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    const CircuitNode *node = &circuit->node[i];
    const Elastance *e = &node->elastance;
    if (node->kind == CIRCUIT_SOURCE) printf("pressure     %s: %g kPa\n", node->name, node->pressure);
    if (node->kind == CIRCUIT_VESSEL)
      printf("vessel       %s: %g mL/kPa, %g mL\n", node->name, node->compliance, node->begin);
    if (node->kind == CIRCUIT_CAVITY) printf("cavity       %s: of the body\n", node->name);
    if (node->kind == CIRCUIT_CHAMBER)
      printf("chamber      %s: %g to %g kPa/mL, no pressure at %g mL, contracts from %g ms for %g ms, relaxes for %g "
             "ms, begins with %g mL\n",
             node->name, e->passive, e->passive + e->active, e->v0, e->start, e->contraction, e->relaxation,
             node->begin);
  }
  for (int32_t b = 0; b < circuit->n_branch; ++b) {
    const CircuitBranch *branch = &circuit->branch[b];
    printf("%s  %s: from %s to %s, %g kPa ms/mL", branch->valve ? "valve      " : "flow       ", branch->name,
           circuit->node[branch->from].name, circuit->node[branch->to].name, branch->resistance);
    if (branch->valve && isfinite(branch->closed)) printf(", closed %g", branch->closed);
    if (branch->impedance > 0) printf(", with %g behind it", branch->impedance);
    if (branch->inertance > 0) printf(", %g kPa ms2/mL", branch->inertance);
    printf("\n");
  }
}
