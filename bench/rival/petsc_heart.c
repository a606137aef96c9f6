/* The CPU rival of `sinew bench heart`: the same steps of the same heart with PETSc, from the file that --dump wrote. A
 * program of its own that shares no code with Sinew and is built only where PETSc is found; bench/petsc_heart.sh runs
 * both.
 *   mpirun -n 2 petsc_heart FILE nodal|gauss [jacobi|bjacobi [MESH]]
 * Aliev-Panfilov cells (Goktepe and Kuhl 2009), linear tetrahedra, backward Euler, Newton's method from a quadratic
 * extrapolation, CG with a tolerance by Eisenstat and Walker; Newton's goal is Sinew's. nodal: lumped mass and
 * reaction, of whose matrix only the diagonal changes; gauss: reaction at the element's point, its tangent added
 * element by element. The nodes come in the order in which Sinew solves; each rank has a range of them and the elements
 * that touch it. Prints a line for readers and one for bench/petsc_heart.sh, with the largest difference from Sinew's
 * potential. */
#include "petsc_heart_input.h"

#include <petscksp.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct Cell {
  double f, slope, r; /* dV/dt of the reaction and its total derivative by V, mV and ms; the new state */
} Cell;

/* Backward Euler for r at a given V is a quadratic equation; the derivative of r by the implicit function theorem. */
static Cell cell_at(const double *p, double V, double r_old, double dt) {
  const double phi = (V - p[REST]) / p[AMPLITUDE], d = dt / p[TIME], gap = p[MU2] + phi;
  const double a = p[MU1] / gap, bend = p[C] * phi * (phi - p[B] - 1), q = 1 + d * (p[GAMMA] + a * bend);
  const double x = r_old - d * p[GAMMA] * bend, root = sqrt(q * q + 4 * d * a * x);
  Cell c = {.r = 2 * x / (q + root)};
  const double r_by_phi =
      -d * ((p[GAMMA] + a * c.r) * p[C] * (2 * phi - p[B] - 1) - a * c.r * (c.r + bend) / gap) / root;
  c.f = p[AMPLITUDE] / p[TIME] * (p[C] * phi * (phi - p[ALPHA]) * (1 - phi) - c.r * phi);
  c.slope = (p[C] * (-3 * phi * phi + 2 * (1 + p[ALPHA]) * phi - p[ALPHA]) - c.r - phi * r_by_phi) / p[TIME];
  return c;
}

typedef struct Heart {
  Input in;
  int scheme;
  PetscInt lo, hi, n_elem, n_ghost;
  PetscInt *elem, *ghost;        /* elements that touch [lo, hi); their other nodes, ascending */
  PetscInt (*local)[4];          /* owned first, then ghosts */
  double *volume, *state, *next; /* of elements; states of owned nodes or of elements */
  double total;                  /* volume of the heart */
  Mat K, A;                      /* K: nodal the stiffness, gauss M/dt + stiffness; A of Newton's method */
  Mat M;                         /* gauss: the consistent mass */
  Vec mass, fixed;               /* lumped mass; nodal: diagonal of K and mass/dt */
  Vec u, before, last, older, r, du, v, w, current;
  KSP ksp;
  PetscInt newton, iterations, history;
  double assembly, solve, fastest, processor; /* seconds; of one step; of the processors in all steps */
} Heart;

static PetscInt *find(PetscInt *sorted, PetscInt n, PetscInt key) {
  PetscInt low = 0;
  while (n > 0) {
    const PetscInt half = n / 2;
    if (sorted[low + half] < key) low += half + 1, n -= half + 1;
    else n = half;
  }
  return sorted + low;
}

