/* *PLASTIC and *CYCLIC HARDENING: metals that flow. Rows are stress and plastic strain; of kinematic hardening one straight
 * segment is Prager's backstress, dA = 2/3 C dep with its slope C. DATA TYPE=PARAMETERS of Abaqus has C and gamma themselves. */
#include "app/deck/deck_private.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { ROWS_MOST = 120, BACKS_MOST = 3 };

/* Rows of stress, plastic strain and temperature, which rises from one table to the next. */
static Status read_rows(Deck *d, double (*out)[3], int *n) {
  InpCursor cursor = {0};
  InpLine line;
  for (*n = 0; inp_next(d->inp, d->card, &cursor, &line); ++*n) {
    double *row = out[*n];
    if (*n == ROWS_MOST) return inp_line_fail(d->inp, d->card, &line, "more than %d rows", ROWS_MOST);
    for (int k = 0; k < 3; ++k) TRY(inp_number(d->inp, d->card, &line, k, &row[k]));
    if (*n && row[2] < row[-1])
      return inp_line_fail(d->inp, d->card, &line, "the temperature %g follows %g; temperatures must rise", row[2],
                           row[-1]);
  }
  return *n ? OK : inp_fail(d->inp, d->card, "has no rows");
}

/* One table, or those of several temperatures. */
static void yield_text(DeckMaterial *m, int n, double (*row)[3]) {
  char *const text = m->yield;
  size_t at = (size_t)snprintf(text, DECK_PLASTIC, ", yield: [");
  m->warm = row[n - 1][2] > row[0][2];
  for (int i = 0; i < n; ++i) {
    const bool first = i == 0 || row[i][2] > row[i - 1][2];
    if (m->warm && first)
      at +=
          (size_t)snprintf(text + at, DECK_PLASTIC - at, "%s{temperature: %.17g, table: [", i ? "]}, " : "", row[i][2]);
    at += (size_t)snprintf(text + at, DECK_PLASTIC - at, "%s[%.17g, %.17g]", (m->warm ? !first : i > 0) ? ", " : "",
                           row[i][1], row[i][0]);
  }
  snprintf(text + at, DECK_PLASTIC - at, m->warm ? "]}]" : "]");
}

static Status no_material(Deck *d) { return inp_fail(d->inp, d->card, "does not follow a *MATERIAL"); }

/* Yield stress, then pairs of C and gamma, in one row. */
static Status read_parameters(Deck *d, DeckMaterial *m) {
  const char *many = inp_parameter(d->card, "NUMBERBACKSTRESSES");
  double v[1 + 2 * BACKS_MOST] = {0};
  int64_t n = 1;
  InpLine line;
  if (many && (!inp_whole(many, &n) || n < 1 || n > BACKS_MOST))
    return inp_fail(d->inp, d->card, "NUMBER BACKSTRESSES=%.40s must be from 1 to %d", many, BACKS_MOST);
  if (!deck_first_line(d, &line) || line.n < 1 + 2 * n)
    return inp_fail(d->inp, d->card, "needs the yield stress and %lld pair%s of C and gamma", (long long)n,
                    n > 1 ? "s" : "");
  for (int k = 0; k < 1 + 2 * (int)n; ++k) TRY(inp_number(d->inp, d->card, &line, k, &v[k]));
  yield_text(m, 1, (double[1][3]){{v[0]}});
  size_t at = (size_t)snprintf(m->backstress, sizeof m->backstress, ", backstress: [");
  for (int k = 0; k < n; ++k)
    at += (size_t)snprintf(m->backstress + at, sizeof m->backstress - at, "%s[%.17g, %.17g]", k ? ", " : "",
                           v[1 + 2 * k], v[2 + 2 * k]);
  snprintf(m->backstress + at, sizeof m->backstress - at, "]");
  return OK;
}

