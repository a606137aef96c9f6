/* A number that may vary over the body: parameters of materials, temperature. Not recordable, host only. */
#pragma once
#include "core/expr.h"

#include <stdint.h>

/* `value`, and to it at most one of the others. Borrowed. */
typedef struct ScalarSource {
  double value;
  const Expr *expr;      /* of x, y, z */
  const double *node;    /* [n_node], between nodes by the shape functions */
  const double *element; /* [n_element] */
  const char *where;     /* "case.yaml:5:20", for messages; NULL: not known */
} ScalarSource;

/* Does it vary within an element? */
static inline bool scalar_source_by_point(const ScalarSource *s) { return s->expr || s->node; }
static inline bool scalar_source_varies(const ScalarSource *s) { return s->expr || s->node || s->element; }

/* At x of element id e, where its n nodes have the shape functions N. */
static inline double scalar_source_at_time(const ScalarSource *s, int32_t e, int32_t n, const int32_t *nodes,
                                           const double *N, const double x[3], double time) {
  double sum = s->value;
  if (s->expr) sum += expr_value(s->expr, x, time);
  if (s->element) sum += s->element[e];
  for (int32_t a = 0; s->node && a < n; ++a) sum += N[a] * s->node[nodes[a]];
  return sum;
}
static inline double scalar_source_at(const ScalarSource *s, int32_t e, int32_t n, const int32_t *nodes,
                                      const double *N, const double x[3]) {
  return scalar_source_at_time(s, e, n, nodes, N, x, 0);
}
