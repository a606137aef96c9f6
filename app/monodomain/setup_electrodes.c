/* Electrodes of the bidomain against the mesh. */
#include "app/input/number.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "core/memory.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void mark_nodes(const Mesh *mesh, const Group *group, double *share) {
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[i]);
    const int32_t n = element_type(mesh_block_of(mesh, group->element[i])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) share[nodes[a]] = 1;
  }
}

/* The nodes with a share, which is cleared. Shares of simplices of order 2 are 0 at vertices. */
static Status keep_nodes(const Mesh *mesh, bool holds, double *share, ShockElectrode *e) {
  for (int32_t i = 0; i < mesh->n_node; ++i) e->n += share[i] != 0, e->size += share[i];
  ALLOC(e->node, e->n, "nodes of an electrode");
  if (!holds) ALLOC(e->share, e->n, "nodes of an electrode");
  for (int32_t i = 0, k = 0; i < mesh->n_node; ++i) {
    if (share[i] == 0) continue;
    if (!holds) e->share[k] = share[i] / e->size;
    e->node[k++] = i;
    share[i] = 0;
  }
  return OK;
}

/* Nodes of what conducts: those of trees have no space outside of their cells that is their own. */
static void mark_body(const Mesh *mesh, uint8_t *node) {
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e)
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_node; ++a)
      node[mesh_nodes_of(mesh, e)[a]] = SPOT_THERE;
}

/* Nodes by themselves: held, or each with the volume that it stands for. node is as mark_body has it, and then again. */
static Status mark_spot(const Mesh *mesh, const CaseElectrode *e, const HeartSetup *own, uint8_t *node, double *share,
                        Diagnostics *out) {
  char what[256];
  snprintf(what, sizeof what, "electrode '%s'", e->name.text);
  TRY(setup_volumes(mesh, own, share));
  setup_spot(mesh, &e->on, what, node, out);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    share[i] = !(node[i] & SPOT_HIT) ? 0 : electrode_holds(e) ? 1 : share[i];
    node[i] &= SPOT_THERE;
  }
  return OK;
}

/* Nodes of groups of the mesh. */
static Status mark_groups(const Mesh *mesh, const CaseElectrode *e, const Group *group, const HeartSetup *own,
                          const uint8_t *node, double *share, Diagnostics *out) {
  int32_t bad;
  if (electrode_holds(e) || group->dim == 0) mark_nodes(mesh, group, share);
  else TRY(setup_areas(mesh, group, own, NULL, share, &bad));
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (share[i] == 0 || node[i]) continue;
    report_error(
        out, e->on.place,
        "electrode '%s' is on '%s', of which node %lld at (%g, %g, %g) is of no tissue and no bath\n  allowed: "
        "surfaces, volumes and points of these; trees have no space outside of their cells",
        e->name.text, group->name, (long long)mesh->node_tag[i], mesh->x[i][0], mesh->x[i][1], mesh->x[i][2]);
    break;
  }
  return OK;
}

static Status bind_one(const Case *c, const Mesh *mesh, int32_t i, uint8_t *node, double *share, Setup *setup,
                       Diagnostics *out) {
  const CaseElectrode *e = case_electrode(c, i);
  const HeartSetup *own = heart_setup(setup);
  ShockElectrode *to = &heart_setup(setup)->shock[i];
  if (!e->on.group.n) {
    to->dim = mesh->dim;
    TRY(mark_spot(mesh, e, own, node, share, out));
    return keep_nodes(mesh, electrode_holds(e), share, to);
  }
  const Group *group = setup_group(setup, mesh, &e->on.group, ON_ANY, "electrode", out);
  if (!group) return OK;
  if (group->dim > 0 && group->dim < mesh->dim - 1)
    report_error(out, e->on.place, "electrode '%s' is on '%s', lines in a volume\n  allowed: surfaces, volumes, points",
                 e->name.text, group->name);
  if (group->dim == 0 && mesh->dim > 1 && place_given(e->density.place))
    report_error(out, e->density.place, "points have no area for a density\n  remedy: 'current'");
  to->dim = group->dim;
  TRY(mark_groups(mesh, e, group, own, node, share, out));
  return keep_nodes(mesh, electrode_holds(e), share, to);
}