/* A straight line of stress over plastic strain. */
static Status read_kinematic(Deck *d, DeckMaterial *m) {
  double row[ROWS_MOST][3];
  int n;
  TRY(read_rows(d, row, &n));
  if (row[n - 1][2] > row[0][2])
    return inp_fail(d->inp, d->card,
                    "kinematic hardening at several temperatures (%g after %g) is not understood; isotropic is",
                    row[n - 1][2], row[0][2]);
  if (n > 2)
    return inp_fail(d->inp, d->card, "kinematic hardening by %d rows is not understood; 2 rows are, a straight line",
                    n);
  yield_text(m, 1, row);
  if (n == 1) return OK;
  const double slope = (row[1][0] - row[0][0]) / (row[1][1] - row[0][1]);
  if (!(row[0][1] == 0) || !(row[1][1] > 0) || !(slope >= 0))
    return inp_fail(d->inp, d->card,
                    "the second row needs a plastic strain above 0, that of the first, and no lower stress");
  snprintf(m->backstress, sizeof m->backstress, ", backstress: [[%.17g, 0]]", slope);
  return deck_warn(
      d, deck_card(d),
      "*PLASTIC: kinematic hardening goes on beyond the plastic strain %g of the last row, with the same slope",
      row[1][1]);
}

Status deck_card_plastic(Deck *d) {
  const char *hardening = inp_parameter(d->card, "HARDENING"), *data = inp_parameter(d->card, "DATATYPE");
  double row[ROWS_MOST][3];
  int n;
  if (d->model.n_material == 0) return no_material(d);
  DeckMaterial *m = &d->model.material[d->model.n_material - 1];
  if (!hardening) hardening = "ISOTROPIC";
  *m->yield = *m->backstress = *m->saturation = 0;
  m->combined = strcasecmp(hardening, "COMBINED") == 0;
  TRY(deck_row(d, NULL, &m->plastic_row));
  if (data && strcasecmp(data, "PARAMETERS") == 0 && strcasecmp(hardening, "ISOTROPIC") != 0)
    return read_parameters(d, m);
  if (data && strcasecmp(data, "HALFCYCLE") != 0 && strcasecmp(data, "HALF CYCLE") != 0)
    return inp_fail(d->inp, d->card, "DATA TYPE=%.40s is not understood with HARDENING=%.40s; HALF CYCLE is%s", data,
                    hardening, strcasecmp(hardening, "ISOTROPIC") ? ", PARAMETERS too" : "");
  if (m->combined || strcasecmp(hardening, "KINEMATIC") == 0) return read_kinematic(d, m);
  if (strcasecmp(hardening, "ISOTROPIC") != 0)
    return inp_fail(d->inp, d->card, "HARDENING=%.40s is not understood; ISOTROPIC, KINEMATIC and COMBINED are",
                    hardening);
  TRY(read_rows(d, row, &n));
  yield_text(m, n, row);
  return OK;
}

/* The isotropic part beside a backstress: rows, or the yield stress, Q and b of sy + Q (1 - exp(-b p)). */
Status deck_card_cyclic(Deck *d) {
  double row[ROWS_MOST][3], b;
  InpLine line;
  int n;
  if (d->model.n_material == 0) return no_material(d);
  DeckMaterial *m = &d->model.material[d->model.n_material - 1];
  if (!*m->yield || !m->combined)
    return inp_fail(d->inp, d->card, "does not follow a *PLASTIC with HARDENING=COMBINED");
  if (!inp_parameter(d->card, "PARAMETERS")) {
    TRY(read_rows(d, row, &n));
    yield_text(m, n, row);
    return OK;
  }
  if (!deck_first_line(d, &line) || line.n < 3) return inp_fail(d->inp, d->card, "needs the yield stress, Q and b");
  for (int k = 0; k < 2; ++k) TRY(inp_number(d->inp, d->card, &line, k, &row[0][k]));
  TRY(inp_number(d->inp, d->card, &line, 2, &b));
  snprintf(m->saturation, sizeof m->saturation, ", saturation: {to: %.17g, rate: %.17g}", row[0][0] + row[0][1], b);
  row[0][1] = 0;
  yield_text(m, 1, row);
  return OK;
}

bool deck_material_flows(const DeckMaterial *m) { return *m->yield || *m->creep; }

