#include "app/elasticity/elastic_system.h"
#include "algebra/mat.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_hints.h"
#include "app/elasticity/modal.h"
#include "app/input/case_format.h"
#include "app/run/ranks.h"
#include "assembly/elasticity/augmented.h"
#include "core/memory.h"
#include "core/vec.h"
#include "physics/material.h"
#include "solver/precond/precond.h"

#include <string.h>

Status elastic_equation(Run *run, Setup *whole, Elasticity **out) {
  ElasticityParams *params = &elastic_setup(run_setup(run, whole))->params;
  params->share = run->share ? &run->share->nodes : NULL;
  TRY(elastic_check_whole(run, whole, params));
  ranks_forget_whole(run, whole);
  const Status status = elasticity_create(run->device.exec, params, out);
  FREE(params->rims.side);
  body_parts_release(&params->parts);
  TRY(status);
  const bool known =
      params->allow_free_motion || run->share || elastic_has(run->c, HAS_MODES); /* modal_motions tells */
  return known ? OK : joined_motions_warn(*out);
}

Status elastic_matrix(Run *run, Elasticity *elasticity, Mat **out) {
  const MatParams format = case_mat_params(run->c);
  TRY(mat_create(run->device.exec, &format, elasticity_pattern(elasticity), out));
  run->report->format = mat_format(*out); /* what "auto" became */
  TRY(elasticity_bind(elasticity, mat_slots(*out)));
  TRY(ranks_add(run, elasticity_unknowns(elasticity), &run->report->unknowns));
  return ranks_add(run, mat_entries(*out), &run->report->entries);
}

Status elastic_solver(Run *run, Elasticity *elasticity, Mat *a, LinearParams *linear, const SumParts **parts,
                      LinearSolver **out) {
  Exec *exec = run->device.exec;
  ElasticHints hints;
  TRY(elastic_hints_create(exec, elasticity, a, linear, &hints));
  *parts = run_parts(run, linear_choice(exec, linear, a));
  const Status status = linear_create(exec, linear, a, out);
  elastic_hints_release(linear, &hints);
  return status;
}

/* The last level of amg, which is solved exactly, may be as large as that. In double: what reduced rules hardly see is as
 * small in floats as their rounding. */
static bool solve_exactly(LinearParams *linear, int64_t rows, int64_t most) {
  const PrecondType *type = precond_named("amg");
  if (rows > most) return false;
  linear->preconditioner = "amg";
  linear->has_values = true;
  if (linear->inner == LINEAR_INNER_AUTO) linear->mixed = false, linear->inner = LINEAR_INNER_DOUBLE;
  for (int32_t k = 0; k < type->n_param; ++k)
    linear->values[k] = strcmp(type->param[k].name, "bottom") ? type->param[k].value : (double)rows;
  return true;
}

bool elastic_solve_exactly(LinearParams *linear, int64_t rows) {
  enum { EXACTLY_MOST = 2000 };
  return solve_exactly(linear, rows, EXACTLY_MOST);
}

bool elastic_solve_exactly_at_last(LinearParams *linear, int64_t rows) {
  enum { EXACTLY_AT_LAST = 5000 }; /* the most that amg takes: 200 MB a matrix */
  return solve_exactly(linear, rows, EXACTLY_AT_LAST);
}

bool elastic_may_have_levels(const LinearParams *linear) {
  if (precond_is_auto(linear->preconditioner)) return !linear->degree;
  const PrecondType *type = precond_named(linear->preconditioner);
  return type && type->needs;
}

enum { STRONGEST = 8 };

void elastic_prefer_hierarchy(const Elasticity *elasticity, const Mat *a, LinearParams *linear) {
  if (!precond_is_auto(linear->preconditioner) || linear->degree || mat_numbering(a)) return;
  linear->preconditioner = elasticity_order(elasticity) > 1 ? "pmg" : "amg";
  if (elasticity_reduced(elasticity)) (void)elastic_solve_exactly(linear, mat_whole(a));
}

void elastic_prefer_for_modes(const Elasticity *elasticity, const Mat *a, LinearParams *linear) {
  const bool open = precond_is_auto(linear->preconditioner) && !linear->degree && !mat_numbering(a);
  elastic_prefer_hierarchy(elasticity, a, linear);
  if (!open || !elasticity_keeps_volume(elasticity)) return;
  if (!elastic_solve_exactly(linear, mat_whole(a))) linear->degree = STRONGEST;
}

Status elastic_mass(const Case *c, Elasticity *elasticity, bool uniform, ElasticityMass **out) {
  double *density = NULL;
  ALLOC(density, c->materials.n, "densities");
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const CaseMaterial *m = case_material(c, i);
    density[i] = uniform ? 1 : m->value[material_parameter(m->type.value, "density")].value;
  }
  const Status status = elasticity_mass_create(elasticity, density, out);
  FREE(density);
  return status;
}

Status elastic_operators_create(Run *run, Elasticity *elasticity, const Mat *a, ElasticOperators *out) {
  bool viscous; /* on any rank: the others bring what its dashpots read */
  out->n_value = mat_slots(a)->n_value;
  TRY(elastic_mass(run->c, elasticity, false, &out->mass));
  TRY(mat_create_like(a, PRECISION_DOUBLE, &out->K));
  TRY(mat_create_like(a, PRECISION_DOUBLE, &out->M));
  TRY(ranks_any(run, elasticity_is_viscous(elasticity), &viscous));
  return viscous ? mat_create_like(a, PRECISION_DOUBLE, &out->C) : OK;
}

Status elastic_operators_assemble(Elasticity *elasticity, const double *u, const ElasticOperators *of) {
  TRY(elasticity_tangent(elasticity, u, mat_values(of->K)));
  TRY(elasticity_mass_matrix(of->mass, mat_values(of->M)));
  return of->C ? elasticity_viscous_matrix(elasticity, u, mat_values(of->C)) : OK;
}

Status elastic_operators_combine(const ElasticOperators *of, double stiffness, double mass, double viscous, Mat *to) {
  Exec *exec = mat_exec(to);
  TRY(elasticity_combine(exec, of->n_value, stiffness, mat_values(of->K), mass, mat_values(of->M), mat_values(to)));
  return of->C && viscous != 0 ? vec_axpy(exec, of->n_value, viscous, mat_values(of->C), mat_values(to)) : OK;
}

void elastic_operators_release(ElasticOperators *of) {
  elasticity_mass_destroy(&of->mass);
  mat_destroy(&of->K);
  mat_destroy(&of->M);
  mat_destroy(&of->C);
}
