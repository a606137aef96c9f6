/* The lowest modes of a supported body, x.M x = 1, and static solutions: the basis of responses by modes. */
#pragma once
#include "app/run/run.h"
#include "assembly/elasticity/elasticity.h"
#include "solver/eigen/eigen.h"

typedef struct ModalBasis {
  Run *run; /* borrowed */
  Exec *exec;
  EigenSolver *eigen;   /* owned, as is the next */
  LinearSolver *linear; /* of K */
  int64_t n, n_own;     /* of vectors on the Exec, and of these without what other ranks own */
  int32_t values;       /* modes */
  bool answered;        /* a set-up of `linear` is counted already */
} ModalBasis;

/* For K and M, borrowed. *out is there for modal_basis_destroy also after an error. */
Status modal_basis_create(Run *run, Elasticity *elasticity, LinearParams *linear, Mat *k, const Mat *m,
                          ModalBasis **out);
/* Accepts NULL, sets NULL. */
void modal_basis_destroy(ModalBasis **basis);
/* The matrices have their values: finds the modes and gets ready for static answers. */
Status modal_basis_solve(ModalBasis *basis, LinearReport *sum);
/* (2 pi f)^2 and f of mode k. */
double modal_basis_square(const ModalBasis *basis, int32_t k);
double modal_basis_frequency(const ModalBasis *basis, int32_t k);
/* Shares of critical damping of mode k, by `damping.ratio`. */
double modal_basis_ratio(const ModalBasis *basis, int32_t k);
/* K x = load; x in: a first guess. Vectors on the Exec. */
Status modal_basis_rest(ModalBasis *basis, const double *load, double *x, LinearReport *sum);
