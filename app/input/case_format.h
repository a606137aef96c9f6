/* What `solver:` asks for: the matrix format, as mat_create takes it, and whether it is a direct solver. */
#pragma once
#include "app/input/case.h"
#include "algebra/mat.h"
#include "solver/precond/precond.h"

static inline MatParams case_mat_params(const Case *c) {
  const CaseFormat *f = &c->solver.format;
  return (MatParams){.format = f->type.text,
                     .variant = f->variant.text,
                     .slice = (int32_t)f->slice.value,
                     .threads = (int32_t)f->threads.value,
                     .threshold = (int32_t)f->threshold.value,
                     .window = (int32_t)f->window.value};
}

/* Whether `solver:` asks for a sparse factorisation, which works on the CPU only. */
static inline bool case_is_direct(const Case *c) {
  const PrecondType *type = precond_type(c->solver.preconditioner.type.value - 1);
  return type && type->host;
}
