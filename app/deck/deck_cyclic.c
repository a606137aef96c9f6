/* *TIE, CYCLIC SYMMETRY and *CYCLIC SYMMETRY MODEL: the two cuts of a sector, which are a periodic pair of the case that is turned about
 * an axis. */
#include "app/deck/deck_cyclic.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What an angle between the middles of cuts of other meshes may differ by from that of the sector. */
static const double OFF = 0.1;
static const double PI = 3.14159265358979323846;

static DeckTie *cyclic_tie(const Deck *d, const char *name) {
  DeckTie *found = NULL;
  for (int32_t i = 0; i < d->model.n_tie; ++i) {
    DeckTie *tie = &d->model.tie[i];
    if (tie->cyclic && (!name || (tie->name && strcasecmp(tie->name, name) == 0))) found = tie;
  }
  return found;
}

Status deck_card_cyclic_model(Deck *d) {
  const char *sectors = inp_parameter(d->card, "N"), *name = inp_parameter(d->card, "TIE");
  const char *graph = inp_parameter(d->card, "NGRAPH");
  DeckTie *tie = cyclic_tie(d, name);
  InpLine line;
  int64_t n = 0;
  if (!tie && name) return inp_fail(d->inp, d->card, "there is no *TIE, CYCLIC SYMMETRY, NAME=%.60s before it", name);
  if (!tie) return inp_fail(d->inp, d->card, "there is no *TIE, CYCLIC SYMMETRY before it");
  if (!sectors || !inp_whole(sectors, &n) || n < 2)
    return inp_fail(d->inp, d->card, "N=%.40s is not a number of sectors, 2 or more", sectors ? sectors : "");
  if (!deck_first_line(d, &line)) return inp_fail(d->inp, d->card, "has no line with two points of the axis");
  for (int k = 0; k < 6; ++k) TRY(inp_number(d->inp, d->card, &line, k, &tie->axis[k / 3][k % 3]));
  for (int k = 0; k < 2 && d->card->scope; ++k) inp_place(&d->inp->scope[d->card->scope], tie->axis[k]);
  if (!(vec3_distance(tie->axis[0], tie->axis[1]) > 0))
    return inp_line_fail(d->inp, d->card, &line, "the two points of the axis are the same");
  tie->sectors = (int32_t)(n < INT32_MAX ? n : INT32_MAX);
  if (graph && strcmp(graph, "1") != 0)
    TRY(deck_warn(d, deck_card(d), "*CYCLIC SYMMETRY MODEL: NGRAPH=%.40s changes nothing: results are of one sector",
                  graph));
  return OK;
}

Status deck_card_cyclic_modes(Deck *d) {
  const char *low = inp_parameter(d->card, "NMIN"), *high = inp_parameter(d->card, "NMAX");
  const DeckTie *tie = cyclic_tie(d, NULL);
  int64_t first = 0, last = tie ? tie->sectors / 2 : 0;
  if (!tie || !tie->sectors) return inp_fail(d->inp, d->card, "there is no *CYCLIC SYMMETRY MODEL before it");
  if (low && !inp_whole(low, &first)) return inp_fail(d->inp, d->card, "NMIN=%.40s is not a whole number", low);
  if (high && !inp_whole(high, &last)) return inp_fail(d->inp, d->card, "NMAX=%.40s is not a whole number", high);
  if (d->procedure.analysis != DECK_MODES)
    return inp_fail(
        d->inp, d->card,
        "is not behind *FREQUENCY, or behind steps with NLGEOM, which have modes of no nodal diameter alone");
  if (first < 0 || last < first)
    return inp_fail(d->inp, d->card, "NMIN=%lld to NMAX=%lld is no range", (long long)first, (long long)last);
  if (first > tie->sectors / 2)
    return inp_fail(d->inp, d->card, "NMIN=%lld: %d sectors have 0 to %d nodal diameters", (long long)first,
                    tie->sectors, tie->sectors / 2);
  if (last > tie->sectors / 2) {
    TRY(deck_warn(d, deck_card(d),
                  "*SELECT CYCLIC SYMMETRY MODES: NMAX=%lld is %d: %d sectors have no more, those above are the same "
                  "motions once more",
                  (long long)last, tie->sectors / 2, tie->sectors));
    last = tie->sectors / 2;
  }
  d->procedure.diameter[0] = first, d->procedure.diameter[1] = last;
  return OK;
}