bool deck_any_flows(const Deck *d) {
  bool any = false;
  for (int32_t i = 0; i < d->model.n_section; ++i) {
    const DeckMaterial *m = deck_material_named(d, d->model.section[i].material);
    any = any || (m && deck_material_flows(m));
  }
  return any;
}

bool deck_flows_by_temperature(const Deck *d) {
  bool any = false;
  for (int32_t i = 0; i < d->model.n_section; ++i) {
    const DeckMaterial *m = deck_material_named(d, d->model.section[i].material);
    any = any || (m && deck_material_flows(m) && (m->warm || deck_table_varies(&m->table[DECK_ELASTICITY])));
  }
  return any;
}

/* In elements that integrate all of the volume's change metal that flows locks, here as in CalculiX. */
Status deck_flows_tell(const Deck *d) {
  const InpType *type = NULL;
  if (!d->procedure.flows) return OK;
  for (int32_t i = 0; i < d->inp->n_elements && !type; ++i)
    if (element_type(d->inp->elements[i].type->kind)->mean_modes) type = d->inp->elements[i].type;
  if (!type || d->model.family == INP_PLANE_STRESS) return OK;
  return deck_warn(
      d, d->row[d->now.step_row],
      "*PLASTIC: %s keep the volume in the mean here; CalculiX' lock where they flow, by which it gives larger "
      "stresses (as '--set formulation=displacement' does)",
      type->name);
}

Status deck_flows_check(const Deck *d, const DeckStep *step) {
  static const char *const beside = "%s beside *PLASTIC is not understood";
  if (!d->procedure.flows) return OK;
  if (d->model.linear && d->model.linear->bends)
    return deck_row_fail(d, d->now.step_row, beside, d->model.linear->name);
  if (d->model.n_hub) return deck_row_fail(d, d->model.hub[0].row, beside, "a reference node");
  for (int32_t i = 0; i < step->n_body; ++i)
    if (step->body[i].load == DECK_CENTRIFUGAL) return deck_row_fail(d, step->body[i].row, beside, "CENTRIF");
  return OK;
}

/* A constant of *ELASTIC: a number, or pairs over the temperature. */
static void constant_text(const DeckTable *t, int k, double value, char *text, size_t size) {
  if (!deck_table_varies(t)) snprintf(text, size, "%.17g", value);
  else deck_pairs(text, size, t->n, t->value + t->need, t->value + k, t->need + 1);
}

/* What the material's entry of the case says in place of an elastic law. */
Status deck_plastic_law(const Deck *d, const DeckMaterial *m, bool turned, char *text, size_t size) {
  const int32_t row = *m->yield ? m->plastic_row : m->creep_row;
  const char *card = *m->yield ? "*PLASTIC" : "*CREEP";
  char young[DECK_PAIRS], poisson[DECK_PAIRS];
  if (m->elastic != DECK_ISOTROPIC || m->young_field || turned)
    return deck_row_fail(d, row, "%s is understood of an isotropic *ELASTIC whose constants do not vary in space",
                         card);
  if (d->procedure.analysis != DECK_STATIC && !(d->procedure.analysis == DECK_DYNAMIC && d->procedure.large))
    return deck_row_fail(d, row, "%s is understood in a step of *STATIC or *VISCO, or of *DYNAMIC with NLGEOM", card);
  if (m->table[DECK_ELASTICITY].n > DECK_WARM_MOST)
    return deck_row_fail(d, row, "%s beside more than %d rows of *ELASTIC is not understood", card, DECK_WARM_MOST);
  if (*m->backstress && d->procedure.large)
    return deck_row_fail(d, m->plastic_row,
                         "kinematic hardening in a step with NLGEOM is not understood; isotropic is");
  constant_text(&m->table[DECK_ELASTICITY], 0, m->moduli[0], young, sizeof young);
  constant_text(&m->table[DECK_ELASTICITY], 1, m->moduli[1], poisson, sizeof poisson);
  snprintf(text, size, "type: plastic, young: %s, poisson: %s%s%s%s%s", young, poisson, m->yield, m->saturation,
           m->backstress, m->creep);
  return OK;
}
