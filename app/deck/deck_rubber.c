/* *HYPERELASTIC: rubber at finite strain, whose volumetric energy is (J - 1)^2 / D1 with CalculiX and Abaqus. */
#include "app/deck/deck_private.h"

#include <stdio.h>
#include <string.h>

enum { TERMS_MOST = 3, NUMBERS_MOST = 3 * TERMS_MOST + 1 };

/* Over the shear modulus, where D1 is 0: CalculiX' choice. */
static const double DEFAULT_BULK = 20;

/* All numbers of the card; behind `need` of them a temperature may stand. */
static Status read_numbers(Deck *d, int need, double value[NUMBERS_MOST]) {
  InpCursor cursor = {0};
  InpLine line;
  int n = 0;
  while (inp_next(d->inp, d->card, &cursor, &line))
    for (int k = 0; k < line.n; ++k, ++n) {
      if (n > need)
        return inp_line_fail(d->inp, d->card, &line, "more than %d constants and a temperature: one row is understood",
                             need);
      TRY(inp_number(d->inp, d->card, &line, k, &value[n]));
    }
  return n ? OK : inp_fail(d->inp, d->card, "has no constants");
}

/* Words of the law and how many constants and D there are. */
static Status law_find(const Deck *d, const char *const **word, int *n_word, int *n_d) {
  static const char *const neo_hooke[] = {"c10"}, *const mooney[] = {"c10", "c01"},
                           *const yeoh[] = {"c10", "c20", "c30"}, *const ogden[] = {"mu1",    "alpha1", "mu2",
                                                                                    "alpha2", "mu3",    "alpha3"};
  static const struct {
    const char *parameter;
    const char *const *word;
    int n, n_d;
  } list[] = {{"NEOHOOKE", neo_hooke, 1, 1}, {"MOONEY-RIVLIN", mooney, 2, 1}, {"YEOH", yeoh, 3, 3}};
  for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
    if (inp_parameter(d->card, list[i].parameter)) {
      *word = list[i].word, *n_word = list[i].n, *n_d = list[i].n_d;
      return OK;
    }
  const char *terms = inp_parameter(d->card, "N");
  int64_t n = 1;
  if (!inp_parameter(d->card, "OGDEN"))
    return inp_fail(d->inp, d->card, "NEO HOOKE, MOONEY-RIVLIN, YEOH and OGDEN are understood");
  if (terms && (!inp_whole(terms, &n) || n < 1 || n > TERMS_MOST))
    return inp_fail(d->inp, d->card, "N=%.40s must be from 1 to %d", terms, TERMS_MOST);
  *word = ogden, *n_word = 2 * (int)n, *n_d = (int)n;
  return OK;
}

static double shear_of(const char *const *word, int n, const double *value) {
  double sum = 0;
  if (strcmp(word[0], "mu1") != 0) return 2 * (value[0] + (n == 2 ? value[1] : 0));
  for (int k = 0; k < n; k += 2) sum += value[k];
  return sum;
}

/* Where CalculiX' elements lock. */
static Status tell_volume(Deck *d, double shear, double d1) {
  const double bulk = d1 > 0 ? 2 / d1 : DEFAULT_BULK * shear, poisson = (3 * bulk - 2 * shear) / (6 * bulk + 2 * shear);
  if (!(poisson > 0.45)) return OK;
  return deck_warn(
      d, deck_card(d),
      "*HYPERELASTIC: poisson is %.4g: elements keep the volume in the mean here; CalculiX' lock, by which it gives "
      "smaller displacements on coarse meshes (as '--set formulation=displacement' does)",
      poisson);
}

Status deck_card_hyperelastic(Deck *d) {
  static const char *const law[] = {"", "mooney-rivlin", "mooney-rivlin", "yeoh"};
  const char *const *word = NULL;
  int n = 0, n_d = 0;
  double value[NUMBERS_MOST] = {0};
  if (d->model.n_material == 0) return inp_fail(d->inp, d->card, "does not follow a *MATERIAL");
  DeckMaterial *m = &d->model.material[d->model.n_material - 1];
  TRY(law_find(d, &word, &n, &n_d));
  TRY(read_numbers(d, n + n_d, value));
  for (int k = 1; k < n_d; ++k)
    if (value[n + k] < 0 || value[n + k] > 0)
      return inp_fail(d->inp, d->card, "D%d is %g; only 0 is understood after D1", k + 1, value[n + k]);
  if (!(value[n] >= 0)) return inp_fail(d->inp, d->card, "D1 is %g, must be >= 0", value[n]);
  snprintf(m->rubber, sizeof m->rubber, "type: %s", strcmp(word[0], "mu1") ? law[n] : "ogden");
  for (int k = 0; k < n; ++k)
    snprintf(m->rubber + strlen(m->rubber), sizeof m->rubber - strlen(m->rubber), ", %s: %.17g", word[k], value[k]);
  snprintf(m->rubber + strlen(m->rubber), sizeof m->rubber - strlen(m->rubber),
           "%s, bulk: %.17g, volumetric: quadratic", n == 1 ? ", c01: 0" : "",
           value[n] > 0 ? 2 / value[n] : DEFAULT_BULK * shear_of(word, n, value));
  m->elastic = DECK_RUBBER;
  return tell_volume(d, shear_of(word, n, value), value[n]);
}
