/* *MPC: nodes that stay in a plane or on a straight line, pairs that keep their distance, and the mean rotation of
 * nodes about an axis: conditions of the case (`keep`), of which the mean rotation is an equation where strains are small. */
#include "app/deck/deck_hub.h"
#include "app/deck/deck_private.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct MpcNodes {
  int32_t *item, n; /* owned */
  int32_t row;
} MpcNodes;

/* A node comes once, however often it is repeated behind itself (as MEANROT has it). */
static Status mpc_add(MpcNodes *list, int32_t node) {
  if (list->n && list->item[list->n - 1] == node) return OK;
  if ((list->n & (list->n - 1)) == 0) RESIZE(list->item, list->n ? 2 * (int64_t)list->n : 1, "nodes of *MPC");
  list->item[list->n++] = node;
  return OK;
}

static Status mpc_nodes(Deck *d, char kind[DECK_NAME], MpcNodes *list) {
  InpCursor cursor = {0};
  InpLine line;
  *kind = 0;
  while (inp_next(d->inp, d->card, &cursor, &line))
    for (int k = 0; k < line.n; ++k) {
      int32_t one;
      const InpSet *set;
      if (!*line.field[k]) continue;
      if (!*kind) {
        snprintf(kind, DECK_NAME, "%s", line.field[k]);
        continue;
      }
      InpLine of = line;
      of.field[0] = line.field[k], of.n = 1;
      TRY(deck_nodes_of(d, &of, &one, &set));
      for (int32_t i = 0; i < (set ? set->n : 1); ++i) TRY(mpc_add(list, set ? set->item[i] : one));
    }
  return *kind ? deck_row(d, NULL, &list->row) : inp_fail(d->inp, d->card, "has no line with its kind and nodes");
}

static Status mpc_keep(Deck *d, const MpcNodes *list, const char *keep) {
  TRY(deck_equation(d, list->row, 0));
  d->model.equation[d->model.n_equation - 1].keep = keep;
  for (int32_t k = 0; k < list->n; ++k) TRY(deck_term_global(d, list->item[k], 0, 1));
  return OK;
}

static Status mpc_few(const Deck *d, const MpcNodes *list, const char *name, int32_t least) {
  if (list->n >= least) return OK;
  return inp_fail(d->inp, d->card, "%s has %d nodes; at least %d are understood", name, list->n, least);
}

static Status mpc_plane(Deck *d, const MpcNodes *list) {
  if (deck_dim(d) == 2) return inp_fail(d->inp, d->card, "PLANE in a flat model, which is one");
  TRY(mpc_few(d, list, "PLANE", 4));
  return mpc_keep(d, list, "plane");
}

static Status mpc_straight(Deck *d, const MpcNodes *list) {
  TRY(mpc_few(d, list, "STRAIGHT", 3));
  return mpc_keep(d, list, "line");
}

static Status mpc_beam(Deck *d, const MpcNodes *list) {
  if (list->n != 2) return inp_fail(d->inp, d->card, "BEAM has %d nodes; 2 are understood", list->n);
  return mpc_keep(d, list, "distance");
}

/* The last node is none of the body: its direction 1 is the rotation, about the axis from the origin through it. */
static Status mpc_mean_rotation(Deck *d, const MpcNodes *list) {
  const int32_t n = list->n - 1;
  if (deck_dim(d) == 2) return inp_fail(d->inp, d->card, "MEANROT in a flat model is not understood");
  if (n < 2) return inp_fail(d->inp, d->card, "MEANROT has %d nodes; at least 2 and that of the rotation are", list->n);
  const double *axis = d->inp->x[list->item[n]];
  if (!(vec3_dot(axis, axis) > 0))
    return inp_fail(d->inp, d->card, "node %lld, through which the axis of MEANROT goes, lies at the origin",
                    (long long)d->inp->node_tag[list->item[n]]);
  return deck_hub_of_spin(d, list->item[n], n, list->item);
}

