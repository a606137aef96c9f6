/* The closed loop of Regazzoni et al. 2022 (J. Comput. Phys. 457:111083), eqs. (3) and (4): four chambers, and arteries and
 * veins of body and lungs, with inertances. Elastances unless given are those of its authors' code, from mmHg and s. */
#include "app/electromechanics/case_electromechanics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MMHG 0.1333224 /* kPa */
const char *const closed_name[N_CLOSED] = {"la", "lv", "ra", "rv"};
/* Of beats of a second, which atria begin to contract this long before the end of. */
static const double AHEAD = 200;
static const Elastance of_second[N_CLOSED] = {{0.07 * MMHG, 0.09 * MMHG, 4, 800, 170, 170},
                                              {2.75 * MMHG, 0.08 * MMHG, 5, 0, 340, 170},
                                              {0.06 * MMHG, 0.07 * MMHG, 4, 800, 170, 170},
                                              {0.55 * MMHG, 0.05 * MMHG, 10, 0, 340, 170}};
Elastance closed_elastance(int which, double cycle) {
  Elastance out = of_second[which];
  if (out.start > 0) out.start = fmax(0, cycle - AHEAD);
  return out;
}

const double closed_volume[N_CLOSED] = {65, 120, 65, 145};

typedef struct Side {
  int32_t artery, vein;
} Side;

static void add_chambers(const Case *c, bool alone, Circuit *out, int32_t node[N_CLOSED]) {
  static const CaseElastance none;
  for (int k = 0; k < N_CLOSED; ++k) {
    const CaseElastance *given = &none;
    const Elastance unless = closed_elastance(k, c->circulation.cycle.value);
    for (int32_t i = 0; i < c->circulation.chambers.n; ++i)
      if (strcmp(circulation_chamber(c, i)->name.text, closed_name[k]) == 0)
        given = &circulation_chamber(c, i)->elastance;
    node[k] = circuit_add_node(
        out, closed_name[k],
        &(CircuitNode){.kind = !alone && c->circulation.ventricles.cavity[k].text ? CIRCUIT_CAVITY : CIRCUIT_CHAMBER,
                       .elastance = elastance_of_case(given, &unless),
                       .begin = place_given(given->volume.place) ? given->volume.value : closed_volume[k]});
  }
}

static Side add_vessels(Circuit *out, const char *of, const CaseVessels *v) {
  char name[CIRCUIT_NAME];
  Side side;
  snprintf(name, sizeof name, "%s-artery", of);
  const CircuitNode artery = {
      .kind = CIRCUIT_VESSEL, .compliance = v->c_artery.value, .begin = v->c_artery.value * v->p_artery.value};
  side.artery = circuit_add_node(out, name, &artery);
  snprintf(name, sizeof name, "%s-vein", of);
  const CircuitNode vein = {
      .kind = CIRCUIT_VESSEL, .compliance = v->c_vein.value, .begin = v->c_vein.value * v->p_vein.value};
  side.vein = circuit_add_node(out, name, &vein);
  return side;
}

static void add_valve(const Case *c, Circuit *out, const char *name, int32_t from, int32_t to) {
  const CaseValve *v = &c->circulation.valves;
  circuit_add_branch(
      out, name,
      &(CircuitBranch){.from = from, .to = to, .valve = true, .resistance = v->open.value, .closed = v->closed.value});
}

static void add_flows(Circuit *out, const char *of, const CaseVessels *v, Side side, int32_t atrium) {
  char name[CIRCUIT_NAME];
  snprintf(name, sizeof name, "%s-artery", of);
  circuit_add_branch(
      out, name,
      &(CircuitBranch){
          .from = side.artery, .to = side.vein, .resistance = v->r_artery.value, .inertance = v->l_artery.value});
  snprintf(name, sizeof name, "%s-vein", of);
  circuit_add_branch(
      out, name,
      &(CircuitBranch){.from = side.vein, .to = atrium, .resistance = v->r_vein.value, .inertance = v->l_vein.value});
}

void circuit_closed_fill(const Case *c, bool alone, Circuit *out) {
  const CaseCirculation *k = &c->circulation;
  int32_t node[N_CLOSED];
  add_chambers(c, alone, out, node);
  const Side body = add_vessels(out, "systemic", &k->systemic), lungs = add_vessels(out, "pulmonary", &k->pulmonary);
  add_valve(c, out, "mitral", node[CLOSED_LA], node[CLOSED_LV]);
  add_valve(c, out, "aortic", node[CLOSED_LV], body.artery);
  add_valve(c, out, "tricuspid", node[CLOSED_RA], node[CLOSED_RV]);
  add_valve(c, out, "pulmonary-valve", node[CLOSED_RV], lungs.artery);
  add_flows(out, "systemic", &k->systemic, body, node[CLOSED_RA]);
  add_flows(out, "pulmonary", &k->pulmonary, lungs, node[CLOSED_LA]);
}
