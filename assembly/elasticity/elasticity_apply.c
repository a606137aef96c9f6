/* Residual and tangent as sequences of row kernels; every function here may be recorded.
 * Bytes of one tangent (hex8, n elements): element matrices 2592 n written and read, entries 256 n, values once. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/element_bound.h"
#include "core/memory.h"

#define PICK stiffness
#include "assembly/space/pick_kernel.h"
#define PICK force
#include "assembly/space/pick_kernel.h"

/* The kernels of 1, 2 and 3 scalars per node. */
static const RowKernel *const gather_block_kernel[4] = {NULL, &gather_block_1_kernel, &gather_block_2_kernel,
                                                        &gather_block_3_kernel};
static const RowKernel *const support_block_kernel[4] = {NULL, &support_block_1_kernel, &support_block_2_kernel,
                                                         &support_block_3_kernel};
static const RowKernel *const gather_node_kernel[4] = {NULL, &gather_node_1_kernel, &gather_node_2_kernel,
                                                       &gather_node_3_kernel};

/* Strides of element results: scalars of one block together on the CPU, scalars of consecutive blocks on a GPU. */
static int64_t entry_step(const Elasticity *p, int64_t scalars) { return exec_is_host(p->exec) ? scalars : 1; }
static int64_t scalar_step(const Elasticity *p, int64_t entries) { return exec_is_host(p->exec) ? 1 : entries; }

static ElementArgs element_args(const Elasticity *p, int32_t k, const double *u) {
  const SetBlock *b = &p->set.block[k];
  const BlockTables *t = &p->table[k];
  return (ElementArgs){
      .n_elem = b->n,
      .n_q = t->n_q,
      .nodes = t->nodes,
      .node_a = b->node_a,
      .node_e = b->node_e,
      .x = p->x,
      .dN = t->dN,
      .weight = t->weight,
      .material = t->material,
      .constants = p->exec_constants,
      .K = p->K,
      .pair_first = b->pair_first,
      .pair_p = b->pair_p,
      .pair_e = b->pair_e,
      .block_step = entry_step(p, p->dim * p->dim),
      .scalar_step = scalar_step(p, p->set.n_pair),
      .u = u,
      .f = p->f,
      .force_first = b->force_first,
      .force_a = b->force_a,
      .force_e = b->force_e,
      .entry_step = entry_step(p, p->dim),
      .component_step = scalar_step(p, p->set.n_force),
  };
}

static SpringArgs spring_args(const Elasticity *p, int32_t k, const double *u) {
  const ElementArgs e = element_args(p, k, u);
  return (SpringArgs){
      .n_elem = e.n_elem,
      .n_facet_node = p->set.block[k].type->n_node,
      .size = p->dim,
      .nodes = e.nodes,
      .node_a = e.node_a,
      .node_e = e.node_e,
      .kappa = p->table[k].kappa,
      .K = e.K,
      .pair_first = e.pair_first,
      .pair_p = e.pair_p,
      .pair_e = e.pair_e,
      .block_step = e.block_step,
      .scalar_step = e.scalar_step,
      .u = u,
      .f = e.f,
      .force_first = e.force_first,
      .force_a = e.force_a,
      .force_e = e.force_e,
      .entry_step = e.entry_step,
      .component_step = e.component_step,
  };
}

Status elasticity_force_balance(Elasticity *p, const double *u_global, double *raw, const uint8_t *fixed) {
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    if (k < p->set.n_solved_block) {
      const ElementArgs args = element_args(p, k, u_global);
      TRY(exec_rows(p->exec, force_kernel(b->type->kind), &args, (int64_t)b->n * force_chunks(b->type->n_node)));
    } else {
      const SpringArgs args = spring_args(p, k, u_global);
      TRY(exec_rows(p->exec, &spring_force_kernel, &args, (int64_t)b->n * b->type->n_node));
    }
  }
  const VectorGatherArgs args = {
      .start = p->nodes.start,
      .entry = p->nodes.entry,
      .node = p->nodes.node,
      .f = p->f,
      .entry_step = entry_step(p, p->dim),
      .component_step = scalar_step(p, p->set.n_force),
      .external = p->external,
      .fixed = fixed,
      .out = raw,
  };
  return exec_rows(p->exec, gather_node_kernel[p->dim], &args, p->nodes.n_row);
}

