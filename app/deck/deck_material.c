/* Materials, orientations and sections of decks. */
#include "app/deck/deck_private.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

Status deck_card_material(Deck *d) {
  const char *name = inp_parameter(d->card, "NAME");
  if (!name || !*name) return inp_fail(d->inp, d->card, "has no NAME=");
  TRY(deck_grow((void **)&d->model.material, d->model.n_material, sizeof *d->model.material, "materials"));
  d->model.material[d->model.n_material++] = (DeckMaterial){.name = name, .card = (int32_t)(d->card - d->inp->card)};
  return OK;
}

/* One row of a table, of which `n` constants are there. */
static Status table_row(Deck *d, const InpLine *line, DeckTable *t, int *n) {
  double v;
  if (*n == 0) RESIZE(t->value, ((int64_t)t->n + 1) * (t->need + 1), "a table of a material");
  for (int k = 0; k < line->n && k < 8 && *n < t->need; ++k, ++*n)
    TRY(inp_number(d->inp, d->card, line, k, &t->value[t->n * (t->need + 1) + *n]));
  if (*n < t->need && line->n < 8) return inp_fail(d->inp, d->card, "has %d of %d constants", *n, t->need);
  if (*n < t->need) return OK;
  const int last = (t->need - 1) % 8 + 1;
  TRY(inp_number(d->inp, d->card, line, last, &v));
  if (t->n && !(v > t->value[t->n * (t->need + 1) - 1]))
    return inp_line_fail(d->inp, d->card, line, "the temperature %g does not rise from row to row", v);
  t->value[t->n++ * (t->need + 1) + t->need] = v;
  *n = 0;
  return OK;
}

/* A table with `need` constants in front of the temperature; value: those of its first row. */
static Status read_constants(Deck *d, DeckTableKind kind, int need, double *value) {
  InpCursor cursor = {0};
  InpLine line;
  int n = 0;
  if (d->model.n_material == 0) return inp_fail(d->inp, d->card, "comes before any *MATERIAL");
  DeckTable *t = &d->model.material[d->model.n_material - 1].table[kind];
  FREE(t->value);
  *t = (DeckTable){.need = need};
  TRY(deck_row(d, NULL, &t->row));
  while (inp_next(d->inp, d->card, &cursor, &line)) TRY(table_row(d, &line, t, &n));
  if (t->n == 0 || n > 0) return inp_fail(d->inp, d->card, "has %d of %d constants", n, need);
  memcpy(value, t->value, (size_t)need * sizeof *value);
  return OK;
}

static DeckMaterial *material_now(Deck *d) { return &d->model.material[d->model.n_material - 1]; }

Status deck_card_elastic(Deck *d) {
  static const struct {
    const char *type;
    DeckElastic elastic;
    int n;
  } list[] = {{"ISO", DECK_ISOTROPIC, 2},
              {"ISOTROPIC", DECK_ISOTROPIC, 2},
              {"ORTHO", DECK_ORTHOTROPIC, 9},
              {"ORTHOTROPIC", DECK_ORTHOTROPIC, 9},
              {"ANISO", DECK_ANISOTROPIC, 21},
              {"ANISOTROPIC", DECK_ANISOTROPIC, 21},
              {"ENGINEERING CONSTANTS", DECK_ENGINEERING, 9},
              {"ENGINEERINGCONSTANTS", DECK_ENGINEERING, 9}};
  const char *type = inp_parameter(d->card, "TYPE");
  double value[DECK_CONSTANTS] = {0};
  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
    if (strcasecmp(type ? type : "ISO", list[i].type) != 0) continue;
    TRY(read_constants(d, DECK_ELASTICITY, list[i].n, value));
    material_now(d)->elastic = list[i].elastic;
    memcpy(material_now(d)->moduli, value, sizeof value);
    return OK;
  }
  return inp_fail(d->inp, d->card,
                  "TYPE=%s is not understood; ISO, ORTHO, ENGINEERING "
                  "CONSTANTS and ANISO are",
                  type);
}

