/* Operators, residual, load and prescribed values as sequences of row kernels. Bytes of one matrix from its elements
 * (hex8, n elements): element matrices 288 n written and read, entries 256 n, values once; of a combination: three
 * value arrays. */
#include "assembly/diffusion/diffusion_data.h"
#include "assembly/space/element_bound.h"
#include "core/memory.h"

#include <math.h>

#define PICK diffusion_pairs
#include "assembly/space/pick_kernel.h"
#define PICK diffusion_force
#include "assembly/space/pick_kernel.h"

DiffusionArgs diffusion_args(const Diffusion *p, int32_t k) {
  const SetBlock *b = &p->set.block[k];
  const DiffusionTables *t = &p->table[k];
  return (DiffusionArgs){
      .n_elem = b->n,
      .n_q = t->n_q,
      .n_m = t->n_m,
      .lumping = p->lumped ? t->lumping : LUMPING_NONE,
      .nodes = t->nodes,
      .node_a = b->node_a,
      .node_e = b->node_e,
      .x = p->x,
      .dN = t->dN,
      .weight = t->weight,
      .mass_N = t->mass_N,
      .mass_dN = t->mass_dN,
      .mass_weight = t->mass_weight,
      .tensor = t->tensor,
      .capacity = t->capacity,
      .thickness = t->thickness,
      .K = p->K,
      .pair_first = b->pair_first,
      .pair_p = b->pair_p,
      .pair_e = b->pair_e,
      .f = p->f,
      .force_first = b->force_first,
      .force_a = b->force_a,
      .force_e = b->force_e,
  };
}

static SpringArgs film_args(const Diffusion *p, int32_t k, const double *u) {
  const DiffusionArgs e = diffusion_args(p, k);
  return (SpringArgs){
      .n_elem = e.n_elem,
      .n_facet_node = p->set.block[k].type->n_node,
      .size = 1,
      .nodes = e.nodes,
      .node_a = e.node_a,
      .node_e = e.node_e,
      .kappa = p->table[k].kappa,
      .u = u,
      .f = e.f,
      .force_first = e.force_first,
      .force_a = e.force_a,
      .force_e = e.force_e,
      .entry_step = 1,
      .component_step = 1,
  };
}

/* Pair blocks of stiffness K + mass M; the convection matrix belongs to K. */
static Status element_matrices(Diffusion *p, double stiffness, double mass) {
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    const int64_t n = b->type->n_node;
    if (k < p->set.n_solved_block) {
      DiffusionArgs args = diffusion_args(p, k);
      args.stiffness = stiffness;
      args.mass = mass;
      TRY(exec_rows(p->exec, diffusion_pairs_kernel(b->type->kind), &args, n * b->n));
    } else {
      const int64_t pairs = n * (n + 1) / 2;
      const DiffusionFilmArgs args = {b->n, pairs,         p->table[k].kappa, stiffness,
                                      p->K, b->pair_first, b->pair_p,         b->pair_e};
      TRY(exec_rows(p->exec, &diffusion_film_kernel, &args, pairs * b->n));
    }
  }
  return OK;
}

static Status gather_matrix(Diffusion *p, double *values) {
  const BlockGatherArgs gather = gather_block_args(&p->blocks, p->K, 1, 1, values);
  return exec_rows(p->exec, &gather_block_1_kernel, &gather, p->blocks.n_row);
}

static Status eliminate(Diffusion *p, double *values) {
  const SupportBlocksArgs supports = {p->supported, NULL, values};
  return exec_rows(p->exec, &support_block_1_kernel, &supports, p->n_supported);
}

Status diffusion_matrix(Diffusion *p, double stiffness, double mass, double *values) {
  CHECK(p->K, ERR_BUG, "diffusion_matrix before diffusion_bind");
  TRY(element_matrices(p, stiffness, mass));
  TRY(gather_matrix(p, values));
  return eliminate(p, values);
}

Status diffusion_operators(Diffusion *p, double *stiffness, double *mass) {
  CHECK(p->K, ERR_BUG, "diffusion_operators before diffusion_bind");
  if (stiffness) {
    TRY(element_matrices(p, 1, 0));
    TRY(gather_matrix(p, stiffness));
  }
  if (mass) {
    TRY(element_matrices(p, 0, 1));
    TRY(gather_matrix(p, mass));
  }
  return OK;
}

