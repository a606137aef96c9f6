/* Which nodes a stimulus acts on: those of a group, inside a box or sphere, or listed by number. */
#include "app/monodomain/case_monodomain.h"
#include "app/input/number.h"
#include "app/monodomain/purkinje.h"
#include "app/monodomain/setup_heart.h"
#include "output/wording.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *stimulus_name(const CaseStimulus *s, int32_t i, char text[32]) {
  snprintf(text, 32, "number %d", (int)i + 1);
  return s->name.text ? s->name.text : text;
}

/* How far a point is from the box or sphere; 0 inside. Directions that are not given are unbounded. */
static double setup_stimuli_outside(const CaseSpot *on, const double x[3]) {
  double sum = 0;
  if (place_given(on->box.place)) {
    for (int k = 0; k < on->box.min.n; ++k) {
      const double d = fmax(fmax(on->box.min.value[k] - x[k], x[k] - on->box.max.value[k]), 0);
      sum += d * d;
    }
    return sqrt(sum);
  }
  for (int k = 0; k < on->sphere.center.n; ++k) {
    const double d = x[k] - on->sphere.center.value[k];
    sum += d * d;
  }
  return fmax(sqrt(sum) - on->sphere.radius.value, 0);
}

/* What is on the border is inside: 0.7 and 700 times 1e-3 are two numbers. */
static void mark_shape(const Mesh *mesh, const CaseSpot *on, uint8_t *node) {
  static const double SAME = 1e-9; /* of the mesh' size, as of probes */
  if (!place_given(on->box.place) && !place_given(on->sphere.place)) return;
  const double slack = SAME * mesh_size(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_node))
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (node[i] & SPOT_THERE && setup_stimuli_outside(on, mesh->x[i]) <= slack) node[i] |= SPOT_HIT;
}

static void mark_group(const Mesh *mesh, const Group *group, uint8_t *node) {
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t e = group->element[i], *nodes = mesh_nodes_of(mesh, e);
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_node; ++a)
      if (node[nodes[a]] & SPOT_THERE) node[nodes[a]] |= SPOT_HIT;
  }
}

int32_t setup_tagged_node(const Mesh *mesh, int64_t tag) {
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (mesh->node_tag[i] == tag) return i;
  return -1;
}

static void mark_listed(const Mesh *mesh, const NamesValue *listed, uint8_t *node, Diagnostics *out) {
  for (int32_t i = 0; i < listed->n; ++i) {
    int64_t tag = 0;
    const char *why;
    integer_parse(listed->item[i].text, &tag, &why);
    const int32_t found = setup_tagged_node(mesh, tag);
    if (found < 0)
      report_error(out, listed->item[i].place, "nodes: there is no node %lld in %s", (long long)tag, mesh->path);
    else if (!(node[found] & SPOT_THERE))
      report_error(out, listed->item[i].place, "nodes: node %lld of %s has no tissue", (long long)tag, mesh->path);
    else node[found] |= SPOT_HIT;
  }
}

static void hits_nothing(const Mesh *mesh, const CaseSpot *on, const char *what, const uint8_t *node,
                         Diagnostics *out) {
  double nearest = INFINITY;
  int32_t at = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double distance = node[i] & SPOT_THERE ? setup_stimuli_outside(on, mesh->x[i]) : (double)INFINITY;
    if (distance < nearest) nearest = distance, at = i;
  }
  const double *x = mesh->x[at];
  report_error(out, place_given(on->box.place) ? on->box.place : on->sphere.place,
               "%s hits no node; the nearest one, (%.6g, %.6g, %.6g), is %.4g mm away from its %s", what, x[0], x[1],
               x[2], nearest, place_given(on->box.place) ? "box" : "sphere");
}

