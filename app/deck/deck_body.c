/* Body loads. Loads of one step on the same elements are added; a later step replaces them: gravity of the same set and
 * direction, centrifugal forces and heat of the same elements, as in CalculiX. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Status deck_body_load(Deck *d, const InpLine *line, DeckBody body) {
  bool ahead;
  TRY(deck_is_ahead(d, &ahead));
  if (ahead) return inp_line_fail(d->inp, d->card, line, "LOAD CASE=2 of body loads is not understood");
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "is outside a step");
  TRY(deck_row(d, line, &body.row));
  body.step = d->n_step;
  const char *masses = line->n && !inp_elset(d->inp, line->field[0]) ? deck_mass_set(d, line->field[0]) : NULL;
  if (masses && body.load != DECK_GRAVITY)
    return inp_line_fail(d->inp, d->card, line, "'%.80s' is a set of masses, on which GRAV alone is understood",
                         masses);
  if (masses) body.on = masses, body.masses = true;
  else TRY(deck_elements_group(d, line, &body));
  TRY(deck_grow((void **)&d->acts.body, d->acts.n_body, sizeof *d->acts.body, "body loads"));
  d->acts.body[d->acts.n_body++] = body;
  return OK;
}

/* Whether all elements of a are of b too; *any: one of them is. */
static bool body_within(const DeckBody *a, const DeckBody *b, bool *any) {
  const int32_t n = a->set ? a->set->n : 1, m = b->set ? b->set->n : 1;
  const int32_t *x = a->set ? a->set->item : &a->element, *y = b->set ? b->set->item : &b->element;
  int32_t shared = 0;
  if ((*any = a->on == b->on)) return true;
  if (a->masses || b->masses) return false;
  for (int32_t i = 0, j = 0; i < n; ++i) {
    while (j < m && y[j] < x[i]) ++j;
    shared += j < m && y[j] == x[i];
  }
  *any = shared > 0;
  return shared == n;
}

static bool same_direction(const double *a, const double *b) {
  double far = 0;
  for (int k = 0; k < 3; ++k) far = fmax(far, fabs(a[k] - b[k]));
  return far < 1e-12;
}

/* Points and directions of one line, whichever way it goes. */
static bool same_axis(const DeckBody *a, const DeckBody *b) {
  const double *p = a->value + 1, *u = a->value + 4, *q = b->value + 1, *w = b->value + 4;
  double cross = 0, off = 0, size = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    cross = fmax(cross, fabs(u[i] * w[j] - u[j] * w[i]));
    off = fmax(off, fabs((q[i] - p[i]) * w[j] - (q[j] - p[j]) * w[i]));
    size += fabs(p[k]) + fabs(q[k]) + 1e-30;
  }
  return cross < 1e-12 * hypot(hypot(u[0], u[1]), u[2]) * hypot(hypot(w[0], w[1]), w[2]) &&
         off <= 1e-12 * size * hypot(hypot(w[0], w[1]), w[2]);
}

/* What `now`, of a later step, makes of `before`. */
static Status body_replaced(const Deck *d, const DeckBody *before, const DeckBody *now, bool *replaced) {
  bool any;
  const bool within = body_within(before, now, &any);
  *replaced = false;
  if (before->load != now->load || !any) return OK;
  if (now->load == DECK_GRAVITY) {
    *replaced = before->on == now->on && same_direction(before->value + 1, now->value + 1);
    return OK;
  }
  *replaced = within && (now->load == DECK_SOURCE || same_axis(before, now));
  if (*replaced) return OK;
  return deck_row_fail(d, now->row,
                       "changes what a step before says of '%.60s' in a part of its elements, or about another axis, "
                       "which is not understood; OP=NEW and all loads of this kind are",
                       before->on);
}

Status deck_replace_bodies(Deck *d) {
  int32_t n = 0;
  for (int32_t i = 0; i < d->acts.n_body; ++i) {
    bool replaced = false;
    for (int32_t k = i + 1; k < d->acts.n_body && !replaced; ++k) {
      bool any;
      const DeckBody *a = &d->acts.body[i], *b = &d->acts.body[k];
      if (b->step > a->step) TRY(body_replaced(d, a, b, &replaced));
      else if (a->load == DECK_CENTRIFUGAL && b->load == a->load && !same_axis(a, b) && (body_within(a, b, &any), any))
        return deck_row_fail(d, b->row, "elements of '%.60s' turn about two axes", a->on);
    }
    if (!replaced) d->acts.body[n++] = d->acts.body[i];
  }
  d->acts.n_body = n;
  return OK;
}

Status deck_write_body_of(Deck *d, const DeckBody *body) {
  char a[DECK_LOADS], b[120];
  const int dim = deck_dim(d);
  const bool turns = d->model.family == INP_AXISYMMETRIC || dim == 2;
  const int32_t amplitude = deck_follows(d, body->row);
  double direction[3], gravity[3];
  if (amplitude && body->load != DECK_GRAVITY)
    return deck_row_fail(
        d, body->row,
        "AMPLITUDE of centrifugal forces and heat in the inside, in time or over the frequency, is not understood");
  for (int k = 0; k < 3; ++k) direction[k] = body->value[4 + k], gravity[k] = body->value[0] * body->value[1 + k] + 0.0;
  if (body->load == DECK_GRAVITY) deck_load_list(d, amplitude, dim, gravity, a);
  else deck_list(a, sizeof a, dim, body->value + 1);
  deck_list(b, sizeof b, 3, direction);
  if (body->load == DECK_SOURCE) return deck_entry(d, body->row, body->on, "value: %.17g", body->value[0]);
  if (body->load == DECK_GRAVITY) return deck_entry(d, body->row, body->on, "gravity: %s", a);
  if (!(body->value[0] >= 0))
    return deck_row_fail(d, body->row, "the square of the speed is %g at the end of the step, must be >= 0",
                         body->value[0]);
  return deck_entry(d, body->row, body->on, "centrifugal: {origin: %s%s%s, speed: %.17g}", a,
                    turns ? "" : ", axis: ", turns ? "" : b, sqrt(body->value[0]));
}

Status deck_write_body(Deck *d, const DeckStep *step) {
  for (int32_t i = 0; i < step->n_body; ++i) TRY(deck_write_body_of(d, &step->body[i]));
  return OK;
}
