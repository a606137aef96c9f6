/* Mass of elasticity: pair numbers of the elements by the mass kernels of diffusion, gathered into blocks. */
#include "assembly/elasticity/elasticity_mass.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/diffusion/rows.h"
#include "assembly/space/element_tables.h"
#include "core/memory.h"
#include "core/vec.h"

#define PICK diffusion_pairs
#include "assembly/space/pick_kernel.h"
#define PICK diffusion_force
#include "assembly/space/pick_kernel.h"

/* Of one block of solved elements on the Exec, owned. */
typedef struct MassTables {
  int32_t n_q;
  double *N, *dN, *weight; /* [n_q][n_node], [n_q][n_node][dim], [n_q] of the mass rule */
  double *density;         /* [n] times thickness */
} MassTables;

struct ElasticityMass {
  Elasticity *p; /* borrowed */
  MassTables table[ELEMENT_SET_BLOCKS];
  double *pair;    /* owned, [n_pair] */
  double *part[2]; /* owned, [n_node]: a component of u, and of the result */
  double *zero;    /* owned, [n_node] */
  double *global;  /* owned, [n_dof], u in the global frame; NULL where no node has a frame of its own */
};

static Status upload_rule(Exec *exec, const ElementType *type, MassTables *t) {
  Status status = OK;
  double *N = NULL, *dN = NULL;
  Quadrature rule;
  TRY_DONE(element_mass_quadrature(type, &rule));
  t->n_q = rule.n;
  const int64_t n = (int64_t)rule.n * type->n_node;
  ALLOC_DONE(N, n, "shape functions");
  ALLOC_DONE(dN, n * type->dim, "reference gradients");
  element_tabulate(type, &rule, N, dN);
  TRY_DONE(exec_alloc_upload(exec, n, sizeof *N, N, "shape functions", (void **)&t->N));
  TRY_DONE(exec_alloc_upload(exec, n * type->dim, sizeof *dN, dN, "reference gradients", (void **)&t->dN));
  TRY_DONE(exec_alloc_upload(exec, rule.n, sizeof(double), rule.weight, "quadrature weights", (void **)&t->weight));
done:
  FREE(N);
  FREE(dN);
  return status;
}

/* Density times thickness of each element of block k, whose first one is number `first` of the solved ones. */
static Status upload_density(ElasticityMass *m, int32_t k, int32_t first, const double *density) {
  const Elasticity *p = m->p;
  const SetBlock *b = &p->set.block[k];
  double *value = NULL;
  Status status;
  ALLOC_DONE(value, b->n, "densities");
  for (int32_t e = 0; e < b->n; ++e) {
    const int32_t material = p->material[first + e];
    value[e] = density[material] * p->constants[material].thickness;
  }
  TRY_DONE(element_upload(p->exec, p->numbering.element[k], b->n, sizeof *value, value, "densities",
                          (void **)&m->table[k].density));
done:
  FREE(value);
  return status;
}

static Status fill(ElasticityMass *m, const double *density) {
  Elasticity *p = m->p;
  int32_t first = 0;
  for (int32_t k = 0; k < p->set.n_solved_block; ++k) {
    TRY(upload_rule(p->exec, p->set.block[k].type, &m->table[k]));
    TRY(upload_density(m, k, first, density));
    first += p->set.block[k].n;
  }
  EXEC_ALLOC(p->exec, m->pair, p->set.n_pair, "element masses");
  for (int i = 0; i < 2; ++i) EXEC_ALLOC(p->exec, m->part[i], p->set.n_node, "one component");
  EXEC_ALLOC(p->exec, m->zero, p->set.n_node, "no load");
  if (p->supports.n_frame) EXEC_ALLOC(p->exec, m->global, p->n_dof, "displacement in the global frame");
  return exec_zero(p->exec, m->zero, (size_t)p->set.n_node * sizeof *m->zero);
}

Status elasticity_mass_create(Elasticity *elasticity, const double *density, ElasticityMass **out) {
  *out = NULL;
  ElasticityMass *m = NULL;
  ALLOC(m, 1, "the mass of elasticity");
  m->p = elasticity;
  const Status status = fill(m, density);
  if (status != OK) elasticity_mass_destroy(&m);
  *out = m;
  return status;
}

void elasticity_mass_destroy(ElasticityMass **mass) {
  ElasticityMass *m = *mass;
  if (!m) return;
  const Elasticity *p = m->p;
  for (int32_t k = 0; k < p->set.n_solved_block; ++k) {
    MassTables *t = &m->table[k];
    const int64_t n = (int64_t)t->n_q * p->set.block[k].type->n_node;
    EXEC_RELEASE(p->exec, t->N, n);
    EXEC_RELEASE(p->exec, t->dN, n * p->set.block[k].type->dim);
    EXEC_RELEASE(p->exec, t->weight, t->n_q);
    EXEC_RELEASE(p->exec, t->density, p->set.block[k].n);
  }
  EXEC_RELEASE(p->exec, m->pair, p->set.n_pair);
  for (int i = 0; i < 2; ++i) EXEC_RELEASE(p->exec, m->part[i], p->set.n_node);
  EXEC_RELEASE(p->exec, m->zero, p->set.n_node);
  EXEC_RELEASE(p->exec, m->global, p->n_dof);
  FREE(*mass);
}