static void warn_cylinder(const Mesh *mesh, const CaseSpot *on, const char *what) {
  const int space = mesh->dim + (mesh->in_space ? 1 : 0), given = on->sphere.center.n;
  if (!place_given(on->sphere.place) || given >= space) return;
  status_warn("%s: its sphere has %d coordinate%s in %d dimensions, so that it is a cylinder\n  remedy: a "
              "'center' with %d numbers",
              what, given, given == 1 ? "" : "s", space, space);
}

void setup_spot(const Mesh *mesh, const CaseSpot *on, const char *what, uint8_t *node, Diagnostics *out) {
  const int32_t before = out->n;
  bool hit = false;
  mark_shape(mesh, on, node);
  warn_cylinder(mesh, on, what);
  mark_listed(mesh, &on->nodes, node, out);
  for (int32_t i = 0; i < mesh->n_node && !hit; ++i) hit = node[i] & SPOT_HIT;
  if (!hit && out->n == before) hits_nothing(mesh, on, what, node, out);
}

static bool is_hit(const uint8_t *node, const double *share, int64_t i) { return node[i] & SPOT_HIT || share[i] != 0; }

/* Nodes that are hit or have a share, and their shares where the stimulus has such; both are cleared. Shares are zero
 * where it has none. */
static Status keep_hit(const Mesh *mesh, bool shared, uint8_t *node, double *share, MonodomainStimulus *out) {
  const int parts = parts_of(mesh->n_node);
  int32_t *list = NULL, *before = NULL, n = 0;
  double *shares = NULL;
#pragma omp parallel for schedule(static) num_threads(parts) reduction(+ : n)
  for (int32_t i = 0; i < mesh->n_node; ++i) n += is_hit(node, share, i);
  ALLOC(list, n, "nodes of a stimulus");
  out->node = list;
  if (shared) ALLOC(shares, n, "nodes of a stimulus");
  out->share = shares;
  out->n = n;
  ALLOC(before, parts + 1, "nodes of a stimulus");
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p)
    for (int64_t i = part_begin(mesh->n_node, p, parts); i < part_begin(mesh->n_node, p + 1, parts); ++i)
      before[p + 1] += is_hit(node, share, i);
  for (int p = 0; p < parts; ++p) before[p + 1] += before[p];
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int p = 0; p < parts; ++p) {
    int32_t at = before[p];
    for (int64_t i = part_begin(mesh->n_node, p, parts); i < part_begin(mesh->n_node, p + 1, parts); ++i) {
      if (is_hit(node, share, i)) {
        if (shared) shares[at] = share[i];
        list[at++] = (int32_t)i;
      }
      node[i] &= SPOT_THERE;
      share[i] = 0;
    }
  }
  FREE(before);
  return OK;
}

/* Nodes with a solved element, and those of trees. */
static void mark_solved(const Mesh *mesh, uint8_t *node) {
  purkinje_nodes(mesh, node);
  for (int32_t i = 0; i < mesh->n_node; ++i) node[i] = node[i] ? SPOT_THERE : 0;
}

/* A layer below a group of surfaces, or a current through it. */
static Status mark_surface(const Mesh *mesh, const CaseStimulus *s, const Group *group, const HeartSetup *own,
                           const uint8_t *node, double *share, Diagnostics *out) {
  if (place_given(s->depth.place)) return setup_layer(mesh, group, s->depth.value, node, share);
  int32_t bad;
  TRY(setup_areas(mesh, group, own, node, share, &bad));
  if (bad >= 0)
    report_error(
        out, s->on.place,
        "current through group '%s', which is not everywhere on the tissue: near (%g, %g, %g) it acts on nothing",
        group->name, mesh->x[mesh_nodes_of(mesh, bad)[0]][0], mesh->x[mesh_nodes_of(mesh, bad)[0]][1],
        mesh->x[mesh_nodes_of(mesh, bad)[0]][2]);
  return OK;
}

