/* Linear solves with a matrix that numbers the unknowns in its own order ("r" variants): its caller's vectors stay in
 * natural order and are copied at the boundary, twice in and once out for each solve, not for each product. */
#include "core/memory.h"
#include "solver/krylov/linear_solver.h"
#include "algebra/rows.h"
#include "solver/krylov/rows.h"

Status renumbered_create(Exec *exec, const Mat *a, Renumbered *out) {
  *out = (Renumbered){.n = mat_rows(a)};
  const int32_t *place = mat_numbering(a);
  if (!place) return OK;
  Status status =
      exec_alloc_upload(exec, out->n, sizeof *place, place, "numbering of the matrix", (void **)&out->place);
  if (status == OK) status = exec_alloc(exec, out->n, sizeof(double), "renumbered right-hand side", (void **)&out->b);
  if (status == OK) status = exec_alloc(exec, out->n, sizeof(double), "renumbered solution", (void **)&out->x);
  if (status != OK) renumbered_release(exec, out);
  return status;
}

void renumbered_release(Exec *exec, Renumbered *r) {
  EXEC_RELEASE(exec, r->place, r->n);
  EXEC_RELEASE(exec, r->b, r->n);
  EXEC_RELEASE(exec, r->x, r->n);
}

Status renumbered_enter(Exec *exec, const Renumbered *r, const double *b, const double *x) {
  TRY(exec_rows(exec, &numbering_in_kernel, &(NumberingArgs){r->place, b, r->b}, r->n));
  return exec_rows(exec, &numbering_in_kernel, &(NumberingArgs){r->place, x, r->x}, r->n);
}

Status renumbered_leave(Exec *exec, const Renumbered *r, double *x) {
  return exec_rows(exec, &numbering_out_kernel, &(NumberingArgs){r->place, r->x, x}, r->n);
}

int64_t renumbered_row(const Mat *a, int64_t number) {
  const int32_t *place = mat_numbering(a);
  if (!place || number < 0) return number;
  int64_t row = 0;
  while (row < mat_rows(a) && place[row] != number) ++row;
  return row;
}
