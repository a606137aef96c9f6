/* Prestress by loads and heat: the static stress and its geometric stiffness. */
#include "algebra/mat.h"
#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/elastic_system.h"
#include "app/elasticity/modal.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/precond/precond.h"

#include <math.h>

static Status system_solve(Elasticity *e, const Mat *k, LinearParams linear, const double *b, double *x) {
  Exec *exec = mat_exec(k);
  ElasticHints hints = {0};
  LinearSolver *solver = NULL;
  LinearReport report;
  Status status = OK;
  TRY_DONE(elastic_hints_create(exec, e, k, &linear, &hints));
  TRY_DONE(linear_create(exec, &linear, k, &solver));
  TRY_DONE(exec_zero(exec, x, (size_t)elasticity_dofs(e) * sizeof *x));
  TRY_DONE(linear_setup(solver));
  TRY_DONE(linear_solve(solver, b, x, &report));
done:
  linear_destroy(&solver);
  elastic_hints_release(&linear, &hints);
  return status;
}

/* Where what `auto` takes for one solve does not converge, as in thin bodies, once more as the modes are solved, which need as
 * much: by a hierarchy, exactly where there are few unknowns. */
static Status system_solve_again(Elasticity *e, const Mat *k, LinearParams linear, const double *b, double *x) {
  status_clear();
  elastic_prefer_hierarchy(e, k, &linear);
  (void)elastic_solve_exactly(&linear, mat_whole(k));
  return system_solve(e, k, linear, b, x);
}

/* u = the displacement under the loads and prescribed values, by the matrix that is there; *work: twice the energy that
 * it would take beside prescribed values alone, if nothing were heated. */
static Status static_solve(Elasticity *e, const Mat *k, const LinearParams *params, Exec *exec, double *u,
                           double *work) {
  const int64_t n = elasticity_dofs(e);
  LinearParams linear = *params;
  double *b = NULL, *x = NULL, *dot = NULL;
  Status status = OK;
  linear.rtol = fmin(params->rtol, linear_params_default().rtol);
  TRY_DONE(exec_alloc(exec, n, sizeof *b, "load", (void **)&b));
  TRY_DONE(exec_alloc(exec, n, sizeof *x, "displacement", (void **)&x));
  TRY_DONE(elasticity_initial(e, u));
  TRY_DONE(elasticity_residual(e, u, b));
  status = system_solve(e, k, linear, b, x);
  if (status == ERR_NUMERIC && precond_is_auto(linear.preconditioner) && !linear.degree)
    status = system_solve_again(e, k, linear, b, x);
  TRY_DONE(status);
  TRY_DONE(vec_axpy(exec, n, 1, x, u));
  TRY_DONE(exec_alloc(exec, 1, sizeof *dot, "work of the load", (void **)&dot));
  TRY_DONE(vec_dot(exec, elasticity_rows(e), b, x, dot));
  TRY_DONE(exec_download(exec, work, dot, sizeof *work));
done:
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  EXEC_RELEASE(exec, dot, 1);
  return status;
}

Status elastic_turning_subtract(ElasticityMass *mass, double time, Mat *to) {
  Exec *exec = mat_exec(to);
  const int64_t n = mat_slots(to)->n_value;
  double *turning = NULL;
  EXEC_ALLOC(exec, turning, n, "turning of the body");
  Status status = exec_zero(exec, turning, (size_t)n * sizeof *turning);
  if (status == OK) status = elasticity_turning_matrix(mass, time, turning);
  if (status == OK) status = vec_axpy(exec, n, -1, turning, mat_values(to));
  if (status == OK) status = exec_sync(exec);
  EXEC_RELEASE(exec, turning, n);
  return status;
}

Status modal_stress(const Run *run, Elasticity *e, const Mat *k, const LinearParams *linear, double *u,
                    ElasticFields *out, bool *stressed) {
  static const double ROUNDING = 1e-13; /* of energies */
  double work = 0;
  TRY_CONTEXT(static_solve(e, k, linear, mat_exec(k), u, &work), "in the static solve for the stress of the load");
  const SumParts *before = exec_sum_over(mat_exec(k), NULL); /* of elements here, not of unknowns */
  Status status =
      elasticity_recover(e, u, FIELD_DISPLACEMENT | FIELD_POINT_STRESS | (run->share ? FIELD_STRAIN_ENERGY : 0), out);
  if (status == OK) status = elastic_totals(run, out);
  exec_sum_over(mat_exec(k), before);
  TRY(status);
  *stressed = out->energy > ROUNDING * work;
  return OK;
}

Status modal_forget(Elasticity *e) {
  TRY(elasticity_heat(e, 0, NULL, NULL));
  return elasticity_forget_initial(e);
}

Status modal_stressed(Elasticity *e, const ModalMasses *masses, const ElasticFields *stress, Mat *to) {
  TRY(elasticity_geometric_matrix(masses->geometric, stress, mat_values(to)));
  if (elasticity_rotates(e)) TRY(elastic_turning_subtract(masses->turning, 0, to));
  return modal_forget(e);
}