static Status bound_of_matrices(Diffusion *p, double stiffness, double mass, double *bound) {
  const ElementMatrices m = {.set = &p->set, .K = p->K, .block_step = 1, .scalar_step = 1, .size = 1};
  TRY(element_matrices(p, stiffness, mass));
  return element_bound(p->exec, &m, bound);
}

Status diffusion_spectrum_bound(Diffusion *p, double stiffness, double mass, double *bound) {
  double of_mass;
  CHECK(p->K, ERR_BUG, "diffusion_spectrum_bound before diffusion_bind");
  if (stiffness != 0 || mass != 0) return bound_of_matrices(p, stiffness, mass, bound);
  TRY(bound_of_matrices(p, 1, 0, bound));
  TRY(bound_of_matrices(p, 0, 1, &of_mass));
  *bound = fmax(*bound, of_mass);
  return OK;
}

int64_t diffusion_bound_bytes(const Diffusion *p) { return element_bound_bytes(p->exec, &p->set, 1); }

Status diffusion_combine(Diffusion *p, const double *stiffness, const double *mass, const double *factor,
                         double *values) {
  CHECK(p->K, ERR_BUG, "diffusion_combine before diffusion_bind");
  const DiffusionCombineArgs args = {factor, stiffness, mass, values};
  TRY(exec_rows(p->exec, &diffusion_combine_kernel, &args, p->n_value));
  return eliminate(p, values);
}

/* out = external - sum of the element forces, zero where `fixed` says. */
static Status gather_forces(Diffusion *p, const double *external, const uint8_t *fixed, double *out) {
  const VectorGatherArgs args = {
      .start = p->nodes.start,
      .entry = p->nodes.entry,
      .node = p->nodes.node,
      .f = p->f,
      .entry_step = 1,
      .component_step = 1,
      .external = external,
      .fixed = fixed,
      .out = out,
  };
  return exec_rows(p->exec, &gather_node_1_kernel, &args, p->nodes.n_row);
}

Status diffusion_residual(Diffusion *p, const double *u, const double *rate, const double *f, bool reactions,
                          double *r) {
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    if (k < p->set.n_solved_block) {
      DiffusionArgs args = diffusion_args(p, k);
      args.u = u;
      args.rate = rate;
      TRY(exec_rows(p->exec, diffusion_force_kernel(b->type->kind), &args, b->n));
    } else {
      const SpringArgs args = film_args(p, k, u);
      TRY(exec_rows(p->exec, &spring_force_kernel, &args, (int64_t)b->n * b->type->n_node));
    }
  }
  return gather_forces(p, f ? f : p->zero, reactions ? NULL : p->fixed, r);
}

Status diffusion_lumped_mass(Diffusion *p, double *mass) {
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    if (k < p->set.n_solved_block) {
      DiffusionArgs args = diffusion_args(p, k);
      args.lumping = p->table[k].lumping;
      args.unit_rate = 1;
      TRY(exec_rows(p->exec, diffusion_force_kernel(b->type->kind), &args, b->n));
    } else {
      TRY(exec_zero(p->exec, p->f + b->force_first, (size_t)b->n * (size_t)b->type->n_node * sizeof *p->f));
    }
  }
  TRY(gather_forces(p, p->zero, NULL, mass));
  const DiffusionNegateArgs args = {mass};
  return exec_rows(p->exec, &diffusion_negate_kernel, &args, p->n_node);
}

Status diffusion_load(Diffusion *p, double time, double *f) {
  TRY(exec_copy(p->exec, f, p->force, (size_t)p->n_node * sizeof *f));
  DiffusionLoads *l = &p->loads;
  if (l->n_point == 0) return OK;
  TRY(timed_evaluate(l, time));
  TRY(exec_upload(p->exec, p->touched_value, l->at_node, (size_t)l->n_touched * sizeof(double)));
  const DiffusionScatterArgs args = {p->touched_node, p->touched_value, f, 1};
  return exec_rows(p->exec, &diffusion_scatter_kernel, &args, l->n_touched);
}

Status diffusion_prescribed(Diffusion *p, double time, double *u) {
  DiffusionSupports *s = &p->supports;
  const double before = s->time;
  TRY(diffusion_supports_evaluate(p->mesh, s, time));
  if (s->time != before && s->n_varying)
    TRY(exec_upload(p->exec, p->support_value, s->value, (size_t)s->n * sizeof(double)));
  const DiffusionScatterArgs args = {p->support_node, p->support_value, u, 0};
  return exec_rows(p->exec, &diffusion_scatter_kernel, &args, s->n);
}
