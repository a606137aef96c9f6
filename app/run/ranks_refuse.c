/* What several ranks cannot do yet, in one table. */
#include "app/input/case_tables.h"
#include "app/run/ranks.h"
#include "solver/precond/precond.h"

static bool physics_is_alone(const Case *c) { return !c->physics->shares; }

static bool precond_is_alone(const Case *c) {
  const char *name = c->solver.preconditioner.type.text;
  return !precond_is_auto(name) && !precond_named(name)->ranks;
}

static const struct Refusal {
  bool (*applies)(const Case *c);
  const char *what, *instead;
} refusals[] = {
    {physics_is_alone, "this physics", "start it without mpirun: all cores of one process, or one GPU, work on it"},
    {precond_is_alone, "this preconditioner", "leave 'preconditioner' out, or choose 'chebyshev' or 'jacobi'"},
};

static const struct Refusal *refusal_of(const Case *c) {
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
    if (refusals[i].applies(c)) return &refusals[i];
  return NULL;
}

bool ranks_can(const Case *c) { return !refusal_of(c); }

Status ranks_refuse(const Case *c, const RunParams *params) {
  const struct Refusal *refusal = refusal_of(c);
  CHECK(!refusal, ERR_INPUT, "%s: %s is not for several processes yet, and %d were started\n  %s", c->path,
        refusal->what, comm_size(params->comm), refusal->instead);
  return OK;
}
