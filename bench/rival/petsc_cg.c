/* The CPU rival: PETSc's CG on the matrix that `sinew bench pcg --dump FILE` or `bench cmg --dump FILE` wrote. A
 * program of its own, built only where PETSc is found; bench/petsc.sh and bench/petsc_amg.sh run it.
 *   mpirun -n 2 petsc_cg FILE [RTOL [MESH]] [-pc_type jacobi|gamg|hypre] [any other option of PETSc]
 * The near-null vectors of the file, rigid motions, are the matrix' for multigrid. Prints a line for readers and one
 * that bench/petsc.sh gathers into JSON: setup and solve in wall-clock time, and processor time of the first rank. */
#include <petscksp.h>
#include <string.h>
#include <time.h>

#define PETSC_OK(call)                                                                                                 \
  do {                                                                                                                 \
    if ((call) != 0) return 1;                                                                                         \
  } while (0)

enum { MODES = 6 };

typedef struct System {
  Mat a;
  Vec b, x, r;
} System;

/* Orthonormal, as PETSc wants them, by Gram and Schmidt twice. */
static int set_near_null(Mat a, PetscInt n, Vec *mode) {
  MatNullSpace space;
  for (PetscInt k = 0; k < n; ++k) {
    for (int twice = 0; twice < 2; ++twice)
      for (PetscInt j = 0; j < k; ++j) {
        PetscScalar dot;
        PETSC_OK(VecDot(mode[k], mode[j], &dot));
        PETSC_OK(VecAXPY(mode[k], -dot, mode[j]));
      }
    PETSC_OK(VecNormalize(mode[k], NULL));
  }
  PETSC_OK(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, n, mode, &space));
  PETSC_OK(MatSetNearNullSpace(a, space));
  return MatNullSpaceDestroy(&space) != 0;
}

static int load(const char *path, System *s) {
  PetscViewer viewer;
  Vec sizes, mode[MODES];
  PetscScalar *size;
  PetscInt block, n;
  PETSC_OK(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_READ, &viewer));
  PETSC_OK(VecCreate(PETSC_COMM_SELF, &sizes));
  PETSC_OK(VecLoad(sizes, viewer));
  PETSC_OK(VecGetArray(sizes, &size));
  block = (PetscInt)size[0];
  n = (PetscInt)size[1];
  PETSC_OK(VecRestoreArray(sizes, &size));
  PETSC_OK(VecDestroy(&sizes));
  if (block < 1 || n < 0 || n > MODES) return 1;
  PETSC_OK(MatCreate(PETSC_COMM_WORLD, &s->a));
  PETSC_OK(MatSetType(s->a, MATAIJ));
  PETSC_OK(MatSetBlockSize(s->a, block));
  PETSC_OK(MatLoad(s->a, viewer));
  PETSC_OK(MatSetOption(s->a, MAT_SPD, PETSC_TRUE));
  PETSC_OK(MatCreateVecs(s->a, &s->x, &s->b));
  PETSC_OK(VecLoad(s->b, viewer));
  PETSC_OK(VecDuplicate(s->b, &s->r));
  for (PetscInt k = 0; k < n; ++k) {
    PETSC_OK(VecDuplicate(s->b, &mode[k]));
    PETSC_OK(VecLoad(mode[k], viewer));
  }
  if (n > 0) PETSC_OK(set_near_null(s->a, n, mode));
  for (PetscInt k = 0; k < n; ++k) PETSC_OK(VecDestroy(&mode[k]));
  return PetscViewerDestroy(&viewer) != 0;
}

static int prepare(const System *s, double rtol, KSP *ksp) {
  PC pc;
  PETSC_OK(KSPCreate(PETSC_COMM_WORLD, ksp));
  PETSC_OK(KSPSetOperators(*ksp, s->a, s->a));
  PETSC_OK(KSPSetType(*ksp, KSPCG));
  PETSC_OK(KSPSetNormType(*ksp, KSP_NORM_UNPRECONDITIONED));
  PETSC_OK(KSPGetPC(*ksp, &pc));
  PETSC_OK(PCSetType(pc, PCJACOBI));
  PETSC_OK(KSPSetTolerances(*ksp, rtol, PETSC_DEFAULT, PETSC_DEFAULT, 100000));
  return KSPSetFromOptions(*ksp) != 0;
}

typedef struct Times {
  PetscLogDouble wall, processor;
} Times;
static int now(Times *t) {
  PETSC_OK(MPI_Barrier(PETSC_COMM_WORLD));
  PETSC_OK(PetscTime(&t->wall));
  struct timespec used;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 1;
  t->processor = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
  return 0;
}

static int report(const System *s, KSP ksp, const Times t[3], const char *mesh) {
  PetscInt its, n;
  PetscReal rr, bb;
  PetscMPIInt ranks;
  PC pc;
  PCType type;
  PETSC_OK(KSPGetIterationNumber(ksp, &its));
  PETSC_OK(KSPGetPC(ksp, &pc));
  PETSC_OK(PCGetType(pc, &type));
  PETSC_OK(VecGetSize(s->b, &n));
  PETSC_OK(MatMult(s->a, s->x, s->r));
  PETSC_OK(VecAYPX(s->r, -1, s->b));
  PETSC_OK(VecNorm(s->r, NORM_2, &rr));
  PETSC_OK(VecNorm(s->b, NORM_2, &bb));
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const double setup = 1e3 * (t[1].wall - t[0].wall), solve = 1e3 * (t[2].wall - t[1].wall);
  PETSC_OK(PetscPrintf(
      PETSC_COMM_WORLD,
      "PETSc CG + %s, %d rank(s): %d unknowns, %d its, setup %.1f ms (processor %.1f), solve %.3f ms (processor "
      "%.1f), %.1f us/it, true %.1e\n",
      type, (int)ranks, (int)n, (int)its, setup, 1e3 * (t[1].processor - t[0].processor), solve,
      1e3 * (t[2].processor - t[1].processor), 1e3 * solve / (double)its, (double)(rr / bb)));
  if (strcmp(type, PCJACOBI) != 0) return 0;
  return PetscPrintf(PETSC_COMM_WORLD,
                     "{\"mesh\": \"%s\", \"rows\": %d, \"ranks\": %d, \"iterations\": %d, \"solve_ms\": %.6g, "
                     "\"true_residual\": %.3e}\n",
                     mesh, (int)n, (int)ranks, (int)its, solve, (double)(rr / bb)) != 0;
}

int main(int argc, char **argv) {
  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0) return 1;
  if (argc < 2) {
    fprintf(stderr, "usage: petsc_cg FILE [RTOL [MESH]] [-pc_type jacobi|gamg|hypre]\n");
    return 2;
  }
  const double rtol = argc > 2 && argv[2][0] != '-' ? atof(argv[2]) : 1e-8;
  System s;
  KSP ksp;
  Times t[3];
  if (load(argv[1], &s) || prepare(&s, rtol, &ksp) || now(&t[0])) return 1;
  PETSC_OK(KSPSetUp(ksp));
  if (now(&t[1])) return 1;
  PETSC_OK(KSPSolve(ksp, s.b, s.x));
  if (now(&t[2]) || report(&s, ksp, t, argc > 3 && argv[3][0] != '-' ? argv[3] : "")) return 1;
  return PetscFinalize() != 0;
}
