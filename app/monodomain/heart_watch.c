/* Columns of probes.csv of a heart. Only what the columns need comes from the Exec: the nodes of the probes, and a sum
 * per lead; the numbers of one moment are a "sample". A map at a point between nodes is known when it is known at all
 * of them. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/setup_heart.h"
#include "app/run/ranks.h"
#include "core/memory.h"
#include "solver/time/functional.h"
#include "solver/time/functional_rows.h"

#include <math.h>
#include <string.h>

struct HeartWatch {
  Heart *heart;
  Functional *functional;
  int32_t n_pair;
  int32_t *start; /* owned, [n_probe + 1]: pairs of a probe and a node of it */
  double *weight; /* owned, [n_pair] */
  int32_t *owner; /* owned, [n_pair]: the rank that has the node; NULL: this one */
  int32_t n_watched;
  int32_t *watched; /* owned, [n_watched]: what columns need of fields, activation, repolarization */
};
/* Then of each beat when it comes and when it ends. */
enum { FREQUENCY = HEART_PHASE, BEATS };
static int activation_of(const Case *c, int32_t probe) {
  return BEATS + 2 * ((int)case_probe(c, probe)->beat.value - 1);
}
static int repolarization_of(const Case *c, int32_t probe) { return activation_of(c, probe) + 1; }

/* Nodes and weights of all probes; `at` holds mesh nodes. */
static Status list_pairs(HeartWatch *w, int32_t **at) {
  const Heart *h = w->heart;
  const int32_t n = h->c->output.probes.n;
  ALLOC(w->start, n + 1, "nodes of probes");
  ALLOC(w->weight, (int64_t)n * ELEMENT_MAX_NODES, "nodes of probes");
  ALLOC(*at, (int64_t)n * ELEMENT_MAX_NODES, "nodes of probes");
  for (int32_t p = 0; p < n; ++p) {
    const Location *where = &h->setup->probe[p];
    const ElementType *type = element_type(mesh_block_of(h->mesh, where->element)->kind);
    const int32_t *nodes = mesh_nodes_of(h->mesh, where->element);
    double N[ELEMENT_MAX_NODES];
    type->values(where->xi, N);
    for (int32_t a = 0; a < type->n_node && where->node < 0; ++a)
      w->weight[w->n_pair] = N[a], (*at)[w->n_pair++] = nodes[a];
    if (where->node >= 0) w->weight[w->n_pair] = 1, (*at)[w->n_pair++] = where->node;
    w->start[p + 1] = w->n_pair;
  }
  return OK;
}

/* row[n_node of the whole]: of a node of this rank, else -1. */
static void find_rows(const Heart *h, int32_t *row) {
  const RunShare *share = h->run->share;
  for (int32_t i = 0; i < h->mesh->n_node; ++i) row[i] = -1;
  for (int32_t i = 0; i < h->n; ++i) {
    const int32_t node = diffusion_node(h->diffusion, i);
    row[share ? share->local.node[node] : node] = i;
  }
}

/* From mesh nodes, `at`, to rows; nodes of other ranks have none, their values are 0. */
static Status make_functional(HeartWatch *w, const int32_t *row, int32_t *at, const double *whole) {
  const Heart *h = w->heart;
  int32_t *start = NULL;
  double *one = NULL;
  Status status = OK;
  ALLOC_DONE(start, w->n_pair + 1, "nodes of probes");
  ALLOC_DONE(one, w->n_pair, "nodes of probes");
  for (int32_t k = 0; k < w->n_pair; ++k) {
    start[k + 1] = start[k] + (row[at[k]] >= 0);
    if (row[at[k]] >= 0) at[start[k]] = row[at[k]], one[start[k]] = 1;
  }
  const FunctionalParams params = {.n = h->n,
                                   .n_point = w->n_pair,
                                   .start = start,
                                   .at = at,
                                   .weight = one,
                                   .n_whole = case_leads(h->c),
                                   .whole = whole,
                                   .wide =
                                       !exec_is_host(h->exec) && !h->exec->comm && !stepper_stages(h->stepper).stays};
  status = functional_create(h->exec, &params, &w->functional);
done:
  FREE(start);
  FREE(one);
  return status;
}

