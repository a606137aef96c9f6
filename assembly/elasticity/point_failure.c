/* Elements whose material has no answer: how many there are on all ranks, and which is the first in the mesh. */
#include "assembly/elasticity/elasticity_points.h"
#include "assembly/elasticity/rows.h"
#include "core/comm.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

/* What this rank has to say of them. */
typedef struct Failures {
  int64_t n;     /* of own elements */
  int32_t first; /* id in the whole mesh of the first; -1: there is none */
  int32_t here;  /* the same on this rank */
  double lowest; /* its least det F, at finite strain */
} Failures;

/* The first group of its dimension that has element `id`; NULL: none. */
static const char *group_of(const Mesh *mesh, int32_t id, int32_t dim) {
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    int32_t low = 0, high = group->dim == dim ? group->n : 0;
    while (low < high) {
      const int32_t at = low + (high - low) / 2;
      if (group->element[at] < id) low = at + 1;
      else high = at;
    }
    if (low < group->n && group->dim == dim && group->element[low] == id) return group->name;
  }
  return NULL;
}

/* Element `id` of this rank; n failed on all of them. */
static Status tell_failed(const ElasticityPoints *points, const Mesh *mesh, const Failures *f, int64_t n) {
  const int32_t id = f->here;
  const ElementBlock *b = mesh_block_of(mesh, id);
  const ElementType *type = element_type(b->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, id);
  const char *group = group_of(mesh, id, type->dim);
  const long long tag = (long long)b->tag[id - b->first];
  double x[3] = {0};
  for (int32_t a = 0; a < type->n_node; ++a)
    for (int i = 0; i < 3; ++i) x[i] += mesh->x[nodes[a]][i] / type->n_node;
  if (!points->finite)
    return FAIL(ERR_NUMERIC,
                "the material gives no stress in %lld element%s: the first is %s element %lld near (%g, %g, %g), which "
                "is turned inside out or beyond what its material%s can bear; take smaller steps",
                (long long)n, n == 1 ? "" : "s", type->name, tag, x[0], x[1], x[2],
                points->n_modes ? " or its incompatible modes" : "");
  char detF[64] = "";
  if (isfinite(f->lowest)) snprintf(detF, sizeof detF, ", det F = %.4g", f->lowest);
  return FAIL(ERR_NUMERIC, "%lld element%s %s: the first is %s element %lld%s%s%s near (%g, %g, %g)%s", (long long)n,
              n == 1 ? "" : "s",
              !isfinite(f->lowest) ? "moved so far that det F is beyond the range of numbers"
              : f->lowest > 0      ? points->n_modes ? "beyond what the material or its incompatible modes can bear"
                                                     : "beyond what the material can bear"
                                   : "turned inside out",
              type->name, tag, group ? " of '" : "", group ? group : "", group ? "'" : "", x[0], x[1], x[2], detF);
}

/* How many failed here, with those of other ranks, added up on the Exec. */
static Status count_failed(Exec *exec, const ElasticityPoints *points, int64_t n, double *out) {
  const PointFailedArgs args = {points->failed, points->n_failed};
  const SumParts *over = exec_sum_over(exec, NULL); /* of elements, and of this rank */
  const Status status = exec_rows(exec, &point_failed_kernel, &args, n);
  exec_sum_over(exec, over);
  return status == OK ? exec_download(exec, out, points->n_failed, sizeof *out) : status;
}

/* An element belongs to the rank of its first node. */
static bool is_own(const ElasticityPoints *points, const Mesh *mesh, int32_t id) {
  const LocalMesh *local = points->local;
  return !local || local->solver[mesh_nodes_of(mesh, id)[0]] < local->n_own;
}

static Status find_failed(Exec *exec, const ElasticityPoints *points, const Mesh *mesh, const ElementSet *set,
                          const Numbering *numbering, Failures *out) {
  Status status = OK;
  uint8_t *failed = NULL;
  int64_t at = 0;
  ALLOC_DONE(failed, set->n_solved, "elements without an answer");
  TRY_DONE(exec_download(exec, failed, points->failed, (size_t)set->n_solved));
  for (int32_t k = 0; k < set->n_solved_block; ++k)
    for (int32_t s = 0; s < set->block[k].n; ++s) {
      const int32_t id = set->block[k].first_id + (numbering->element[k] ? numbering->element[k][s] : s);
      if (!failed[points->first_element[k] + s] || !is_own(points, mesh, id)) continue;
      const int32_t whole = points->local ? points->local->element[id] : id;
      ++out->n;
      if (out->first >= 0 && out->first < whole) continue;
      out->first = whole, out->here = id, at = points->first_element[k] + s;
    }
  if (out->n && points->finite) TRY_DONE(exec_download(exec, &out->lowest, points->lowest + at, sizeof out->lowest));
done:
  FREE(failed);
  return status;
}

/* The message of the rank that has the first becomes that of all. */
static Status agree_on_failed(Comm *comm, const ElasticityPoints *points, const Mesh *mesh, const Failures *mine) {
  const int n_rank = comm_size(comm);
  Failures *all = NULL;
  char text[1024] = "";
  int64_t n = 0;
  int who = -1;
  ALLOC(all, n_rank, "elements without an answer");
  Status status = comm_gather(comm, mine, sizeof *mine, all);
  for (int r = 0; r < n_rank && status == OK; ++r) {
    n += all[r].n;
    if (all[r].n && (who < 0 || all[r].first < all[who].first)) who = r;
  }
  FREE(all);
  TRY(status);
  CHECK(who >= 0, ERR_BUG, "elements without an answer that no rank owns");
  if (n_rank == 1) return tell_failed(points, mesh, mine, n);
  if (who == comm_rank(comm)) {
    (void)tell_failed(points, mesh, mine, n);
    snprintf(text, sizeof text, "%s", status_message());
    status_clear();
  }
  TRY(comm_broadcast(comm, who, text, sizeof text));
  return FAIL(ERR_NUMERIC, "%s", text);
}

Status points_check_answer(Exec *exec, const ElasticityPoints *points, const Mesh *mesh, const ElementSet *set,
                           const Numbering *numbering) {
  Failures mine = {.first = -1};
  double n = 0;
  if (!points->nonlinear) return OK;
  if (points->failed) TRY(count_failed(exec, points, set->n_solved, &n));
  TRY(comm_most(exec->comm, &n));
  if (n == 0) return OK;
  if (points->failed) TRY(find_failed(exec, points, mesh, set, numbering, &mine));
  return agree_on_failed(exec->comm, points, mesh, &mine);
}