/* Behind all of them: what they do while they are on. */
static void find_amounts(const Case *c, HeartSetup *own) {
  static const double UA_OF_MA = 1000;
  for (int32_t i = 0; i < own->n_shock; ++i) {
    const int32_t source = electrode_source(c, i);
    const CaseElectrode *e = case_electrode(c, source);
    const double uA =
        place_given(e->current.place) ? UA_OF_MA * e->current.value : e->density.value * own->shock[source].size;
    own->shock[i].amount = electrode_holds(e) ? e->potential.value : source == i ? uA : -uA;
  }
}

/* At the moment after t, mA: what goes in, and what out. */
static void sum_currents(const Case *c, const HeartSetup *own, double t, double *in, double *out) {
  *in = *out = 0;
  for (int32_t i = 0; i < own->n_shock; ++i) {
    const double mA = own->shock[i].share && electrode_is_on(c, i, t) ? 1e-3 * own->shock[i].amount : 0;
    *(mA > 0 ? in : out) += fabs(mA);
  }
}

/* Without a place whose potential is given none can be found for a current that stays. */
static void check_balance(const Case *c, const HeartSetup *own, Diagnostics *out) {
  static const double BALANCED = 1e-9;
  for (int32_t i = 0; i < own->n_shock; ++i)
    if (electrode_holds(case_electrode(c, i))) return;
  for (int32_t i = 0; i < own->n_shock; ++i) {
    const CaseElectrode *e = case_electrode(c, i);
    const int64_t n = electrode_pulses(c, e);
    for (int64_t k = 0; k < 2 * n; ++k) {
      const double begin = e->start.value + (double)(k / 2) * e->period.value,
                   t = begin + (k % 2 && place_given(e->duration.place) ? e->duration.value : 0);
      double in, back;
      sum_currents(c, own, t, &in, &back);
      if (t >= c->time.end.value || fabs(in - back) <= BALANCED * fmax(in, back)) continue;
      report_error(out, c->electrodes.place,
                   "currents of electrodes do not add up to 0 at %g ms, and nothing is grounded: %.6g mA in, %.6g "
                   "out\n  remedy: 'balances: NAME' or 'ground: true' at another electrode",
                   t, in, back);
      return;
    }
  }
}

/* by[n_node]: the electrode that holds a node, from 1, or 0. A current into nodes that are held all goes out there. */
static void check_shorted(const Case *c, const HeartSetup *own, const int32_t *by, Diagnostics *out) {
  for (int32_t i = 0; i < own->n_shock; ++i) {
    const ShockElectrode *e = &own->shock[i];
    bool flows = !e->share || e->n == 0;
    for (int32_t k = 0; k < e->n && !flows; ++k) flows = by[e->node[k]] == 0;
    if (!flows)
      report_error(out, case_electrode(c, i)->on.place,
                   "electrode '%s' is at nodes whose potential electrode '%s' holds: its current goes out there, and "
                   "nothing flows\n  remedy: another place",
                   case_electrode(c, i)->name.text, case_electrode(c, by[e->node[0]] - 1)->name.text);
  }
}

/* A node cannot have two potentials. */
static Status check_held(const Case *c, const Mesh *body, const HeartSetup *own, Diagnostics *out) {
  int32_t *by = NULL;
  ALLOC(by, body->n_node, "nodes of the electrodes");
  for (int32_t i = 0; i < own->n_shock; ++i) {
    const ShockElectrode *e = &own->shock[i];
    int32_t twice = -1;
    for (int32_t k = 0; !e->share && k < e->n; ++k) {
      if (by[e->node[k]]) twice = e->node[k];
      else by[e->node[k]] = i + 1;
    }
    if (twice >= 0)
      report_error(out, case_electrode(c, i)->on.place,
                   "electrodes '%s' and '%s' both hold the potential of node %lld\n  remedy: groups that share no node",
                   case_electrode(c, by[twice] - 1)->name.text, case_electrode(c, i)->name.text,
                   (long long)body->node_tag[twice]);
  }
  check_shorted(c, own, by, out);
  FREE(by);
  return OK;
}

/* What goes in and out at the same nodes flows nowhere. */
static void check_apart(const Case *c, const HeartSetup *own, Diagnostics *out) {
  for (int32_t i = 0; i < own->n_shock; ++i) {
    const int32_t source = electrode_source(c, i);
    const ShockElectrode *e = &own->shock[i], *from = &own->shock[source];
    if (source == i || e->n != from->n || memcmp(e->node, from->node, (size_t)e->n * sizeof *e->node)) continue;
    report_error(
        out, case_electrode(c, i)->on.place,
        "electrodes '%s' and '%s' are at the same nodes: the current of one goes out at the other, and nothing "
        "flows\n  remedy: another group",
        case_electrode(c, source)->name.text, case_electrode(c, i)->name.text);
  }
}

