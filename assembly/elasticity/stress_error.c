/* The error of the stress, estimated from what it is at nodes. */
#include "assembly/elasticity/recovery.h"
#include "core/memory.h"

static bool is_shared(const Elasticity *p) { return p->space->pattern->share.halo != NULL; }

Status stress_error_create(const Elasticity *p, ElasticRecovery *r) {
  const int64_t n = p->space->set.n_solved;
  static const char WHAT[] = "error of the stress";
  if (!r->field[ELASTIC_STRESS]) return OK;
  r->error = r->field[ELASTIC_STRESS_ERROR];
  r->n_run = (n + STRESS_ERROR_RUN - 1) / STRESS_ERROR_RUN;
  if (!r->error) TRY(recovery_alloc(r, n, sizeof *r->error, WHAT, (void **)&r->error));
  TRY(recovery_upload(r, p->n_material, sizeof *p->compliance, p->compliance, WHAT, (void **)&r->compliance));
  TRY(recovery_alloc(r, n, sizeof *r->error_share, WHAT, (void **)&r->error_share));
  TRY(recovery_alloc(r, n, sizeof *r->error_square, WHAT, (void **)&r->error_square));
  TRY(recovery_alloc(r, r->n_run, sizeof *r->error_most, WHAT, (void **)&r->error_most));
  TRY(recovery_alloc(r, r->n_run, sizeof *r->error_where, WHAT, (void **)&r->error_where));
  if (is_shared(p)) return recovery_alloc(r, 6 * (int64_t)p->space->n_node, sizeof *r->seen, WHAT, (void **)&r->seen);
  if (!r->others) return OK;
  TRY(recovery_alloc(r, p->space->n_node, sizeof *r->row_of, WHAT, (void **)&r->row_of));
  const StressErrorRowArgs rows = {p->space->nodes.node, r->row_of};
  return exec_rows(r->exec, &stress_error_row_kernel, &rows, p->space->nodes.n_row);
}

/* True error over the estimate, squared: measured where the energy is known, on meshes as they come (docs/results.md). */
static double error_factor(const ElementType *type) {
  const bool simplex = shape_is_simplex(type->shape);
  const double factor = type->order == 1                                             ? 1.2
                        : simplex                                                    ? type->dim == 2 ? 1.6 : 1.35
                        : element_of_order(type->linear, type->order, false) != type ? 1.7
                                                                                     : 1.25;
  return factor * factor;
}

/* Of the elements of one material, where ranks share; else of all. */
static Status elements_error(const Elasticity *p, const ElasticRecovery *r, int32_t material) {
  const Space *s = p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const ElementArgs element = elasticity_element_args(p, k, NULL);
    const int64_t first = p->points.first_element[k];
    const StressErrorArgs args = {.nodes = recovery_node_args(p, r),
                                  .block = r->exec_block + k,
                                  .row_of = r->row_of,
                                  .seen = r->seen,
                                  .seen_step = s->n_read,
                                  .width = p->dim,
                                  .material = material,
                                  .node = element.nodes,
                                  .node_a = element.node_a,
                                  .node_e = element.node_e,
                                  .n_node_element = s->set.block[k].type->n_node,
                                  .N = s->block[k].stiffness.N,
                                  .weight = element.weight,
                                  .energy = r->compliance,
                                  .factor = error_factor(s->set.block[k].type),
                                  .error = r->error + first,
                                  .share = r->error_share + first,
                                  .square = r->error_square + first};
    TRY(exec_rows(s->exec, &stress_error_kernel, &args, element.n_elem));
  }
  return OK;
}

/* Ranks bring each other what the elements of one material give at their nodes, one material after the other: equal
 * ones, which go by the first of them, make the others' rounds idle on all ranks alike. */
static Status shared_error(const Elasticity *p, const ElasticRecovery *r) {
  const Space *s = p->space;
  for (int32_t m = 0; m < p->n_material; ++m) {
    const StressSeenArgs seen = {recovery_node_args(p, r), r->seen, s->n_read, p->dim, m};
    TRY(exec_rows(s->exec, &stress_seen_kernel, &seen, s->nodes.n_row));
    for (int g = 0; g < 6 / p->dim; ++g) TRY(space_bring_halo(s, r->seen + g * s->n_read));
    TRY(elements_error(p, r, m));
  }
  return OK;
}

Status stress_error_find(const Elasticity *p, const ElasticRecovery *r) {
  const Space *s = p->space;
  const StressErrorMostArgs most = {s->set.n_solved, r->error_share, r->error_most, r->error_where};
  const RecoverTotalArgs total[] = {{r->error_share, r->totals + RECOVERY_ERROR},
                                    {r->error_square, r->totals + RECOVERY_SQUARE}};
  if (!r->error) return OK;
  if (r->seen) return shared_error(p, r);
  TRY(elements_error(p, r, 0));
  TRY(exec_rows(s->exec, &stress_error_most_kernel, &most, r->n_run));
  for (int i = 0; i < 2; ++i) TRY(exec_rows(s->exec, &recover_total_kernel, &total[i], s->set.n_solved));
  return OK;
}

static Status parts_fetch(const Elasticity *p, const ElasticRecovery *r, ElasticFields *out) {
  const int64_t n = p->space->set.n_solved;
  if (!out->error_share) ALLOC(out->error_share, n, "error of the stress");
  if (!out->error_square) ALLOC(out->error_square, n, "error of the stress");
  TRY(exec_download(r->exec, out->error_share, r->error_share, (size_t)n * sizeof *out->error_share));
  return exec_download(r->exec, out->error_square, r->error_square, (size_t)n * sizeof *out->error_square);
}

Status stress_error_fetch(const Elasticity *p, const ElasticRecovery *r, ElasticFields *out) {
  Status status = OK;
  double *most = NULL;
  int32_t *where = NULL;
  out->error = -1; /* sums and the largest are those of all ranks */
  if (r->seen) return parts_fetch(p, r, out);
  const double error = r->host_totals[RECOVERY_ERROR], square = r->host_totals[RECOVERY_SQUARE];
  if (!r->error || !(error >= 0 && error + square > 0)) return OK;
  ALLOC_DONE(most, r->n_run, "error of the stress");
  ALLOC_DONE(where, r->n_run, "error of the stress");
  TRY_DONE(exec_download(r->exec, most, r->error_most, (size_t)r->n_run * sizeof *most));
  TRY_DONE(exec_download(r->exec, where, r->error_where, (size_t)r->n_run * sizeof *where));
  int64_t at = 0;
  for (int64_t i = 1; i < r->n_run; ++i)
    if (most[i] > most[at]) at = i;
  out->error = sqrt(error / (error + square));
  out->error_element = where[at];
done:
  FREE(where);
  FREE(most);
  return status;
}

Status elastic_error_shares(const Elasticity *p, ElasticFields *fields) {
  const ElasticRecovery *r = fields->own;
  CHECK(r && r->error, ERR_BUG, "the error of the stress was not asked for");
  return parts_fetch(p, r, fields);
}
