/* Harmonic vibrations by modes: u = sum of x_k (x_k.b) / (lambda_k (1 + i loss) - omega^2 + i omega alpha) over the lowest
 * modes, and what the others answer as if it were at rest, from static solutions. docs/theory/harmonic.md. */
#include "app/elasticity/modal_basis.h"
#include "app/elasticity/run_harmonic.h"
#include "app/elasticity/case_elasticity.h"
#include "core/memory.h"
#include "core/vec.h"

#include <complex.h>
#include <math.h>

#define J ((double complex)I)

struct HarmonicModes {
  Exec *exec;
  ModalBasis *basis;               /* owned, as are the next ones */
  double *rest[HARMONIC_LOADS];    /* on the Exec, [n]: static answer to a load */
  double *product[HARMONIC_LOADS]; /* [values]: x_k . load */
  double *factor;                  /* [values][2] */
  bool truncated;                  /* static answers are those to supports that move alone */
};

void harmonic_modes_destroy(HarmonicModes **modes) {
  HarmonicModes *h = *modes;
  if (!h) return;
  for (int k = 0; k < HARMONIC_LOADS; ++k) {
    if (h->basis) EXEC_RELEASE(h->exec, h->rest[k], h->basis->n);
    FREE(h->product[k]);
  }
  modal_basis_destroy(&h->basis);
  FREE(h->factor);
  FREE(*modes);
}

Status harmonic_modes_create(Run *run, Elasticity *elasticity, LinearParams *linear, Mat *k, const Mat *m,
                             HarmonicModes **out) {
  HarmonicModes *h = NULL;
  *out = NULL;
  ALLOC(h, 1, "modes of a frequency response");
  *h = (HarmonicModes){.exec = run->device.exec, .truncated = run->c->analysis.remainder.value == REMAINDER_NONE};
  *out = h; /* the caller destroys it, also after an error */
  return modal_basis_create(run, elasticity, linear, k, m, &h->basis);
}

/* What all modes answer to the loads at rest, and the products of the modes with them. */
static Status loads_answer(HarmonicModes *h, double *const load[HARMONIC_LOADS], LinearReport *sum) {
  ModalBasis *b = h->basis;
  ALLOC(h->factor, (int64_t)b->values * 2, "factors of modes");
  for (int k = 0; k < HARMONIC_LOADS; ++k) {
    ALLOC(h->product[k], b->values, "products of modes with loads");
    TRY(eigen_project_one(b->eigen, load[k], h->product[k]));
    EXEC_ALLOC(h->exec, h->rest[k], b->n, "static answer to a load");
    TRY(exec_zero(h->exec, h->rest[k], (size_t)b->n * sizeof(double)));
    if (!h->truncated || k == HARMONIC_STIFF) TRY(modal_basis_rest(b, load[k], h->rest[k], sum));
  }
  return OK;
}

Status harmonic_modes_solve(HarmonicModes *h, double *const load[HARMONIC_LOADS], LinearReport *sum) {
  const Case *c = h->basis->run->c;
  TRY(modal_basis_solve(h->basis, sum));
  const double last = modal_basis_frequency(h->basis, h->basis->values - 1),
               most = harmonic_frequency(c, harmonic_count(c) - 1);
  if (most > last / 2)
    status_warn(
        "the highest of %d modes is at %.4g Hz; for frequencies up to %.4g Hz take those up to twice that, %.4g Hz",
        (int)h->basis->values, last, most, 2 * most);
  return loads_answer(h, load, sum);
}

Status harmonic_modes_frequencies(const HarmonicModes *h, double **natural, int32_t *n) {
  *n = h->basis->values;
  ALLOC(*natural, *n, "natural frequencies");
  for (int32_t k = 0; k < *n; ++k) (*natural)[k] = modal_basis_frequency(h->basis, k);
  return OK;
}

/* Of the loads in b, and of those which the static answer is to. */
static void load_factors(const HarmonicModes *h, const HarmonicFactors *f, double complex part[HARMONIC_LOADS],
                         double complex still[HARMONIC_LOADS]) {
  part[HARMONIC_BALANCE] = 1, part[HARMONIC_STIFF] = -J * f->loss;
  part[HARMONIC_INERTIA] = -f->omega * f->omega + J * f->omega * f->viscous;
  for (int j = 0; j < HARMONIC_LOADS; ++j) still[j] = h->truncated ? 0 : part[j];
  if (h->truncated) still[HARMONIC_STIFF] = -(1 + J * f->loss);
}

/* Damping of a mode alone goes by its motion beside that of supports so slow that the body follows at rest. */
Status harmonic_modes_response(HarmonicModes *h, const HarmonicFactors *f, double *const u[2]) {
  const double square = f->omega * f->omega, viscous = f->omega * f->viscous;
  const double complex stiff = 1 + J * f->loss;
  double complex part[HARMONIC_LOADS], still[HARMONIC_LOADS];
  load_factors(h, f, part, still);
  for (int32_t k = 0; k < h->basis->values; ++k) {
    const double lambda = modal_basis_square(h->basis, k);
    const double complex own = J * 2 * modal_basis_ratio(h->basis, k) * f->omega / sqrt(lambda);
    double complex load = -own * h->product[HARMONIC_STIFF][k], rest = 0;
    for (int j = 0; j < HARMONIC_LOADS; ++j) {
      load += part[j] * h->product[j][k];
      rest += still[j] * h->product[j][k];
    }
    const double complex answer = load / (lambda * (stiff + own) - square + J * viscous) - rest / (lambda * stiff);
    h->factor[2 * k] = creal(answer);
    h->factor[2 * k + 1] = cimag(answer);
  }
  TRY(eigen_combine(h->basis->eigen, h->factor, u));
  for (int j = 0; j < HARMONIC_LOADS; ++j) {
    const double complex rest = still[j] / stiff;
    TRY(vec_axpy(h->exec, h->basis->n, creal(rest), h->rest[j], u[0]));
    TRY(vec_axpy(h->exec, h->basis->n, cimag(rest), h->rest[j], u[1]));
  }
  return OK;
}