static PetscErrorCode find_part(Heart *h) {
  const Input *in = &h->in;
  PetscInt n = PETSC_DECIDE, N = (PetscInt)in->n_node;
  PetscFunctionBeginUser;
  PetscCall(PetscSplitOwnership(PETSC_COMM_WORLD, &n, &N));
  PetscCallMPI(MPI_Scan(&n, &h->hi, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  h->lo = h->hi - n;
  PetscCall(PetscMalloc2(in->n_elem, &h->elem, 4 * in->n_elem + 1, &h->ghost));
  for (PetscInt e = 0; e < in->n_elem; ++e) {
    int mine = 0;
    for (int a = 0; a < 4; ++a) mine |= in->tet[e][a] >= h->lo && in->tet[e][a] < h->hi;
    if (!mine) continue;
    h->elem[h->n_elem++] = e;
    for (int a = 0; a < 4; ++a)
      if (in->tet[e][a] < h->lo || in->tet[e][a] >= h->hi) h->ghost[h->n_ghost++] = in->tet[e][a];
  }
  PetscCall(PetscSortRemoveDupsInt(&h->n_ghost, h->ghost));
  PetscCall(
      PetscMalloc4(h->n_elem, &h->local, h->n_elem, &h->volume, h->n_elem + n, &h->state, h->n_elem + n, &h->next));
  for (PetscInt k = 0; k < h->n_elem; ++k)
    for (int a = 0; a < 4; ++a) {
      const PetscInt i = in->tet[h->elem[k]][a];
      h->local[k][a] = i >= h->lo && i < h->hi ? i - h->lo : n + (PetscInt)(find(h->ghost, h->n_ghost, i) - h->ghost);
    }
  PetscCall(PetscArrayzero(h->state, h->n_elem + n));
  PetscFunctionReturn(0);
}

/* Entries of each owned row, on and off this rank's diagonal block. */
static PetscErrorCode count_entries(const Heart *h, PetscInt *on, PetscInt *off) {
  const PetscInt n = h->hi - h->lo, all = n + h->n_ghost;
  PetscInt *start, *list, *seen;
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc3(n + 2, &start, 4 * h->n_elem, &list, all, &seen));
  for (PetscInt k = 0; k < 4 * h->n_elem; ++k)
    if (h->local[k / 4][k % 4] < n) start[h->local[k / 4][k % 4] + 2] += 1;
  for (PetscInt i = 0; i < n; ++i) start[i + 2] += start[i + 1];
  for (PetscInt k = 0; k < 4 * h->n_elem; ++k)
    if (h->local[k / 4][k % 4] < n) list[start[h->local[k / 4][k % 4] + 1]++] = k / 4;
  for (PetscInt i = 0; i < n; ++i)
    for (PetscInt k = start[i]; k < start[i + 1]; ++k)
      for (int a = 0; a < 4; ++a) {
        const PetscInt j = h->local[list[k]][a];
        if (seen[j] == i + 1) continue;
        seen[j] = i + 1;
        *(j < n ? &on[i] : &off[i]) += 1;
      }
  PetscCall(PetscFree3(start, list, seen));
  PetscFunctionReturn(0);
}

/* Stiffness of a linear tetrahedron: volume grad N_a . D grad N_b; *volume. */
static void element(const double (*x)[3], const int32_t *tet, const double *D, double *volume, double K[16]) {
  double e[3][3], g[4][3];
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c) e[k][c] = x[tet[k + 1]][c] - x[tet[0]][c];
  for (int k = 0; k < 3; ++k) {
    const double *p = e[(k + 1) % 3], *q = e[(k + 2) % 3];
    for (int c = 0; c < 3; ++c) g[k + 1][c] = p[(c + 1) % 3] * q[(c + 2) % 3] - p[(c + 2) % 3] * q[(c + 1) % 3];
  }
  const double det = e[0][0] * g[1][0] + e[0][1] * g[1][1] + e[0][2] * g[1][2];
  for (int c = 0; c < 3; ++c) {
    for (int k = 1; k < 4; ++k) g[k][c] /= det;
    g[0][c] = -g[1][c] - g[2][c] - g[3][c];
  }
  *volume = fabs(det) / 6;
  for (int a = 0; a < 4; ++a) {
    const double *n = g[a];
    const double flux[3] = {D[0] * n[0] + D[3] * n[1] + D[5] * n[2], D[3] * n[0] + D[1] * n[1] + D[4] * n[2],
                            D[5] * n[0] + D[4] * n[1] + D[2] * n[2]};
    for (int b = 0; b < 4; ++b) K[4 * a + b] = *volume * (flux[0] * g[b][0] + flux[1] * g[b][1] + flux[2] * g[b][2]);
  }
}

