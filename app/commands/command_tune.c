/* sinew tune: diffusivities of a heart's tissues for wanted velocities of conduction. */
#include "app/commands/commands.h"
#include "app/input/number.h"
#include "app/input/physics.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/tune.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIRECTIONS = 3 };
static const char *const direction_name[DIRECTIONS] = {"along", "across", "normal"};

typedef struct TuneJob {
  const Options *options;
  const Case *c;
  int n;
  double velocity[DIRECTIONS], step;
  double *length, *point; /* owned, [tissue][DIRECTIONS] */
} TuneJob;

static Status velocities_read(const char *text, TuneJob *job) {
  CHECK(text, ERR_USAGE, "sinew: tune needs --velocity, mm/ms, such as --velocity 0.6 or --velocity 0.6,0.3");
  for (const char *at = text; at; ++job->n) {
    char part[64];
    const char *comma = strchr(at, ','), *why;
    snprintf(part, sizeof part, "%.*s", comma ? (int)(comma - at) : (int)strlen(at), at);
    CHECK(job->n < DIRECTIONS && number_parse(part, &job->velocity[job->n], &why) && job->velocity[job->n] > 0 &&
              isfinite(job->velocity[job->n]),
          ERR_USAGE, "sinew: --velocity '%s' is not ALONG,ACROSS,NORMAL in mm/ms, one to three, each > 0", text);
    at = comma ? comma + 1 : NULL;
  }
  return OK;
}

/* Of the mesh's elements, by tissue and direction. */
static Status measure_elements(TuneJob *job) {
  Mesh *mesh = NULL;
  Setup setup = {0};
  double(*weight)[6] = NULL;
  Status status = mesh_of_case(job->c, job->options->trust, NULL, &mesh);
  if (status == OK) status = setup_create(job->c, mesh, &setup);
  if (status == OK) status = setup_warn_steps(job->c, &job->c->time.scheme, &setup);
  if (status != OK) goto done;
  ALLOC_DONE(weight, mesh->n_element - setup_first_solved(mesh), "directions of elements");
  for (int32_t t = 0; t < job->c->materials.n; ++t)
    for (int k = 0; k < job->n; ++k) {
      TRY_DONE(setup_direction(job->c, mesh, &setup, t, k, weight));
      front_elements(mesh, &setup, t, (const double(*)[6])weight, &job->length[DIRECTIONS * t + k],
                     &job->point[DIRECTIONS * t + k]);
    }
done:
  FREE(weight);
  setup_release(&setup);
  mesh_destroy(&mesh);
  return status;
}

/* As long as the mesh's, or as long as is said. */
static Status find_lengths(TuneJob *job) {
  const int32_t n = DIRECTIONS * job->c->materials.n;
  ALLOC(job->length, n, "lengths of elements");
  ALLOC(job->point, n, "lengths of elements");
  for (int32_t i = 0; i < n; ++i) job->length[i] = job->options->size, job->point[i] = sqrt(1.0 / 3);
  return job->options->size > 0 ? OK : measure_elements(job);
}

static Status check_directions(const TuneJob *job, const CaseTissue *tissue) {
  char where[1024];
  const CaseFibers *f = &tissue->fibers;
  const int most = !place_given(f->place) ? 1 : f->rule.text || place_given(tissue->sheets.place) ? 3 : 2;
  CHECK(job->n <= most, ERR_INPUT, "%s: %d velocities for tissue '%s', which has %s\n  allowed: %s",
        place_text(job->c->path, tissue->place, where, sizeof where), job->n, tissue->on.item[0].text,
        most == 1 ? "no fibres" : "fibres and no sheets", most == 1 ? "one" : "one, or along and across");
  return OK;
}

static void print_direction(int k, double velocity, double length, const Tuned *tuned) {
  printf("%-12s %g mm/ms takes %.4g mm2/ms with elements of %.3g mm; in the limit of fine elements and steps %.4g",
         direction_name[k], velocity, tuned->diffusivity, length, tuned->limit);
  if (tuned->at_limit > 0) printf(", which runs at %.4g mm/ms with these\n", tuned->at_limit);
  else printf(", with which no front runs here: the elements are too long\n");
}

