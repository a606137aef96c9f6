/* Where `method: auto` takes a direct solver: bodies so thin that conjugate gradients need hundreds of iterations with any
 * preconditioner there is, bodies that nearly keep their volume while a factor is cheaper than that, and surfaces under pressure whose rim is free, where solutions to a few digits mislead Newton's
 * method. docs/solvers.md has the counts behind the rules. */
#include "app/elasticity/analysis.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_system.h"
#include "app/run/may_factor.h"
#include "assembly/elasticity/augmented.h"
#include "assembly/elasticity/contacts.h"
#include "mesh/thinness.h"
#include "solver/precond/precond.h"

#include <stdio.h>
#include <string.h>

/* Size over thickness from which on it is thin. */
static const double THIN = 80;
enum { FEWEST = 3000, FLAT_FEWEST = 500 }; /* unknowns: below, any way takes milliseconds */

/* Load steps in two dimensions: factors of a few entries for each unknown, of one structure, where a tangent of a metal or rubber
 * takes hundreds of iterations with a diagonal and a hierarchy of its own for each tangent. */
static bool is_flat_and_small(const Run *run, const Mat *a) {
  enum { FLAT_MOST = 30000 };
  const bool steps = elastic_has(run->c, HAS_LOAD_STEPS);
  return steps && mat_block(a) == 2 && mat_rows(a) >= FLAT_FEWEST && mat_rows(a) <= FLAT_MOST;
}

/* Whether the body is so thin that `auto` takes it, and then why, for the summary. */
static Status thin_body(const Run *run, const Elasticity *elasticity, const Mat *a, char why[PRECOND_CHOICE_TEXT]) {
  double thin = 0;
  if (mat_block(a) == 3 && mat_rows(a) >= FEWEST && elasticity_linear(elasticity)) TRY(mesh_thinness(run->mesh, &thin));
  if (thin >= THIN) snprintf(why, PRECOND_CHOICE_TEXT, "the body is %.0f times as large as it is thick", thin);
  return OK;
}

/* Statics in space: 50 iterations from a ratio of 50 on, 100 to 350 from 500 on, each of them dear, against one factor. */
static bool keeps_volume_and_small(const Elasticity *elasticity, const Mat *a) {
  static const struct {
    double ratio;
    int64_t most;
  } rule[] = {{500, 80000}, {MEAN_FROM, 10000}}; /* a Poisson's ratio of 0.499; 0.49 */
  const double ratio = elasticity_largest_bulk_ratio(elasticity);
  if (mat_block(a) != 3 || !elasticity_linear(elasticity) || mat_rows(a) < FEWEST) return false;
  for (size_t i = 0; i < sizeof rule / sizeof *rule; ++i)
    if (ratio >= 0.99 * rule[i].ratio && mat_rows(a) <= rule[i].most) return true;
  return false;
}

/* Why `auto` takes a direct solver; "": it does not. */
static Status find_reason(const Run *run, const Elasticity *elasticity, const Mat *a, bool free_rim,
                          char why[PRECOND_CHOICE_TEXT]) {
  const char *reason = "";
  if (!exec_is_host(run->device.exec) && !free_rim)
    return OK; /* hundreds of iterations there take less than a factor here */
  if (keeps_volume_and_small(elasticity, a)) reason = "a material that nearly keeps its volume";
  else if (elasticity_is_augmented(elasticity)) return OK; /* its turns go with conjugate gradients */
  else if (free_rim) reason = "pressure follows a surface whose rim is free";
  else if (is_flat_and_small(run, a)) reason = "load steps of a body in two dimensions";
  else return thin_body(run, elasticity, a, why);
  snprintf(why, PRECOND_CHOICE_TEXT, "%s", reason);
  return OK;
}

Status elastic_solver_or_direct(Run *run, Elasticity *elasticity, Mat *a, LinearParams *linear, bool free_rim,
                                const SumParts **parts, LinearSolver **out) {
  char why[PRECOND_CHOICE_TEXT] = "";
  /* else it is set up again in each Newton step, or by what touches in each load step */
  linear->pattern_once = elasticity_linear(elasticity) && !elasticity_touches(elasticity);
  if (run_may_factor(run, a, linear)) {
    if (!run->rehearsed) TRY(find_reason(run, elasticity, a, free_rim, why));
    if (!elasticity_is_augmented(elasticity)) run_spare(run, elasticity_pattern(elasticity), linear);
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
