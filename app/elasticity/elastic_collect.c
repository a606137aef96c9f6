/* The fields of a solution on several ranks, brought together on rank 0 in the order of the whole mesh, so that files,
 * probes and sums are made as in a run of one rank; and the checks that rank 0 makes of the whole before. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/run/adapt.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static const char *const WHAT = "result fields";

typedef struct Source {
  const Collector *collector; /* of all items, or of some */
  const Mesh *local;
  bool is_root;
} Source;

/* Scalars of an item; NULL where the field was not asked for. *to is the caller's, on rank 0. */
static Status collect_field(const Source *s, CollectorItems of, int width, const double *from, double **to) {
  if (!from) return OK;
  if (s->is_root) ALLOC(*to, (int64_t)collector_items(s->collector, of) * width, WHAT);
  return collect(s->collector, of, (size_t)width * sizeof *from, from, *to);
}

/* From how many each has to where they begin, on rank 0. */
static Status collect_starts(const Source *s, CollectorItems of, int32_t n, const int64_t *start, int64_t **whole) {
  const int32_t n_whole = collector_items(s->collector, of);
  int64_t *count = NULL;
  ALLOC(count, n, WHAT);
  for (int32_t i = 0; i < n; ++i) count[i] = start[i + 1] - start[i];
  Status status = OK;
  if (s->is_root) status = mem_alloc((int64_t)n_whole + 1, sizeof **whole, WHAT, (void **)whole);
  if (status == OK) status = collect(s->collector, of, sizeof *count, count, *whole ? *whole + 1 : NULL);
  for (int32_t i = 0; *whole && i < n_whole; ++i) (*whole)[i + 1] += (*whole)[i];
  FREE(count);
  return status;
}

static Status collect_points(const Source *s, const ElasticFields *from, ElasticFields *to) {
  const int32_t n = s->local->n_element - setup_first_solved(s->local);
  if (!from->point_stress) return OK;
  TRY(collect_starts(s, OF_ELEMENTS, n, from->point_start, &to->point_start));
  if (s->is_root) ALLOC(to->point_stress, to->point_start[collector_items(s->collector, OF_ELEMENTS)], WHAT);
  return collect_pieces(s->collector, OF_ELEMENTS, sizeof *from->point_stress, from->point_start, from->point_stress,
                        to->point_start, to->point_stress);
}

/* Averages of other materials at interfaces, of which few nodes have any. */
static Status collect_others(const Source *s, const ElasticFields *from, ElasticFields *to) {
  const int32_t n = s->local->n_node, n_whole = s->is_root ? collector_items(s->collector, OF_NODES) : 0;
  int64_t *start = NULL, *whole = NULL;
  Status status = OK;
  ALLOC(start, (int64_t)n + 1, WHAT);
  for (int64_t k = 0; k < from->n_other; ++k) ++start[from->other[k].node + 1];
  for (int32_t i = 0; i < n; ++i) start[i + 1] += start[i];
  TRY_DONE(collect_starts(s, OF_NODES, n, start, &whole));
  if (whole) to->n_other = whole[n_whole];
  if (whole) ALLOC_DONE(to->other, to->n_other, WHAT);
  TRY_DONE(collect_pieces(s->collector, OF_NODES, sizeof *from->other, start, from->other, whole, to->other));
  for (int32_t i = 0; i < n_whole; ++i)
    for (int64_t k = whole[i]; k < whole[i + 1]; ++k) to->other[k].node = i;
done:
  FREE(whole);
  FREE(start);
  return status;
}

static Status collect_arrays(const Source *s, FieldBits which, const ElasticFields *from, ElasticFields *to) {
  FOR_ELASTIC_FIELDS(k) {
    const FieldType *f = &elastic_field[k];
    double *whole = NULL;
    if (!(which >> k & 1) || f->where == WHERE_POINTS) continue;
    const CollectorItems of = f->where == WHERE_ELEMENTS ? OF_ELEMENTS : OF_NODES;
    const Status status = collect_field(s, of, f->width, elastic_field_value(from, k), &whole);
    elastic_field_put(to, k, whole);
    TRY(status);
  }
  return which & FIELD_POINT_STRESS ? collect_points(s, from, to) : OK;
}

