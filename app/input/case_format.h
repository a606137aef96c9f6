/* The matrix format of a case: what `solver: format:` asks for, as mat_create takes it. */
#pragma once
#include "app/input/case.h"
#include "algebra/mat.h"

static inline MatParams case_mat_params(const Case *c) {
  const CaseFormat *f = &c->solver.format;
  return (MatParams){.format = f->type.text,
                     .variant = f->variant.text,
                     .slice = (int32_t)f->slice.value,
                     .threads = (int32_t)f->threads.value,
                     .threshold = (int32_t)f->threshold.value,
                     .window = (int32_t)f->window.value};
}
