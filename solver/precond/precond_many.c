/* What all types of preconditioners on several vectors share: that there may be none. */
#include "solver/precond/precond_many.h"
#include "core/memory.h"

const char *precond_many_obstacle(const Precond *m) {
  return m->type->many
             ? m->type->many->obstacle(m)
             : "the preconditioner works on one vector at a time (jacobi, block-jacobi, the polynomials, amg, "
               "pmg and direct take several)";
}

Status precond_many_create(Precond *m, int32_t room, PrecondMany **out) {
  PrecondMany *many = NULL;
  *out = NULL;
  ALLOC(many, 1, "a preconditioner of several vectors");
  *many = (PrecondMany){.m = m, .type = m->type->many, .room = room};
  const Status status = many->type->create(many);
  if (status != OK) precond_many_destroy(&many);
  *out = many;
  return status;
}

void precond_many_destroy(PrecondMany **many) {
  if (!*many) return;
  (*many)->type->destroy(*many);
  FREE(*many);
}

void *precond_many_low(const PrecondMany *many) { return many->type->low(many); }
double precond_many_bytes(const PrecondMany *many, int32_t shift) { return many->type->bytes(many, shift); }

Status precond_many_record(PrecondMany *many, const PrecondManyCall *call) { return many->type->record(many, call); }
