/* Element matrices in parts, and the row kernels of tangent.def for the CPU. */
#include "assembly/elasticity/tangent.h"
#include "assembly/elasticity/mean.h"
#include "assembly/elasticity/point_kernels.h"
#include "assembly/elasticity/rows.h"

#include <math.h>

#include "core/rows.h"
#include "assembly/elasticity/tangent.def"
#include "core/rows_end.h"

#define PICK tangent_pairs
#include "assembly/space/pick_kernel.tmpl.h"

/* Numbers of a room: 256 MiB, some 60 thousand hex8, so that a device is busy. On an H200 tangents of 99^3 hex8 took 22.6 ms with
 * 24 MiB, 18.6 with 48, 17.4 with 96, 16.2 with 192 and 15.8 with 384. */
#define TANGENT_ROOM (32 << 20)
enum { HOST_PARTS = 32 }; /* of that a host takes one, which its caches hold */

Status tangents_make_room(Exec *exec, const ElementSet *set, bool always, ElasticityPoints *points) {
  const bool host = exec_is_host(exec);
  const double most = (host ? TANGENT_ROOM / HOST_PARTS : TANGENT_ROOM) / fmax(1, exec->stands_for);
  if (host && !always) return OK;
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    if (!points->by_point[k] || !(always || points->nonlinear || points->mean_modes[k])) continue;
    const int64_t heads = mean_head_numbers(points->mean_modes[k]) * points->n_elem[k];
    if (heads > points->n_head) points->n_head = heads;
    const int64_t each = tangent_numbers(points->n_node[k], points->dim[k], points->mean_modes[k], points->n_q[k]);
    const int64_t parts = (int64_t)fmax(1, most / (double)each / TANGENT_WIDTH);
    const int64_t all = (points->n_elem[k] + TANGENT_WIDTH - 1) / TANGENT_WIDTH, n = parts < all ? parts : all;
    if (n * TANGENT_WIDTH * each > points->n_room) points->n_room = n * TANGENT_WIDTH * each;
  }
  if (points->n_head) EXEC_ALLOC(exec, points->head, points->n_head, "changes of volume of elements");
  if (points->n_room) EXEC_ALLOC(exec, points->room, points->n_room, "tangents at points");
  return OK;
}

static Status one_part(Exec *exec, const RowKernel *points, const RowKernel *pairs, const TangentArgs *args) {
  const PointArgs *p = &args->p;
  const int n_node = p->n_node;
  TRY(exec_rows(exec, points, args, tangent_rows(args->n, p->e.n_q)));
  if (p->mean_modes) TRY(exec_rows(exec, &mean_sides_kernel, args, tangent_rows(args->n, n_node)));
  return exec_rows(exec, pairs, args, tangent_rows(args->n, n_node * tangent_chunks(n_node)));
}

Status tangents_in_parts(Exec *exec, const RowKernel *points, ElementKind kind, const PointArgs *args) {
  const int64_t each = tangent_numbers(args->n_node, args->dim, args->mean_modes, args->e.n_q);
  const int64_t most = args->n_room / each / TANGENT_WIDTH * TANGENT_WIDTH;
  CHECK(most > 0, ERR_BUG, "tangents_in_parts without room");
  TRY(mean_heads(exec, args));
  for (int64_t first = 0; first < args->e.n_elem; first += most) {
    const int64_t left = args->e.n_elem - first;
    const TangentArgs part = {.p = *args, .first = first, .n = left < most ? left : most, .room = args->room};
    TRY(one_part(exec, points, tangent_pairs_kernel(kind), &part));
  }
  return OK;
}

Status forces_in_parts(Exec *exec, const RowKernel *points, const RowKernel *then, const PointArgs *args,
                       const ForceArgs *more) {
  const int64_t most = args->n_room / ((int64_t)more->each * args->e.n_q) / TANGENT_WIDTH * TANGENT_WIDTH;
  CHECK(most > 0, ERR_BUG, "forces_in_parts without room");
  TRY(mean_heads(exec, args));
  for (int64_t first = 0; first < args->e.n_elem; first += most) {
    const int64_t left = args->e.n_elem - first;
    ForceArgs part = *more;
    part.t = (TangentArgs){.p = *args, .first = first, .n = left < most ? left : most, .room = args->room};
    TRY(exec_rows(exec, points, &part, tangent_rows(part.t.n, args->e.n_q)));
    if (then) TRY(exec_rows(exec, then, &part, tangent_rows(part.t.n, args->e.n_q)));
    TRY(exec_rows(exec, &force_nodes_kernel, &part, tangent_rows(part.t.n, args->n_node)));
  }
  return OK;
}