static Status bind_stimulus(const Mesh *mesh, const CaseStimulus *s, int32_t index, uint8_t *node, double *share,
                            Setup *setup, Diagnostics *out) {
  const int32_t before = out->n;
  const bool surface = place_given(s->depth.place) || place_given(s->current.place);
  MonodomainStimulus *to = &heart_setup(setup)->stimulus[index];
  char name[32], whole[256];
  snprintf(whole, sizeof whole, "stimulus '%s'", stimulus_name(s, index, name));
  if (!s->on.group.n) setup_spot(mesh, &s->on, whole, node, out);
  else {
    const char *what = !surface ? "stimulus" : place_given(s->depth.place) ? "depth" : "current";
    const Group *group = setup_group(setup, mesh, &s->on.group, surface ? ON_FACETS : ON_ANY, what, out);
    if (group && surface) TRY(mark_surface(mesh, s, group, heart_setup(setup), node, share, out));
    else if (group)
      mark_group(mesh, group, node), heart_setup(setup)->bare[index] = (uint8_t)(group->dim == mesh->dim       ? 0
                                                                                 : group->dim == mesh->dim - 1 ? 1
                                                                                                               : 2);
  }
  to->per_area = place_given(s->current.place);
  to->amplitude = to->per_area ? s->current.value : s->amplitude.value;
  TRY(keep_hit(mesh, surface, node, share, to));
  if (to->n == 0 && out->n == before)
    report_error(out, s->on.place, "stimulus on a group without tissue: it hits no node");
  return OK;
}

Status setup_stimuli(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  uint8_t *node = NULL;
  double *share = NULL;
  ALLOC(heart_setup(setup)->stimulus, c->stimuli.n, "stimuli");
  heart_setup(setup)->monodomain.stimulus = heart_setup(setup)->stimulus;
  heart_setup(setup)->monodomain.n_stimulus = c->stimuli.n;
  Status status = OK;
  ALLOC_DONE(heart_setup(setup)->bare, c->stimuli.n, "stimuli");
  ALLOC_DONE(node, mesh->n_node, "nodes of the stimuli");
  ALLOC_DONE(share, mesh->n_node, "nodes of the stimuli");
  mark_solved(mesh, node);
  for (int32_t i = 0; i < c->stimuli.n; ++i)
    TRY_DONE(bind_stimulus(mesh, case_stimulus(c, i), i, node, share, setup, out));
done:
  FREE(node);
  FREE(share);
  return status;
}

void stimuli_text(const Case *c, const Mesh *mesh, const Setup *setup, const double *mass, Text *out) {
  for (int32_t i = 0; i < c->stimuli.n; ++i) {
    const CaseStimulus *s = case_stimulus(c, i);
    const MonodomainStimulus *hit = &heart_setup(setup)->stimulus[i];
    char name[32], count[32], pulses[32];
    const bool thick = mesh->dim == 3 || heart_setup(setup)->thickness;
    double size = 0; /* volume, or area of a current */
    for (int32_t k = 0; k < hit->n; ++k)
      size += hit->per_area ? hit->share[k] : mass[hit->node[k]] * (hit->share ? hit->share[k] : 1);
    const int power = (thick ? 3 : 2) - (hit->per_area ? 1 : 0);
    static const char *const what[] = {"length", "area", "volume"}, *const unit[] = {"mm", "mm^2", "mm^3"};
    text_add(out, "stimulus     %s: %s node%s, %s %.6g %s", stimulus_name(s, i, name), count_text(hit->n, count),
             hit->n == 1 ? "" : "s", what[power - 1], size, unit[power - 1]);
    if (place_given(s->depth.place)) text_add(out, " (%g mm deep)", s->depth.value);
    text_add(out, ", %g %s for %g ms from %g ms", hit->amplitude, hit->per_area ? "mV mm/ms" : "mV/ms",
             s->duration.value, s->start.value);
    if (place_given(s->period.place))
      text_add(out, ", %s pulse%s every %g ms", count_text(stimulus_pulses(c, s), pulses),
               stimulus_pulses(c, s) == 1 ? "" : "s", s->period.value);
    text_add(out, "\n");
  }
}