/* Which rank has the node of each pair. */
static Status find_owners(HeartWatch *w, const int32_t *row, const int32_t *at) {
  Comm *comm = w->heart->run->params->comm;
  const int n_rank = comm_size(comm);
  Status status = OK;
  uint8_t *mine = NULL, *all = NULL;
  if (!w->heart->run->share) return OK;
  ALLOC_DONE(w->owner, w->n_pair, "nodes of probes");
  ALLOC_DONE(mine, w->n_pair, "nodes of probes");
  ALLOC_DONE(all, n_rank * (int64_t)w->n_pair, "nodes of probes");
  for (int32_t k = 0; k < w->n_pair; ++k) mine[k] = row[at[k]] >= 0;
  TRY_DONE(comm_gather(comm, mine, w->n_pair, all));
  for (int r = 0; r < n_rank; ++r)
    for (int32_t k = 0; k < w->n_pair; ++k)
      if (all[r * (int64_t)w->n_pair + k]) w->owner[k] = r;
done:
  FREE(all);
  FREE(mine);
  return status;
}

/* What columns need. */
static Status list_watched(HeartWatch *w) {
  const Case *c = w->heart->c;
  const int32_t most = BEATS + 2 * heart_beats(c);
  bool *needed = NULL;
  ALLOC(w->watched, most, "what columns need");
  ALLOC(needed, most, "what columns need");
  for (int32_t p = 0; p < c->output.probes.n; ++p) {
    const int32_t field = case_probe(c, p)->field.value, map = field - HEART_PROBE_MAP;
    needed[map < 0 ? field : map == HEART_DF ? FREQUENCY : activation_of(c, p)] = true;
    needed[repolarization_of(c, p)] |= map == HEART_REPOLARIZATION || map == HEART_APD;
  }
  for (int32_t i = 0; i < c->output.velocity.n; ++i) {
    needed[activation_of(c, heart_probe_index(c, case_velocity(c, i)->from.text))] = true;
    needed[activation_of(c, heart_probe_index(c, case_velocity(c, i)->to.text))] = true;
  }
  for (int32_t k = 0; k < most; ++k)
    if (needed[k]) w->watched[w->n_watched++] = k;
  FREE(needed);
  return OK;
}

static Status heart_watch_prepare(HeartWatch *w) {
  const Heart *h = w->heart;
  int32_t *at = NULL, *row = NULL;
  double *whole = NULL;
  Status status = list_pairs(w, &at);
  if (status != OK) goto done;
  ALLOC_DONE(row, h->mesh->n_node, "rows of the nodes");
  ALLOC_DONE(whole, case_leads(h->c) * h->n, "weights of leads");
  find_rows(h, row);
  TRY_DONE(heart_leads(h, whole));
  TRY_DONE(find_owners(w, row, at));
  TRY_DONE(make_functional(w, row, at, whole));
  status = list_watched(w);
done:
  FREE(at);
  FREE(row);
  FREE(whole);
  return status;
}

Status heart_watch_create(Heart *heart, HeartWatch **out) {
  *out = NULL;
  HeartWatch *w = NULL;
  ALLOC(w, 1, "probes of the heart");
  w->heart = heart;
  const Status status = heart_watch_prepare(w);
  if (status != OK) heart_watch_destroy(&w);
  *out = w;
  return status;
}

void heart_watch_destroy(HeartWatch **watch) {
  HeartWatch *w = *watch;
  if (!w) return;
  functional_destroy(&w->functional);
  FREE(w->start);
  FREE(w->weight);
  FREE(w->owner);
  FREE(w->watched);
  FREE(*watch);
}

