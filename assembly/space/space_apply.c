/* What a space does with element results, and vectors and bounds on their way to the host. */
#include "assembly/space/space.h"
#include "assembly/space/rows.h"
#include "assembly/space/element_bound.h"
#include "core/comm.h"
#include "core/memory.h"

/* By scalars per node. */
static const RowKernel *const gather_block_kernel[] = {NULL, &gather_block_1_kernel, &gather_block_2_kernel,
                                                       &gather_block_3_kernel};
static const RowKernel *const prescribed_block_kernel[] = {NULL, &prescribed_block_1_kernel, &prescribed_block_2_kernel,
                                                           &prescribed_block_3_kernel};
static const RowKernel *const gather_node_kernel[] = {
    NULL,
    &gather_node_1_kernel,
    &gather_node_2_kernel,
    &gather_node_3_kernel,
    &gather_node_4_kernel,
    &gather_node_5_kernel,
    &gather_node_6_kernel,
};
enum { UNROLLED = 3 }; /* blocks up to this size have kernels of their own */

/* Facets of block k from `first` on, as many as b has. */
static SpringArgs facet_args(const Space *s, const SetBlock *b, int32_t k, int64_t first) {
  const int64_t n = b->type->n_node, numbers = spring_numbers(s->n_component, s->block[k].form);
  const int64_t before = first * (n * (n + 1) / 2) * numbers;
  return (SpringArgs){
      .n_elem = b->n,
      .n_facet_node = b->type->n_node,
      .size = s->n_component,
      .numbers = (int32_t)numbers,
      .nodes = s->block[k].nodes + first * b->node_e,
      .node_a = b->node_a,
      .node_e = b->node_e,
      .kappa = s->block[k].kappa + before,
      .viscosity = s->block[k].viscosity ? s->block[k].viscosity + before : NULL,
      .K = s->K,
      .pair_first = b->pair_first,
      .pair_p = b->pair_p,
      .pair_e = b->pair_e,
      .block_step = s->block_step,
      .scalar_step = s->scalar_step,
      .f = s->f,
      .force_first = b->force_first,
      .force_a = b->force_a,
      .force_e = b->force_e,
      .entry_step = s->entry_step,
      .component_step = s->component_step,
  };
}

static Status batch_facets(const Space *s, const SpaceBatch *batch, double factor, double rate_factor) {
  for (int32_t k = s->set.n_solved_block; k < s->set.n_block; ++k) {
    const SetBlock *b = &batch->set.block[k];
    const int64_t n = b->type->n_node;
    if (!s->block[k].kappa) continue;
    SpringArgs args = facet_args(s, b, k, batch->first[k]);
    args.factor = factor;
    args.rate_factor = rate_factor;
    TRY(exec_rows(s->exec, &spring_stiffness_kernel, &args, n * (n + 1) / 2 * b->n));
  }
  return OK;
}

Status space_facet_matrices(const Space *s, double factor, double rate_factor) {
  return batch_facets(s, s->batch, factor, rate_factor);
}

static Status facet_forces(const Space *s, const double *u, const double *rate, bool unit_rate) {
  for (int32_t k = s->set.n_solved_block; k < s->set.n_block; ++k) {
    if (!s->block[k].kappa) continue;
    SpringArgs args = facet_args(s, &s->set.block[k], k, 0);
    args.u = u;
    args.rate = rate;
    args.unit_rate = unit_rate;
    TRY(exec_rows(s->exec, &spring_force_kernel, &args, (int64_t)s->set.block[k].type->n_node * s->set.block[k].n));
  }
  return OK;
}

Status space_facet_forces(const Space *s, const double *u, const double *rate) {
  return facet_forces(s, u, rate, false);
}

Status space_facet_masses(const Space *s) { return facet_forces(s, NULL, NULL, true); }

Status space_viscous_forces(const Space *s, const double *u) {
  TRY(exec_zero(s->exec, s->f, (size_t)(s->set.n_force * s->n_component) * sizeof *s->f));
  return facet_forces(s, NULL, u, false);
}

bool space_has_inertia(const Space *s) {
  bool any = false;
  for (int32_t k = s->set.n_solved_block; k < s->set.n_block; ++k) any |= s->block[k].inertia != NULL;
  return any;
}

Status space_inertia_matrices(const Space *s, double *K) {
  for (int32_t k = s->set.n_solved_block; k < s->set.n_block; ++k) {
    const int64_t n = s->set.block[k].type->n_node;
    if (!s->block[k].inertia) continue;
    SpringArgs args = facet_args(s, &s->set.block[k], k, 0);
    args.kappa = s->block[k].inertia;
    args.viscosity = NULL;
    args.factor = 1;
    args.K = K;
    TRY(exec_rows(s->exec, &spring_stiffness_kernel, &args, n * (n + 1) / 2 * s->set.block[k].n));
  }
  return OK;
}