static Status collect_materials(const Source *s, const ElasticFields *from, ElasticFields *to) {
  int32_t *material = NULL;
  if (s->is_root) ALLOC(material, collector_items(s->collector, OF_ELEMENTS), WHAT);
  to->material = material;
  return collect(s->collector, OF_ELEMENTS, sizeof *material, from->material, material);
}

/* The largest part of the error, and the first element of the whole that has it. */
typedef struct ErrorMost {
  double part;
  int32_t element; /* -1: none */
} ErrorMost;

static void most_add(double part, int32_t element, ErrorMost *to) {
  if (to->element >= 0 && (part == to->part ? element > to->element : !(part > to->part))) return;
  *to = (ErrorMost){part, element};
}

static Status most_find(const Run *run, const double *part, ErrorMost *out) {
  const Collector *c = run->share->collector;
  const int n = comm_size(run->params->comm);
  const int32_t *own, n_own = collector_own(c, OF_ELEMENTS, &own);
  ErrorMost *all = NULL;
  *out = (ErrorMost){0, -1};
  for (int32_t k = 0; k < n_own; ++k)
    if (out->element < 0 || part[own[k]] > out->part)
      *out = (ErrorMost){part[own[k]], collector_whole(c, OF_ELEMENTS, k)};
  ALLOC(all, n, WHAT);
  const Status status = comm_gather(run->params->comm, out, sizeof *out, all);
  for (int r = 0; r < n && status == OK; ++r)
    if (all[r].element >= 0) most_add(all[r].part, all[r].element, out);
  FREE(all);
  return status;
}

Status elastic_total(const Run *run, const double *mine, double *total) {
  RunShare *share = run->share;
  if (!share->slabs) TRY(slabs_create(run->params->comm, share->collector, &share->slabs));
  return slabs_total(share->slabs, OF_ELEMENTS, mine, total);
}

Status elastic_totals(const Run *run, ElasticFields *f) {
  double error, square;
  ErrorMost most;
  if (!run->share) return OK;
  TRY(elastic_total(run, f->strain_energy, &f->energy));
  f->error = -1;
  if (!f->error_share) return OK;
  TRY(elastic_total(run, f->error_share, &error));
  TRY(elastic_total(run, f->error_square, &square));
  TRY(most_find(run, f->error_share, &most));
  if (!(error >= 0 && error + square > 0)) return OK;
  f->error = sqrt(error / (error + square));
  f->error_element = most.element;
  return OK;
}

static Status fields_collect(const Run *run, const Collector *by, FieldBits which, const ElasticFields *from,
                             ElasticFields *to) {
  const Source s = {by, run->share->local.mesh, run_is_root(run)};
  int64_t others = 0;
  *to = (ElasticFields){.energy = from->energy, .error = from->error, .error_element = from->error_element};
  TRY(collect_arrays(&s, which, from, to));
  TRY(collect_materials(&s, from, to));
  TRY(ranks_add(run, from->n_other, &others));
  return others ? collect_others(&s, from, to) : OK;
}

Status elastic_collect_other(const Run *run, const ElasticFields *from, ElasticFields *to) {
  return fields_collect(run, run->share->collector, 0, from, to);
}

Status elastic_collect(const Run *run, const ElasticFields *from, ElasticFields *to) {
  return fields_collect(run, run->share->collector, FIELD_ALL, from, to);
}

static void location_mark(const Mesh *mesh, const Location *at, uint8_t *const mark[2]) {
  if (at->node >= 0) mark[OF_NODES][at->node] = 1;
  if (at->node >= 0) return;
  const int32_t n = element_type(mesh_block_of(mesh, at->element)->kind)->n_node;
  mark[OF_ELEMENTS][at->element - setup_first_solved(mesh)] = 1;
  for (int32_t a = 0; a < n; ++a) mark[OF_NODES][mesh_nodes_of(mesh, at->element)[a]] = 1;
}

