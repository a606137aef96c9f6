/* A Laplace problem on a real mesh with slivers (rabbit ventricles, 63,885 nodes, quality down to 0.047): every
 * precision inside the polynomial converges to the same answer. The mesh lies beside the project
 * (../shared/data/heart); where it is not, the test is skipped and says so. */
#include "assembly/diffusion/diffusion.h"
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static Exec *exec;

static Mesh *rabbit(void) {
  char packed[1000], command[2200];
  Mesh *mesh = NULL;
  snprintf(packed, sizeof packed, "%s/../shared/data/heart/rabbit.msh.gz", SINEW_SOURCE_DIR);
  if (access(packed, R_OK)) return NULL;
  const char *path = temporary_path("rabbit.msh");
  snprintf(command, sizeof command, "gunzip -c '%s' > '%s'", packed, path);
  assert_int_equal(run_program("sh", "-c", command, NULL), 0);
  assert_ok(mesh_load(&(MeshParams){.path = path}, &mesh));
  status_warnings_clear(); /* slivers */
  return mesh;
}

typedef struct Laplace {
  Diffusion *d;
  Mat *a;
  double *b, *x, *u; /* on the Exec */
  double *answer;    /* of double; [n] on the host, as is `other` */
  double *other;
  int64_t n;
} Laplace;

/* 1 on the inside of the left ventricle, 0 on that of the right one: K (u - g) = - K g. */
static void begin(const Mesh *mesh, Laplace *l) {
  const int32_t n = mesh_group(mesh, "myocardium")->n;
  double(*tensor)[6] = NULL;
  assert_ok(mem_alloc(n, sizeof *tensor, "tensors", (void **)&tensor));
  for (int32_t e = 0; e < n; ++e) tensor[e][0] = tensor[e][1] = tensor[e][2] = 1;
  const Support held[2] = {{.on = mesh_group(mesh, "rv_endo"), .value = {expr_constant(0)}, .where = "right"},
                           {.on = mesh_group(mesh, "lv_endo"), .value = {expr_constant(1)}, .where = "left"}};
  const DiffusionParams params = {
      .mesh = mesh, .tensor = (const double(*)[6])tensor, .steady = true, .support = held, .n_support = 2};
  assert_ok(diffusion_create(exec, &params, &l->d));
  FREE(tensor);
  l->n = diffusion_dofs(l->d);
  assert_ok(mat_create(exec, &(MatParams){.format = "sbell"}, diffusion_pattern(l->d), &l->a));
  assert_ok(diffusion_bind(l->d, mat_slots(l->a)));
  assert_ok(diffusion_matrix(l->d, 1, 0, mat_values(l->a)));
  assert_ok(exec_alloc(exec, l->n, sizeof(double), "vector", (void **)&l->b));
  assert_ok(exec_alloc(exec, l->n, sizeof(double), "vector", (void **)&l->x));
  assert_ok(exec_alloc(exec, l->n, sizeof(double), "vector", (void **)&l->u));
  assert_ok(mem_alloc(l->n, sizeof(double), "answer", (void **)&l->answer));
  assert_ok(mem_alloc(l->n, sizeof(double), "answer", (void **)&l->other));
  assert_ok(diffusion_initial(l->d, NULL, l->u));
  assert_ok(diffusion_residual(l->d, l->u, NULL, NULL, false, l->b));
}

static void end(Laplace *l) {
  EXEC_RELEASE(exec, l->b, l->n);
  EXEC_RELEASE(exec, l->x, l->n);
  EXEC_RELEASE(exec, l->u, l->n);
  FREE(l->answer);
  FREE(l->other);
  mat_destroy(&l->a);
  diffusion_destroy(&l->d);
}

static LinearReport solve(Laplace *l, const char *precision, double *out) {
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  assert_ok(linear_params_precision(&params, precision));
  LinearSolver *solver = NULL;
  LinearReport report;
  assert_ok(exec_zero(exec, l->x, (size_t)l->n * sizeof(double)));
  assert_ok(linear_create(exec, &params, l->a, &solver));
  assert_ok(linear_setup(solver));
  assert_ok(linear_solve(solver, l->b, l->x, &report));
  linear_destroy(&solver);
  assert_ok(exec_download(exec, out, l->x, (size_t)l->n * sizeof(double)));
  return report;
}

static void every_precision_converges_on_slivers(void **state) {
  (void)state;
  Mesh *mesh = rabbit();
  if (!mesh) {
    testing_missing("no rabbit.msh.gz in ../shared/data/heart");
    skip();
  }
  Laplace l = {0};
  begin(mesh, &l);
  const LinearReport exact = solve(&l, "double", l.answer);
  double size = 0;
  for (int64_t i = 0; i < l.n; ++i) size = fmax(size, fabs(l.answer[i]));
  assert_true(size > 0.5 && size < 1.1);
  static const char *const words[] = {"float", "half", "bfloat16", "int8", "auto", NULL};
  for (const char *const *word = words; *word; ++word) {
    const LinearReport report = solve(&l, *word, l.other);
    double off = 0;
    for (int64_t i = 0; i < l.n; ++i) off = fmax(off, fabs(l.other[i] - l.answer[i]));
    print_message("%-9s %3lld iterations, %lld in double, used %s, off by %.1e\n", *word, (long long)report.iterations,
                  (long long)exact.iterations, precision_name(report.precision), off);
    assert_true(report.true_residual <= 1e-8 && off < 1e-5);
    assert_true((double)report.iterations <= ceil(1.05 * (double)exact.iterations));
  }
  end(&l);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_precision_converges_on_slivers)};
  return testing_run("solver/rabbit", tests, exec);
}