Status deck_card_expansion(Deck *d) {
  const char *type = inp_parameter(d->card, "TYPE");
  double value[3] = {0};
  const int n = type && strncasecmp(type, "ORTHO", 5) == 0 ? 3 : 1;
  if (type && n == 1 && strncasecmp(type, "ISO", 3) != 0)
    return inp_fail(d->inp, d->card, "TYPE=%s is not understood; ISO and ORTHO are", type);
  TRY(read_constants(d, DECK_EXPANSION, n, value));
  const char *zero = inp_parameter(d->card, "ZERO");
  material_now(d)->zero = 0;
  if (zero) {
    const char *end = source_number(zero, &material_now(d)->zero);
    if (!end || *end) return inp_fail(d->inp, d->card, "ZERO=%.40s is not a number", zero);
  }
  material_now(d)->n_expansion = n;
  memcpy(material_now(d)->expansion, value, sizeof value);
  return OK;
}

Status deck_card_density(Deck *d) {
  double value = 0;
  TRY(read_constants(d, DECK_DENSITY, 1, &value));
  material_now(d)->density = value;
  material_now(d)->has_density = true;
  return OK;
}

/* To xx xy yy xz yz zz, the order of Abaqus, which decks with parts are of; CalculiX has xx yy zz xy xz yz. */
static Status anisotropic_order(Deck *d, double value[6]) {
  static const int place[6] = {0, 3, 1, 4, 5, 2};
  double v[6];
  if (d->inp->n_scope > 1) return OK;
  memcpy(v, value, sizeof v);
  for (int k = 0; k < 6; ++k) value[k] = v[place[k]];
  return deck_warn(d, d->row[material_now(d)->table[DECK_CONDUCTIVITY].row],
                   "TYPE=ANISO is read in the order of CalculiX, xx yy zz xy xz yz; Abaqus has xx xy yy xz yz zz");
}

Status deck_card_conductivity(Deck *d) {
  const char *type = inp_parameter(d->card, "TYPE");
  double value[6] = {0};
  const int n = !type || strncasecmp(type, "ISO", 3) == 0 ? 1
                : strncasecmp(type, "ORTHO", 5) == 0      ? 3
                : strncasecmp(type, "ANISO", 5) == 0      ? 6
                                                          : 0;
  if (n == 0) return inp_fail(d->inp, d->card, "TYPE=%s is not understood; ISO, ORTHO and ANISO are", type);
  TRY(read_constants(d, DECK_CONDUCTIVITY, n, value));
  material_now(d)->n_conductivity = n;
  memcpy(material_now(d)->conductivity, value, sizeof value);
  return n == 6 ? anisotropic_order(d, material_now(d)->conductivity) : OK;
}

Status deck_card_heat(Deck *d) {
  double value = 0;
  TRY(read_constants(d, DECK_HEAT_CAPACITY, 1, &value));
  material_now(d)->heat = value;
  material_now(d)->has_heat = true;
  return OK;
}

/* The second line: an axis of the three, and by how many degrees the other two turn about it. */
static Status axes_turn(Deck *d, const InpLine *line, bool cylinder, double a[3], double b[3]) {
  int64_t axis = 0;
  double angle, e[3][3];
  if (!inp_whole(line->field[0], &axis) || axis < 1 || axis > 3)
    return inp_line_fail(d->inp, d->card, line, "'%.40s' is not an axis; 1 to 3 are", line->field[0]);
  TRY(inp_number(d->inp, d->card, line, 1, &angle));
  if (angle == 0) return OK;
  if (cylinder)
    return inp_line_fail(d->inp, d->card, line,
                         "a further rotation of cylindrical axes is not understood; of RECTANGULAR it is");
  memcpy(e[0], a, sizeof e[0]);
  vec3_cross(a, b, e[2]);
  if (!(vec3_normalize(e[0]) > 0 && vec3_normalize(e[2]) > 0))
    return inp_line_fail(d->inp, d->card, line, "the two points lie on a line with the origin");
  vec3_cross(e[2], e[0], e[1]);
  const int i = (int)axis % 3, j = (i + 1) % 3;
  const double c = cos(angle * acos(-1) / 180), s = sin(angle * acos(-1) / 180);
  for (int k = 0; k < 3; ++k) {
    const double from = e[i][k], to = e[j][k];
    e[i][k] = c * from + s * to, e[j][k] = c * to - s * from;
  }
  memcpy(a, e[0], sizeof e[0]);
  memcpy(b, e[1], sizeof e[1]);
  return OK;
}