Status space_inertia_forces(const Space *s, const double *u) {
  TRY(exec_zero(s->exec, s->f, (size_t)(s->set.n_force * s->n_component) * sizeof *s->f));
  for (int32_t k = s->set.n_solved_block; k < s->set.n_block; ++k) {
    if (!s->block[k].inertia) continue;
    SpringArgs args = facet_args(s, &s->set.block[k], k, 0);
    args.kappa = s->block[k].inertia;
    args.viscosity = NULL;
    args.u = u;
    TRY(exec_rows(s->exec, &spring_force_kernel, &args, (int64_t)s->set.block[k].type->n_node * s->set.block[k].n));
  }
  return OK;
}

static Status batch_gather(const Space *s, const SpaceBatch *batch, double *values) {
  const Gather *blocks = &batch->gather;
  LargeGatherArgs args = {gather_block_args(blocks, s->K, s->block_step, s->scalar_step, values), s->n_component};
  args.gather.add = s->n_batch > 1;
  if (s->n_component > UNROLLED) return exec_rows(s->exec, &gather_block_any_kernel, &args, blocks->n_row);
  return exec_rows(s->exec, gather_block_kernel[s->n_component], &args.gather, blocks->n_row);
}

Status space_gather_matrix(const Space *s, double *values) {
  CHECK(s->n_batch == 1, ERR_BUG, "element matrices of %d batches do not exist at the same time", s->n_batch);
  return batch_gather(s, s->batch, values);
}

Status space_assemble(const Space *s, SpaceMatrices matrices, void *context, double facet, double *values) {
  CHECK(s->gathers, ERR_BUG, "space_assemble before space_bind");
  if (s->n_batch > 1) TRY(exec_zero(s->exec, values, (size_t)s->n_value * sizeof *values));
  for (int32_t b = 0; b < s->n_batch; ++b) {
    TRY(matrices(context, &s->batch[b]));
    TRY(batch_facets(s, &s->batch[b], facet, 0));
    TRY(batch_gather(s, &s->batch[b], values));
  }
  return OK;
}

Status space_assemble_viscosity(const Space *s, SpaceMatrices matrices, void *context, double *values) {
  const int64_t n = s->n_pair * s->n_component * s->n_component;
  CHECK(s->gathers, ERR_BUG, "space_assemble_viscosity before space_bind");
  if (s->n_batch > 1) TRY(exec_zero(s->exec, values, (size_t)s->n_value * sizeof *values));
  for (int32_t b = 0; b < s->n_batch; ++b) {
    TRY(exec_zero(s->exec, s->K, (size_t)n * sizeof *s->K));
    if (matrices) TRY(matrices(context, &s->batch[b]));
    TRY(batch_facets(s, &s->batch[b], 0, 1));
    TRY(batch_gather(s, &s->batch[b], values));
  }
  return OK;
}

Status space_eliminate(const Space *s, const double *frame, double diagonal, double *values) {
  const PrescribedArgs args = {s->prescribed, s->prescribed_slot, frame, values, diagonal, s->n_component};
  const RowKernel *kernel =
      s->n_component > UNROLLED ? &prescribed_block_any_kernel : prescribed_block_kernel[s->n_component];
  return exec_rows(s->exec, kernel, &args, s->n_prescribed);
}

VectorGatherArgs space_node_gather(const Space *s, double *out) {
  return (VectorGatherArgs){.start = s->nodes.start,
                            .entry = s->nodes.entry,
                            .node = s->nodes.node,
                            .f = s->f,
                            .entry_step = s->entry_step,
                            .component_step = s->component_step,
                            .out = out};
}

Status space_gather_forces(const Space *s, const double *external, const uint8_t *fixed, double *out) {
  VectorGatherArgs args = space_node_gather(s, out);
  args.external = external;
  args.fixed = fixed;
  return exec_rows(s->exec, gather_node_kernel[s->n_component], &args, s->nodes.n_row);
}

Status space_bring_halo(const Space *s, const double *v) {
  if (!s->pattern->share.halo || !v) return OK;
  return exec_exchange(s->exec, s->pattern->share.halo, (double *)v, (size_t)s->n_component * sizeof *v);
}

