/* Fronts by the eikonal equation that start a heart's cells (reaction-eikonal; Neic, Campos, Prassl, Niederer, Bishop, Vigmond and
 * Plank, Journal of Computational Physics 346, 2017): each node is stimulated when the front arrives, whatever the mesh
 * would make of the wave. */
#include "app/monodomain/purkinje.h"
#include "assembly/eikonal/eikonal.h"
#include "core/memory.h"
#include "output/wording.h"

#include <math.h>
#include <stdlib.h>

void setup_front_starts(const Case *c, const Setup *setup, int32_t n_node, double *start) {
  for (int32_t i = 0; i < n_node; ++i) start[i] = INFINITY;
  for (int32_t s = 0; s < c->stimuli.n; ++s) {
    const MonodomainStimulus *hit = &heart_setup(setup)->stimulus[s];
    for (int32_t k = 0; k < hit->n; ++k)
      start[hit->node[k]] = fmin(start[hit->node[k]], case_stimulus(c, s)->start.value);
  }
}

/* Of each tissue whose velocity is not given the speed of a front of its cells over sqrt(D), 1/sqrt(ms); of others 0. */
static Status find_own(const Case *c, const Mesh *mesh, const Setup *setup, double *own) {
  char place[512], name[128];
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *tissue = heart_tissue(c, t);
    FrontSpeed speed;
    if (place_given(tissue->velocity.place)) continue;
    TRY(front_alone(c, setup, mesh->dim, t, NULL, &speed));
    CHECK(speed.l > 0 && speed.alone > 0, ERR_INPUT,
          "%s: no front runs by the cells of %s, and 'eikonal:' has no 'velocity' there\n  remedy: 'velocity: 0.6', in "
          "mm/ms along the fibres",
          place_text(c->path, tissue->place, place, sizeof place), heart_cells_name(c, t, name));
    own[t] = speed.alone;
  }
  return OK;
}

/* Squares of velocities: the diffusivities, so many times that the velocity along the fibres comes out. */
static Status make_tensors(const Case *c, const Mesh *mesh, const Setup *setup, double (**out)[6]) {
  const int32_t first = setup_first_solved(mesh);
  double *own = NULL;
  Status status = OK;
  ALLOC(own, c->materials.n, "velocities of tissues");
  TRY_DONE(find_own(c, mesh, setup, own));
  ALLOC_DONE(*out, mesh->n_element - first, "velocities of the elements");
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t t = setup->element_material[e];
    const TissueNumbers *number = heart_numbers(heart_setup(setup), t, e - first);
    const double scale = own[t] > 0 ? own[t] * own[t] : number->velocity * number->velocity / number->D[0];
    for (int k = 0; k < 6; ++k) (*out)[e - first][k] = scale * heart_setup(setup)->tensor[e - first][k];
  }
done:
  FREE(own);
  return status;
}

static Status find_times(const Case *c, const Mesh *mesh, Exec *exec, const Setup *setup, double *time) {
  double(*tensor)[6] = NULL, *start = NULL;
  Eikonal *eikonal = NULL;
  EikonalReport report = {0};
  Status status = make_tensors(c, mesh, setup, &tensor);
  const EikonalParams params = {.mesh = mesh, .tensor = (const double(*)[6])tensor, .node_rank = setup->node_rank};
  TRY_DONE(status);
  ALLOC_DONE(start, mesh->n_node, "times of start");
  setup_front_starts(c, setup, mesh->n_node, start);
  TRY_DONE(eikonal_create(exec, &params, &eikonal));
  status = c->purkinje.n ? setup_wave_trees(c, mesh, setup, eikonal, start, time, &report)
                         : eikonal_solve(eikonal, start, time, &report);
done:
  eikonal_destroy(&eikonal);
  FREE(start);
  FREE(tensor);
  return status;
}

/* A node and the step that it is stimulated from. */
typedef struct Arrival {
  int64_t step;
  int32_t node;
} Arrival;

static int by_step(const void *a, const void *b) {
  const Arrival *p = a, *q = b;
  if (p->step != q->step) return p->step < q->step ? -1 : 1;
  return p->node < q->node ? -1 : p->node > q->node;
}