Status deck_card_orientation(Deck *d) {
  const char *name = inp_parameter(d->card, "NAME"), *system = inp_parameter(d->card, "SYSTEM");
  InpCursor cursor = {0};
  InpLine line;
  double value[6];
  if (!name || !*name) return inp_fail(d->inp, d->card, "has no NAME=");
  const bool cylinder = system && toupper((unsigned char)*system) == 'C';
  const char *definition = inp_parameter(d->card, "DEFINITION");
  if (definition && strcasecmp(definition, "COORDINATES") != 0)
    return inp_fail(d->inp, d->card, "DEFINITION=%s is not understood; COORDINATES is", definition);
  if (system && !cylinder && toupper((unsigned char)*system) != 'R')
    return inp_fail(d->inp, d->card, "SYSTEM=%s is not understood; RECTANGULAR and CYLINDRICAL are", system);
  if (!inp_next(d->inp, d->card, &cursor, &line)) return inp_fail(d->inp, d->card, "has no points");
  for (int k = 0; k < 6; ++k) TRY(inp_number(d->inp, d->card, &line, k, &value[k]));
  if (inp_next(d->inp, d->card, &cursor, &line)) TRY(axes_turn(d, &line, cylinder, value, value + 3));
  TRY(deck_grow((void **)&d->model.axes, d->model.n_axes, sizeof *d->model.axes, "orientations"));
  DeckAxes *axes = &d->model.axes[d->model.n_axes++];
  *axes = (DeckAxes){.name = name, .cylinder = cylinder};
  memcpy(axes->a, value, sizeof axes->a);
  memcpy(axes->b, value + 3, sizeof axes->b);
  if (!d->card->scope) return OK;
  void (*const move)(const InpScope *, double *) = cylinder ? inp_place : inp_turn; /* with its instance */
  move(&d->inp->scope[d->card->scope], axes->a);
  move(&d->inp->scope[d->card->scope], axes->b);
  return OK;
}

Status deck_card_section(Deck *d) {
  const char *on = inp_parameter(d->card, "ELSET"), *name = inp_parameter(d->card, "MATERIAL"),
             *axes = inp_parameter(d->card, "ORIENTATION");
  InpLine line;
  DeckSection section = {.on = on ? inp_elset(d->inp, on) : NULL, .material = name, .axes = axes};
  if (!section.on && deck_is_coupling_set(d, on)) return OK;
  if (!section.on) return inp_fail(d->inp, d->card, "there is no element set '%.80s'", on ? on : "");
  if (section.on->n == 0) return inp_fail(d->inp, d->card, "the element set '%.80s' is empty", on);
  if (!name || !*name) return inp_fail(d->inp, d->card, "has no MATERIAL=");
  if (deck_first_line(d, &line)) TRY(inp_number(d->inp, d->card, &line, 0, &section.thickness));
  TRY(deck_row(d, NULL, &section.row));
  TRY(deck_grow((void **)&d->model.section, d->model.n_section, sizeof *d->model.section, "sections"));
  d->model.section[d->model.n_section++] = section;
  return OK;
}

/* The upper triangle, row by row in the order xx yy zz xy yz xz, of constants
 * column by column in the order xx yy zz xy xz yz. */
static void moduli_of(const DeckMaterial *m, double out[21]) {
  static const int place[6] = {0, 1, 2, 3, 5, 4};
  double C[6][6] = {{0}};
  if (m->elastic == DECK_ORTHOTROPIC) {
    const double *v = m->moduli;
    C[0][0] = v[0], C[0][1] = v[1], C[1][1] = v[2], C[0][2] = v[3], C[1][2] = v[4], C[2][2] = v[5];
    C[3][3] = v[6], C[5][5] = v[7], C[4][4] = v[8];
  } else {
    for (int column = 0, k = 0; column < 6; ++column)
      for (int row = 0; row <= column; ++row, ++k) {
        const int i = place[row] < place[column] ? place[row] : place[column], j = place[row] + place[column] - i;
        C[i][j] = m->moduli[k];
      }
  }
  for (int i = 0, k = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) out[k++] = C[i][j];
}

