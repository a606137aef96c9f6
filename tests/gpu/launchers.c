/* Every row kernel has a GPU launcher with the same arguments. Looks at tables only: needs no GPU, and without CUDA at
 * those in the sources (launcher_table.h). */
#include "tests/testing.h"

#include "assembly/space/rows.h"
#include "assembly/elasticity/bubble.h"
#include "assembly/elasticity/mean.h"
#include "assembly/elasticity/rows.h"
#include "assembly/elasticity/point_kernels.h"
#include "assembly/diffusion/rows.h"
#include "assembly/monodomain/rows.h"
#include "algebra/rows.h"
#include "algebra/graph/rows.h"
#include "algebra/many/rows.h"
#include "algebra/formats/rows.h"
#include "solver/krylov/rows.h"
#include "solver/precond/rows.h"
#include "solver/multigrid/rows.h"
#include "solver/time/functional.h"
#include "solver/time/rows.h"
#include "core/vec.h"
#include "algebra/mat.h"
#include "algebra/mat_format.h"
#include "algebra/many_product.h"

#include "tests/gpu/launcher_table.h"

static int missing, seen;

static void look_up(const RowKernel *kernel) {
  const LauncherFound found = launchers_find(kernel->name, kernel->args_size);
  ++seen;
  if (found == LAUNCHER_THERE) return;
  print_error("row kernel '%s' %s\n", kernel->name,
              found == LAUNCHER_DIFFERS ? "has other arguments on the GPU" : "has no GPU launcher");
  ++missing;
}

/* The lines of every rows.def. */
static void test_rows(void **state) {
  (void)state;
  missing = seen = 0;
#define ROWS(NAME, ARGS) &NAME##_kernel,
#define ROWS_SUM(NAME, ARGS, N_SUM) &NAME##_kernel,
  const RowKernel *const kernels[] = {
#include "core/rows.def"
#include "algebra/rows.def"
#include "algebra/graph/rows.def"
#include "algebra/many/rows.def"
#include "algebra/formats/rows.def"
#include "assembly/space/rows.def"
#include "assembly/elasticity/rows.def"
#include "assembly/elasticity/nonlinear.def"
#include "assembly/elasticity/mean.def"
#include "assembly/elasticity/bubble.def"
#include "assembly/diffusion/rows.def"
#include "assembly/monodomain/rows.def"
#include "solver/krylov/rows.def"
#include "solver/precond/rows.def"
#include "solver/multigrid/rows.def"
#include "solver/time/rows.def"
  };
#undef ROWS
#undef ROWS_SUM
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) look_up(kernels[k]);
  assert_true(seen > 20);
  assert_int_equal(missing, 0);
}

/* All operations of all formats, block sizes and precisions. */
static void test_formats(void **state) {
  (void)state;
  missing = seen = 0;
  int n_many = 0;
  static const char *const names[] = {
#define FORMAT(identifier, name, meaning) name,
#include "algebra/formats.def"
#undef FORMAT
  };
  int64_t start[] = {0, 1, 2};
  int32_t column[] = {0, 1};
  Exec *exec = NULL;
  assert_ok(exec_create_cpu(1, &exec));
  for (size_t f = 0; f < sizeof names / sizeof *names; ++f)
    for (int block = 1; block <= 3; ++block)
      for (int p = 0; p < 2; ++p) {
        const Pattern pattern = {.n = 2, .block = block, .start = start, .column = column};
        const MatParams params = {.format = names[f], .precision = p ? PRECISION_FLOAT : PRECISION_DOUBLE};
        Mat *mat = NULL;
        assert_ok(mat_create(exec, &params, &pattern, &mat));
        for (int op = 0; op < MAT_N_OP; ++op) {
          const RowKernel *kernel = mat->format->kernel(mat, (MatOp)op);
          if (kernel) look_up(kernel);
          for (int32_t k = 2; k <= 8 && mat->format->many; k *= 2) {
            const RowKernel *many = mat->format->many(mat, (MatOp)op, k);
            if (many && many->name) ++n_many, look_up(many);
          }
        }
        mat_destroy(&mat);
      }
  exec_destroy(&exec);
  assert_true(seen - n_many >= 2 * 3 * 3 * 8);
  assert_true(n_many >= 2 * 3 * 3 * 6); /* csr and sbell: two operations in double, two in both */
  assert_int_equal(missing, 0);
}

/* What copies in half and 8 bits do: all but making scaled copies in turn. */
static void test_low_precision(void **state) {
  (void)state;
  missing = seen = 0;
  int64_t start[] = {0, 1, 2};
  int32_t column[] = {0, 1};
  Exec *exec = NULL;
  assert_ok(exec_create_cpu(1, &exec));
  for (int block = 1; block <= 3; ++block)
    for (int p = 0; p < 3; ++p) {
      const Pattern pattern = {.n = 2, .block = block, .start = start, .column = column};
      Mat *mat = NULL, *low = NULL;
      assert_ok(mat_create(exec, &(MatParams){.format = "sbell"}, &pattern, &mat));
      assert_ok(mat_create_like(mat, (Precision)(PRECISION_HALF + p), &low));
      for (int op = 0; op < MAT_N_OP; ++op)
        if (op != MAT_SCALE_D && op != MAT_SCALE_F) look_up(low->low->kernel(low, (MatOp)op));
      for (int32_t k = 2; k <= 8; k *= 2)
        for (int dot = 0; dot < 2; ++dot) look_up(low->low->many(low, dot ? MAT_COMBINE_DOT : MAT_COMBINE, k));
      mat_destroy(&low);
      mat_destroy(&mat);
    }
  exec_destroy(&exec);
  assert_int_equal(seen, 3 * 3 * (MAT_N_OP - 2 + 3 * 2)); /* with several vectors, two operations */
  assert_int_equal(missing, 0);
}

/* Vectors of several right-hand sides, and more sums than a rows.def has. */
static void test_many(void **state) {
  (void)state;
  missing = seen = 0;
  look_up(&functional_wide_kernel);
#define MANY(NAME)                                                                                                     \
  for (int k = 0; k < MANY_SIZES; ++k) look_up(&NAME##_kernels[k]);
#include "algebra/many.def"
#undef MANY
  assert_true(seen >= 3 * 4);
  assert_int_equal(missing, 0);
}

static void test_table(void **state) {
  (void)state;
  assert_int_equal(launchers_find("no_such_kernel", 8), LAUNCHER_MISSING);
  assert_int_equal(launchers_find("", 8), LAUNCHER_MISSING);
}

static int set_up(void **state) {
  (void)state;
  return launchers_open() <= 20;
}
static int tear_down(void **state) {
  (void)state;
  launchers_close();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_formats),
                                     cmocka_unit_test(test_low_precision), cmocka_unit_test(test_many),
                                     cmocka_unit_test(test_table)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
