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
  const bool warm = row[n - 1][2] > row[0][2];
  m->warm = m->warm || warm;
  for (int i = 0; i < n; ++i) {
    const bool first = i == 0 || row[i][2] > row[i - 1][2];
    if (warm && first)
      at +=
          (size_t)snprintf(text + at, DECK_PLASTIC - at, "%s{temperature: %.17g, table: [", i ? "]}, " : "", row[i][2]);
    at += (size_t)snprintf(text + at, DECK_PLASTIC - at, "%s[%.17g, %.17g]", (warm ? !first : i > 0) ? ", " : "",
                           row[i][1], row[i][0]);
  }
  snprintf(text + at, DECK_PLASTIC - at, warm ? "]}]" : "]");
}

static Status no_material(Deck *d) { return inp_fail(d->inp, d->card, "does not follow a *MATERIAL"); }

/* Yield stress, and C and gamma of each backstress, at a temperature. */
typedef struct Backs {
  double yield, pair[2 * BACKS_MOST], temperature;
} Backs;

/* One table, or those of several temperatures; n_back 0: no backstress. */
static void backs_text(DeckMaterial *m, int n, const Backs *of, int n_back) {
  double row[ROWS_MOST][3];
  char *const text = m->backstress;
  size_t at = (size_t)snprintf(text, DECK_PLASTIC, ", backstress: [");
  for (int i = 0; i < n; ++i) {
    row[i][0] = of[i].yield, row[i][1] = 0, row[i][2] = of[i].temperature;
    if (n > 1)
      at += (size_t)snprintf(text + at, DECK_PLASTIC - at, "%s{temperature: %.17g, table: [", i ? "]}, " : "",
                             of[i].temperature);
    for (int k = 0; k < n_back; ++k)
      at += (size_t)snprintf(text + at, DECK_PLASTIC - at, "%s[%.17g, %.17g]", k ? ", " : "", of[i].pair[2 * k],
                             of[i].pair[2 * k + 1]);
  }
  snprintf(text + at, DECK_PLASTIC - at, n > 1 ? "]}]" : "]");
  if (n_back == 0) *text = 0;
  yield_text(m, n, row);
}

static Status temperatures_rise(Deck *d, const InpLine *line, int n, const Backs *of) {
  if (n == ROWS_MOST / 2) return inp_line_fail(d->inp, d->card, line, "more than %d temperatures", n);
  if (n == 0 || of[n].temperature > of[n - 1].temperature) return OK;
  return inp_line_fail(d->inp, d->card, line, "the temperature %g follows %g; temperatures must rise",
                       of[n].temperature, of[n - 1].temperature);
}

/* Yield stress, then pairs of C and gamma, then a temperature, in a row. */
static Status read_parameters(Deck *d, DeckMaterial *m) {
  const char *many = inp_parameter(d->card, "NUMBERBACKSTRESSES");
  Backs of[ROWS_MOST];
  int64_t n_back = 1;
  int n = 0;
  InpCursor cursor = {0};
  InpLine line;
  if (many && (!inp_whole(many, &n_back) || n_back < 1 || n_back > BACKS_MOST))
    return inp_fail(d->inp, d->card, "NUMBER BACKSTRESSES=%.40s must be from 1 to %d", many, BACKS_MOST);
  const int last = 1 + 2 * (int)n_back;
  for (; inp_next(d->inp, d->card, &cursor, &line); ++n) {
    if (line.n < last) break;
    TRY(inp_number(d->inp, d->card, &line, 0, &of[n].yield));
    for (int k = 1; k < last; ++k) TRY(inp_number(d->inp, d->card, &line, k, &of[n].pair[k - 1]));
    TRY(inp_number(d->inp, d->card, &line, last, &of[n].temperature));
    TRY(temperatures_rise(d, &line, n, of));
  }
  if (n == 0 || line.n < last)
    return inp_fail(d->inp, d->card, "needs the yield stress and %lld pair%s of C and gamma", (long long)n_back,
                    n_back > 1 ? "s" : "");
  backs_text(m, n, of, (int)n_back);
  return OK;
}

/* A straight line of stress over plastic strain at each temperature. */
static Status read_kinematic(Deck *d, DeckMaterial *m) {
  double row[ROWS_MOST][3];
  Backs of[ROWS_MOST] = {{0}};
  int n, n_table = 0, n_line, flat = 0;
  TRY(read_rows(d, row, &n));
  for (int i = 0; i < n; i += n_line, ++n_table) {
    for (n_line = 1; i + n_line < n && !(row[i + n_line][2] > row[i][2]);) ++n_line;
    if (n_line > 2)
      return inp_fail(d->inp, d->card, "kinematic hardening by %d rows is not understood; 2 rows are, a straight line",
                      n_line);
    of[n_table] = (Backs){.yield = row[i][0], .temperature = row[i][2]};
    double *const slope = &of[n_table].pair[0];
    if (n_line == 2) *slope = (row[i + 1][0] - row[i][0]) / (row[i + 1][1] - row[i][1]);
    if (n_line == 2 && (row[i][1] < 0 || row[i][1] > 0 || !(row[i + 1][1] > 0) || !(*slope >= 0)))
      return inp_fail(d->inp, d->card,
                      "the second row needs a plastic strain above 0, that of the first, and no lower stress");
    flat += !(*slope > 0);
  }
  if (flat && flat < n_table)
    return inp_fail(d->inp, d->card, "hardens at %d of %d temperatures; all of them or none is understood",
                    n_table - flat, n_table);
  backs_text(m, n_table, of, !flat);
  if (flat) return OK;
  return deck_warn(
      d, deck_card(d),
      "*PLASTIC: kinematic hardening goes on beyond the plastic strain %g of the last row, with the same slope",
      row[n - 1][1]);
}

