/* Elasticity, static and harmonic, as the program sees it: the two tables, and what `sinew check` says. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/run_harmonic.h"
#include "output/wording.h"
#include "assembly/elasticity/elasticity_mass.h"
#include "core/memory.h"

#include <stdio.h>

static Status mechanics_print(const Case *c, const Elasticity *e) {
  double load[3] = {0};
  char n[32];
  TRY(elasticity_total_load(e, load));
  printf("# mechanics\nunknowns: %s\n", count_text(elasticity_unknowns(e), n));
  if (case_dim(c) == 2) printf("total load: [%.10g, %.10g]\n", load[0], load[1]);
  else printf("total load: [%.10g, %.10g, %.10g]\n", load[0], load[1], load[2]);
  for (int32_t i = 0; i < elasticity_part_count(e); ++i) {
    const BodyPart *part = elasticity_part(e, i);
    printf("free rigid motions of part %d (%s elements around (%.4g, %.4g, %.4g), %s): %d%s%s\n", i + 1,
           count_text(part->n_element, n), part->center[0], part->center[1], part->center[2],
           *part->groups ? part->groups : "in no group", part->n_free, part->n_free ? ": " : "", part->motions);
    if (part->n_piece > 1)
      printf("hinges of part %d: its %s pieces share only single nodes%s; free motions between them: ", i + 1,
             count_text(part->n_piece, n), case_dim(c) == 3 ? " or nodes along a line" : "");
    if (part->n_piece > 1 && part->folds_unknown) printf("not known, there are too many pieces\n");
    if (part->n_piece > 1 && !part->folds_unknown)
      printf("%d%s%s\n", part->n_fold, *part->folds ? ":" : "", part->folds);
  }
  printf("\n");
  return OK;
}

static Status harmonic_print(const Case *c, Elasticity *e) {
  const int64_t n = harmonic_count(c);
  ElasticityMass *mass = NULL;
  double *density = NULL, total = 0;
  char count[32];
  Status status = harmonic_densities(c, &density);
  if (status == OK) status = elasticity_mass_create(e, density, &mass);
  if (status == OK) status = elasticity_mass_total(mass, &total);
  elasticity_mass_destroy(&mass);
  FREE(density);
  TRY(status);
  printf("# harmonic\nfrequencies: %s, from %.10g to %.10g Hz\nmass: %.10g\n\n", count_text(n, count),
         harmonic_frequency(c, 0), harmonic_frequency(c, n - 1), total);
  return OK;
}

static int free_motions(const Elasticity *e) {
  int n = 0;
  for (int32_t i = 0; i < elasticity_part_count(e); ++i)
    n += elasticity_part(e, i)->n_free + elasticity_part(e, i)->n_fold;
  return n;
}

/* Sections of the problem, which may move freely so that they can say how. */
static Status problem_inspect(Inspection *k, bool harmonic, Elasticity **e) {
  const Case *c = k->c;
  ElasticityParams params = elastic_setup(k->setup)->params;
  params.allow_free_motion = true;
  params.only_looked_at = !harmonic; /* whose mass is integrated */
  TRY(elasticity_create(k->exec, &params, e));
  if (!k->quiet) TRY(mechanics_print(c, *e));
  if (!k->quiet && harmonic) TRY(harmonic_print(c, *e));
  if (!free_motions(*e) || (harmonic && harmonic_frequency(c, 0) > 0)) return OK; /* inertia holds it */
  elasticity_destroy(e);
  params.allow_free_motion = false; /* the error that a run would give */
  return elasticity_create(k->exec, &params, e);
}

static Status kind_inspect(Inspection *k, bool harmonic) {
  Elasticity *e = NULL;
  const Status status = problem_inspect(k, harmonic, &e);
  elasticity_destroy(&e);
  return status;
}

static Status static_inspect(Inspection *k) { return kind_inspect(k, false); }
static Status harmonic_inspect(Inspection *k) { return kind_inspect(k, true); }

static UnitKind column_kind(const Case *c, int32_t i) {
  if (i < c->output.probes.n) {
    const int32_t field = case_probe(c, i)->field.value;
    return field >= PROBE_REACTION ? UNIT_FORCE : field >= PROBE_STRESS ? UNIT_STRESS : UNIT_LENGTH;
  }
  i -= c->output.probes.n;
  for (int32_t k = 0; k < c->output.sums.n; ++k) {
    const bool reaction = case_sum(c, k)->field.value == SUM_REACTION;
    const int32_t width = reaction ? case_dim(c) : 1;
    if (i < width) return reaction ? UNIT_FORCE : UNIT_ENERGY;
    i -= width;
  }
  return UNIT_NONE;
}

static const char *column_unit(const Case *c, const Units *units, int32_t i) {
  return units_text(units, column_kind(c, i));
}

static double frequencies_count(const Case *c) { return (double)harmonic_count(c); }

static void frequencies_save(const RunReport *report, Json *json) {
  json_number(json, "frequency", report->time);
  json_integer(json, "frequencies", report->steps);
}

static void frequencies_print(const RunReport *report, const Case *c) {
  (void)c;
  char a[32];
  printf("frequency    %g Hz, the last of %s; %.3g iterations each\n", report->time, count_text(report->steps, a),
         (double)report->linear.iterations / (double)report->steps);
}

const Physics elasticity_physics = {.name = "elasticity",
                                    .region = "material",
                                    .regions = "materials",
                                    .with_analysis = &harmonic_physics,
                                    .schema = &elasticity_schema,
                                    .check = elasticity_check,
                                    .n_component = 2,
                                    .bind = setup_elasticity,
                                    .sum_letters = elasticity_sum_letters,
                                    .cell_sums = 1u << SUM_STRAIN_ENERGY,
                                    .step_unit = UNIT_TIME,
                                    .column_unit = column_unit,
                                    .inspect = static_inspect,
                                    .cut = elastic_cut,
                                    .shares = true,
                                    .price = {.build = 55e-6},
                                    .run = run_elasticity};

const Physics harmonic_physics = {.name = "elasticity",
                                  .region = "material",
                                  .regions = "materials",
                                  .schema = &harmonic_schema,
                                  .check = harmonic_check,
                                  .n_component = 2,
                                  .bind = setup_elasticity,
                                  .step_unit = UNIT_FREQUENCY,
                                  .column_unit = column_unit,
                                  .save_steps = frequencies_save,
                                  .print_steps = frequencies_print,
                                  .inspect = harmonic_inspect,
                                  .cut = elastic_cut,
                                  .price = {.build = 40e-6, .step = 150e-6, .launch = 0.05},
                                  .steps = frequencies_count,
                                  .run = run_harmonic};