static FramesArgs frames_args(const Elasticity *p, double *v) {
  return (FramesArgs){.node = p->frame_node, .frame = p->frame, .fixed = p->frame_fixed, .v = v, .size = p->dim};
}

Status elasticity_initial(Elasticity *p, double *u) {
  const size_t bytes = (size_t)p->n_dof * sizeof *u;
  double *arranged = NULL;
  if (!p->numbering.rank) return exec_upload(p->exec, u, p->supports.value, bytes);
  ALLOC(arranged, p->n_dof, "prescribed displacements");
  numbering_to_solver(&p->numbering, (size_t)p->dim * sizeof *u, p->supports.value, arranged);
  const Status status = exec_upload(p->exec, u, arranged, bytes);
  FREE(arranged);
  return status;
}

Status elasticity_residual(Elasticity *p, const double *u, double *r) {
  const int64_t n_frame = p->supports.n_frame;
  if (n_frame) {
    const FramesArgs args = frames_args(p, p->work);
    TRY(exec_copy(p->exec, p->work, u, (size_t)p->n_dof * sizeof *u));
    TRY(exec_rows(p->exec, &frames_to_global_kernel, &args, n_frame));
    u = p->work;
  }
  TRY(elasticity_force_balance(p, u, r, p->fixed));
  const FramesArgs args = frames_args(p, r);
  return exec_rows(p->exec, &frames_to_local_kernel, &args, n_frame);
}

Status elasticity_tangent(Elasticity *p, const double *u, double *values) {
  CHECK(p->K, ERR_BUG, "elasticity_tangent before elasticity_bind");
  (void)u; /* linear: the same everywhere */
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    const int n = b->type->n_node;
    if (k < p->set.n_solved_block) {
      const ElementArgs args = element_args(p, k, u);
      TRY(exec_rows(p->exec, stiffness_kernel(b->type->kind), &args, (int64_t)b->n * pair_chunks(n, p->dim)));
    } else {
      const SpringArgs args = spring_args(p, k, u);
      TRY(exec_rows(p->exec, &spring_stiffness_kernel, &args, (int64_t)b->n * pair_count(n)));
    }
  }
  const BlockGatherArgs gather =
      gather_block_args(&p->blocks, p->K, entry_step(p, p->dim * p->dim), scalar_step(p, p->set.n_pair), values);
  TRY(exec_rows(p->exec, gather_block_kernel[p->dim], &gather, p->blocks.n_row));
  const SupportBlocksArgs supports = {p->supported, p->frame, values};
  return exec_rows(p->exec, support_block_kernel[p->dim], &supports, p->n_supported);
}

Status elasticity_spectrum_bound(Elasticity *p, bool blocks, double *bound) {
  Status status = OK;
  int32_t *frame_of = NULL;
  CHECK(p->K, ERR_BUG, "elasticity_spectrum_bound before elasticity_tangent");
  ElementMatrices m = {.set = &p->set,
                       .K = p->K,
                       .block_step = entry_step(p, p->dim * p->dim),
                       .scalar_step = scalar_step(p, p->set.n_pair),
                       .size = p->dim,
                       .blocks = blocks};
  for (int32_t k = 0; k < p->set.n_block; ++k) m.nodes[k] = p->table[k].nodes;
  if (p->supports.n_frame && !blocks) {
    TRY_DONE(numbering_upload(p->exec, &p->numbering, 1, sizeof *frame_of, p->supports.frame_of, "frames of nodes",
                              (void **)&frame_of));
    m.frame_of = frame_of;
    m.frame = p->frame;
  }
  TRY_DONE(element_bound(p->exec, &m, bound));
done:
  EXEC_RELEASE(p->exec, frame_of, p->set.n_node);
  return status;
}

int64_t elasticity_bound_bytes(const Elasticity *p) {
  const int64_t frames = p->supports.n_frame ? p->set.n_node : 0;
  return element_bound_bytes(p->exec, &p->set, p->dim) + frames * (int64_t)sizeof(int32_t);
}