static int32_t count_steps(const Arrival *arrival, int32_t n) {
  int32_t different = 0;
  for (int32_t i = 0; i < n; ++i) different += i == 0 || arrival[i].step != arrival[i - 1].step;
  return different;
}

/* Behind the stimuli of the case one for each step in which the front arrives somewhere. */
static Status add_stimuli(const Case *c, const Arrival *arrival, int32_t n, HeartSetup *own) {
  const int32_t more = count_steps(arrival, n), before = own->monodomain.n_stimulus;
  TRY(mem_resize(before + more, sizeof *own->stimulus, "stimuli", (void **)&own->stimulus));
  ALLOC(own->wave_start, more, "times of arrival");
  own->monodomain.stimulus = own->stimulus;
  for (int32_t i = 0, last; i < n; i = last) {
    int32_t *node = NULL;
    for (last = i; last < n && arrival[last].step == arrival[i].step; ++last) continue;
    ALLOC(node, last - i, "stimulated nodes");
    for (int32_t k = i; k < last; ++k) node[k - i] = arrival[k].node;
    own->wave_start[own->n_wave++] = (double)arrival[i].step * c->time.step.value;
    own->stimulus[own->monodomain.n_stimulus++] =
        (MonodomainStimulus){.n = last - i, .node = node, .amplitude = c->eikonal.amplitude.value};
  }
  return OK;
}

/* What is said of the fronts. Nodes of no element and no line have no part in them. */
static void check_fronts(const Case *c, const Mesh *mesh, const uint8_t *bits, const double *time, HeartSetup *own) {
  own->front_first = INFINITY, own->front_last = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (!bits[i]) continue;
    own->n_reached += time[i] >= 0;
    own->n_unreached += time[i] < 0;
    own->front_last = fmax(own->front_last, time[i]);
  }
  for (int32_t s = 0; s < c->stimuli.n; ++s) {
    own->n_front += own->stimulus[s].n;
    own->front_first = fmin(own->front_first, case_stimulus(c, s)->start.value);
  }
}

void wave_text(const Case *c, const Setup *setup, Text *out) {
  const HeartSetup *own = heart_setup(setup);
  char from[32], to[32];
  if (!place_given(c->eikonal.place) || own->n_reached + own->n_unreached == 0) return;
  text_add(out, "fronts       start at %s node%s, from %g ms on, and come to %s; the last one at %.6g ms\n",
           count_text(own->n_front, from), own->n_front == 1 ? "" : "s", own->front_first,
           count_text(own->n_reached, to), own->front_last);
}

void setup_warn_wave(const Case *c, const Setup *setup) {
  const HeartSetup *own = heart_setup(setup);
  const double end = c->time.end.value;
  if (own->n_unreached)
    status_warn(
        "no front of 'eikonal:' comes to %d of the %d nodes: their cells are started by their neighbours, if at "
        "all\n  remedy: a stimulus in each piece of the tissue, or ends of a tree there",
        (int)own->n_unreached, (int)(own->n_unreached + own->n_reached));
  if (own->front_last > end)
    status_warn("the last node is reached by the front of 'eikonal:' at %.4g ms, after the end of the run at %g ms",
                own->front_last, end);
}

Status setup_wave(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup) {
  double *time = NULL;
  Arrival *arrival = NULL;
  uint8_t *bits = NULL;
  int32_t n = 0;
  Status status = OK;
  if (!place_given(c->eikonal.place)) return OK;
  ALLOC_DONE(time, mesh->n_node, "times of arrival");
  ALLOC_DONE(arrival, mesh->n_node, "times of arrival");
  ALLOC_DONE(bits, mesh->n_node, "times of arrival");
  TRY_DONE(find_times(c, mesh, exec, setup, time));
  purkinje_nodes(mesh, bits);
  check_fronts(c, mesh, bits, time, heart_setup(setup));
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (time[i] >= 0) arrival[n++] = (Arrival){(int64_t)llround(time[i] / c->time.step.value), i};
  qsort(arrival, (size_t)n, sizeof *arrival, by_step);
  status = add_stimuli(c, arrival, n, heart_setup(setup));
done:
  FREE(arrival);
  FREE(bits);
  FREE(time);
  return status;
}
