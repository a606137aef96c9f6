/* Equations between displacements: *EQUATION, supports in directions of *TRANSFORM, and what other cards become. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_TERMS = 50 };

Status deck_equation(Deck *d, int32_t row, double value) {
  if ((d->model.n_equation & (d->model.n_equation - 1)) == 0)
    RESIZE(d->model.equation, d->model.n_equation ? 2 * (int64_t)d->model.n_equation : 1, "equations of a deck");
  d->model.equation[d->model.n_equation++] =
      (DeckEquation){.row = row, .first = d->model.n_term, .value = value, .node = -1};
  return OK;
}

Status deck_term_global(Deck *d, int32_t node, int component, double factor) {
  DeckEquation *e = &d->model.equation[d->model.n_equation - 1];
  for (int32_t k = e->first; k < d->model.n_term; ++k)
    if (d->model.term[k].node == node && d->model.term[k].component == component) {
      d->model.term[k].factor += factor;
      return OK;
    }
  if ((d->model.n_term & (d->model.n_term - 1)) == 0)
    RESIZE(d->model.term, d->model.n_term ? 2 * (int64_t)d->model.n_term : 1, "terms of equations");
  d->model.term[d->model.n_term++] = (DeckTerm){node, component, factor};
  return OK;
}

/* The largest of a turned term stands first: it is what comes to depend. */
Status deck_term(Deck *d, int32_t node, int component, double factor) {
  double R[3][3];
  int order[3] = {0, 1, 2};
  if (!deck_frame(d, node, R)) return deck_term_global(d, node, component, factor);
  const double *r = R[component];
  for (int i = 0; i < 2; ++i)
    for (int j = i + 1; j < 3; ++j)
      if (fabs(r[order[j]]) > fabs(r[order[i]])) {
        const int t = order[i];
        order[i] = order[j], order[j] = t;
      }
  for (int i = 0; i < 3; ++i)
    if (fabs(r[order[i]]) > 1e-14) TRY(deck_term_global(d, node, order[i], factor * r[order[i]]));
  return OK;
}

/* The next field of a card over its lines; NULL: there is none. */
static const char *next_field(const Deck *d, InpCursor *cursor, InpLine *line, int *k) {
  while (*k >= line->n || (*k == line->n - 1 && !*line->field[*k])) {
    if (!inp_next(d->inp, d->card, cursor, line)) return NULL;
    *k = 0;
  }
  return line->field[(*k)++];
}

static Status equation_term(Deck *d, InpCursor *cursor, InpLine *line, int *k) {
  int32_t node;
  const InpSet *set;
  int64_t component;
  double factor;
  const char *name = next_field(d, cursor, line, k);
  if (!name) return inp_fail(d->inp, d->card, "ends inside an equation");
  InpLine of = *line;
  of.field[0] = name, of.n = 1;
  TRY(deck_nodes_of(d, &of, &node, &set));
  if (set && set->n != 1)
    return inp_line_fail(d->inp, d->card, line, "the set '%.80s' has %d nodes; single nodes are understood", name,
                         set->n);
  if (set) node = set->item[0];
  const char *direction = next_field(d, cursor, line, k);
  if (!direction || !inp_whole(direction, &component) || component < 1 || component > deck_dim(d))
    return inp_line_fail(d->inp, d->card, line, "'%.40s' is not a direction; 1 to %d are", direction ? direction : "",
                         deck_dim(d));
  const char *number = next_field(d, cursor, line, k);
  const char *end = number ? source_number(number, &factor) : NULL;
  if (!end || *end)
    return inp_line_fail(d->inp, d->card, line, "'%.40s' where a factor was expected", number ? number : "");
  DeckEquation *e = &d->model.equation[d->model.n_equation - 1];
  if (e->node < 0) e->node = node, e->component = (int32_t)component - 1;
  return deck_term(d, node, (int)component - 1, factor);
}

/* From this step on; of a step before the first one there is none. Whether any is of this node (-1: of any) and direction. */
static Status remove_equations(Deck *d, int32_t node, int32_t component, bool *any) {
  for (int32_t i = 0; i < d->model.n_equation; ++i) {
    DeckEquation *e = &d->model.equation[i];
    if (e->until || (node >= 0 && (e->node != node || e->component != component))) continue;
    if (e->node < 0)
      return inp_fail(d->inp, d->card,
                      "REMOVE ALL beside *MPC is not understood; single equations are removed by their first term");
    e->until = d->n_step;
    *any = true;
  }
  return OK;
}

