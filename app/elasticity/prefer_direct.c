/* Where `method: auto` takes a direct solver: bodies so thin that conjugate gradients need hundreds of iterations with any
 * preconditioner there is, and surfaces under pressure whose rim is free, where solutions to a few digits mislead Newton's
 * method. docs/solvers.md has the counts behind the rules. */
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_system.h"
#include "assembly/elasticity/augmented.h"
#include "mesh/thinness.h"
#include "solver/precond/precond.h"

#include <stdio.h>

/* Size over thickness from which on it is thin. */
static const double THIN = 80;
enum { FEWEST = 3000, MOST = 1000000 }; /* unknowns: below, any way takes milliseconds */

static bool direct_works(const Exec *exec) {
  for (int32_t i = 0; i < precond_count(); ++i)
    if (precond_type(i)->host) return precond_works_on(i, exec);
  return false;
}

/* Nothing in the case speaks for or against it, and it would work. */
static bool is_open(const Run *run, const Elasticity *elasticity, const Mat *a, const LinearParams *linear) {
  const CaseSolver *s = &run->c->solver;
  const bool asked = !precond_is_auto(linear->preconditioner) || linear->degree || place_given(s->precision.place) ||
                     place_given(s->method.place);
  return !asked && !run->share && !run->rehearsed && direct_works(run->device.exec) && mat_rows(a) <= MOST &&
         !mat_numbering(a) && !elasticity_is_augmented(elasticity);
}

/* Whether the body is so thin that `auto` takes it, and then why, for the summary. */
static Status thin_body(const Run *run, const Elasticity *elasticity, const Mat *a, char why[PRECOND_CHOICE_TEXT]) {
  double thin = 0;
  if (mat_block(a) == 3 && mat_rows(a) >= FEWEST && elasticity_linear(elasticity)) TRY(mesh_thinness(run->mesh, &thin));
  if (thin >= THIN) snprintf(why, PRECOND_CHOICE_TEXT, "the body is %.0f times as large as it is thick", thin);
  return OK;
}

Status elastic_solver_or_direct(Run *run, Elasticity *elasticity, Mat *a, LinearParams *linear, bool free_rim,
                                const SumParts **parts, LinearSolver **out) {
  char why[PRECOND_CHOICE_TEXT] = "";
  if (is_open(run, elasticity, a, linear)) {
    if (free_rim) snprintf(why, sizeof why, "pressure follows a surface whose rim is free");
    else TRY(thin_body(run, elasticity, a, why));
  }
  if (!why[0]) return elastic_solver(run, elasticity, a, linear, parts, out);
  const LinearParams before = *linear;
  linear->preconditioner = "direct";
  snprintf(linear->why, sizeof linear->why, "%s", why);
  const Status status = elastic_solver(run, elasticity, a, linear, parts, out);
  if (status != ERR_MEMORY) return status;
  status_warn("%s, for which a direct solver is the safe way, but there is no room for one:\n  %s", why,
              status_message());
  status_clear();
  *linear = before;
  return elastic_solver(run, elasticity, a, linear, parts, out);
}