/* Has the Exec write the k-th of what is watched at the probes' nodes. */
static Status heart_watch_watch(HeartWatch *w, int k, double *out, const FunctionalRing *ring) {
  Heart *h = w->heart;
  const int map = k == FREQUENCY ? (int)HEART_DF : (k - BEATS) % 2 ? (int)HEART_REPOLARIZATION : (int)HEART_ACTIVATION;
  const int32_t row = k < FREQUENCY ? k : (int)HEART_MAP_ROW + map;
  const double *from;
  TRY(heart_field_now(h, row, (k - BEATS) / 2, ring ? ring->when : NULL, &from));
  return functional_points(w->functional, from, out, ring);
}

int64_t heart_watch_numbers(const HeartWatch *w) { return w->n_watched * (int64_t)w->n_pair + case_leads(w->heart->c); }

Status heart_watch_sample(HeartWatch *w, double *sample, const FunctionalRing *ring) {
  for (int32_t k = 0; k < w->n_watched; ++k)
    TRY(heart_watch_watch(w, w->watched[k], sample + (int64_t)k * w->n_pair, ring));
  return functional_wholes(w->functional, w->heart->V, sample + w->n_watched * (int64_t)w->n_pair, ring);
}

static Status watch_record(void *watch, const FunctionalRing *ring, double *value) {
  return heart_watch_sample(watch, value, ring);
}

/* Does all that is watched lie there without a solve, or can it be recorded? */
static bool can_record(const HeartWatch *w) {
  const Heart *h = w->heart;
  bool solves = h->bidomain && !heart_bidomain_in_loop(h);
  for (int32_t k = 0; k < w->n_watched; ++k)
    solves |= (w->watched[k] == HEART_EXTRACELLULAR && !heart_bidomain_in_loop(h)) || w->watched[k] == FREQUENCY;
  return stepper_can_watch(h->stepper) && !solves && !h->phase && !h->frequency;
}

/* On a GPU a loop that ends takes some 50 us of a sample, a launch with nothing to do some 2 of each step, where small hearts stay in
 * one kernel nothing. */
static bool pays(const HeartWatch *w) {
  static const double END = 50, IDLE = 2;
  const Heart *h = w->heart;
  const double steps = h->c->output.sample.value / h->c->time.step.value;
  int32_t n_launch = w->n_watched + (case_leads(h->c) + FUNCTIONAL_WIDE - 1) / FUNCTIONAL_WIDE;
  for (int32_t k = 0; k < w->n_watched; ++k) n_launch += w->watched[k] >= HEART_STATE && w->watched[k] < HEART_PHASE;
  return exec_is_host(h->exec) || stepper_stages(h->stepper).stays || IDLE * n_launch * (steps - 1) <= END;
}

Status heart_watch_in_loops(HeartWatch *w, int64_t *room) {
  enum { BYTES = 4 << 20 };
  const int64_t n = heart_watch_numbers(w), most = n > 0 ? BYTES / (n * (int64_t)sizeof(double)) : 0;
  *room = 0;
  if (w->heart->whole) return OK;                                                    /* one of many */
  if (stepper_control(w->heart->stepper)->params.through < 2 || most < 1) return OK; /* all samples are stored */
  if (!can_record(w) || !pays(w)) return OK;
  *room = most < HEART_SAMPLES_MOST ? most : HEART_SAMPLES_MOST;
  const StepWatch watch = {.context = w, .n = n, .room = *room, .record = watch_record};
  return stepper_watch(w->heart->stepper, &watch);
}

Status heart_watch_gather(const HeartWatch *w, const double *sample, double *whole) {
  Comm *comm = w->heart->run->params->comm;
  const int64_t n = heart_watch_numbers(w), n_point = w->n_watched * (int64_t)w->n_pair;
  double *all = NULL;
  ALLOC(all, comm_size(comm) * n, "samples of all ranks");
  const Status status = comm_gather(comm, sample, n * (int64_t)sizeof *sample, all);
  for (int64_t k = 0; k < n && whole; ++k) /* a lead is the same on all ranks */
    whole[k] = all[k < n_point ? w->owner[k % w->n_pair] * n + k : k];
  FREE(all);
  return status;
}

