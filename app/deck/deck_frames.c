/* *TRANSFORM: the directions that supports, forces and equations of a node mean. A case has only x, y and z: supports
 * in other directions become equations. */
#include "app/deck/deck_private.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Rows of R: the directions at x. False: they are not defined there. */
static bool frame_at(const DeckAxes *f, const double x[3], double R[3][3]) {
  double along = 0, size = 0;
  if (f->cylinder) {
    for (int k = 0; k < 3; ++k) R[2][k] = f->b[k] - f->a[k];
    if (!(vec3_normalize(R[2]) > 0)) return false;
    for (int k = 0; k < 3; ++k) along += (x[k] - f->a[k]) * R[2][k], size += fabs(x[k]) + fabs(f->a[k]);
    for (int k = 0; k < 3; ++k) R[0][k] = x[k] - f->a[k] - along * R[2][k];
    if (!(vec3_normalize(R[0]) > 1e-12 * size)) return false;
  } else {
    memcpy(R[0], f->a, sizeof R[0]);
    if (!(vec3_normalize(R[0]) > 0)) return false;
    vec3_cross(R[0], f->b, R[2]);
    if (!(vec3_normalize(R[2]) > 0)) return false;
  }
  vec3_cross(R[2], R[0], R[1]);
  return true;
}

bool deck_frame(const Deck *d, int32_t node, double R[3][3]) {
  if (!d->model.frame_of || !d->model.frame_of[node]) return false;
  return frame_at(&d->model.frame[d->model.frame_of[node] - 1], d->inp->x[node], R);
}

/* What held nodes of the set before the card is meant in x, y and z. */
static Status keep_global(Deck *d, int32_t node) {
  if (!d->nodes[DECK_FIX].n || (isnan(d->nodes[DECK_FIX].value[node][0]) && isnan(d->nodes[DECK_FIX].value[node][1]) &&
                                isnan(d->nodes[DECK_FIX].value[node][2])))
    return OK;
  TRY(deck_nodes_ready(d, &d->nodes[DECK_HELD]));
  for (int k = 0; k < DECK_VALUES; ++k) {
    d->nodes[DECK_HELD].value[node][k] = d->nodes[DECK_FIX].value[node][k];
    d->nodes[DECK_HELD].row[node][k] = d->nodes[DECK_FIX].row[node][k];
    d->nodes[DECK_FIX].value[node][k] = (double)NAN;
  }
  return OK;
}

Status deck_card_transform(Deck *d) {
  const char *name = inp_parameter(d->card, "NSET"), *type = inp_parameter(d->card, "TYPE");
  const InpSet *set = name ? inp_nset(d->inp, name) : NULL;
  const char letter = type ? (char)toupper((unsigned char)*type) : 'R';
  InpLine line;
  double v[6], R[3][3];
  if (d->now.in_step) return inp_fail(d->inp, d->card, "is inside a step; it belongs before the first");
  if (!set) return inp_fail(d->inp, d->card, "there is no node set '%.80s'", name ? name : "");
  if (letter != 'R' && letter != 'C')
    return inp_fail(d->inp, d->card, "TYPE=%.20s is not understood; R and C, a cylinder, are", type);
  if (!deck_first_line(d, &line)) return inp_fail(d->inp, d->card, "has no line with two points");
  for (int k = 0; k < 6; ++k) TRY(inp_number(d->inp, d->card, &line, k, &v[k]));
  if (!d->model.frame_of) ALLOC(d->model.frame_of, d->inp->n_node, "directions of nodes");
  TRY(deck_grow((void **)&d->model.frame, d->model.n_frame, sizeof *d->model.frame, "directions of nodes"));
  DeckAxes *f = &d->model.frame[d->model.n_frame++];
  *f = (DeckAxes){.cylinder = letter == 'C'};
  memcpy(f->a, v, sizeof f->a);
  memcpy(f->b, v + 3, sizeof f->b);
  for (int32_t i = 0; i < set->n; ++i) {
    TRY(keep_global(d, set->item[i]));
    if (!frame_at(f, d->inp->x[set->item[i]], R))
      return inp_line_fail(d->inp, d->card, &line, "gives no directions at node %lld: %s",
                           (long long)d->inp->node_tag[set->item[i]],
                           f->cylinder ? "it lies on the axis" : "the two points and 0 lie on a line");
    if (deck_dim(d) == 2 && fabs(R[2][2]) < 1 - 1e-12)
      return inp_line_fail(d->inp, d->card, &line, "turns directions of a flat model out of its plane");
    d->model.frame_of[set->item[i]] = d->model.n_frame;
  }
  return OK;
}

void deck_frame_force(const Deck *d, int32_t node, double v[3]) {
  double R[3][3], out[3] = {0};
  if (!deck_frame(d, node, R)) return;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j) out[j] += isnan(v[k]) ? 0 : R[k][j] * v[k];
  memcpy(v, out, sizeof out);
}

bool deck_frame_fix(const Deck *d, int32_t node, double v[3]) {
  double R[3][3], out[3] = {(double)NAN, (double)NAN, (double)NAN};
  const int dim = deck_dim(d);
  bool all = true, done = true;
  if (!deck_frame(d, node, R)) return true;
  for (int k = 0; k < dim; ++k) all = all && !isnan(v[k]);
  for (int j = 0; all && j < dim; ++j) {
    out[j] = 0;
    for (int k = 0; k < dim; ++k) out[j] += R[k][j] * v[k];
  }
  for (int k = 0; !all && k < dim; ++k) {
    bool along = isnan(v[k]);
    for (int j = 0; !isnan(v[k]) && j < dim; ++j)
      if (fabs(R[k][j]) > 1 - 1e-12) out[j] = R[k][j] > 0 ? v[k] : -v[k], along = true;
    done = done && along;
  }
  for (int k = 0; k < 3; ++k) v[k] = done ? out[k] : (double)NAN;
  return done;
}