static void elastic_text(const DeckMaterial *m, bool turned, char *text, size_t size) {
  const double *v = m->moduli;
  double moduli[21];
  char list[700];
  if (m->elastic == DECK_RUBBER) {
    snprintf(text, size, "%s", m->rubber);
  } else if (m->elastic == DECK_ENGINEERING) {
    snprintf(text, size,
             "type: orthotropic, young: [%.17g, %.17g, %.17g], poisson: "
             "[%.17g, %.17g, %.17g], shear: [%.17g, %.17g, %.17g]",
             v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
  } else if (m->elastic == DECK_ISOTROPIC && turned) {
    const double G = v[0] / (2 * (1 + v[1]));
    snprintf(text, size,
             "type: orthotropic, young: [%.17g, %.17g, %.17g], poisson: "
             "[%.17g, %.17g, %.17g], shear: [%.17g, %.17g, %.17g]",
             v[0], v[0], v[0], v[1], v[1], v[1], G, G, G);
  } else if (m->young_field) {
    snprintf(text, size, "young: {field: \"young-%s\"}, poisson: {field: \"poisson-%s\"}", m->name, m->name);
  } else if (m->elastic == DECK_ISOTROPIC) {
    snprintf(text, size, "young: %.17g, poisson: %.17g", v[0], v[1]);
  } else {
    moduli_of(m, moduli);
    deck_list(list, sizeof list, 21, moduli);
    snprintf(text, size, "type: anisotropic, moduli: %s", list);
  }
}

void deck_axes_text(const DeckAxes *axes, int dim, char *text, size_t size) {
  char a[120], b[120];
  double direction[3];
  for (int k = 0; k < 3; ++k) direction[k] = axes->b[k] - axes->a[k];
  deck_list(a, sizeof a, dim, axes->a);
  deck_list(b, sizeof b, dim, axes->cylinder ? direction : axes->b);
  if (axes->cylinder && dim == 2) snprintf(text, size, "{cylinder: {origin: %s}}", a);
  else if (axes->cylinder) snprintf(text, size, "{cylinder: {origin: %s, axis: %s}}", a, b);
  else snprintf(text, size, "{x: %s, y: %s}", a, b);
}

DeckMaterial *deck_material_named(const Deck *d, const char *name) {
  for (int32_t i = 0; i < d->model.n_material; ++i)
    if (strcasecmp(d->model.material[i].name, name) == 0) return &d->model.material[i];
  return NULL;
}

const DeckAxes *deck_axes_named(const Deck *d, const char *name) {
  for (int32_t i = 0; i < d->model.n_axes; ++i)
    if (strcasecmp(d->model.axes[i].name, name) == 0) return &d->model.axes[i];
  return NULL;
}

static Status write_elastic(Deck *d, const DeckSection *s, DeckMaterial *m) {
  char law[2 * DECK_PLASTIC + 5 * DECK_PAIRS], axes[300] = "", rest[DECK_EXPANSION_TEXT + 500] = "", list[120],
                                               heated[DECK_EXPANSION_TEXT];
  char begins[400] = "";
  const bool turned = s->axes && m->elastic != DECK_RUBBER && (m->elastic != DECK_ISOTROPIC || m->n_expansion == 3);
  if (m->elastic == DECK_NO_ELASTIC) return deck_row_fail(d, s->row, "the material '%.80s' has no *ELASTIC", m->name);
  if (m->elastic == DECK_RUBBER && !d->procedure.large)
    return deck_row_fail(d, s->row, "the material '%.80s' is hyperelastic, which is understood in a step with NLGEOM",
                         m->name);
  TRY(deck_material_at(d, m));
  if (turned && m->young_field)
    return deck_row_fail(d, s->row, "an ORIENTATION beside a temperature that varies is not understood");
  const bool flows = deck_material_flows(m);
  if (flows) TRY(deck_plastic_law(d, m, turned, law, sizeof law));
  else elastic_text(m, turned, law, sizeof law);
  if (turned) {
    snprintf(axes, sizeof axes, ", axes: ");
    deck_axes_text(deck_axes_named(d, s->axes), deck_dim(d), axes + strlen(axes), sizeof axes - strlen(axes));
  }
  if (m->has_density) snprintf(rest, sizeof rest, ", density: %.17g", m->density);
  deck_list(list, sizeof list, 3, m->expansion);
  if (flows && m->n_expansion && deck_table_varies(&m->table[DECK_EXPANSION])) {
    TRY(deck_expansion_text(d, m, heated, sizeof heated));
    snprintf(rest + strlen(rest), sizeof rest - strlen(rest), ", expansion: %s", heated);
  } else if (m->expansion_field)
    snprintf(rest + strlen(rest), sizeof rest - strlen(rest), ", expansion: {field: \"expansion-%s\"}", m->name);
  else if (m->n_expansion == 1)
    snprintf(rest + strlen(rest), sizeof rest - strlen(rest), ", expansion: %.17g", m->expansion[0]);
  if (m->n_expansion == 3) snprintf(rest + strlen(rest), sizeof rest - strlen(rest), ", expansion: %s", list);
  if (s->thickness > 0 && (d->model.family == INP_PLANE_STRESS || d->model.family == INP_PLANE_STRAIN))
    snprintf(rest + strlen(rest), sizeof rest - strlen(rest), ", thickness: %.17g", s->thickness);
  if (deck_begins(d, s->on)) deck_initial_text(begins, sizeof begins);
  return deck_entry(d, s->row, s->on->name, "%s%s%s%s", law, rest, axes, begins);
}

static Status write_conducting(Deck *d, const DeckSection *s, const DeckMaterial *m) {
  char k[300], rest[200] = "";
  const double *c = m->conductivity;
  const int dim = deck_dim(d);
  if (m->n_conductivity == 0) return deck_row_fail(d, s->row, "the material '%.80s' has no *CONDUCTIVITY", m->name);
  for (int i = DECK_DENSITY; i <= DECK_HEAT_CAPACITY; ++i)
    if (deck_table_varies(&m->table[i]))
      return deck_row_fail(d, m->table[i].row,
                           "depends on the temperature, which heat here does not; constants are "
                           "understood");
  if (s->axes && m->n_conductivity > 1)
    return deck_row_fail(d, s->row, "an ORIENTATION of heat conduction is not understood");
  if (m->n_conductivity == 1) snprintf(k, sizeof k, "%.17g", c[0]);
  else if (m->n_conductivity == 3) deck_list(k, sizeof k, dim, c);
  else if (dim == 2) snprintf(k, sizeof k, "[[%.17g, %.17g], [%.17g, %.17g]]", c[0], c[1], c[1], c[2]);
  else
    snprintf(k, sizeof k, "[[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]", c[0], c[1], c[3],
             c[1], c[2], c[4], c[3], c[4], c[5]);
  if (!d->procedure.steady) {
    if (!m->has_heat || !m->has_density)
      return deck_row_fail(d, s->row,
                           "the material '%.80s' needs *DENSITY and *SPECIFIC "
                           "HEAT in a step in time",
                           m->name);
    snprintf(rest, sizeof rest, ", capacity: %.17g", m->density * m->heat);
  }
  if (s->thickness > 0 && dim == 2 && d->model.family != INP_AXISYMMETRIC && d->model.family != INP_HEAT_AXISYMMETRIC)
    snprintf(rest + strlen(rest), sizeof rest - strlen(rest), ", thickness: %.17g", s->thickness);
  return deck_entry(d, s->row, s->on->name, "conductivity: %s%s", k, rest);
}

Status deck_write_materials(Deck *d) {
  CHECK(d->model.n_section > 0, ERR_INPUT, "%s: has no *SOLID SECTION; every element needs one", d->inp->file[0].path);
  TRY(deck_write(d, d->model.section[0].row, "materials:"));
  d->out.indent = "  ";
  for (int32_t i = 0; i < d->model.n_section; ++i) {
    const DeckSection *section = &d->model.section[i];
    DeckMaterial *m = deck_material_named(d, section->material);
    if (!m) return deck_row_fail(d, section->row, "there is no material '%.80s'", section->material);
    if (section->axes && !deck_axes_named(d, section->axes))
      return deck_row_fail(d, section->row, "there is no orientation '%.80s'", section->axes);
    TRY(deck_is_heat(d) ? write_conducting(d, &d->model.section[i], m) : write_elastic(d, &d->model.section[i], m));
  }
  return OK;
}
