/* CSR on the CPU in one precision; included by csr.c with REAL and NAMED set. */
#include "algebra/formats/csr_sum.tmpl.h"

HD void NAMED(csr_range)(const ProductArgs *a, int64_t begin, int64_t end, double *sum, const int block,
                         const MatOp op) {
  (void)block;
  for (int64_t i = begin; i < end; ++i) {
    if (mat_op_visits(op)) {
      NAMED(csr_visit)(a, i, a->a.start[i], a->a.start[i + 1], op);
      continue;
    }
    NAMED(product_row)(a, op, i, NAMED(csr_sum)(a, a->a.start[i], a->a.start[i + 1]), sum);
  }
}
