/* Elasticity, static and harmonic, as the program sees it: the two tables, and what `sinew check` says. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/elastic_system.h"
#include "app/elasticity/finite.h"
#include "app/elasticity/modal.h"
#include "app/elasticity/run_harmonic.h"
#include "app/elasticity/sector.h"
#include "output/wording.h"
#include "assembly/elasticity/body_totals.h"
#include "assembly/elasticity/elasticity_mass.h"

#include <math.h>
#include <stdio.h>

static void load_print(const Case *c, const double load[3], const char *behind) {
  char text[UNIT_BYTES + 1];
  Units units;
  units_of_case(c, &units);
  const char *unit = unit_behind(&units, UNIT_FORCE, text);
  if (case_dim(c) == 2) printf("[%.10g, %.10g]%s%s\n", load[0], load[1], unit, behind);
  else printf("[%.10g, %.10g, %.10g]%s%s\n", load[0], load[1], load[2], unit, behind);
}

enum { MOTION = ANALYSIS_TRANSIENT | ANALYSIS_NEWTON_MOTION };

/* Of a case in time at the end of each step, and where it begins in motion. */
static Status timed_loads_print(const Case *c, Elasticity *e) {
  const int32_t n = c->steps.n ? c->steps.n : 1;
  for (int32_t k = elastic_has(c, MOTION) ? -1 : 0; k < n; ++k) {
    const double time = k < 0 ? 0 : c->steps.n ? case_step(c, k)->end.value : c->time.end.value;
    double load[3] = {0};
    bool followed;
    TRY(elasticity_total_load_at(e, time, load, &followed));
    printf("total load at t = %.10g: ", time);
    load_print(c, load, followed ? ", without pressure that follows surfaces" : "");
  }
  return OK;
}

/* Of load case `name`; NULL: of the whole case. */
static Status loads_print(const Case *c, Elasticity *e, const char *name) {
  double load[3] = {0};
  if (!name && elastic_has(c, HAS_LOAD_STEPS | MOTION)) return timed_loads_print(c, e);
  TRY(elasticity_total_load(e, load));
  if (name) printf("total load of '%s': ", name);
  else if (c->physics->over_frequency && case_timed(c, 0)) printf("total load at %g Hz: ", harmonic_frequency(c, 0));
  else printf("total load: ");
  load_print(c, load, "");
  return OK;
}

/* Each load case has a load, and prescribes what the others do. */
static Status load_cases_inspect(const Inspection *k, Elasticity *e) {
  const int32_t n = elastic_setup(k->setup)->n_act;
  for (int32_t i = 0; i < n; ++i) {
    TRY(elastic_cases_begin(k->setup, true, i, e));
    if (!k->quiet) TRY(loads_print(k->c, e, elastic_setup(k->setup)->act[i].name));
  }
  if (n && !k->quiet) printf("\n");
  return OK;
}

/* "sector: 60 degrees, one of 6 about ..". */
static void cut_print(const Case *c, const SectorCut *cut, const char *length) {
  static const double PI = 3.14159265358979323846;
  const double *x = cut->origin, *d = cut->direction;
  const int32_t sectors = sector_whole(cut);
  char n[32], of[32] = "a piece of a body of revolution";
  if (sectors) snprintf(of, sizeof of, "one of %d", (int)sectors);
  printf("sector: %.8g degrees, %s, about (%.6g, %.6g", fabs(cut->angle) * 180 / PI, of, x[0], x[1]);
  if (case_dim(c) == 3) printf(", %.6g)%s along (%.6g, %.6g, %.6g)", x[2], length, d[0], d[1], d[2]);
  else printf(")%s", length);
  printf(", from '%s' to '%s': ", cut->to->name, cut->on->name);
  if (cut->n_pair) printf("%s pairs of nodes, %.2g%s apart at most\n", count_text(cut->n_pair, n), cut->apart, length);
  else printf("meshes that differ, tied over gaps of %.2g%s at most\n", cut->apart, length);
}

static Status mechanics_print(const Case *c, const Setup *setup, Elasticity *e) {
  char n[32], length[UNIT_BYTES + 1];
  Units units;
  units_of_case(c, &units);
  unit_behind(&units, UNIT_LENGTH, length);
  printf("# mechanics\nunknowns: %s\n", count_text(elasticity_unknowns(e), n));
  for (int32_t i = 0; i < elastic_setup(setup)->n_cut; ++i) cut_print(c, &elastic_setup(setup)->cut[i], length);
  if (!c->load_cases.n) TRY(loads_print(c, e, NULL));
  for (int32_t i = 0; i < elasticity_part_count(e); ++i) {
    const BodyPart *part = elasticity_part(e, i);
    printf("free rigid motions of part %d (%s elements around (%.4g, %.4g, %.4g)%s, %s): %d%s%s\n", i + 1,
           count_text(part->n_element, n), part->center[0], part->center[1], part->center[2], length,
           *part->groups ? part->groups : "in no group", part->n_free, part->n_free ? ": " : "", part->motions);
    if (part->n_piece > 1)
      printf("hinges of part %d: its %s pieces share only single nodes%s; free motions between them: ", i + 1,
             count_text(part->n_piece, n), case_dim(c) == 3 ? " or nodes along a line" : "");
    if (part->n_piece > 1 && part->folds_unknown) printf("not known, there are too many pieces\n");
    if (part->n_piece > 1 && !part->folds_unknown)
      printf("%d%s%s\n", part->n_fold, *part->folds ? ":" : "", part->folds);
  }
  return OK;
}