/* Marks nodes and solved elements that probes and sums of the whole look at. */
static void columns_mark(const Case *c, const Mesh *mesh, const Setup *setup, uint8_t *const mark[2]) {
  const int32_t first = setup_first_solved(mesh);
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const Location *line = elastic_setup(setup)->line[i];
    location_mark(mesh, &setup->probe[i], mark);
    for (int32_t k = 0; line && k < LINE_POINTS; ++k) location_mark(mesh, &line[k], mark);
  }
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const Group *on = setup->sum[i];
    const bool cells = *elasticity_sum_letters(c, case_sum(c, i)) == 0;
    for (int32_t k = 0; k < on->n && cells; ++k) mark[OF_ELEMENTS][on->element[k] - first] = 1;
    for (int32_t k = 0; k < on->n && !cells; ++k) {
      const int32_t n = element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node;
      for (int32_t a = 0; a < n; ++a) mark[OF_NODES][mesh_nodes_of(mesh, on->element[k])[a]] = 1;
    }
  }
}

/* The marked ones; *list is the caller's. */
static Status marks_list(const uint8_t *mark, int32_t n, int32_t **list, int32_t *n_list) {
  for (int32_t i = 0; i < n; ++i) *n_list += mark[i];
  ALLOC(*list, *n_list, WHAT);
  int32_t *next = *list;
  for (int32_t i = 0; i < n; ++i)
    if (mark[i]) *next++ = i;
  return OK;
}

static Status columns_collector(const Run *run, const Setup *whole, Collector **out) {
  const Collector *all = run->share->collector;
  uint8_t *mark[2] = {NULL, NULL};
  int32_t *list[2] = {NULL, NULL}, n[2] = {0, 0};
  Status status = OK;
  for (int of = 0; of < 2 && run_is_root(run); ++of)
    ALLOC_DONE(mark[of], collector_items(all, (CollectorItems)of), WHAT);
  if (run_is_root(run)) columns_mark(run->c, run->mesh, whole, mark);
  for (int of = 0; of < 2 && run_is_root(run); ++of)
    TRY_DONE(marks_list(mark[of], collector_items(all, (CollectorItems)of), &list[of], &n[of]));
  TRY_DONE(collector_pick(all, n, list, out));
done:
  for (int of = 0; of < 2; ++of) {
    FREE(mark[of]);
    FREE(list[of]);
  }
  return status;
}

Status elastic_collect_columns(const Run *run, const Setup *whole, const ElasticFields *from, ElasticFields *to) {
  Collector *few = NULL;
  TRY(columns_collector(run, whole, &few));
  const Status status = fields_collect(run, few, columns_needed(run->c), from, to);
  collector_destroy(&few);
  return status;
}

/* A stress that is shown has its error beside it. */
FieldBits elastic_fields_needed(const Run *run) {
  const FieldBits which = results_needed(run->c) | (run->params->adapt ? FIELD_STRESS | FIELD_VON_MISES : 0);
  return which | (which & (FIELD_STRESS | FIELD_VON_MISES) ? FIELD_STRESS_ERROR : 0) |
         (run->share ? FIELD_STRAIN_ENERGY : 0);
}

/* Rank 0 has found them; the sides become the caller's. */
static Status share_rims(const Run *run, const Elasticity *seen, LidRims *rims) {
  Comm *comm = run->params->comm;
  const LidRims *found = seen ? elasticity_rims(seen) : NULL;
  if (found) *rims = *found;
  rims->side = NULL;
  TRY(comm_broadcast(comm, 0, rims, (int64_t)sizeof *rims));
  rims->side = NULL;
  const int64_t n = rims->first[ELASTIC_CAVITIES];
  if (!n) return OK;
  TRY(ranks_agree(run, mem_alloc(n, sizeof *rims->side, "edges of rims", (void **)&rims->side)));
  if (found) memcpy(rims->side, found->side, (size_t)n * sizeof *rims->side);
  return comm_broadcast(comm, 0, rims->side, n * (int64_t)sizeof *rims->side);
}