/* By what conductivities inside and outside are multiplied, where the case has those: diffusivities go with them. */
static void print_factors(const TuneJob *job, const CaseTissue *tissue, const Tuned *tuned) {
  const CaseDiffusivity *d = &tissue->diffusivity;
  const NumberValue *const given[DIRECTIONS] = {&d->along, &d->across, &d->normal};
  if (!tissue->conductivity.intra.n) return;
  for (int k = 0; k < DIRECTIONS; ++k)
    if (place_given(d->varying[k].place)) {
      printf("conductivity: intra and extra vary with the place, which no one factor describes\n");
      return;
    }
  printf("conductivity: intra and extra times");
  for (int k = 0; k < job->n; ++k) {
    const NumberValue *from = place_given(given[k]->place) ? given[k] : given[k > 1 && place_given(given[1]->place)];
    printf("%s %.5g%s%s", k ? "," : "", tuned[k].diffusivity / from->value, job->n > 1 ? " " : "",
           job->n > 1 ? direction_name[k] : "");
  }
  printf("\n");
}

static Status tune_tissue(const TuneJob *job, int32_t t) {
  const CaseTissue *tissue = heart_tissue(job->c, t);
  const IonicConstants constants = monodomain_constants_of(&tissue->ionic);
  const TimeScheme *scheme = time_scheme(job->c->time.scheme.value);
  const double *length = job->length + (ptrdiff_t)DIRECTIONS * t;
  TuneParams params = {.strand = {.ionic = &constants,
                                  .scheme = scheme,
                                  .step = job->step,
                                  .consistent = job->c->reaction.value == MONODOMAIN_GAUSS,
                                  .share = job->c->reaction.value == MONODOMAIN_GAUSS ? 0 : job->c->mass.value,
                                  .point = job->point[(ptrdiff_t)DIRECTIONS * t]}};
  Tuned tuned[DIRECTIONS];
  char model[IONIC_TEXT];
  for (int k = 0; k < job->n; ++k) {
    params.length = length[k];
    const Status status = tune_velocity(&params, job->velocity[k], &tuned[k]);
    if (status != OK) return status_context(status, "while tuning tissue '%s'", tissue->on.item[0].text);
  }
  printf("tissue       %s: %s, steps of %g ms by %s\n", tissue->on.item[0].text, ionic_text(constants.kind, model),
         job->step, job->c->time.scheme.text);
  for (int k = 0; k < job->n; ++k) print_direction(k, job->velocity[k], length[k], &tuned[k]);
  printf("diffusivity: ");
  if (job->n == 1) printf("%.5g\n", tuned[0].diffusivity);
  for (int k = 0; job->n > 1 && k < job->n; ++k)
    printf("%s%s: %.5g%s", k ? ", " : "{", direction_name[k], tuned[k].diffusivity, k == job->n - 1 ? "}\n" : "");
  print_factors(job, tissue, tuned);
  return OK;
}

static Status tune_all(TuneJob *job) {
  for (int32_t t = 0; t < job->c->materials.n; ++t) TRY(check_directions(job, heart_tissue(job->c, t)));
  TRY(find_lengths(job));
  for (int32_t t = 0; t < job->c->materials.n; ++t) TRY(tune_tissue(job, t));
  return OK;
}

Status command_tune(const Options *options) {
  TuneJob job = {.options = options};
  char *path = NULL;
  Case *c = NULL;
  TRY(velocities_read(options->velocity, &job));
  Status status = case_operand(options->operand[0], &path);
  if (status == OK) status = case_open(path, options->n_set, options->set, &c);
  if (status == OK && strcmp(c->physics->name, "monodomain"))
    status = FAIL(ERR_INPUT, "%s: physics is %s; 'sinew tune' needs a case with physics: monodomain", path,
                  c->physics->name);
  if (status == OK) {
    job.c = c;
    job.step = options->time_step > 0 ? options->time_step : c->time.step.value;
    status = tune_all(&job);
  }
  FREE(job.length);
  FREE(job.point);
  FREE(path);
  case_destroy(&c);
  return status;
}
