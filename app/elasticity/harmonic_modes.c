/* Harmonic vibrations by modes: u = sum of x_k (x_k.b) / (lambda_k (1 + i loss) - omega^2 + i omega alpha) over the
 * lowest modes, and the static response of the others and of their inertia. docs/theory/harmonic.md. */
#include "app/elasticity/modal_basis.h"
#include "app/elasticity/run_harmonic.h"
#include "app/elasticity/case_elasticity.h"
#include "core/memory.h"
#include "core/vec.h"

#include <complex.h>
#include <math.h>

#define J ((double complex)I)

/* Of loads that vary with the frequency mostly the size does: what all of them so far are made of. */
enum { SHAPES = 8 }; /* at least all loads of one frequency */
typedef struct Shape {
  double *load;    /* owned, on the Exec, [n]: of length 1, at right angles to the others */
  double *rest;    /* owned, on the Exec, [n]: static answer to it; NULL: not asked for yet */
  double *slow;    /* the same to the inertia of what `rest` has of other modes; NULL where answers are truncated */
  double *product; /* owned, [values]: x_k . load */
} Shape;
_Static_assert(2 * HARMONIC_LOADS <= SHAPES, "the loads of one frequency have room");

struct HarmonicModes {
  Exec *exec;
  const Mat *mass;   /* borrowed */
  ModalBasis *basis; /* owned, as are the next ones */
  Shape shape[SHAPES];
  double *left, *number; /* on the Exec, [n]: what the shapes leave of a load; [1] */
  double *spare[2];      /* on the Exec, [n] */
  double *factor;        /* [values][2] */
  int n_shape, n_load;
  double part[2][HARMONIC_LOADS][SHAPES]; /* of each shape in the loads */
  bool truncated;                         /* static answers are those to supports that move alone */
  bool ready;                             /* a rehearsal may have found none */
};

static void shapes_release(HarmonicModes *h) {
  for (int s = 0; s < SHAPES && h->basis; ++s) {
    EXEC_RELEASE(h->exec, h->shape[s].load, h->basis->n);
    EXEC_RELEASE(h->exec, h->shape[s].rest, h->basis->n);
    EXEC_RELEASE(h->exec, h->shape[s].slow, h->basis->n);
    FREE(h->shape[s].product);
  }
  h->n_shape = 0;
}

void harmonic_modes_destroy(HarmonicModes **modes) {
  HarmonicModes *h = *modes;
  if (!h) return;
  shapes_release(h);
  if (h->basis) EXEC_RELEASE(h->exec, h->left, h->basis->n);
  for (int k = 0; k < 2 && h->basis; ++k) EXEC_RELEASE(h->exec, h->spare[k], h->basis->n);
  EXEC_RELEASE(h->exec, h->number, 1);
  modal_basis_destroy(&h->basis);
  FREE(h->factor);
  FREE(*modes);
}

Status harmonic_modes_create(Run *run, Elasticity *elasticity, LinearParams *linear, Mat *k, const Mat *m,
                             HarmonicModes **out) {
  HarmonicModes *h = NULL;
  *out = NULL;
  ALLOC(h, 1, "modes of a frequency response");
  *h = (HarmonicModes){
      .exec = run->device.exec, .mass = m, .truncated = run->c->analysis.remainder.value == REMAINDER_NONE};
  *out = h; /* the caller destroys it, also after an error */
  return modal_basis_create(run, elasticity, linear, k, m, &h->basis);
}

Status harmonic_modes_solve(HarmonicModes *h, LinearReport *sum) {
  const Case *c = h->basis->run->c;
  TRY(modal_basis_solve(h->basis, sum));
  const double last = modal_basis_frequency(h->basis, h->basis->values - 1),
               most = harmonic_frequency(c, harmonic_count(c) - 1);
  if (most > last / 2)
    status_warn(
        "the highest of %d modes is at %.4g Hz; for frequencies up to %.4g Hz take those up to twice that, %.4g Hz",
        (int)h->basis->values, last, most, 2 * most);
  ALLOC(h->factor, (int64_t)h->basis->values * 2, "factors of modes");
  EXEC_ALLOC(h->exec, h->left, h->basis->n, "what is left of a load");
  for (int k = 0; k < 2 && !h->truncated; ++k)
    EXEC_ALLOC(h->exec, h->spare[k], h->basis->n, "modes of a static answer");
  EXEC_ALLOC(h->exec, h->number, 1, "product of loads");
  h->ready = true;
  return OK;
}