/* One of what is watched, at a probe. */
static double heart_watch_interpolate(const HeartWatch *w, const double *sample, int32_t probe, int which) {
  int32_t at = 0;
  while (w->watched[at] != which) ++at;
  const double *value = sample + (int64_t)at * w->n_pair;
  double sum = 0;
  for (int32_t k = w->start[probe]; k < w->start[probe + 1]; ++k) {
    if (which >= FREQUENCY && value[k] < 0) return -1;
    sum += w->weight[k] * value[k];
  }
  return sum;
}

static double probe_value(const HeartWatch *w, const double *sample, int32_t probe, int32_t field) {
  if (field < HEART_PROBE_MAP) return heart_watch_interpolate(w, sample, probe, field);
  if (field == HEART_PROBE_MAP + HEART_DF) return heart_watch_interpolate(w, sample, probe, FREQUENCY);
  const double begin = heart_watch_interpolate(w, sample, probe, activation_of(w->heart->c, probe));
  if (field == HEART_PROBE_MAP + HEART_ACTIVATION) return begin;
  const double end = heart_watch_interpolate(w, sample, probe, repolarization_of(w->heart->c, probe));
  if (field == HEART_PROBE_MAP + HEART_REPOLARIZATION) return end;
  return begin < 0 || end < 0 ? -1 : end - begin;
}

int32_t heart_probe_index(const Case *c, const char *name) {
  for (int32_t i = 0; i < c->output.probes.n; ++i)
    if (strcmp(case_probe(c, i)->name.text, name) == 0) return i;
  return 0; /* the case was checked */
}

double heart_velocity(const Case *c, int32_t from, int32_t to, double begin, double end) {
  const VectorValue *a = &case_probe(c, from)->at, *b = &case_probe(c, to)->at;
  double square = 0;
  for (int k = 0; k < a->n && k < b->n; ++k) square += (a->value[k] - b->value[k]) * (a->value[k] - b->value[k]);
  static const double SAME = 1e-9; /* of two times but for rounding */
  return begin < 0 || end < 0 || fabs(end - begin) <= SAME * fmax(end, 1) ? (double)NAN : sqrt(square) / (end - begin);
}

static double heart_watch_velocity(const HeartWatch *w, const double *sample, const CaseVelocity *v) {
  const Case *c = w->heart->c;
  const int32_t from = heart_probe_index(c, v->from.text), to = heart_probe_index(c, v->to.text);
  return heart_velocity(c, from, to, heart_watch_interpolate(w, sample, from, activation_of(c, from)),
                        heart_watch_interpolate(w, sample, to, activation_of(c, to)));
}

/* What electrodes that are on add to lead i. */
static double of_electrodes(const HeartWatch *w, int32_t i, double time) {
  const HeartSetup *own = heart_setup(w->heart->setup);
  double sum = 0;
  for (int32_t k = 0; own->lead_shock && k < own->n_shock; ++k)
    if (electrode_is_on(w->heart->c, k, time)) sum += own->lead_shock[i * own->n_shock + k];
  return sum;
}

void heart_watch_fill(const HeartWatch *w, double time, const double *sample, double *value) {
  const Case *c = w->heart->c;
  const double *lead = sample + w->n_watched * (int64_t)w->n_pair;
  for (int32_t i = 0; i < c->output.probes.n; ++i) *value++ = probe_value(w, sample, i, case_probe(c, i)->field.value);
  for (int32_t i = 0; i < case_leads(c); ++i) *value++ = lead[i] + of_electrodes(w, i, time);
  for (int32_t i = 0; i < c->output.velocity.n; ++i) *value++ = heart_watch_velocity(w, sample, case_velocity(c, i));
}
