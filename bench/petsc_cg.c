/* The CPU rival: PETSc's CG with Jacobi on the matrix that `sinew bench pcg --dump FILE` wrote. A program of its own,
 * built only where PETSc is found; bench/petsc.sh runs both side by side.
 *   mpirun -n 2 petsc_cg FILE [RTOL [MESH]]
 * prints a line for readers and one that bench/petsc.sh gathers into JSON. */
#include <petscksp.h>

#define PETSC_OK(call)                                                                                                 \
  do {                                                                                                                 \
    if ((call) != 0) return 1;                                                                                         \
  } while (0)

int main(int argc, char **argv) {
  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0) return 1;
  if (argc < 2) {
    fprintf(stderr, "usage: petsc_cg FILE [RTOL]\n");
    return 2;
  }
  const double rtol = argc > 2 ? atof(argv[2]) : 1e-8;
  Mat a;
  Vec b, x, r;
  KSP ksp;
  PC pc;
  PetscViewer viewer;
  PETSC_OK(PetscViewerBinaryOpen(PETSC_COMM_WORLD, argv[1], FILE_MODE_READ, &viewer));
  PETSC_OK(MatCreate(PETSC_COMM_WORLD, &a));
  PETSC_OK(MatSetType(a, MATAIJ));
  PETSC_OK(MatLoad(a, viewer));
  PETSC_OK(MatCreateVecs(a, &x, &b));
  PETSC_OK(VecLoad(b, viewer));
  PETSC_OK(VecDuplicate(b, &r));
  PETSC_OK(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PETSC_OK(KSPSetOperators(ksp, a, a));
  PETSC_OK(KSPSetType(ksp, KSPCG));
  PETSC_OK(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  PETSC_OK(KSPGetPC(ksp, &pc));
  PETSC_OK(PCSetType(pc, PCJACOBI));
  PETSC_OK(KSPSetTolerances(ksp, rtol, PETSC_DEFAULT, PETSC_DEFAULT, 100000));
  PETSC_OK(KSPSetUp(ksp));
  PetscLogDouble start, end;
  PETSC_OK(PetscTime(&start));
  PETSC_OK(KSPSolve(ksp, b, x));
  PETSC_OK(PetscTime(&end));
  PetscInt its, n;
  PetscReal rr, bb;
  PetscMPIInt ranks;
  PETSC_OK(KSPGetIterationNumber(ksp, &its));
  PETSC_OK(VecGetSize(b, &n));
  PETSC_OK(MatMult(a, x, r));
  PETSC_OK(VecAYPX(r, -1, b));
  PETSC_OK(VecNorm(r, NORM_2, &rr));
  PETSC_OK(VecNorm(b, NORM_2, &bb));
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const double seconds = end - start;
  PETSC_OK(PetscPrintf(PETSC_COMM_WORLD,
                       "PETSc CG + Jacobi, %d rank(s): %d unknowns, %d its, %.3f ms, %.1f us/it, true %.1e\n", (int)ranks,
                       (int)n, (int)its, 1e3 * seconds, 1e6 * seconds / (double)its, (double)(rr / bb)));
  PETSC_OK(PetscPrintf(PETSC_COMM_WORLD,
                       "{\"mesh\": \"%s\", \"rows\": %d, \"ranks\": %d, \"iterations\": %d, \"solve_ms\": %.6g, "
                       "\"true_residual\": %.3e}\n", argc > 3 ? argv[3] : "", (int)n, (int)ranks, (int)its, 1e3 * seconds,
                       (double)(rr / bb)));
  return PetscFinalize() != 0;
}