static DiffusionArgs element_args(const ElasticityMass *m, int32_t k) {
  const SetBlock *b = &m->p->set.block[k];
  const MassTables *t = &m->table[k];
  return (DiffusionArgs){
      .n_elem = b->n,
      .n_m = t->n_q,
      .lumping = LUMPING_NONE,
      .nodes = m->p->table[k].nodes,
      .node_a = b->node_a,
      .node_e = b->node_e,
      .x = m->p->x,
      .mass_N = t->N,
      .mass_dN = t->dN,
      .mass_weight = t->weight,
      .capacity = t->density,
      .mass = 1,
      .K = m->pair,
      .pair_first = b->pair_first,
      .pair_p = b->pair_p,
      .pair_e = b->pair_e,
      .f = m->p->f,
      .force_first = b->force_first,
      .force_a = b->force_a,
      .force_e = b->force_e,
  };
}

Status elasticity_mass_matrix(ElasticityMass *m, double *values) {
  Elasticity *p = m->p;
  CHECK(p->K, ERR_BUG, "elasticity_mass_matrix before elasticity_bind");
  TRY(exec_zero(p->exec, m->pair, (size_t)p->set.n_pair * sizeof *m->pair)); /* springs have none */
  for (int32_t k = 0; k < p->set.n_solved_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    const DiffusionArgs args = element_args(m, k);
    TRY(exec_rows(p->exec, diffusion_pairs_kernel(b->type->kind), &args, (int64_t)b->type->n_node * b->n));
  }
  const BlockGatherArgs gather = gather_block_args(&p->blocks, m->pair, 1, 1, values);
  TRY(exec_rows(p->exec, p->dim == 2 ? &mass_gather_2_kernel : &mass_gather_3_kernel, &gather, p->blocks.n_row));
  const SupportBlocksArgs supports = {p->supported, p->frame, values};
  TRY(exec_rows(p->exec, p->dim == 2 ? &support_block_2_kernel : &support_block_3_kernel, &supports, p->n_supported));
  const MassSupportArgs none = {p->supported, values, p->dim};
  return exec_rows(p->exec, &mass_support_kernel, &none, p->n_supported);
}

/* One component: part[1] = -M part[0]. */
static Status component_residual(ElasticityMass *m) {
  Elasticity *p = m->p;
  TRY(exec_zero(p->exec, p->f, (size_t)p->set.n_force * sizeof *p->f));
  for (int32_t k = 0; k < p->set.n_solved_block; ++k) {
    DiffusionArgs args = element_args(m, k);
    args.rate = m->part[0];
    TRY(exec_rows(p->exec, diffusion_force_kernel(p->set.block[k].type->kind), &args, p->set.block[k].n));
  }
  const VectorGatherArgs gather = {.start = p->nodes.start,
                                   .entry = p->nodes.entry,
                                   .node = p->nodes.node,
                                   .f = p->f,
                                   .entry_step = 1,
                                   .component_step = 1,
                                   .external = m->zero,
                                   .out = m->part[1]};
  return exec_rows(p->exec, &gather_node_1_kernel, &gather, p->nodes.n_row);
}

static FramesArgs frames_args(const Elasticity *p, double *v) {
  return (FramesArgs){.node = p->frame_node, .frame = p->frame, .fixed = p->frame_fixed, .v = v, .size = p->dim};
}

Status elasticity_mass_residual(ElasticityMass *m, const double *u, double *r) {
  Elasticity *p = m->p;
  const int64_t n_frame = p->supports.n_frame, n = p->set.n_node;
  if (n_frame) {
    const FramesArgs args = frames_args(p, m->global);
    TRY(exec_copy(p->exec, m->global, u, (size_t)p->n_dof * sizeof *u));
    TRY(exec_rows(p->exec, &frames_to_global_kernel, &args, n_frame));
    u = m->global;
  }
  for (int32_t c = 0; c < p->dim; ++c) {
    const MassComponentArgs take = {u, m->part[0], p->dim, c}, put = {m->part[1], r, p->dim, c};
    TRY(exec_rows(p->exec, &mass_take_kernel, &take, n));
    TRY(component_residual(m));
    TRY(exec_rows(p->exec, &mass_put_kernel, &put, n));
  }
  const MassFixedArgs fixed = {p->fixed, r, p->dim};
  TRY(exec_rows(p->exec, &mass_fixed_kernel, &fixed, n));
  const FramesArgs args = frames_args(p, r);
  return exec_rows(p->exec, &frames_to_local_kernel, &args, n_frame);
}

Status elasticity_combine(Exec *exec, int64_t n, double stiffness, const double *K, double mass, const double *M,
                          double *to) {
  const MassCombineArgs args = {stiffness, mass, K, M, to};
  return exec_rows(exec, &mass_combine_kernel, &args, n);
}

/* -1 . M 1 of one component. */
Status elasticity_mass_total(ElasticityMass *m, double *out) {
  const int64_t n = m->p->set.n_node;
  double *part = NULL;
  Status status;
  *out = 0;
  ALLOC_DONE(part, n, "masses of the nodes");
  TRY_DONE(vec_fill(m->p->exec, n, 1, m->part[0]));
  TRY_DONE(component_residual(m));
  TRY_DONE(exec_download(m->p->exec, part, m->part[1], (size_t)n * sizeof *part));
  for (int64_t i = 0; i < n; ++i) *out -= part[i];
done:
  FREE(part);
  return status;
}

Status elasticity_mass_memory(const Elasticity *p, MemoryPlan *plan) {
  TRY(memory_plan_add(plan, "densities", 8 * (int64_t)p->set.n_solved, true, MEMORY_KEPT));
  TRY(memory_plan_add(plan, "element masses", 8 * p->set.n_pair, true, MEMORY_KEPT));
  const int64_t framed = p->supports.n_frame ? p->n_dof : 0;
  return memory_plan_add(plan, "vectors of the mass", 8 * (3 * (int64_t)p->set.n_node + framed), true, MEMORY_KEPT);
}