/* Lines of the node, or a set, and the direction of the first terms. */
static Status equations_remove(Deck *d) {
  InpCursor cursor = {0};
  InpLine line;
  bool any = false;
  if (!d->now.in_step) return inp_fail(d->inp, d->card, "REMOVE is outside a step");
  if (!deck_is_chain(d))
    return inp_fail(d->inp, d->card,
                    "REMOVE is understood in steps that go on from one another: *DYNAMIC, or with NLGEOM or *PLASTIC");
  if (d->model.n_hub) return inp_fail(d->inp, d->card, "REMOVE beside reference nodes is not understood");
  if (inp_parameter(d->card, "REMOVEALL")) return remove_equations(d, -1, 0, &any);
  while (inp_next(d->inp, d->card, &cursor, &line)) {
    int32_t one;
    const InpSet *set;
    int64_t component;
    TRY(deck_nodes_of(d, &line, &one, &set));
    if (line.n < 2 || !inp_whole(line.field[1], &component) || component < 1 || component > deck_dim(d))
      return inp_line_fail(d->inp, d->card, &line, "'%.40s' is not a direction; 1 to %d are",
                           line.n < 2 ? "" : line.field[1], deck_dim(d));
    any = false;
    for (int32_t i = 0; i < (set ? set->n : 1); ++i)
      TRY(remove_equations(d, set ? set->item[i] : one, (int32_t)component - 1, &any));
    if (!any)
      return inp_line_fail(d->inp, d->card, &line, "no equation has '%.40s' and direction %lld as its first term",
                           line.field[0], (long long)component);
  }
  return OK;
}

Status deck_card_equation(Deck *d) {
  InpCursor cursor = {0};
  InpLine line = {0};
  int64_t n;
  int k = 0;
  if (deck_is_heat(d)) return inp_fail(d->inp, d->card, "between temperatures is not understood");
  if (inp_parameter(d->card, "REMOVE") || inp_parameter(d->card, "REMOVEALL")) return equations_remove(d);
  if (d->n_step > 1 && !deck_is_chain(d))
    return inp_fail(d->inp, d->card,
                    "in a later step is understood where steps go on from one another: with NLGEOM or *PLASTIC");
  for (const char *count; (count = next_field(d, &cursor, &line, &k));) {
    int32_t row;
    if (!inp_whole(count, &n) || n < 1 || n > MOST_TERMS)
      return inp_line_fail(d->inp, d->card, &line, "'%.40s' is not a number of terms; 1 to %d are", count, MOST_TERMS);
    TRY(deck_row(d, &line, &row));
    TRY(deck_equation(d, row, 0));
    d->model.equation[d->model.n_equation - 1].from = d->n_step > 1 ? d->n_step : 0;
    for (int64_t i = 0; i < n; ++i) TRY(equation_term(d, &cursor, &line, &k));
  }
  return OK;
}

static Status write_keep(Deck *d, const DeckEquation *e, int32_t end) {
  enum { NUMBER = 24 };
  char *nodes = NULL, value[120] = "";
  const double *axis = d->inp->x[e->axis];
  size_t n = 0;
  ALLOC(nodes, (int64_t)(end - e->first) * NUMBER + 1, "nodes of *MPC");
  for (int32_t k = e->first; k < end; ++k)
    n += (size_t)snprintf(nodes + n, NUMBER, "%s%lld", n ? ", " : "",
                          (long long)d->inp->node_tag[d->model.term[k].node]);
  if (!strcmp(e->keep, "rotation"))
    snprintf(value, sizeof value, ", axis: [%.17g, %.17g, %.17g], value: %.17g", axis[0], axis[1], axis[2], e->value);
  const Status status = deck_write(d, e->row, "  - {nodes: [%s], keep: %s%s}", nodes, e->keep, value);
  FREE(nodes);
  return status;
}

