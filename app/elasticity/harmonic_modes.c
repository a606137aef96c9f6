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
  ModalBasis *basis;                  /* owned, as are the next ones */
  double *rest[2][HARMONIC_LOADS];    /* on the Exec, [n]: static answer to a load */
  double *product[2][HARMONIC_LOADS]; /* [values]: x_k . load */
  int n_load;
  double *factor; /* [values][2] */
  bool truncated; /* static answers are those to supports that move alone */
  bool ready;     /* a rehearsal may have found none */
};

void harmonic_modes_destroy(HarmonicModes **modes) {
  HarmonicModes *h = *modes;
  if (!h) return;
  for (int i = 0; i < h->n_load; ++i)
    for (int k = 0; k < HARMONIC_LOADS; ++k) {
      EXEC_RELEASE(h->exec, h->rest[i][k], h->basis->n);
      FREE(h->product[i][k]);
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

/* What all modes answer to a load at rest, and the products of the modes with it. */
static Status load_answer(HarmonicModes *h, int k, const double *load, double **product, double **rest,
                          LinearReport *sum) {
  ModalBasis *b = h->basis;
  ALLOC(*product, b->values, "products of modes with loads");
  TRY(eigen_project_one(b->eigen, load, *product));
  EXEC_ALLOC(h->exec, *rest, b->n, "static answer to a load");
  TRY(exec_zero(h->exec, *rest, (size_t)b->n * sizeof(double)));
  return !h->truncated || k == HARMONIC_STIFF ? modal_basis_rest(b, load, *rest, sum) : OK;
}

Status harmonic_modes_solve(HarmonicModes *h, int n, double *const load[][HARMONIC_LOADS], LinearReport *sum) {
  const Case *c = h->basis->run->c;
  TRY(modal_basis_solve(h->basis, sum));
  const double last = modal_basis_frequency(h->basis, h->basis->values - 1),
               most = harmonic_frequency(c, harmonic_count(c) - 1);
  if (most > last / 2)
    status_warn(
        "the highest of %d modes is at %.4g Hz; for frequencies up to %.4g Hz take those up to twice that, %.4g Hz",
        (int)h->basis->values, last, most, 2 * most);
  ALLOC(h->factor, (int64_t)h->basis->values * 2, "factors of modes");
  h->n_load = n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < HARMONIC_LOADS; ++k) TRY(load_answer(h, k, load[i][k], &h->product[i][k], &h->rest[i][k], sum));
  h->ready = true;
  return OK;
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

static double complex product_at(const HarmonicModes *h, int load, int32_t k) {
  return h->product[0][load][k] + (h->n_load > 1 ? J * h->product[1][load][k] : 0);
}

/* Damping of a mode alone goes by its motion beside that of supports so slow that the body follows at rest. */
Status harmonic_modes_response(HarmonicModes *h, const HarmonicFactors *f, double *const u[2]) {
  const double square = f->omega * f->omega, viscous = f->omega * f->viscous;
  const double complex stiff = 1 + J * f->loss;
  double complex part[HARMONIC_LOADS], still[HARMONIC_LOADS];
  if (!h->ready) return OK;
  load_factors(h, f, part, still);
  for (int32_t k = 0; k < h->basis->values; ++k) {
    const double lambda = modal_basis_square(h->basis, k);
    const double complex own = J * 2 * modal_basis_ratio(h->basis, k) * f->omega / sqrt(lambda);
    double complex load = -own * product_at(h, HARMONIC_STIFF, k), rest = 0;
    for (int j = 0; j < HARMONIC_LOADS; ++j) {
      load += part[j] * product_at(h, j, k);
      rest += still[j] * product_at(h, j, k);
    }
    const double complex answer = load / (lambda * (stiff + own) - square + J * viscous) - rest / (lambda * stiff);
    h->factor[2 * k] = creal(answer);
    h->factor[2 * k + 1] = cimag(answer);
  }
  TRY(eigen_combine(h->basis->eigen, h->factor, u));
  for (int i = 0; i < h->n_load; ++i)
    for (int j = 0; j < HARMONIC_LOADS; ++j) {
      const double complex rest = (i ? J : 1) * still[j] / stiff;
      TRY(vec_axpy(h->exec, h->basis->n, creal(rest), h->rest[i][j], u[0]));
      TRY(vec_axpy(h->exec, h->basis->n, cimag(rest), h->rest[i][j], u[1]));
    }
  return OK;
}