static void warn_late(const Case *c) {
  for (int32_t i = 0; i < c->electrodes.n; ++i) {
    const CaseElectrode *e = case_electrode(c, i);
    char place[512];
    if (e->start.value >= c->time.end.value)
      status_warn("%s: electrode '%s' begins at %g ms, and the run ends at %g",
                  place_text(c->path, e->place, place, sizeof place), e->name.text, e->start.value, c->time.end.value);
    else if (place_given(e->count.place) && electrode_pulses(c, e) < e->count.value)
      status_warn("%s: electrode '%s' has %lld pulses, of which the run to %g ms sees %lld",
                  place_text(c->path, e->count.place, place, sizeof place), e->name.text, (long long)e->count.value,
                  c->time.end.value, (long long)electrode_pulses(c, e));
  }
}

/* The node that `reference` names. */
static int32_t find_zero(const Case *c, const Mesh *body, const uint8_t *there, Diagnostics *out) {
  const char *why;
  int64_t tag;
  if (!c->reference.text || !integer_parse(c->reference.text, &tag, &why)) return -1;
  const int32_t node = setup_tagged_node(body, tag);
  if (node >= 0 && there[node]) return node;
  report_error(out, c->reference.place, "reference: there is no node %s%s in %s", c->reference.text,
               node < 0 ? "" : " of tissue or bath", body->path);
  return -1;
}

static Status bind_electrodes(const Case *c, const Mesh *body, uint8_t *node, Setup *setup, Diagnostics *out) {
  HeartSetup *own = heart_setup(setup);
  const int32_t before = out->n;
  double *share = NULL;
  Status status = OK;
  if (!c->electrodes.n) return OK;
  ALLOC(own->shock, c->electrodes.n, "electrodes");
  own->n_shock = c->electrodes.n;
  ALLOC(share, body->n_node, "nodes of the electrodes");
  for (int32_t i = 0; i < own->n_shock && status == OK; ++i) status = bind_one(c, body, i, node, share, setup, out);
  FREE(share);
  if (status != OK || out->n > before) return status;
  find_amounts(c, own);
  check_balance(c, own, out);
  check_apart(c, own, out);
  warn_late(c);
  return check_held(c, body, own, out);
}

Status setup_electrodes(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  const Mesh *body = mesh->whole ? mesh->whole : mesh;
  uint8_t *node = NULL;
  heart_setup(setup)->zero = 0;
  if (!heart_is_bidomain(c)) return OK;
  ALLOC(node, body->n_node, "nodes of tissue and bath");
  mark_body(body, node);
  heart_setup(setup)->zero = find_zero(c, body, node, out) + 1;
  const Status status = bind_electrodes(c, body, node, setup, out);
  FREE(node);
  return status;
}

void electrodes_text(const Case *c, const Setup *setup, Text *out) {
  static const char *const unit[] = {"points", "mm", "mm2", "mm3"};
  const HeartSetup *own = heart_setup(setup);
  for (int32_t i = 0; i < own->n_shock; ++i) {
    const CaseElectrode *e = case_electrode(c, i), *times = case_electrode(c, electrode_source(c, i));
    const ShockElectrode *s = &own->shock[i];
    char count[32];
    text_add(out, "electrode    %s: %s node%s, ", e->name.text, count_text(s->n, count), s->n == 1 ? "" : "s");
    if (e->ground.value) {
      text_add(out, "grounded\n");
      continue;
    }
    if (s->share)
      text_add(out, "%.6g mA over %.6g %s", 1e-3 * s->amount, s->size, unit[s->dim + (s->dim > 0 && own->thickness)]);
    else text_add(out, "%.6g mV", s->amount);
    text_add(out, " from %g ms", times->start.value);
    if (place_given(times->duration.place)) text_add(out, " for %g ms", times->duration.value);
    if (place_given(times->period.place))
      text_add(out, ", %s pulses every %g ms", count_text(electrode_pulses(c, times), count), times->period.value);
    text_add(out, "\n");
  }
}