static Status product_of(const HarmonicModes *h, const double *x, const double *y, double *out) {
  TRY(vec_dot(h->exec, h->basis->n_own, x, y, h->number));
  return exec_download(h->exec, out, h->number, sizeof *out);
}

/* Takes the shapes out of h->left. */
static Status shapes_take(HarmonicModes *h, double part[SHAPES]) {
  for (int s = 0; s < h->n_shape; ++s) {
    double share;
    TRY(product_of(h, h->shape[s].load, h->left, &share));
    TRY(vec_axpy(h->exec, h->basis->n, -share, h->shape[s].load, h->left));
    part[s] += share;
  }
  return OK;
}

/* h->left, which is this long, is the next shape. */
static Status shape_add(HarmonicModes *h, double length) {
  const int64_t n = h->basis->n;
  Shape *shape = &h->shape[h->n_shape++];
  EXEC_ALLOC(h->exec, shape->load, n, "loads of a frequency response");
  ALLOC(shape->product, h->basis->values, "products of modes with loads");
  TRY(exec_zero(h->exec, shape->load, (size_t)n * sizeof(double)));
  TRY(vec_axpy(h->exec, n, 1 / length, h->left, shape->load));
  return eigen_project_one(h->basis->eigen, shape->load, shape->product);
}

/* What is less than this of a load is rounding. */
static const double NO_PART = 1e-10;

/* The parts of a load; *full: it has one for which there is no room. */
static Status load_split(HarmonicModes *h, const double *load, double part[SHAPES], bool *full) {
  VecLength length;
  double square;
  for (int s = 0; s < SHAPES; ++s) part[s] = 0;
  TRY(vec_length(h->exec, h->basis->n_own, load, h->number, &length));
  CHECK(isfinite(length.value), ERR_NUMERIC, "a load is not finite");
  if (length.value == 0) return OK;
  TRY(vec_scale(h->exec, h->basis->n, -length.exponent, load, h->left));
  TRY(shapes_take(h, part));
  TRY(shapes_take(h, part)); /* what rounding left of them */
  TRY(product_of(h, h->left, h->left, &square));
  if (sqrt(square) > NO_PART * length.value) {
    *full = h->n_shape == SHAPES;
    if (*full) return OK;
    part[h->n_shape] = sqrt(square);
    TRY(shape_add(h, sqrt(square)));
  }
  for (int s = 0; s < h->n_shape; ++s) part[s] = ldexp(part[s], length.exponent);
  return OK;
}

/* Takes the modes out of x. */
static Status modes_remove(const HarmonicModes *h, double *x) {
  double *product = NULL;
  Status status = OK;
  ALLOC(product, h->basis->values, "products of modes with loads");
  TRY_DONE(mat_apply(h->mass, x, h->spare[0]));
  TRY_DONE(eigen_project_one(h->basis->eigen, h->spare[0], product));
  for (int32_t k = 0; k < h->basis->values; ++k) h->factor[2 * k] = product[k], h->factor[2 * k + 1] = 0;
  TRY_DONE(eigen_combine(h->basis->eigen, h->factor, h->spare));
  status = vec_axpy(h->exec, h->basis->n, -1, h->spare[0], x);
done:
  FREE(product);
  return status;
}

static Status slow_find(HarmonicModes *h, Shape *shape, LinearReport *sum) {
  const size_t bytes = (size_t)h->basis->n * sizeof(double);
  EXEC_ALLOC(h->exec, shape->slow, h->basis->n, "answer to the inertia of a static one");
  TRY(exec_zero(h->exec, shape->slow, bytes));
  TRY(exec_copy(h->exec, h->left, shape->rest, bytes));
  TRY(modes_remove(h, h->left));
  TRY(mat_apply(h->mass, h->left, h->spare[0]));
  TRY(modal_basis_rest(h->basis, h->spare[0], shape->slow, sum));
  return modes_remove(h, shape->slow);
}

