/* Harmonic vibrations by modes: u = sum of x_k (x_k.b) / (lambda_k (1 + i loss) - omega^2 + i omega alpha) over the lowest
 * modes, and what the others answer as if it were at rest, from static solutions. docs/theory/harmonic.md. */
#include "app/elasticity/modal.h"
#include "app/elasticity/run_harmonic.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/elastic_system.h"
#include "assembly/elasticity/elasticity_mass.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/eigen/eigen.h"

#include <complex.h>
#include <math.h>

#define J ((double complex)I)

enum { COLUMNS = 8 /* of eigen_project */ };

struct HarmonicModes {
  Run *run; /* borrowed */
  Exec *exec;
  EigenSolver *eigen;
  LinearSolver *linear;
  int64_t n;
  int32_t values;
  double *rest[HARMONIC_LOADS]; /* owned, on the Exec, [n]: static answer to a load; 0 where that is */
  double *product;              /* owned, host, [values][COLUMNS]: x_k . load */
  double *factor;               /* owned, host, [values][2] */
};

void harmonic_modes_destroy(HarmonicModes **modes) {
  HarmonicModes *h = *modes;
  if (!h) return;
  linear_destroy(&h->linear);
  eigen_destroy(&h->eigen);
  for (int k = 0; k < HARMONIC_LOADS; ++k) EXEC_RELEASE(h->exec, h->rest[k], h->n);
  FREE(h->product);
  FREE(h->factor);
  FREE(*modes);
}

static Status solvers_create(HarmonicModes *h, Elasticity *elasticity, LinearParams *linear, Mat *k, const Mat *m) {
  ElasticHints hints;
  elastic_prefer_hierarchy(elasticity, k, linear);
  TRY(elastic_hints_create(h->exec, elasticity, k, linear, &hints));
  const EigenParams params = {
      .a = k, .b = m, .positive = k, .linear = linear, .values = h->values, .free = elasticity_unknowns(elasticity)};
  Status status = eigen_create(h->exec, &params, &h->eigen);
  if (status == OK) status = linear_create(h->exec, linear, k, &h->linear);
  elastic_hints_release(linear, &hints);
  return status;
}

Status harmonic_modes_create(Run *run, Elasticity *elasticity, LinearParams *linear, Mat *k, const Mat *m,
                             HarmonicModes **out) {
  HarmonicModes *h = NULL;
  *out = NULL;
  ALLOC(h, 1, "modes of a frequency response");
  *h = (HarmonicModes){.run = run,
                       .exec = run->device.exec,
                       .n = elasticity_dofs(elasticity),
                       .values = (int32_t)run->c->analysis.modes.value};
  int32_t rigid; /* none: elasticity_create has seen to that */
  Status status = modal_motions(run->c, elasticity, &rigid);
  if (status == OK) status = solvers_create(h, elasticity, linear, k, m);
  *out = h; /* the caller destroys it, also after an error */
  return status;
}

/* The loads as columns on the host. */
static Status loads_project(HarmonicModes *h, double *const load[HARMONIC_LOADS]) {
  double *columns = NULL, *one = NULL;
  Status status = OK;
  ALLOC_DONE(columns, h->n * COLUMNS, "loads");
  ALLOC_DONE(one, h->n, "a load");
  for (int k = 0; k < HARMONIC_LOADS; ++k) {
    TRY_DONE(exec_download(h->exec, one, load[k], (size_t)h->n * sizeof *one));
    for (int64_t i = 0; i < h->n; ++i) columns[i * COLUMNS + k] = one[i];
  }
  ALLOC_DONE(h->product, (int64_t)h->values * COLUMNS, "products of modes with loads");
  ALLOC_DONE(h->factor, (int64_t)h->values * 2, "factors of modes");
  TRY_DONE(eigen_project(h->eigen, columns, h->product));
done:
  FREE(columns);
  FREE(one);
  return status;
}

/* What all modes answer to the loads at rest. */
static Status rest_solve(HarmonicModes *h, double *const load[HARMONIC_LOADS], LinearReport *sum) {
  TRY(linear_setup(h->linear));
  for (int k = 0; k < HARMONIC_LOADS; ++k) {
    LinearReport one = {0};
    EXEC_ALLOC(h->exec, h->rest[k], h->n, "static answer to a load");
    TRY(exec_zero(h->exec, h->rest[k], (size_t)h->n * sizeof(double)));
    TRY_CONTEXT(linear_solve(h->linear, load[k], h->rest[k], &one), "in the static answer to the load");
    linear_report_add(sum, &one);
  }
  return OK;
}

Status harmonic_modes_solve(HarmonicModes *h, double *const load[HARMONIC_LOADS], LinearReport *sum) {
  EigenReport eigen;
  const Case *c = h->run->c;
  eigen_set_poll(h->eigen, progress_poll, &h->run->progress);
  TRY_CONTEXT(eigen_begin(h->eigen), "a density that varies is 0 somewhere?");
  TRY(eigen_solve(h->eigen, &eigen));
  progress_clear(&h->run->progress);
  TRY(rest_solve(h, load, sum));
  sum->iterations += eigen.iterations;
  sum->products += eigen.products;
  sum->setup_seconds += eigen.setup_seconds;
  sum->solve_seconds += eigen.solve_seconds;
  const double last = sqrt(fmax(eigen_values(h->eigen)[h->values - 1], 0)) / (2 * acos(-1));
  const double most = harmonic_frequency(c, harmonic_count(c) - 1);
  if (most > last / 2)
    status_warn(
        "the highest of %d modes is at %.4g Hz; for frequencies up to %.4g Hz take those up to twice that, %.4g Hz",
        (int)h->values, last, most, 2 * most);
  return loads_project(h, load);
}

Status harmonic_modes_response(HarmonicModes *h, const HarmonicFactors *f, double *const u[2]) {
  const double square = f->omega * f->omega, viscous = f->omega * f->viscous;
  const double complex stiff = 1 + J * f->loss;
  /* of the three loads in b */
  const double complex part[HARMONIC_LOADS] = {1, -J * f->loss, -square + J * viscous};
  for (int32_t k = 0; k < h->values; ++k) {
    const double lambda = eigen_values(h->eigen)[k], *q = h->product + (int64_t)k * COLUMNS;
    double complex b = 0;
    for (int j = 0; j < HARMONIC_LOADS; ++j) b += part[j] * q[j];
    const double complex answer = b * (1 / (lambda * stiff - square + J * viscous) - 1 / (lambda * stiff));
    h->factor[2 * k] = creal(answer);
    h->factor[2 * k + 1] = cimag(answer);
  }
  TRY(eigen_combine(h->eigen, h->factor, u));
  for (int j = 0; j < HARMONIC_LOADS; ++j) {
    const double complex rest = part[j] / stiff;
    TRY(vec_axpy(h->exec, h->n, creal(rest), h->rest[j], u[0]));
    TRY(vec_axpy(h->exec, h->n, cimag(rest), h->rest[j], u[1]));
  }
  return OK;
}