Status space_download(const Space *s, const double *v, double *out) {
  const size_t bytes = (size_t)s->n_dof * sizeof *v;
  if (!s->arranged) return exec_download(s->exec, out, v, bytes);
  TRY(exec_download(s->exec, s->arranged, v, bytes));
  numbering_to_mesh(&s->numbering, (size_t)s->n_component * sizeof *v, s->arranged, out);
  return OK;
}

Status space_upload(const Space *s, const double *from, double *v) {
  if (s->arranged) numbering_to_solver(&s->numbering, (size_t)s->n_component * sizeof *v, from, s->arranged);
  return exec_upload(s->exec, v, s->arranged ? s->arranged : from, (size_t)s->n_read * sizeof *v);
}

Status row_values_create(const Space *s, int64_t n, const int32_t *row, const char *what, RowValues *out) {
  Status status = OK;
  const int32_t m = s->n_component;
  int32_t *solver = NULL;
  *out = (RowValues){.n = n};
  ALLOC_DONE(solver, n, what);
  for (int64_t j = 0; j < n; ++j) solver[j] = numbering_rank(&s->numbering, row[j] / m) * m + row[j] % m;
  TRY_DONE(exec_alloc_upload(s->exec, n, sizeof *solver, solver, what, (void **)&out->row));
  TRY_DONE(exec_alloc(s->exec, n, sizeof *out->value, what, (void **)&out->value));
done:
  FREE(solver);
  return status;
}

void row_values_release(Exec *exec, RowValues *values) {
  EXEC_RELEASE(exec, values->row, values->n);
  EXEC_RELEASE(exec, values->value, values->n);
}

Status row_values_put(const Space *s, const RowValues *values, const double *value, bool add, double *v) {
  if (value) TRY(exec_upload(s->exec, values->value, value, (size_t)values->n * sizeof *value));
  const ScatterArgs args = {values->row, values->value, v, add};
  return exec_rows(s->exec, &scatter_kernel, &args, values->n);
}

/* The bound of a batch, whose matrices are made again unless there is no other. */
static Status batch_bound(const Space *s, const SpaceBatch *batch, const SpaceBoundParams *p, ElementMatrices *m,
                          double *bound) {
  if (s->n_batch > 1) {
    TRY(p->matrices(p->context, batch));
    TRY(batch_facets(s, batch, p->facet, 0));
  }
  m->set = &batch->set;
  for (int32_t k = 0; k < s->set.n_block; ++k)
    m->nodes[k] = s->block[k].nodes + batch->first[k] * s->set.block[k].node_e;
  return element_bound(s->exec, m, bound);
}

Status space_spectrum_bound(const Space *s, const SpaceBoundParams *p, double *bound) {
  Status status = OK;
  int32_t *on_exec = NULL;
  ElementMatrices m = {.K = s->K,
                       .block_step = s->block_step,
                       .scalar_step = s->scalar_step,
                       .size = s->n_component,
                       .blocks = p->blocks};
  *bound = 1;
  if (p->frame_of && !p->blocks) {
    TRY_DONE(numbering_upload(s->exec, &s->numbering, 1, sizeof *p->frame_of, p->frame_of, "frames of nodes",
                              (void **)&on_exec));
    m.frame_of = on_exec;
    m.frame = p->frame;
  }
  for (int32_t b = 0; b < s->n_batch; ++b) {
    double here;
    TRY_DONE(batch_bound(s, &s->batch[b], p, &m, &here));
    if (here > *bound) *bound = here;
  }
  status = comm_most(s->exec->comm, bound);
done:
  EXEC_RELEASE(s->exec, on_exec, s->n_node);
  return status;
}

Status space_order_transfers(const Space *s, const int32_t *frame_of, const double *frame, OrderTransfers *out) {
  int32_t *arranged = NULL;
  *out = (OrderTransfers){0};
  if (frame_of) {
    ALLOC(arranged, s->n_node, "frames of nodes");
    numbering_to_solver(&s->numbering, sizeof *arranged, frame_of, arranged);
  }
  const Status status =
      order_transfers_create(s->exec->comm, s->solver_set, &(NodeFrames){s->n_component, arranged, frame}, out);
  FREE(arranged);
  return status;
}

int32_t space_order(const Space *s) {
  int32_t order = 0;
  for (int32_t b = 0; b < s->set.n_solved_block; ++b)
    if (s->set.block[b].n > 0 && s->set.block[b].type->order > order) order = s->set.block[b].type->order;
  return order;
}

int32_t space_element_index(const ElementSet *set, int32_t element) {
  int32_t before = 0;
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    const SetBlock *b = &set->block[k];
    if (element < b->first_id + b->n) return before + element - b->first_id;
    before += b->n;
  }
  return -1;
}
