/* The row kernels of mean dilatation for the CPU. */
#include "assembly/elasticity/mean.h"

/* As nonlinear_pairs_range. */
static void mean_pairs_range(const void *args, int64_t begin, int64_t end, double *sum) {
  (void)sum;
  const PointArgs s = *(const PointArgs *)args;
  const int64_t per = s.n_node;
  double K[378 * 9];
  for (int64_t e = (begin + per - 1) / per; e * per < end; ++e)
    if (s.dim == 2) mean_pairs(s.n_node, 2, &s, e, K);
    else mean_pairs(s.n_node, 3, &s, e, K);
}
const RowKernel mean_pairs_kernel = {"mean_pairs", 0, sizeof(PointArgs), mean_pairs_range, 0};

#include "core/rows.h"
#include "assembly/elasticity/mean.def"
#include "core/rows_end.h"

Status mean_heads(Exec *exec, const PointArgs *args) {
  if (!args->head) return OK;
  const int64_t most = args->n_room / (MEAN_HEAD_POINT * args->e.n_q) / TANGENT_WIDTH * TANGENT_WIDTH;
  CHECK(most > 0, ERR_BUG, "mean_heads without room");
  for (int64_t first = 0; first < args->e.n_elem; first += most) {
    const int64_t left = args->e.n_elem - first;
    const TangentArgs part = {.p = *args, .first = first, .n = left < most ? left : most, .room = args->room};
    TRY(exec_rows(exec, &mean_head_points_kernel, &part, tangent_rows(part.n, args->e.n_q)));
    TRY(exec_rows(exec, &mean_head_kernel, &part, part.n));
  }
  return OK;
}
