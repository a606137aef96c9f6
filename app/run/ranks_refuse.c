/* Features that several ranks do not support, in one table. */
#include "app/input/case_tables.h"
#include "app/run/ranks.h"
#include "solver/precond/precond.h"

#include <stdio.h>

enum { WHAT_BYTES = 200 };

static bool has_timed(const Case *c, char what[WHAT_BYTES]) {
  snprintf(what, WHAT_BYTES, "an equation with 'keep', 'from' or 'until'");
  bool any = false;
  for (int32_t i = 0; i < c->equations.n; ++i) {
    const CaseEquation *e = case_equation(c, i);
    any = any || e->keep.text || place_given(e->from.place) || place_given(e->until.place);
  }
  return any;
}

/* Interpolation from vertices that depend needs nodes that a rank has not. */
static bool has_linked_orders(const Case *c, char what[WHAT_BYTES]) {
  const char *name = c->solver.preconditioner.type.text;
  const PrecondType *type = precond_is_auto(name) ? NULL : precond_named(name);
  if (!case_has_constraints(c) || !type || !(type->needs & PRECOND_ORDERS)) return false;
  snprintf(what, WHAT_BYTES, "preconditioner '%s' beside 'tie', 'periodic', 'rigid' or 'equations'", name);
  return true;
}

static bool has_diameters(const Case *c, char what[WHAT_BYTES]) {
  snprintf(what, WHAT_BYTES, "'diameters'");
  return c->analysis.diameters.n > 0;
}

static bool has_unloading(const Case *c, char what[WHAT_BYTES]) {
  snprintf(what, WHAT_BYTES, "'unload'");
  return c->unload.n > 0;
}

static bool has_contact(const Case *c, char what[WHAT_BYTES]) {
  snprintf(what, WHAT_BYTES, "contact");
  bool any = c->contact.n > 0;
  for (int32_t k = 0; k < c->steps.n; ++k) any |= case_step(c, k)->contact.n > 0;
  return any;
}

static bool has_bolts(const Case *c, char what[WHAT_BYTES]) {
  snprintf(what, WHAT_BYTES, "'bolts'");
  bool any = c->bolts.n > 0;
  for (int32_t k = 0; k < c->steps.n; ++k) any |= case_step(c, k)->bolts.n > 0;
  return any;
}

static bool has_passes(const Case *c, char what[WHAT_BYTES]) {
  snprintf(what, WHAT_BYTES, "'adapt'");
  return place_given(c->adapt.place);
}

static bool physics_is_alone(const Case *c, char what[WHAT_BYTES]) {
  const char *called = c->physics->called;
  if (called) snprintf(what, WHAT_BYTES, "a %s case", called);
  else if (c->physics->analysis) snprintf(what, WHAT_BYTES, "'analysis: {type: %s}'", c->physics->analysis);
  else snprintf(what, WHAT_BYTES, "'physics: %s'", c->physics->name);
  return !c->physics->shares;
}

static bool precond_is_alone(const Case *c, char what[WHAT_BYTES]) {
  const char *name = c->solver.preconditioner.type.text;
  if (precond_is_auto(name)) return false;
  const PrecondType *type = precond_named(name);
  snprintf(what, WHAT_BYTES, "preconditioner '%s'%s%s%s", name, type->alone ? " (" : "", type->alone ? type->alone : "",
           type->alone ? ")" : "");
  return !type->ranks;
}

static bool has_torso_maps(const Case *c, char what[WHAT_BYTES]) {
  snprintf(what, WHAT_BYTES, "'output: {torso: true}'");
  return c->output.torso.value;
}

#define ALONE "start it without mpirun: all cores of one process, or one GPU, work on it"
static const struct Refusal {
  bool (*applies)(const Case *c, char what[WHAT_BYTES]);
  const char *instead;
} refusals[] = {
    {physics_is_alone, ALONE},
    {precond_is_alone,
     "leave 'preconditioner' or 'method' out, choose 'chebyshev' or 'jacobi', or start it without mpirun"},
    {has_unloading,
     "start it alone for 'unloaded.h5', and give several processes that mesh; or start it without mpirun"},
    {has_contact, ALONE},
    {has_bolts, ALONE},
    {has_passes, "start it without mpirun, or name a mesh that is fine enough"},
    {has_torso_maps, "leave it out, or " ALONE},
    {has_timed, ALONE},
    {has_diameters, ALONE},
    {has_linked_orders, "choose 'amg', leave it out, or start it without mpirun"},
};

static const struct Refusal *refusal_of(const Case *c, char what[WHAT_BYTES]) {
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
    if (refusals[i].applies(c, what)) return &refusals[i];
  return NULL;
}

bool ranks_can(const Case *c) {
  char what[WHAT_BYTES];
  return !refusal_of(c, what);
}

Status ranks_refuse(const Case *c, const RunParams *params) {
  char what[WHAT_BYTES];
  const struct Refusal *refusal = refusal_of(c, what);
  CHECK(!refusal, ERR_INPUT, "%s: %s is not for several processes yet, and %d were started\n  %s", c->path, what,
        comm_size(params->comm), refusal->instead);
  return OK;
}
