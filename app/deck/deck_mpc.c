/* *MPC: nodes that stay in a plane or on a straight line, pairs that keep their distance, and the mean rotation of
 * nodes about an axis. All are linearised about the undeformed body: d f(x) . u = -f(x). */
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

/* A node farther than this from its line or plane, relative to the size of that, is a mistake and no rounding. */
static const double OFF = 1e-3;

static void between(const Deck *d, int32_t from, int32_t to, double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = d->inp->x[to][k] - d->inp->x[from][k];
}

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

static Status mpc_off(const Deck *d, int32_t node, double off, const char *what) {
  return inp_fail(d->inp, d->card, "node %lld is %g away from the %s through the first nodes; it must lie there",
                  (long long)d->inp->node_tag[node], off, what);
}

/* factor . (u of one node - u of another). */
static Status mpc_difference(Deck *d, int32_t plus, int32_t minus, const double factor[3]) {
  for (int k = 0; k < deck_dim(d); ++k) {
    if (factor[k] == 0) continue;
    TRY(deck_term_global(d, plus, k, factor[k]));
    TRY(deck_term_global(d, minus, k, -factor[k]));
  }
  return OK;
}

/* Where the first three lie on a line, the third changes places with the one farthest from it. */
static void mpc_third(const Deck *d, const MpcNodes *list, double normal[3]) {
  int32_t *node = list->item, best = 2;
  double ab[3], ap[3], most = -1;
  between(d, node[0], node[1], ab);
  for (int32_t i = 2; i < list->n; ++i) {
    between(d, node[0], node[i], ap);
    vec3_cross(ab, ap, normal);
    const double area = vec3_dot(normal, normal);
    if (i == 2 && area > 1e-12 * vec3_dot(ab, ab) * vec3_dot(ap, ap)) return;
    if (area > most) most = area, best = i;
  }
  const int32_t third = node[best];
  node[best] = node[2], node[2] = third;
  between(d, node[0], third, ap);
  vec3_cross(ab, ap, normal);
}

/* ((b - a) x (c - a)) . (p - a) = 0; p comes first, as what depends. */
static Status mpc_plane(Deck *d, const MpcNodes *list) {
  const int32_t *node = list->item;
  double ab[3], ac[3], ap[3], normal[3], side[3];
  if (deck_dim(d) == 2) return inp_fail(d->inp, d->card, "PLANE in a flat model, which is one");
  if (list->n < 4) return inp_fail(d->inp, d->card, "PLANE has %d nodes; at least 4 are understood", list->n);
  mpc_third(d, list, normal);
  between(d, node[0], node[1], ab);
  between(d, node[0], node[2], ac);
  const double area = sqrt(vec3_dot(normal, normal)), size = sqrt(fmax(vec3_dot(ab, ab), vec3_dot(ac, ac)));
  if (!(area > 1e-9 * size * size)) return inp_fail(d->inp, d->card, "all nodes of PLANE lie on a line");
  for (int32_t i = 3; i < list->n; ++i) {
    between(d, node[0], node[i], ap);
    const double f = vec3_dot(normal, ap);
    if (fabs(f) > OFF * size * area) return mpc_off(d, node[i], fabs(f) / area, "plane");
    TRY(deck_equation(d, list->row, -f));
    TRY(mpc_difference(d, node[i], node[0], normal));
    vec3_cross(ac, ap, side);
    TRY(mpc_difference(d, node[1], node[0], side));
    vec3_cross(ap, ab, side);
    TRY(mpc_difference(d, node[2], node[0], side));
  }
  return OK;
}

/* (p - a) x (b - a) = 0 in the two directions across the largest component of b - a. */
static Status mpc_straight(Deck *d, const MpcNodes *list) {
  const int32_t *node = list->item;
  double ab[3], ap[3];
  if (list->n < 3) return inp_fail(d->inp, d->card, "STRAIGHT has %d nodes; at least 3 are understood", list->n);
  between(d, node[0], node[1], ab);
  const double length = sqrt(vec3_dot(ab, ab));
  if (!(length > 0)) return inp_fail(d->inp, d->card, "the first two nodes of STRAIGHT lie at the same place");
  int m = 0;
  for (int k = 1; k < 3; ++k)
    if (fabs(ab[k]) > fabs(ab[m])) m = k;
  for (int32_t i = 2; i < list->n; ++i) {
    between(d, node[0], node[i], ap);
    for (int k = 0; k < deck_dim(d); ++k) {
      double of_p[3] = {0}, of_b[3] = {0};
      if (k == m) continue;
      of_p[k] = ab[m], of_p[m] = -ab[k], of_b[m] = ap[k], of_b[k] = -ap[m];
      const double f = vec3_dot(of_p, ap);
      if (fabs(f) > OFF * length * fabs(ab[m])) return mpc_off(d, node[i], fabs(f / ab[m]), "line");
      TRY(deck_equation(d, list->row, -f));
      TRY(mpc_difference(d, node[i], node[0], of_p));
      TRY(mpc_difference(d, node[1], node[0], of_b));
    }
  }
  return OK;
}

static Status mpc_beam(Deck *d, const MpcNodes *list) {
  double ab[3];
  if (list->n != 2) return inp_fail(d->inp, d->card, "BEAM has %d nodes; 2 are understood", list->n);
  between(d, list->item[0], list->item[1], ab);
  if (!(vec3_dot(ab, ab) > 0)) return inp_fail(d->inp, d->card, "the two nodes of BEAM lie at the same place");
  TRY(deck_equation(d, list->row, 0));
  return mpc_difference(d, list->item[1], list->item[0], ab);
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
  const int32_t first = d->model.n_equation;
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "between temperatures is not understood");
  Status status = mpc_nodes(d, kind, &list);
  size_t i = 0;
  while (status == OK && i < sizeof kinds / sizeof *kinds && strcasecmp(kinds[i].name, kind) != 0) ++i;
  if (status == OK)
    status = i < sizeof kinds / sizeof *kinds
                 ? kinds[i].make(d, &list)
                 : inp_fail(d->inp, d->card, "%.40s is not understood; PLANE, STRAIGHT, BEAM and MEANROT are", kind);
  for (int32_t e = first; e < d->model.n_equation; ++e) d->model.equation[e].tangent = true;
  FREE(list.item);
  return status;
}

/* Of each node: a x r / |r|^2 over their number, where r is its way from the axis through their middle. Nodes on the axis
 * turn nothing. */
static void spin_factors(const Deck *d, const DeckHub *h, double (*factor)[3]) {
  double a[3], center[3] = {0}, r[3], mean[3] = {0};
  const double size = sqrt(vec3_dot(d->inp->x[h->node], d->inp->x[h->node]));
  for (int k = 0; k < 3; ++k) a[k] = d->inp->x[h->node][k] / size;
  for (int32_t i = 0; i < h->n; ++i)
    for (int k = 0; k < 3; ++k) center[k] += d->inp->x[h->item[i].node][k] / h->n;
  for (int32_t i = 0; i < h->n; ++i) {
    for (int k = 0; k < 3; ++k) r[k] = d->inp->x[h->item[i].node][k] - center[k];
    const double along = vec3_dot(a, r);
    for (int k = 0; k < 3; ++k) r[k] -= along * a[k];
    const double square = vec3_dot(r, r);
    vec3_cross(a, r, factor[i]);
    for (int k = 0; k < 3; ++k) {
      factor[i][k] = square > 1e-20 ? factor[i][k] / (square * h->n) : 0;
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