/* Likewise the parts of the body, which modes leave free to move. */
static Status share_parts(const Run *run, const Elasticity *seen, BodyParts *parts) {
  Comm *comm = run->params->comm;
  const LocalMesh *local = &run->share->local;
  int32_t head[2] = {seen ? elasticity_part_count(seen) : 0, seen && elasticity_part_of_node(seen)}, *whole = NULL;
  Status status = OK;
  TRY(comm_broadcast(comm, 0, head, sizeof head));
  *parts = (BodyParts){.n = head[0], .dim = case_dim(run->c)};
  TRY_DONE(ranks_agree(run, mem_alloc(parts->n, sizeof *parts->item, WHAT, (void **)&parts->item)));
  if (seen) memcpy(parts->item, elasticity_part(seen, 0), (size_t)parts->n * sizeof *parts->item);
  TRY_DONE(comm_broadcast(comm, 0, parts->item, parts->n * (int64_t)sizeof *parts->item));
  if (!head[1]) goto done;
  status = mem_alloc(local->n_whole, sizeof *whole, WHAT, (void **)&whole);
  if (status == OK) status = mem_alloc(local->mesh->n_node, sizeof *whole, WHAT, (void **)&parts->of_node);
  TRY_DONE(ranks_agree(run, status));
  if (seen) memcpy(whole, elasticity_part_of_node(seen), (size_t)local->n_whole * sizeof *whole);
  TRY_DONE(comm_broadcast(comm, 0, whole, local->n_whole * (int64_t)sizeof *whole));
  for (int32_t i = 0; i < local->mesh->n_node; ++i) parts->of_node[i] = whole[local->node[i]];
done:
  FREE(whole);
  return status;
}

Status elastic_check_whole(const Run *run, const Setup *whole, ElasticityParams *here) {
  Elasticity *seen = NULL;
  Status status = OK;
  if (!run->share) return OK;
  ElasticityParams params = elastic_setup(whole)->params;
  params.inspect_only = true;
  if (run_is_root(run)) status = elasticity_create(run->device.exec, &params, &seen);
  for (int32_t i = 0; seen && status == OK && i < elastic_setup(whole)->n_act; ++i)
    status = elastic_cases_begin(whole, true, i, seen);
  if (seen && status == OK) elasticity_closures(seen, here->closure);
  status = ranks_agree(run, status);
  if (status == OK) status = share_rims(run, seen, &here->rims);
  if (status == OK && (elastic_has(run->c, HAS_MODES) || case_by_modes(run->c)))
    status = share_parts(run, seen, &here->parts);
  elasticity_destroy(&seen);
  TRY(status);
  return comm_broadcast(run->params->comm, 0, here->closure, ELASTIC_CAVITIES * (int64_t)sizeof *here->closure);
}

Status elastic_add_errors(Run *run, const Elasticity *elasticity, ElasticFields *fields) {
  if (!run->params->adapt || run->rehearsed) return OK;
  TRY(elastic_error_shares(elasticity, fields));
  return adapt_add(run, run->mesh->n_element - setup_first_solved(run->mesh), fields->error_share,
                   fields->error_square);
}

Status elastic_at_rest(const Run *run, Elasticity *elasticity, double energy, bool *rest) {
  static const double NONE = 1e-12; /* of the energy that it has when it is held */
  Exec *exec = run->device.exec;
  const int64_t n = elasticity_dofs(elasticity);
  ElasticFields held = {0};
  double *still = NULL;
  Status status = OK;
  *rest = false;
  TRY_DONE(exec_alloc(exec, n, sizeof *still, "displacement at rest", (void **)&still));
  TRY_DONE(exec_zero(exec, still, (size_t)n * sizeof *still));
  TRY_DONE(elasticity_recover(elasticity, still, FIELD_STRAIN_ENERGY, &held));
  TRY_DONE(elastic_totals(run, &held));
  *rest = energy < NONE * held.energy;
done:
  elastic_fields_release(&held);
  EXEC_RELEASE(exec, still, n);
  return status;
}

Status elastic_drop_rounding(const Run *run, const Setup *setup, Elasticity *elasticity, double energy,
                             ElasticFields *fields) {
  bool rest;
  if (!elastic_setup(setup)->params.temperature || fields->error < 0 || run->rehearsed) return OK;
  TRY(elastic_at_rest(run, elasticity, energy, &rest));
  if (rest) fields->error = -1;
  return OK;
}

void elastic_collect_release(ElasticFields *fields) {
  int32_t *material = (int32_t *)(uintptr_t)fields->material;
  FOR_ELASTIC_FIELDS(k) {
    double *value = elastic_field_value(fields, k);
    FREE(value);
  }
  FREE(fields->point_start);
  FREE(fields->other);
  FREE(material);
  *fields = (ElasticFields){0};
}
