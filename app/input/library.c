/* Materials by name. The map gets the members before it is read, so that ranges, required keys, values given beside the name and
 * the resolved case need to know nothing of names. */
#include "app/input/library.h"
#include "app/input/units.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

const Word library_words[] = {
#define LIBRARY(word, ...) {word, 0},
#include "app/input/library.def"
    {NULL, 0}};
static const LibraryRow rows[] = {
#define LIBRARY(word, young, poisson, density, expansion, conductivity, heat, strength, meaning)                       \
  {word,           young * 1e9, poisson, density, expansion * 1e-6, conductivity, density * (double)heat,              \
   strength * 1e6, meaning},
#include "app/input/library.def"
};

int library_count(void) { return (int)(sizeof rows / sizeof *rows); }
const LibraryRow *library_row(int i) { return &rows[i]; }

enum { N_FIGURES = 7 };
typedef struct Figure {
  const char *key;
  double value;
} Figure;

static void figures_of(const LibraryRow *row, const UnitBasis *b, Figure out[N_FIGURES]) {
  const double l = b->length;
  const Figure figure[N_FIGURES] = {{"young", row->young / b->stress},
                                    {"poisson", row->poisson},
                                    {"density", row->density * l * l * l / b->mass},
                                    {"expansion", row->expansion * b->degree},
                                    {"strength", row->strength / b->stress},
                                    {"conductivity", row->conductivity * l * b->degree / b->power},
                                    {"capacity", row->capacity * l * l * l * b->degree / (b->power * b->time)}};
  memcpy(out, figure, sizeof figure);
}

bool library_gives(const char *key) {
  Figure figure[N_FIGURES];
  figures_of(&rows[0], &(UnitBasis){1, 1, 1, 1, 1, 1}, figure);
  for (int i = 0; i < N_FIGURES; ++i)
    if (strcmp(figure[i].key, key) == 0) return true;
  return false;
}

/* How many numbers the key takes in this map; 0: it is none of its keys. */
static int numbers_of(const Schema *schema, uint32_t kind, int n_param, const Param *param, const char *key) {
  if (schema_key(schema, kind, key)) return 1;
  for (int k = 0; k < n_param; ++k)
    if (strcmp(param[k].name, key) == 0) return param_list(param, n_param, k);
  return 0;
}

/* The yield stress of a plastic material is its strength, too. */
static bool has_its_own(const Tree *tree, int32_t map, const Figure *figure) {
  if (tree_member(tree, map, figure->key) >= 0) return true;
  return strcmp(figure->key, "strength") == 0 &&
         (tree_member(tree, map, "yield") >= 0 || tree_member(tree, map, "curve") >= 0);
}

static Status add_figure(Tree *tree, int32_t map, const Figure *figure, Place place) {
  int32_t child;
  char text[32];
  snprintf(text, sizeof text, "%.12g", figure->value);
  TRY(tree_add(tree, map, TREE_PLAIN, figure->key, place, &child));
  FREE(tree->node[child].text);
  return mem_text(text, "text of the case file", &tree->node[child].text);
}

static Status fill_map(Tree *tree, int32_t map, const Schema *schema, uint32_t kind, const char *label,
                       Diagnostics *diagnostics) {
  const int32_t name = tree_member(tree, map, "name"), type = tree_member(tree, map, "type");
  const int32_t word = name >= 0 && tree->node[name].text ? schema_word(library_words, tree->node[name].text) : -1;
  UnitBasis basis;
  Figure figure[N_FIGURES];
  int n_param = 0;
  if (word < 0) return OK; /* whoever reads it reports an unknown one */
  const Place place = tree->node[name].place;
  const Param *param = schema_params(schema, tree, map, &n_param);
  if (param && (numbers_of(schema, kind, n_param, param, "young") != 1 ||
                numbers_of(schema, kind, n_param, param, "poisson") != 1)) {
    report_error(diagnostics, place,
                 "name: '%s' stands for one number young and one number poisson, which type '%s' does not take\n"
                 "  remedy: leave out 'name' and give the parameters, or leave out 'type'",
                 rows[word].word, type >= 0 && tree->node[type].text ? tree->node[type].text : "");
    return OK;
  }
  Units units;
  units_of_label(label ? label : "", &units);
  if (!units_basis(&units, &basis)) {
    report_error(diagnostics, place,
                 "name: '%s' needs 'units:' that say what the numbers of the case are in\n  allowed: a length and a "
                 "force, stress, energy or power, such as 'mm N MPa s' or 'SI'\n  remedy: 'units:', or the "
                 "parameters in place of 'name'",
                 rows[word].word);
    basis = (UnitBasis){1, 1, 1, 1, 1, 1}; /* one error is enough */
  }
  figures_of(&rows[word], &basis, figure);
  for (int i = 0; i < N_FIGURES; ++i)
    if (figure[i].value > 0 && numbers_of(schema, kind, n_param, param, figure[i].key) &&
        !has_its_own(tree, map, &figure[i]))
      TRY(add_figure(tree, map, &figure[i], place));
  return OK;
}

Status library_fill(Tree *tree, int32_t root, const Schema *schema, uint32_t kind, Diagnostics *diagnostics) {
  const Key *materials = schema_key(schema, kind, "materials");
  const Key *name = materials ? schema_key(materials->schema, kind, "name") : NULL;
  const int32_t list = tree_member(tree, root, "materials"), units = tree_member(tree, root, "units");
  if (!name || name->words != library_words || list < 0 || tree->node[list].kind != TREE_LIST) return OK;
  for (int32_t i = tree->node[list].first; i >= 0; i = tree->node[i].next)
    if (tree->node[i].kind == TREE_MAP)
      TRY(fill_map(tree, i, materials->schema, kind, units >= 0 ? tree->node[units].text : NULL, diagnostics));
  return OK;
}