/* What the body weighs, where that is in the middle, and how it resists to be turned about it. */
static Status body_print(const Case *c, const Elasticity *e) {
  BodyTotals body;
  Units units;
  char a[UNIT_BYTES + 1], b[UNIT_BYTES + 1];
  TRY(elasticity_body_totals(e, &body));
  units_of_case(c, &units);
  const double *x = body.center, *J = body.inertia;
  printf("body, volume: %.10g%s", body.volume, unit_behind(&units, UNIT_VOLUME, a));
  const char *length = unit_behind(&units, UNIT_LENGTH, a);
  if (!(body.mass > 0)) {
    printf(", centre of volume: (%.6g, %.6g, %.6g)%s, mass: 0, no material has a density\n", x[0], x[1], x[2], length);
    return OK;
  }
  printf(", mass: %.10g%s, centre of mass: (%.6g, %.6g, %.6g)%s\n", body.mass, unit_behind(&units, UNIT_MASS, b), x[0],
         x[1], x[2], length);
  printf("inertia about it: xx %.6g, yy %.6g, zz %.6g, xy %.6g, yz %.6g, xz %.6g%s\n", J[0], J[1], J[2], J[3], J[4],
         J[5], unit_behind(&units, UNIT_INERTIA, a));
  return OK;
}

/* " kg", or nothing. */
static const char *mass_unit(const Case *c, char text[UNIT_BYTES + 1]) {
  Units units;
  units_of_case(c, &units);
  return unit_behind(&units, UNIT_MASS, text);
}

static Status mass_find(const Case *c, Elasticity *e, double *total) {
  ElasticityMass *mass = NULL;
  Status status = elastic_mass(c, e, modal_buckles(c), &mass);
  if (status == OK) status = elasticity_mass_total(mass, total);
  elasticity_mass_destroy(&mass);
  return status;
}

static Status harmonic_print(const Case *c, Elasticity *e) {
  const int64_t n = harmonic_count(c);
  double total = 0;
  char count[32], unit[UNIT_BYTES + 1];
  TRY(mass_find(c, e, &total));
  printf("# harmonic\nfrequencies: %s, from %.10g to %.10g Hz\nmass: %.10g%s\n\n", count_text(n, count),
         harmonic_frequency(c, 0), harmonic_frequency(c, n - 1), total, mass_unit(c, unit));
  return OK;
}

static Status modal_print(const Case *c, Elasticity *e, int32_t n_rigid) {
  double total = 0;
  char unit[UNIT_BYTES + 1];
  TRY(mass_find(c, e, &total));
  printf("# modal\nmodes: %lld\nrigid motions%s: %d\nmass: %.10g%s\n\n", (long long)modal_count(c),
         c->analysis.diameters.n ? " with no nodal diameter" : "", (int)n_rigid, total, mass_unit(c, unit));
  return OK;
}

static int free_motions(const Elasticity *e) {
  int n = 0;
  for (int32_t i = 0; i < elasticity_part_count(e); ++i)
    n += elasticity_part(e, i)->n_free + elasticity_part(e, i)->n_fold;
  return n;
}

/* Sections of the problem, which may move freely so that they can say how. */
static Status problem_inspect(Inspection *k, Elasticity **e) {
  const Case *c = k->c;
  const bool harmonic = elastic_has(c, HAS_FREQUENCIES);
  ElasticityParams params = elastic_setup(k->setup)->params;
  params.allow_free_motion = true;
  params.inspect_only = !harmonic && !c->cavities.n; /* whose mass or volume is integrated */
  TRY(elasticity_create(k->exec, &params, e));
  if (!k->quiet) TRY(mechanics_print(c, k->setup, *e));
  if (!k->quiet) TRY(body_print(c, *e));
  TRY(finite_cavities_print(k, *e));
  TRY(contact_preview(k, *e));
  if (!k->quiet && harmonic) TRY(harmonic_print(c, *e));
  TRY(load_cases_inspect(k, *e));
  if (!free_motions(*e) || (harmonic && harmonic_frequency(c, 0) > 0)) return OK; /* inertia holds it */
  elasticity_destroy(e);
  params.allow_free_motion = false; /* the error that a run would give */
  return elasticity_create(k->exec, &params, e);
}

/* Bodies that may move freely all the same. */
static Status moving_inspect(Inspection *k, Elasticity **e) {
  ElasticityParams params = elastic_setup(k->setup)->params;
  params.allow_free_motion = !case_rests_first(k->c);
  TRY(elasticity_create(k->exec, &params, e));
  if (k->quiet) return OK;
  TRY(mechanics_print(k->c, k->setup, *e));
  return body_print(k->c, *e);
}

static Status modes_inspect(Inspection *k, Elasticity **e) {
  ElasticityParams params = elastic_setup(k->setup)->params;
  int32_t n_rigid;
  params.allow_free_motion = params.no_load = !modal_loaded(k->c);
  TRY(elasticity_create(k->exec, &params, e));
  TRY(modal_motions(k->c, *e, &n_rigid));
  if (k->quiet) return OK;
  TRY(mechanics_print(k->c, k->setup, *e));
  if (modal_buckles(k->c)) return OK;
  return modal_print(k->c, *e, n_rigid);
}

Status elastic_inspect(Inspection *k) {
  Elasticity *e = NULL;
  const Status status = elastic_has(k->c, MOTION)      ? moving_inspect(k, &e)
                        : elastic_has(k->c, HAS_MODES) ? modes_inspect(k, &e)
                                                       : problem_inspect(k, &e);
  elasticity_destroy(&e);
  return status;
}

static const Physics *const kinds[] = {
#define ANALYSIS(NAME, name) &name##_analysis.physics,
#define ANALYSIS_OF_STRAIN(NAME, name) &name##_analysis.physics,
#define ANALYSIS_OF_KEYS(NAME, name) &name##_analysis.physics,
#include "app/elasticity/analyses.def"
    NULL};

const Physics elasticity_physics = {.name = "elasticity", .kinds = kinds};