Status deck_write_diameters(const Deck *d, char *text, size_t size) {
  const int64_t *range = d->procedure.diameter;
  size_t n = 0;
  *text = 0;
  if (!range[1]) return OK;
  CHECK(range[1] - range[0] < DECK_DIAMETERS, ERR_INPUT, "more than %d nodal diameters are not understood",
        DECK_DIAMETERS);
  for (int64_t k = range[0]; k <= range[1]; ++k)
    n += (size_t)snprintf(text + n, size - n, "%s%lld%s", k > range[0] ? ", " : ", diameters: [", (long long)k,
                          k == range[1] ? "]" : "");
  return OK;
}

/* The middle of the nodes of a surface, from the axis. */
static void middle_of(const Deck *d, const InpSurface *s, const double origin[3], const double axis[3], double out[3]) {
  int64_t n = 0;
  memset(out, 0, 3 * sizeof *out);
  for (int32_t i = 0; i < s->n; ++i) {
    const ElementFace *face =
        s->facet ? &element_type(inp_kind_of(d->inp, s->facet[i].element))->face[s->facet[i].face] : NULL;
    const int32_t *nodes = face ? inp_nodes_of(d->inp, s->facet[i].element) : NULL;
    const int32_t m = face ? element_type(face->kind)->n_node : 1;
    for (int32_t a = 0; a < m; ++a, ++n)
      for (int k = 0; k < 3; ++k) out[k] += d->inp->x[face ? nodes[face->nodes[a]] : s->node[i]][k] - origin[k];
  }
  const double along = vec3_dot(out, axis);
  for (int k = 0; k < 3; ++k) out[k] = n ? (out[k] - along * axis[k]) / (double)n : 0;
}

static Status check_angle(const Deck *d, const DeckTie *tie, const double axis[3]) {
  double one[3], two[3], across[3];
  middle_of(d, tie->side[0], tie->axis[0], axis, one);
  middle_of(d, tie->side[1], tie->axis[0], axis, two);
  vec3_cross(one, two, across);
  const double angle = fabs(atan2(vec3_dot(across, axis), vec3_dot(one, two))), wanted = 2 * PI / tie->sectors;
  if (fabs(angle - wanted) <= OFF * wanted) return OK;
  return deck_row_fail(
      d, tie->row,
      "*TIE, CYCLIC SYMMETRY: '%.60s' and '%.60s' are %.4g degrees apart about the axis, and N=%d makes "
      "sectors of %.4g",
      tie->side[0]->name, tie->side[1]->name, angle * 180 / PI, tie->sectors, wanted * 180 / PI);
}

Status deck_write_cyclic(Deck *d, const DeckTie *tie) {
  char to[2 * DECK_NAME + 3], origin[100], along[120] = "";
  double axis[3];
  if (!tie->sectors)
    return deck_row_fail(d, tie->row, "*TIE, CYCLIC SYMMETRY: there is no *CYCLIC SYMMETRY MODEL with its axis");
  vec3_minus(tie->axis[1], tie->axis[0], axis);
  vec3_normalize(axis);
  if (deck_dim(d) == 2 && !(fabs(axis[2]) > 1 - 1e-9))
    return deck_row_fail(d, tie->row, "*TIE, CYCLIC SYMMETRY: the axis must be at right angles to a flat model");
  TRY(check_angle(d, tie, axis));
  deck_list(origin, sizeof origin, deck_dim(d), tie->axis[0]);
  if (deck_dim(d) == 3) {
    strcpy(along, ", axis: ");
    deck_list(along + strlen(along), sizeof along - strlen(along), 3, axis);
  }
  return deck_entry(d, tie->row, tie->on, "periodic: %s, rotate: {origin: %s%s}", deck_quote(tie->to, to), origin,
                    along);
}