/* What all modes answer at rest to what load k has of each shape, and to the inertia of that. */
static Status rests_find(HarmonicModes *h, int k, const double part[SHAPES], LinearReport *sum) {
  const int64_t n = h->basis->n;
  for (int s = 0; s < h->n_shape && (!h->truncated || k == HARMONIC_STIFF); ++s) {
    Shape *shape = &h->shape[s];
    if (part[s] == 0 || shape->rest) continue;
    EXEC_ALLOC(h->exec, shape->rest, n, "static answer to a load");
    TRY(exec_zero(h->exec, shape->rest, (size_t)n * sizeof(double)));
    TRY(modal_basis_rest(h->basis, shape->load, shape->rest, sum));
    if (!h->truncated) TRY(slow_find(h, shape, sum));
  }
  return OK;
}

static Status loads_split(HarmonicModes *h, double *const load[][HARMONIC_LOADS], bool *full) {
  *full = false;
  for (int i = 0; i < h->n_load; ++i)
    for (int k = 0; k < HARMONIC_LOADS && !*full; ++k) TRY(load_split(h, load[i][k], h->part[i][k], full));
  return OK;
}

Status harmonic_modes_load(HarmonicModes *h, int n, double *const load[][HARMONIC_LOADS], LinearReport *sum) {
  bool full;
  if (!h->ready) return OK;
  h->n_load = n;
  TRY(loads_split(h, load, &full));
  if (full) { /* those of this frequency alone */
    shapes_release(h);
    TRY(loads_split(h, load, &full));
  }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < HARMONIC_LOADS; ++k) TRY(rests_find(h, k, h->part[i][k], sum));
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

/* Of shape s in load j. */
static double complex part_at(const HarmonicModes *h, int j, int s) {
  return h->part[0][j][s] + (h->n_load > 1 ? J * h->part[1][j][s] : 0);
}

static double complex product_at(const HarmonicModes *h, int load, int32_t k) {
  double complex sum = 0;
  for (int s = 0; s < h->n_shape; ++s) sum += part_at(h, load, s) * h->shape[s].product[k];
  return sum;
}

static Status axpy(const HarmonicModes *h, double complex factor, const double *x, double *const u[2]) {
  TRY(vec_axpy(h->exec, h->basis->n, creal(factor), x, u[0]));
  return vec_axpy(h->exec, h->basis->n, cimag(factor), x, u[1]);
}

/* u += static answers to `still` of the loads, over `stiff`, and the first term of what their inertia, times `inertia`, adds to them. */
static Status rests_add(const HarmonicModes *h, const double complex still[HARMONIC_LOADS], double complex stiff,
                        double complex inertia, double *const u[2]) {
  for (int s = 0; s < h->n_shape; ++s) {
    double complex sum = 0;
    for (int j = 0; j < HARMONIC_LOADS; ++j) sum += still[j] * part_at(h, j, s);
    if (sum == 0) continue;
    TRY(axpy(h, sum / stiff, h->shape[s].rest, u));
    if (h->shape[s].slow) TRY(axpy(h, sum * inertia / (stiff * stiff), h->shape[s].slow, u));
  }
  return OK;
}

/* Damping of a mode alone goes by its motion beside that of supports so slow that the body follows at rest. */
Status harmonic_modes_response(HarmonicModes *h, const HarmonicFactors *f, double *const u[2]) {
  const double square = f->omega * f->omega, viscous = f->omega * f->viscous;
  const double complex stiff = 1 + J * f->loss, inertia = square - J * viscous;
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
    const double complex answer = load / (lambda * (stiff + own) - inertia) - rest / (lambda * stiff);
    h->factor[2 * k] = creal(answer);
    h->factor[2 * k + 1] = cimag(answer);
  }
  TRY(eigen_combine(h->basis->eigen, h->factor, u));
  return rests_add(h, still, stiff, inertia, u);
}