Status deck_card_plastic(Deck *d) {
  const char *hardening = inp_parameter(d->card, "HARDENING"), *data = inp_parameter(d->card, "DATATYPE");
  double row[ROWS_MOST][3];
  int n;
  if (d->model.n_material == 0) return no_material(d);
  DeckMaterial *m = &d->model.material[d->model.n_material - 1];
  if (!hardening) hardening = "ISOTROPIC";
  *m->yield = *m->backstress = *m->saturation = 0, m->yields = false;
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
  m->yields = true;
  for (int i = 0; i < n; ++i) m->yields = m->yields && row[i][0] == 0;
  if (!m->yields) yield_text(m, n, row);
  return OK;
}

/* The isotropic part beside a backstress: rows, or the yield stress, Q and b of sy + Q (1 - exp(-b p)). */
Status deck_card_cyclic(Deck *d) {
  double row[ROWS_MOST][3], b;
  InpCursor cursor = {0};
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
  if (!inp_next(d->inp, d->card, &cursor, &line) || line.n < 3)
    return inp_fail(d->inp, d->card, "needs the yield stress, Q and b");
  for (int k = 0; k < 2; ++k) TRY(inp_number(d->inp, d->card, &line, k, &row[0][k]));
  TRY(inp_number(d->inp, d->card, &line, 2, &b));
  if (inp_next(d->inp, d->card, &cursor, &line))
    return inp_line_fail(d->inp, d->card, &line, "PARAMETERS at several temperatures are not understood; rows are");
  snprintf(m->saturation, sizeof m->saturation, ", saturation: {to: %.17g, rate: %.17g}", row[0][0] + row[0][1], b);
  row[0][1] = 0;
  yield_text(m, 1, row);
  return OK;
}

bool deck_material_flows(const DeckMaterial *m) { return *m->yield || *m->creep || m->yields; }

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
  if (!type || d->model.family == INP_PLANE_STRESS || (d->model.linear && d->model.linear->bends)) return OK;
  return deck_warn(
      d, d->row[d->now.step_row],
      "*PLASTIC: %s keep the volume in the mean here; CalculiX' lock where they flow, by which it gives larger "
      "stresses (as '--set formulation=displacement' does)",
      type->name);
}

Status deck_flows_check(const Deck *d, const DeckStep *step) {
  static const char *const beside = "%s beside *PLASTIC is not understood";
  if (!d->procedure.flows) return OK;
  for (int32_t i = 0; i < d->model.n_hub; ++i)
    if (!d->model.hub[i].rigid)
      return deck_row_fail(d, d->model.hub[i].row, beside,
                           "a reference node that spreads loads or has a mean rotation");
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
  const int32_t row = *m->yield || m->yields ? m->plastic_row : m->creep_row;
  const char *card = *m->yield || m->yields ? "*PLASTIC" : "*CREEP";
  char young[DECK_PAIRS], poisson[DECK_PAIRS];
  if (m->yields && !*m->creep)
    return deck_row_fail(d, row, "a yield stress of 0 is understood beside *CREEP, where all stress creeps");
  if (m->elastic != DECK_ISOTROPIC || m->young_field || turned)
    return deck_row_fail(d, row, "%s is understood of an isotropic *ELASTIC whose constants do not vary in space",
                         card);
  if (d->procedure.analysis != DECK_STATIC && d->procedure.analysis != DECK_DYNAMIC)
    return deck_row_fail(d, row, "%s is understood in a step of *STATIC, *VISCO or *DYNAMIC", card);
  if (m->table[DECK_ELASTICITY].n > DECK_WARM_MOST)
    return deck_row_fail(d, row, "%s beside more than %d rows of *ELASTIC is not understood", card, DECK_WARM_MOST);
  constant_text(&m->table[DECK_ELASTICITY], 0, m->moduli[0], young, sizeof young);
  constant_text(&m->table[DECK_ELASTICITY], 1, m->moduli[1], poisson, sizeof poisson);
  snprintf(text, size, "type: plastic, young: %s, poisson: %s%s%s%s%s", young, poisson, m->yield, m->saturation,
           m->backstress, m->creep);
  return OK;
}