Status deck_card_mpc(Deck *d) {
  static const struct {
    const char *name;
    Status (*make)(Deck *d, const MpcNodes *list);
  } kinds[] = {{"PLANE", mpc_plane}, {"STRAIGHT", mpc_straight}, {"BEAM", mpc_beam}, {"MEANROT", mpc_mean_rotation}};
  MpcNodes list = {0};
  char kind[DECK_NAME];
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "between temperatures is not understood");
  Status status = mpc_nodes(d, kind, &list);
  size_t i = 0;
  while (status == OK && i < sizeof kinds / sizeof *kinds && strcasecmp(kinds[i].name, kind) != 0) ++i;
  if (status == OK)
    status = i < sizeof kinds / sizeof *kinds
                 ? kinds[i].make(d, &list)
                 : inp_fail(d->inp, d->card, "%.40s is not understood; PLANE, STRAIGHT, BEAM and MEANROT are", kind);
  FREE(list.item);
  return status;
}

/* Of each node: a x r / |r|^2 over their number, where r is its way from the axis through their middle. Nodes on the axis
 * turn nothing. */
static void spin_factors(const Deck *d, const DeckHub *h, double (*factor)[3]) {
  static const double ON_AXIS = 1e-6; /* of the farthest: coordinates have some six digits */
  double a[3], center[3] = {0}, r[3], mean[3] = {0}, most = 0;
  const double size = sqrt(vec3_dot(d->inp->x[h->node], d->inp->x[h->node]));
  for (int k = 0; k < 3; ++k) a[k] = d->inp->x[h->node][k] / size;
  for (int32_t i = 0; i < h->n; ++i)
    for (int k = 0; k < 3; ++k) center[k] += d->inp->x[h->item[i].node][k] / h->n;
  for (int32_t i = 0; i < h->n; ++i) {
    vec3_minus(d->inp->x[h->item[i].node], center, r);
    most = fmax(most, vec3_dot(r, r));
  }
  for (int32_t i = 0; i < h->n; ++i) {
    for (int k = 0; k < 3; ++k) r[k] = d->inp->x[h->item[i].node][k] - center[k];
    const double along = vec3_dot(a, r);
    for (int k = 0; k < 3; ++k) r[k] -= along * a[k];
    const double square = vec3_dot(r, r);
    vec3_cross(a, r, factor[i]);
    for (int k = 0; k < 3; ++k) {
      factor[i][k] = square > ON_AXIS * ON_AXIS * most ? factor[i][k] / (square * h->n) : 0;
      mean[k] += factor[i][k] / h->n;
    }
  }
  for (int32_t i = 0; i < h->n; ++i)
    for (int k = 0; k < 3; ++k) factor[i][k] -= mean[k];
}

Status deck_spin_equation(Deck *d, const DeckHub *h, double angle) {
  double(*factor)[3] = NULL;
  Status status = OK;
  ALLOC(factor, h->n, "a mean rotation");
  spin_factors(d, h, factor);
  status = deck_equation(d, h->row, angle);
  if (d->procedure.large) {
    DeckEquation *e = &d->model.equation[d->model.n_equation - 1];
    e->keep = "rotation", e->axis = h->node;
    for (int32_t i = 0; i < h->n && status == OK; ++i) status = deck_term_global(d, h->item[i].node, 0, 1);
    FREE(factor);
    return status;
  }
  for (int32_t i = 0; i < h->n; ++i)
    for (int k = 0; k < 3 && status == OK; ++k)
      if (factor[i][k] != 0) status = deck_term_global(d, h->item[i].node, k, factor[i][k]);
  FREE(factor);
  return status;
}

Status deck_spin_load(Deck *d, const DeckHub *h, double moment, int32_t row, DeckNodes *to) {
  double(*factor)[3] = NULL;
  Status status = OK;
  ALLOC(factor, h->n, "a mean rotation");
  spin_factors(d, h, factor);
  for (int32_t i = 0; i < h->n && status == OK; ++i) {
    for (int k = 0; k < 3; ++k) factor[i][k] *= moment;
    status = deck_node_push(d, h->item[i].node, factor[i], row, to);
  }
  FREE(factor);
  return status;
}
