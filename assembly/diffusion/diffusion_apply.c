/* Operators, residual, load and prescribed values as sequences of row kernels. Bytes of one matrix from its elements
 * (hex8, n elements): element matrices 288 n written and read, entries 256 n, values once; of a combination: three
 * value arrays. */
#include "assembly/diffusion/diffusion_data.h"

#include <math.h>

#define PICK diffusion_pairs
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK diffusion_force
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK_SURFACES
#define PICK diffusion_pairs_surface
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK_SURFACES
#define PICK diffusion_force_surface
#include "assembly/space/pick_kernel.tmpl.h"

static const RowKernel *pairs_kernel(const Space *s, int32_t k) {
  const ElementKind kind = s->set.block[k].type->kind;
  return s->mesh->in_space ? diffusion_pairs_surface_kernel(kind) : diffusion_pairs_kernel(kind);
}
static const RowKernel *force_kernel(const Space *s, int32_t k) {
  const ElementKind kind = s->set.block[k].type->kind;
  return s->mesh->in_space ? diffusion_force_surface_kernel(kind) : diffusion_force_kernel(kind);
}

DiffusionArgs diffusion_space_args(const Space *s, int32_t k) {
  const SetBlock *b = &s->set.block[k];
  const SpaceBlock *t = &s->block[k];
  return (DiffusionArgs){
      .n_elem = b->n,
      .n_q = t->stiffness.n_q,
      .n_m = t->mass.n_q,
      .lumping = LUMPING_NONE,
      .nodes = t->nodes,
      .node_a = b->node_a,
      .node_e = b->node_e,
      .x = s->x,
      .dN = t->stiffness.dN,
      .weight = t->stiffness.weight,
      .mass_N = t->mass.N,
      .mass_dN = t->mass.dN,
      .mass_weight = t->mass.weight,
      .K = s->K,
      .pair_first = b->pair_first,
      .pair_p = b->pair_p,
      .pair_e = b->pair_e,
      .f = s->f,
      .force_first = b->force_first,
      .force_a = b->force_a,
      .force_e = b->force_e,
  };
}

DiffusionArgs diffusion_args(const Diffusion *p, int32_t k) {
  DiffusionArgs args = diffusion_space_args(p->space, k);
  args.lumping = p->lumped ? p->table[k].lumping : LUMPING_NONE;
  args.tensor = p->table[k].tensor;
  args.capacity = p->table[k].capacity;
  args.thickness = p->table[k].thickness;
  if (p->axisymmetric) args.N = p->space->block[k].stiffness.N;
  return args;
}

/* Pair blocks of stiffness K + mass M; the convection matrix belongs to K, of links both. */
static Status element_matrices(Diffusion *p, double stiffness, double mass) {
  const Space *s = p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const SetBlock *b = &s->set.block[k];
    DiffusionArgs args = diffusion_args(p, k);
    args.stiffness = stiffness;
    args.mass = mass;
    TRY(exec_rows(s->exec, pairs_kernel(s, k), &args, (int64_t)b->type->n_node * b->n));
  }
  return space_facet_matrices(s, stiffness, mass);
}

Status diffusion_matrix(Diffusion *p, double stiffness, double mass, double *values) {
  CHECK(p->space->K, ERR_BUG, "diffusion_matrix before diffusion_bind");
  TRY(element_matrices(p, stiffness, mass));
  TRY(space_gather_matrix(p->space, values));
  return space_eliminate(p->space, NULL, 1, values);
}

Status diffusion_operators(Diffusion *p, double *stiffness, double *mass) {
  CHECK(p->space->K, ERR_BUG, "diffusion_operators before diffusion_bind");
  if (stiffness) {
    TRY(element_matrices(p, 1, 0));
    TRY(space_gather_matrix(p->space, stiffness));
  }
  if (mass) {
    TRY(element_matrices(p, 0, 1));
    TRY(space_gather_matrix(p->space, mass));
  }
  return OK;
}

Status diffusion_consistent_mass(Diffusion *p, double *mass) {
  const bool lumped = p->lumped;
  p->lumped = false;
  const Status status = diffusion_operators(p, NULL, mass);
  p->lumped = lumped;
  return status;
}

static Status bound_of_matrices(Diffusion *p, double stiffness, double mass, double *bound) {
  TRY(element_matrices(p, stiffness, mass));
  return space_spectrum_bound(p->space, &(SpaceBoundParams){0}, bound);
}

Status diffusion_spectrum_bound(Diffusion *p, double stiffness, double mass, double *bound) {
  double of_mass;
  CHECK(p->space->K, ERR_BUG, "diffusion_spectrum_bound before diffusion_bind");
  if (stiffness != 0 || mass != 0) return bound_of_matrices(p, stiffness, mass, bound);
  TRY(bound_of_matrices(p, 1, 0, bound));
  TRY(bound_of_matrices(p, 0, 1, &of_mass));
  *bound = fmax(*bound, of_mass);
  return OK;
}

Status diffusion_combine(Diffusion *p, const double *stiffness, const double *mass, const double *factor,
                         double *values) {
  CHECK(p->space->K, ERR_BUG, "diffusion_combine before diffusion_bind");
  const DiffusionCombineArgs args = {factor, stiffness, mass, values};
  TRY(exec_rows(p->space->exec, &diffusion_combine_kernel, &args, p->space->n_value));
  return space_eliminate(p->space, NULL, 1, values);
}

Status diffusion_residual(Diffusion *p, const double *u, const double *rate, const double *f, bool reactions,
                          double *r) {
  const Space *s = p->space;
  TRY(space_bring_halo(s, u));
  TRY(space_bring_halo(s, rate));
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    DiffusionArgs args = diffusion_args(p, k);
    args.u = u;
    args.rate = rate;
    TRY(exec_rows(s->exec, force_kernel(s, k), &args, args.n_elem));
  }
  TRY(space_facet_forces(s, u, rate));
  return space_gather_forces(s, f, reactions ? NULL : p->supports.exec_fixed, r);
}

static Status loads_of_one(Diffusion *p, bool lumped, double *f) {
  const Space *s = p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    DiffusionArgs args = diffusion_args(p, k);
    args.lumping = lumped ? p->table[k].lumping : LUMPING_NONE;
    args.unit_rate = 1;
    TRY(exec_rows(s->exec, force_kernel(s, k), &args, args.n_elem));
  }
  TRY(space_facet_masses(s));
  return space_gather_forces(s, NULL, NULL, f);
}

static Status mass_of_one(Diffusion *p, bool lumped, double *mass) {
  TRY(loads_of_one(p, lumped, mass));
  const DiffusionNegateArgs args = {mass};
  return exec_rows(p->space->exec, &diffusion_negate_kernel, &args, p->space->n_dof);
}

Status diffusion_loads_of_mass(Diffusion *p, double *f) { return loads_of_one(p, true, f); }
Status diffusion_lumped_mass(Diffusion *p, double *mass) { return mass_of_one(p, true, mass); }
Status diffusion_integrals(Diffusion *p, double *out) { return mass_of_one(p, false, out); }

Status diffusion_load(Diffusion *p, double time, double *f) { return loads_at_time(p->space, &p->loads, time, f); }

Status diffusion_prescribed(Diffusion *p, double time, double *u) {
  return supports_at_time(p->space, &p->supports, time, u);
}