static PetscErrorCode new_matrix(const Heart *h, ISLocalToGlobalMapping map, Mat *out) {
  const PetscInt n = h->hi - h->lo;
  PetscInt *on, *off;
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc2(n, &on, n, &off));
  PetscCall(count_entries(h, on, off));
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, n, n, PETSC_DETERMINE, PETSC_DETERMINE, 0, on, 0, off, out));
  PetscCall(PetscFree2(on, off));
  PetscCall(MatSetLocalToGlobalMapping(*out, map, map));
  PetscCall(MatSetOption(*out, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  PetscCall(MatSetOption(*out, MAT_SYMMETRIC, PETSC_TRUE));
  PetscFunctionReturn(0);
}

/* Adds the rows of an element that this rank owns. */
static PetscErrorCode add_rows(const Heart *h, PetscInt k, const double *K, Mat to) {
  PetscFunctionBeginUser;
  PetscInt row[4], n = 0;
  PetscScalar value[16];
  for (int a = 0; a < 4; ++a) {
    if (h->local[k][a] >= h->hi - h->lo) continue;
    memcpy(value + 4 * n, K + 4 * a, 4 * sizeof *K);
    row[n++] = h->local[k][a];
  }
  PetscCall(MatSetValuesLocal(to, n, row, 4, h->local[k], value, ADD_VALUES));
  PetscFunctionReturn(0);
}

static PetscErrorCode finish(Mat A) {
  PetscFunctionBeginUser;
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_matrices(Heart *h) {
  const Input *in = &h->in;
  const PetscInt n = h->hi - h->lo;
  double K[16], M[16];
  PetscScalar *mass;
  PetscInt *global;
  ISLocalToGlobalMapping map;
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n + h->n_ghost, &global));
  for (PetscInt i = 0; i < n + h->n_ghost; ++i) global[i] = i < n ? h->lo + i : h->ghost[i - n];
  PetscCall(ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, 1, n + h->n_ghost, global, PETSC_OWN_POINTER, &map));
  PetscCall(new_matrix(h, map, &h->K));
  if (h->scheme == GAUSS) PetscCall(new_matrix(h, map, &h->M));
  PetscCall(VecGetArray(h->mass, &mass));
  for (PetscInt k = 0; k < h->n_elem; ++k) {
    element((const double(*)[3])in->x, in->tet[h->elem[k]], in->D[h->elem[k]], &h->volume[k], K);
    for (int a = 0; a < 4; ++a)
      if (h->local[k][a] < n) mass[h->local[k][a]] += 0.25 * h->volume[k];
    for (int p = 0; p < 16; ++p) M[p] = h->volume[k] * (p % 5 ? 0.05 : 0.1);
    if (h->scheme == GAUSS) PetscCall(add_rows(h, k, M, h->M));
    for (int p = 0; p < 16 && h->scheme == GAUSS; ++p) K[p] += M[p] / in->dt;
    PetscCall(add_rows(h, k, K, h->K));
  }
  PetscCall(VecRestoreArray(h->mass, &mass));
  PetscCall(finish(h->K));
  if (h->scheme == GAUSS) PetscCall(finish(h->M));
  PetscCall(VecSum(h->mass, &h->total));
  PetscCall(MatDuplicate(h->K, MAT_COPY_VALUES, &h->A));
  PetscCall(MatSetOption(h->A, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  PetscCall(ISLocalToGlobalMappingDestroy(&map));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_vectors(Heart *h) {
  const PetscInt n = h->hi - h->lo;
  PetscFunctionBeginUser;
  PetscCall(VecCreateGhost(PETSC_COMM_WORLD, n, PETSC_DETERMINE, h->n_ghost, h->ghost, &h->u));
  Vec *more[] = {&h->mass, &h->fixed, &h->before, &h->last, &h->older, &h->r, &h->du, &h->v, &h->w, &h->current};
  for (size_t k = 0; k < sizeof more / sizeof *more; ++k) {
    PetscCall(VecCreateMPI(PETSC_COMM_WORLD, n, PETSC_DETERMINE, more[k]));
    PetscCall(VecZeroEntries(*more[k]));
  }
  PetscCall(VecSet(h->u, h->in.cell[REST]));
  for (int64_t k = 0; k < h->in.n_stimulated; ++k)
    if (h->in.stimulated[k] >= h->lo && h->in.stimulated[k] < h->hi)
      PetscCall(VecSetValue(h->v, h->in.stimulated[k], h->in.amplitude, INSERT_VALUES));
  PetscCall(VecAssemblyBegin(h->v));
  PetscCall(VecAssemblyEnd(h->v));
  PetscFunctionReturn(0);
}

/* current = M I; nodal: the part of the diagonal that stays. */
static PetscErrorCode make_parts(Heart *h) {
  PetscFunctionBeginUser;
  if (h->scheme == GAUSS) {
    PetscCall(MatMult(h->M, h->v, h->current));
    PetscFunctionReturn(0);
  }
  PetscCall(VecPointwiseMult(h->current, h->mass, h->v));
  PetscCall(MatGetDiagonal(h->K, h->fixed));
  PetscCall(VecAXPY(h->fixed, 1 / h->in.dt, h->mass));
  PetscFunctionReturn(0);
}

/* r = R(u) - M (u - before)/dt - K u + M I and the tangent; both of nodal reaction. */
static PetscErrorCode nodal(Heart *h, bool on) {
  const PetscInt n = h->hi - h->lo;
  const PetscScalar *u, *mass, *fixed, *before;
  PetscScalar *r, *diagonal;
  PetscFunctionBeginUser;
  PetscCall(MatMult(h->K, h->u, h->r));
  PetscCall(VecGetArrayRead(h->u, &u));
  PetscCall(VecGetArrayRead(h->mass, &mass));
  PetscCall(VecGetArrayRead(h->fixed, &fixed));
  PetscCall(VecGetArrayRead(h->before, &before));
  PetscCall(VecGetArray(h->r, &r));
  PetscCall(VecGetArray(h->v, &diagonal));
  for (PetscInt i = 0; i < n; ++i) {
    const Cell c = cell_at(h->in.cell, u[i], h->state[i], h->in.dt);
    h->next[i] = c.r;
    r[i] = mass[i] * (c.f - (u[i] - before[i]) / h->in.dt) - r[i];
    diagonal[i] = fixed[i] - mass[i] * c.slope;
  }
  PetscCall(VecRestoreArrayRead(h->u, &u));
  PetscCall(VecRestoreArrayRead(h->mass, &mass));
  PetscCall(VecRestoreArrayRead(h->fixed, &fixed));
  PetscCall(VecRestoreArrayRead(h->before, &before));
  PetscCall(VecRestoreArray(h->r, &r));
  PetscCall(VecRestoreArray(h->v, &diagonal));
  if (on) PetscCall(VecAXPY(h->r, 1, h->current));
  PetscFunctionReturn(0);
}

/* The same of reaction at the points; the tangent only where it is asked for. r = R - (M/dt + K) u + M before/dt + M
 * I */
static PetscErrorCode gauss(Heart *h, bool on, bool tangent) {
  const PetscInt n = h->hi - h->lo;
  const PetscScalar *u;
  PetscScalar *r;
  Vec form;
  PetscFunctionBeginUser;
  if (!tangent) {
    PetscCall(VecGhostUpdateBegin(h->u, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecGhostUpdateEnd(h->u, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(MatMult(h->K, h->u, h->r));
    PetscCall(VecAYPX(h->r, -1, h->w)); /* w = M before/dt */
    if (on) PetscCall(VecAXPY(h->r, 1, h->current));
  } else {
    PetscCall(MatCopy(h->K, h->A, SAME_NONZERO_PATTERN));
  }
  PetscCall(VecGhostGetLocalForm(h->u, &form));
  PetscCall(VecGetArrayRead(form, &u));
  PetscCall(VecGetArray(h->r, &r));
  for (PetscInt k = 0; k < h->n_elem; ++k) {
    const PetscInt *i = h->local[k];
    const Cell c = cell_at(h->in.cell, 0.25 * (u[i[0]] + u[i[1]] + u[i[2]] + u[i[3]]), h->state[k], h->in.dt);
    if (tangent) {
      double K[16];
      for (int p = 0; p < 16; ++p) K[p] = -0.0625 * h->volume[k] * c.slope;
      PetscCall(add_rows(h, k, K, h->A));
      continue;
    }
    h->next[k] = c.r;
    for (int a = 0; a < 4; ++a)
      if (i[a] < n) r[i[a]] += 0.25 * h->volume[k] * c.f;
  }
  PetscCall(VecRestoreArray(h->r, &r));
  PetscCall(VecRestoreArrayRead(form, &u));
  PetscCall(VecGhostRestoreLocalForm(h->u, &form));
  if (tangent) PetscCall(finish(h->A));
  PetscFunctionReturn(0);
}

/* Sinew's norm, squared: r/M dt, weighted by mass, over the volume, in units of the reference. */
static PetscErrorCode size_of(Heart *h, double *square) {
  PetscScalar sum;
  PetscFunctionBeginUser;
  PetscCall(VecPointwiseDivide(h->du, h->r, h->mass));
  PetscCall(VecDot(h->du, h->r, &sum));
  *square = sum * h->in.dt * h->in.dt / (h->total * h->in.reference * h->in.reference);
  PetscFunctionReturn(0);
}

static PetscErrorCode guess(Heart *h) {
  PetscFunctionBeginUser;
  PetscCall(VecCopy(h->u, h->before));
  if (h->history >= 2) PetscCall(VecAXPY(h->u, -1, h->older));
  if (h->history >= 1) PetscCall(VecAXPY(h->u, h->history >= 2 ? 2 : 1, h->last));
  if (h->scheme == NODAL) PetscFunctionReturn(0);
  PetscCall(MatMult(h->M, h->before, h->w));
  PetscCall(VecScale(h->w, 1 / h->in.dt));
  PetscFunctionReturn(0);
}

static PetscErrorCode newton_step(Heart *h, double now, double before) {
  const double goal = h->in.rtol * h->in.rtol, gained = before > 0 ? 0.9 * now / before : 1e-2;
  const double rtol = fmax(fmin(gained, 0.1), fmin(0.5, 0.3 * sqrt(goal / now)));
  PetscInt its;
  PetscLogDouble begin, middle, end;
  PetscFunctionBeginUser;
  PetscCall(PetscTime(&begin));
  if (h->scheme == GAUSS) PetscCall(gauss(h, false, true));
  else PetscCall(MatDiagonalSet(h->A, h->v, INSERT_VALUES));
  PetscCall(PetscTime(&middle));
  PetscCall(KSPSetTolerances(h->ksp, rtol, 1e-300, PETSC_DEFAULT, 10000));
  PetscCall(KSPSetOperators(h->ksp, h->A, h->A));
  PetscCall(KSPSolve(h->ksp, h->r, h->du));
  PetscCall(VecAXPY(h->u, 1, h->du));
  PetscCall(PetscTime(&end));
  PetscCall(KSPGetIterationNumber(h->ksp, &its));
  h->iterations += its;
  h->newton += 1;
  h->assembly += middle - begin;
  h->solve += end - middle;
  PetscFunctionReturn(0);
}

static PetscErrorCode step(Heart *h, int64_t number) {
  enum { MOST = 30 };
  const bool on = ((double)number + 0.5) * h->in.dt < h->in.duration;
  double last = 0, now = 0;
  PetscLogDouble begin, end;
  PetscFunctionBeginUser;
  if (number > 0 && on != ((double)number - 0.5) * h->in.dt < h->in.duration) h->history = 0;
  PetscCall(guess(h));
  for (int k = 0;; ++k) {
    PetscCall(PetscTime(&begin));
    if (h->scheme == GAUSS) PetscCall(gauss(h, on, false));
    else PetscCall(nodal(h, on));
    PetscCall(PetscTime(&end));
    h->assembly += end - begin;
    PetscCall(size_of(h, &now));
    if (now <= h->in.rtol * h->in.rtol) break;
    PetscCheck(k < MOST && now == now, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED, "step %d: residual %g", (int)number,
               sqrt(now));
    PetscCall(newton_step(h, now, last));
    last = now;
  }
  double *swap = h->state;
  h->state = h->next, h->next = swap;
  Vec spare = h->older;
  h->older = h->last, h->last = spare;
  PetscCall(VecWAXPY(h->last, -1, h->before, h->u));
  if (h->history < 2) h->history += 1;
  PetscFunctionReturn(0);
}

static PetscErrorCode walk(Heart *h, double *seconds) {
  PetscLogDouble begin, end;
  PetscFunctionBeginUser;
  for (int64_t k = 0; k < h->in.warm[h->scheme]; ++k) PetscCall(step(h, k));
  h->newton = h->iterations = 0;
  h->assembly = h->solve = 0;
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  PetscCall(PetscTime(&begin));
  h->fastest = HUGE_VAL;
  const clock_t spent = clock();
  for (int64_t k = 0; k < h->in.steps[h->scheme]; ++k) {
    PetscLogDouble from, to;
    PetscCall(PetscTime(&from));
    PetscCall(step(h, h->in.warm[h->scheme] + k));
    PetscCall(PetscTime(&to));
    h->fastest = fmin(h->fastest, to - from);
  }
  const double mine = (double)(clock() - spent) / CLOCKS_PER_SEC;
  PetscCallMPI(MPI_Allreduce(&mine, &h->processor, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  PetscCall(PetscTime(&end));
  *seconds = end - begin;
  PetscFunctionReturn(0);
}

/* Largest |u - Sinew's|, mV. */
static PetscErrorCode compare(const Heart *h, double *difference) {
  const PetscScalar *u;
  double most = 0;
  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(h->u, &u));
  for (PetscInt i = h->lo; i < h->hi; ++i) most = fmax(most, fabs(u[i - h->lo] - h->in.V[h->scheme][i]));
  PetscCall(VecRestoreArrayRead(h->u, &u));
  PetscCallMPI(MPI_Allreduce(&most, difference, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD));
  PetscFunctionReturn(0);
}

static PetscErrorCode report(const Heart *h, const char *pc, const char *mesh, double seconds) {
  const double each = 1e6 / (double)h->in.steps[h->scheme];
  double difference;
  PetscMPIInt ranks;
  PetscFunctionBeginUser;
  PetscCall(compare(h, &difference));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  const char *scheme = h->scheme == GAUSS ? "gauss" : "nodal";
  PetscCall(PetscPrintf(
      PETSC_COMM_WORLD,
      "PETSc CG + %s, %s, %d rank(s), %s: %.1f us a step, fastest %.1f, processor %.1f, %.2f Newton, %.1f CG, "
      "%.1e mV apart\n",
      pc, scheme, (int)ranks, mesh, seconds * each, 1e6 * h->fastest, h->processor * each,
      (double)h->newton / (double)h->in.steps[h->scheme], (double)h->iterations / (double)h->in.steps[h->scheme],
      difference));
  PetscCall(PetscPrintf(
      PETSC_COMM_WORLD,
      "{\"mesh\": \"%s\", \"nodes\": %lld, \"scheme\": \"%s\", \"preconditioner\": \"%s\", \"ranks\": %d, "
      "\"us_per_step\": %.6g, \"fastest_us\": %.6g, \"processor_us\": %.6g, \"assembly_us\": %.6g, \"solve_us\": %.6g, "
      "\"difference_mv\": %.3e, "
      "\"dt_ms\": %g, \"rtol\": %g, \"steps\": %lld, \"newton_per_step\": %.4g, \"cg_per_step\": %.5g}\n",
      mesh, (long long)h->in.n_node, scheme, pc, (int)ranks, seconds * each, 1e6 * h->fastest, h->processor * each,
      h->assembly * each, h->solve * each, difference, h->in.dt, h->in.rtol, (long long)h->in.steps[h->scheme],
      (double)h->newton / (double)h->in.steps[h->scheme], (double)h->iterations / (double)h->in.steps[h->scheme]));
  PetscFunctionReturn(0);
}

static PetscErrorCode run(Heart *h, const char *pc_name, const char *mesh) {
  double seconds;
  PC pc;
  PetscFunctionBeginUser;
  PetscCall(find_part(h));
  PetscCall(make_vectors(h));
  PetscCall(make_matrices(h));
  PetscCall(make_parts(h));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &h->ksp));
  PetscCall(KSPSetType(h->ksp, KSPCG));
  PetscCall(KSPGetPC(h->ksp, &pc));
  PetscCall(PCSetType(pc, !strcmp(pc_name, "bjacobi") ? PCBJACOBI : PCJACOBI));
  PetscCall(KSPSetFromOptions(h->ksp)); /* -sub_pc_type icc -ksp_reuse_preconditioner and the like */
  PetscCall(walk(h, &seconds));
  PetscCall(report(h, pc_name, mesh, seconds));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  static Heart h;
  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0) return 1;
  if (argc < 3) {
    fprintf(stderr, "usage: petsc_heart FILE nodal|gauss [jacobi|bjacobi [MESH]]\n");
    return 2;
  }
  h.scheme = strcmp(argv[2], "gauss") ? NODAL : GAUSS;
  if (!read_input(argv[1], &h.in)) {
    fprintf(stderr, "%s: is not a file of sinew bench heart --dump\n", argv[1]);
    return 1;
  }
  if (h.in.steps[h.scheme] > 0 && run(&h, argc > 3 ? argv[3] : "jacobi", argc > 4 ? argv[4] : "") != 0) return 1;
  return PetscFinalize() != 0; /* the arrays go with the process */
}