static Status write_equation(Deck *d, const DeckEquation *e, int32_t end) {
  static const char *const begin[] = {"", ", begin: ramp", ", begin: stay"};
  char nodes[1200] = "", components[400] = "", factors[1400] = "", times[100] = "", value[60] = "";
  int n = 0;
  if (e->keep) return write_keep(d, e, end);
  if (e->until == 1) return OK; /* removed before it held */
  for (int32_t k = e->first; k < end; ++k) {
    const DeckTerm *t = &d->model.term[k];
    const char *comma = n ? ", " : "";
    if (t->factor == 0) continue;
    if (++n > MOST_TERMS)
      return deck_row_fail(d, e->row, "makes an equation of more than %d terms, which is not understood", MOST_TERMS);
    snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes), "%s%lld", comma,
             (long long)d->inp->node_tag[t->node]);
    snprintf(components + strlen(components), sizeof components - strlen(components), "%s%c", comma,
             "xyz"[t->component]);
    snprintf(factors + strlen(factors), sizeof factors - strlen(factors), "%s%.17g", comma, t->factor);
  }
  if (n == 0) return deck_row_fail(d, e->row, "makes an equation without a factor other than 0");
  if (e->from) snprintf(times, sizeof times, ", from: %.17g", d->step[e->from - 2].end);
  if (e->until)
    snprintf(times + strlen(times), sizeof times - strlen(times), ", until: %.17g", d->step[e->until - 2].end);
  if (e->begin != DECK_STAYS) snprintf(value, sizeof value, ", value: %.17g", e->value);
  return deck_write(d, e->row, "  - {nodes: [%s], components: [%s], factors: [%s]%s%s%s}", nodes, components, factors,
                    value, times, begin[e->begin]);
}

/* Supports in directions that are none of x, y and z; those of all steps must be the same. */
static Status turned_supports(Deck *d) {
  const DeckNodes *fix = &d->step[0].nodes[DECK_FIX];
  for (int32_t i = 0; d->model.frame_of && i < d->inp->n_node; ++i) {
    if (!d->model.frame_of[i]) continue;
    double v[3] = {(double)NAN, (double)NAN, (double)NAN};
    if (fix->n) memcpy(v, fix->value[i], sizeof v);
    if (deck_frame_fix(d, i, v)) continue;
    for (int k = 0; k < deck_dim(d); ++k) {
      if (isnan(fix->value[i][k])) continue;
      if ((d->procedure.flows || deck_follows(d, fix->row[i][k])) && fix->value[i][k] != 0)
        return deck_row_fail(
            d, fix->row[i][k],
            "AMPLITUDE in directions of *TRANSFORM, in time or over the frequency, is not understood, nor is a motion "
            "there beside *PLASTIC");
      TRY(deck_equation(d, fix->row[i][k], fix->value[i][k]));
      TRY(deck_term(d, i, k, 1));
    }
  }
  return OK;
}

static Status same_in_all_steps(const Deck *d) {
  for (int32_t s = 1; d->model.frame_of && s < d->n_step; ++s)
    for (int32_t i = 0; i < d->inp->n_node; ++i) {
      const DeckNodes *a = &d->step[0].nodes[DECK_FIX], *b = &d->step[s].nodes[DECK_FIX];
      if (!d->model.frame_of[i]) continue;
      for (int k = 0; k < DECK_VALUES; ++k) {
        const double x = a->n ? a->value[i][k] : (double)NAN, y = b->n ? b->value[i][k] : (double)NAN;
        if (x != y && !(isnan(x) && isnan(y)))
          return deck_row_fail(d, b->n ? b->row[i][k] : d->step[s].row,
                               "supports of transformed nodes that change from step to step are not understood");
      }
    }
  return OK;
}

Status deck_write_equations(Deck *d) {
  if (deck_is_heat(d)) return OK;
  TRY(same_in_all_steps(d));
  TRY(turned_supports(d));
  if (d->model.n_equation == 0) return OK;
  d->out.heading = "equations:", d->out.heading_row = d->model.equation[0].row;
  for (int32_t i = 0; i < d->model.n_equation; ++i)
    TRY(write_equation(d, &d->model.equation[i],
                       i + 1 < d->model.n_equation ? d->model.equation[i + 1].first : d->model.n_term));
  d->out.heading = NULL;
  return OK;
}
