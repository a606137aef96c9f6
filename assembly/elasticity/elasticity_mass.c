/* Mass of elasticity: pair numbers of the elements by the mass kernels of diffusion, gathered into blocks. */
#include "assembly/elasticity/elasticity_mass.h"
#include "assembly/diffusion/diffusion_data.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/rows.h"
#include "core/memory.h"
#include "core/vec.h"

#define PICK diffusion_pairs
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK diffusion_force
#include "assembly/space/pick_kernel.tmpl.h"

struct ElasticityMass {
  Elasticity *p;                       /* borrowed */
  double *density[ELEMENT_SET_BLOCKS]; /* owned, [n] of each solved block, times thickness */
  double *of_material;                 /* owned, [n_material]: densities */
  double *pair;                        /* owned, [n_pair] */
  double *part[2];                     /* owned, [n_node]: a component of u, and of the result */
  double *inertia;                     /* owned, as Space.K: of masses that are not elements'; NULL: there are none */
  bool reduced;
};

/* Density times thickness of each element of block k, whose first one is number `first` of the solved ones; on: 0 in all
 * that are not in this group (NULL: none is left out). */
static Status upload_density(const ElasticityMass *m, int32_t k, int32_t first, const Group *on, double **out) {
  const Elasticity *p = m->p;
  const Space *s = p->space;
  const SetBlock *b = &s->set.block[k];
  double *value = NULL, *all = NULL;
  Status status;
  ALLOC_DONE(value, b->n, "densities");
  ALLOC_DONE(all, b->n, "densities");
  for (int32_t e = 0; e < b->n; ++e) {
    const int32_t material = p->material[first + e];
    all[e] = (p->density ? p->density[first + e] : m->of_material[material]) * p->constants[material].thickness;
    if (!on) value[e] = all[e];
  }
  for (int32_t i = 0; on && i < on->n; ++i) {
    const int32_t e = on->element[i] - b->first_id;
    if (e >= 0 && e < b->n) value[e] = all[e];
  }
  TRY_DONE(element_upload(s->exec, s->numbering.element[k], b->n, sizeof *value, value, "densities", (void **)out));
done:
  FREE(value);
  FREE(all);
  return status;
}

static int64_t inertia_size(const ElasticityMass *m) { return m->p->space->set.n_pair * m->p->dim * m->p->dim; }

static Status mass_fill(ElasticityMass *m, const double *density) {
  const Space *s = m->p->space;
  ALLOC(m->of_material, m->p->n_material, "densities");
  for (int32_t i = 0; i < m->p->n_material; ++i) m->of_material[i] = density[i];
  for (int32_t k = 0, first = 0; k < s->set.n_solved_block; first += s->set.block[k++].n)
    TRY(upload_density(m, k, first, NULL, &m->density[k]));
  EXEC_ALLOC(s->exec, m->pair, s->set.n_pair, "element masses");
  for (int i = 0; i < 2; ++i) EXEC_ALLOC(s->exec, m->part[i], s->n_node, "one component");
  if (!space_has_inertia(s)) return OK;
  EXEC_ALLOC(s->exec, m->inertia, inertia_size(m), "masses");
  return exec_zero(s->exec, m->inertia, (size_t)inertia_size(m) * sizeof *m->inertia);
}

Status elasticity_mass_create(Elasticity *elasticity, const double *density, ElasticityMass **out) {
  *out = NULL;
  ElasticityMass *m = NULL;
  ALLOC(m, 1, "the mass of elasticity");
  m->p = elasticity;
  const Status status = mass_fill(m, density);
  if (status != OK) elasticity_mass_destroy(&m);
  *out = m;
  return status;
}

void elasticity_mass_reduce(ElasticityMass *m) { m->reduced = true; }

void elasticity_mass_destroy(ElasticityMass **mass) {
  ElasticityMass *m = *mass;
  if (!m) return;
  const Space *s = m->p->space;
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) EXEC_RELEASE(s->exec, m->density[k], s->set.block[k].n);
  EXEC_RELEASE(s->exec, m->pair, s->set.n_pair);
  for (int i = 0; i < 2; ++i) EXEC_RELEASE(s->exec, m->part[i], s->n_node);
  EXEC_RELEASE(s->exec, m->inertia, inertia_size(m));
  FREE(m->of_material);
  FREE(*mass);
}

/* What a block of solved elements is to the kernels of diffusion, with the densities as capacities. */
static DiffusionArgs element_args(const ElasticityMass *m, int32_t k) {
  const Space *s = m->p->space;
  DiffusionArgs args = diffusion_space_args(s, k);
  args.capacity = m->density[k];
  args.mass = 1;
  args.K = m->pair;
  if (m->p->model == MODEL_AXISYMMETRIC) args.N = s->block[k].stiffness.N;
  if (m->reduced && s->set.block[k].type->load_degree) {
    const RuleTables *rule = &s->block[k].stiffness;
    args.n_m = rule->n_q, args.mass_N = rule->N, args.mass_dN = rule->dN, args.mass_weight = rule->weight;
  }
  return args;
}

/* Blocks [n_pair][dim][dim] to `to`, or added to what it has. */
static Status blocks_gather(const ElasticityMass *m, const double *K, bool add, double *to) {
  const Space *s = m->p->space;
  BlockGatherArgs gather = gather_block_args(&s->batch->gather, K, s->block_step, s->scalar_step, to);
  gather.add = add;
  return exec_rows(s->exec, m->p->dim == 2 ? &gather_block_2_kernel : &gather_block_3_kernel, &gather,
                   s->batch->gather.n_row);
}

/* Pair numbers to the matrix, with masses that are not elements'. */
static Status pairs_gather(ElasticityMass *m, const double *inertia, double *values) {
  const Space *s = m->p->space;
  const Equations *equations = &m->p->equations;
  double *to = elasticity_has_equations(m->p) ? equations->values : values;
  const BlockGatherArgs gather = gather_block_args(&s->batch->gather, m->pair, 1, 1, to);
  TRY(exec_rows(s->exec, m->p->dim == 2 ? &mass_gather_2_kernel : &mass_gather_3_kernel, &gather,
                s->batch->gather.n_row));
  if (inertia) TRY(blocks_gather(m, inertia, true, to));
  TRY(space_eliminate(s, m->p->supports.exec_frame, 0, to));
  return elasticity_has_equations(m->p) ? equations_reduce_matrix(equations, 0, values) : OK;
}

Status elasticity_mass_matrix(ElasticityMass *m, double *values) {
  const Space *s = m->p->space;
  CHECK(s->K, ERR_BUG, "elasticity_mass_matrix before elasticity_bind");
  TRY(exec_zero(s->exec, m->pair, (size_t)s->set.n_pair * sizeof *m->pair)); /* springs have none */
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    const SetBlock *b = &s->set.block[k];
    const DiffusionArgs args = element_args(m, k);
    TRY(exec_rows(s->exec, diffusion_pairs_kernel(b->type->kind), &args, (int64_t)b->type->n_node * b->n));
  }
  if (m->inertia) TRY(space_inertia_matrices(s, m->inertia));
  return pairs_gather(m, m->inertia, values);
}

/* Pair numbers of block k, whose first element is number `first` of the solved ones. */
static Status geometric_pairs(ElasticityMass *m, int32_t k, int32_t first, const ElasticFields *fields) {
  const Elasticity *p = m->p;
  const Space *s = p->space;
  const SetBlock *b = &s->set.block[k];
  const int32_t *order = s->numbering.element[k];
  const int32_t n_q = s->block[k].stiffness.n_q;
  double *tensor = NULL, *thickness = NULL, *host = NULL;
  Status status;
  ALLOC_DONE(host, b->n, "thickness of the elements");
  for (int32_t e = 0; e < b->n; ++e) host[e] = p->constants[p->material[first + e]].thickness;
  TRY_DONE(element_upload(s->exec, order, b->n, sizeof *host, host, "thickness of the elements", (void **)&thickness));
  TRY_DONE(element_upload(s->exec, order, b->n, (size_t)n_q * sizeof *fields->point_stress,
                          fields->point_stress + fields->point_start[first], "stress of the elements",
                          (void **)&tensor));
  DiffusionArgs args = element_args(m, k);
  args.tensor = tensor;
  args.by_point = 1;
  args.thickness = thickness;
  args.stiffness = 1;
  args.mass = 0;
  TRY_DONE(exec_rows(s->exec, diffusion_pairs_kernel(b->type->kind), &args, (int64_t)b->type->n_node * b->n));
  TRY_DONE(exec_sync(s->exec));
done:
  EXEC_RELEASE(s->exec, thickness, b->n);
  EXEC_RELEASE(s->exec, tensor, 6 * (int64_t)n_q * b->n);
  FREE(host);
  return status;
}

Status elasticity_geometric_matrix(ElasticityMass *m, const ElasticFields *fields, double *values) {
  const Space *s = m->p->space;
  CHECK(s->K, ERR_BUG, "elasticity_geometric_matrix before elasticity_bind");
  CHECK(m->p->model != MODEL_AXISYMMETRIC, ERR_BUG, "the geometric stiffness has no hoop part");
  TRY(exec_zero(s->exec, m->pair, (size_t)s->set.n_pair * sizeof *m->pair)); /* springs have none */
  for (int32_t k = 0, first = 0; k < s->set.n_solved_block; first += s->set.block[k++].n)
    TRY(geometric_pairs(m, k, first, fields));
  return pairs_gather(m, NULL, values);
}

bool elasticity_rotates(const Elasticity *p) {
  for (int32_t i = 0; i < p->loads.n_item; ++i)
    if (p->loads.item[i].kind == LOAD_CENTRIFUGAL) return true;
  return false;
}

/* Masses on the group to the pair numbers of their facets, which are 0. */
static Status turning_inertia(ElasticityMass *m, const Group *on) {
  const Space *s = m->p->space;
  Status status;
  double *host = NULL, *pair = NULL;
  ALLOC_DONE(host, s->set.n_pair, "masses");
  for (int32_t k = 0; k < m->p->loads.n_spring; ++k) {
    const SpringBlock *f = &m->p->loads.spring[k];
    const SetBlock *b = &s->set.block[s->set.n_solved_block + k];
    const int64_t n = b->type->n_node, pairs = n * (n + 1) / 2, size = spring_numbers(m->p->dim, f->form);
    for (int64_t i = 0; f->inertia && f->form != SPRING_WHOLE && i < f->n * n; ++i)
      for (int64_t e = i / n, a = i % n, c = a; c < n; ++c)
        if (inertia_on(&s->set, &s->incidence, on, f->nodes[i]) &&
            inertia_on(&s->set, &s->incidence, on, f->nodes[e * n + c])) {
          const int64_t p = pair_number(n, a, c);
          host[b->pair_first + p * b->pair_p + e * b->pair_e] = f->inertia[(e * pairs + p) * size];
        }
  }
  TRY_DONE(exec_alloc_upload(s->exec, s->set.n_pair, sizeof *host, host, "masses", (void **)&pair));
  TRY_DONE(vec_axpy(s->exec, s->set.n_pair, 1, pair, m->pair));
  TRY_DONE(exec_sync(s->exec));
done:
  EXEC_RELEASE(s->exec, pair, s->set.n_pair);
  FREE(host);
  return status;
}

/* The gradient of the load's acceleration, Omega^2 (I - a a^T). */
static double turning_slope(const Load *load, double time, int i, int j) {
  static const double at[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  return expr_value(&load->value[i], at[j + 1], time) - expr_value(&load->value[i], at[0], time);
}

/* K += that times the pair numbers of its group. */
static Status turning_add(ElasticityMass *m, const Load *load, double time, double *K) {
  const Space *s = m->p->space;
  const int32_t dim = m->p->dim;
  TRY(exec_zero(s->exec, m->pair, (size_t)s->set.n_pair * sizeof *m->pair));
  for (int32_t k = 0, first = 0; k < s->set.n_solved_block; first += s->set.block[k++].n) {
    const SetBlock *b = &s->set.block[k];
    double *density = NULL;
    DiffusionArgs args = element_args(m, k);
    Status status = upload_density(m, k, first, load->on, &density);
    args.capacity = density;
    if (status == OK)
      status = exec_rows(s->exec, diffusion_pairs_kernel(b->type->kind), &args, (int64_t)b->type->n_node * b->n);
    if (status == OK) status = exec_sync(s->exec);
    EXEC_RELEASE(s->exec, density, b->n);
    TRY(status);
  }
  if (m->inertia) TRY(turning_inertia(m, load->on));
  for (int32_t i = 0; i < dim; ++i)
    for (int32_t j = 0; j < dim; ++j) {
      const double slope = turning_slope(load, time, i, j);
      TRY(vec_axpy(s->exec, s->set.n_pair, slope, m->pair, K + (i * dim + j) * s->set.n_pair));
    }
  return OK;
}

Status elasticity_turning_matrix(ElasticityMass *m, double time, double *values) {
  const Elasticity *p = m->p;
  const Space *s = p->space;
  const int64_t n = s->set.n_pair * p->dim * p->dim;
  double *K = NULL, *to = elasticity_has_equations(p) ? p->equations.values : values;
  CHECK(s->K, ERR_BUG, "elasticity_turning_matrix before elasticity_bind");
  EXEC_ALLOC(s->exec, K, n, "turning of the elements");
  Status status = exec_zero(s->exec, K, (size_t)n * sizeof *K);
  for (int32_t i = 0; i < p->loads.n_item && status == OK; ++i)
    if (p->loads.item[i].kind == LOAD_CENTRIFUGAL) status = turning_add(m, &p->loads.item[i], time, K);
  const BlockGatherArgs gather = gather_block_args(&s->batch->gather, K, 1, s->set.n_pair, to);
  if (status == OK)
    status = exec_rows(s->exec, p->dim == 2 ? &gather_block_2_kernel : &gather_block_3_kernel, &gather,
                       s->batch->gather.n_row);
  if (status == OK) status = exec_sync(s->exec);
  EXEC_RELEASE(s->exec, K, n);
  TRY(status);
  TRY(space_eliminate(s, p->supports.exec_frame, 0, to));
  return elasticity_has_equations(p) ? equations_reduce_matrix(&p->equations, 0, values) : OK;
}

/* One component: part[1] = -M part[0]. */
static Status component_residual(ElasticityMass *m) {
  const Space *s = m->p->space;
  TRY(exec_zero(s->exec, s->f, (size_t)s->set.n_force * sizeof *s->f));
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) {
    DiffusionArgs args = element_args(m, k);
    args.rate = m->part[0];
    TRY(exec_rows(s->exec, diffusion_force_kernel(s->set.block[k].type->kind), &args, s->set.block[k].n));
  }
  const VectorGatherArgs gather = {.start = s->nodes.start,
                                   .entry = s->nodes.entry,
                                   .node = s->nodes.node,
                                   .f = s->f,
                                   .entry_step = 1,
                                   .component_step = 1,
                                   .out = m->part[1]};
  return exec_rows(s->exec, &gather_node_1_kernel, &gather, s->nodes.n_row);
}

Status elasticity_mass_force_global(ElasticityMass *m, const double *u, double *r) {
  Elasticity *p = m->p;
  const Space *s = p->space;
  const int64_t n_own = s->n_dof / s->n_component;
  for (int32_t c = 0; c < p->dim; ++c) {
    const MassComponentArgs take = {u, m->part[0], p->dim, c}, put = {m->part[1], r, p->dim, c};
    TRY(exec_rows(s->exec, &mass_take_kernel, &take, s->n_node));
    TRY(component_residual(m));
    TRY(exec_rows(s->exec, &mass_put_kernel, &put, n_own));
  }
  if (!m->inertia) return OK;
  TRY(space_inertia_forces(s, u));
  return space_gather_forces(s, r, NULL, r);
}

/* r = -M_on slope u, with the densities of the load's group in place of all. */
static Status turning_components(ElasticityMass *m, const Load *load, double time, const double *u, double *r) {
  const Space *s = m->p->space;
  const int32_t dim = m->p->dim;
  for (int32_t i = 0; i < dim; ++i) {
    TRY(exec_zero(s->exec, m->part[0], (size_t)s->n_node * sizeof *m->part[0]));
    for (int32_t j = 0; j < dim; ++j) {
      const MassComponentArgs take = {u, m->part[1], dim, j};
      TRY(exec_rows(s->exec, &mass_take_kernel, &take, s->n_node));
      TRY(vec_axpy(s->exec, s->n_node, turning_slope(load, time, i, j), m->part[1], m->part[0]));
    }
    TRY(component_residual(m));
    const MassComponentArgs put = {m->part[1], r, dim, i};
    TRY(exec_rows(s->exec, &mass_put_kernel, &put, s->n_dof / s->n_component));
  }
  return exec_sync(s->exec);
}

static Status turning_force(ElasticityMass *m, const Load *load, double time, const double *u, double *r) {
  const Space *s = m->p->space;
  double *all[ELEMENT_SET_BLOCKS] = {NULL};
  const int32_t n = s->set.n_solved_block;
  Status status = OK;
  for (int32_t k = 0, first = 0; k < n && status == OK; first += s->set.block[k++].n) {
    double *on = NULL;
    status = upload_density(m, k, first, load->on, &on);
    if (status == OK) all[k] = m->density[k], m->density[k] = on;
  }
  if (status == OK) status = turning_components(m, load, time, u, r);
  for (int32_t k = 0; k < n && all[k]; ++k) {
    EXEC_RELEASE(s->exec, m->density[k], s->set.block[k].n);
    m->density[k] = all[k];
  }
  return status;
}

Status elasticity_turning_forces(ElasticityMass *m, double time, const double *u, double *r, double *force) {
  const Elasticity *p = m->p;
  TRY(space_need_forces(m->p->space));
  TRY(elasticity_global_frame(m->p, &u));
  for (int32_t i = 0; i < p->loads.n_item; ++i) {
    if (p->loads.item[i].kind != LOAD_CENTRIFUGAL) continue;
    TRY(turning_force(m, &p->loads.item[i], time, u, r));
    TRY(vec_axpy(p->space->exec, p->space->n_dof, -1, r, force));
  }
  return OK;
}

Status elasticity_mass_force(ElasticityMass *m, const double *u, double *r) {
  TRY(elasticity_motion_frame(m->p, true, &u));
  return elasticity_mass_force_global(m, u, r);
}

Status elasticity_kinetic_energy_global(ElasticityMass *m, const double *v, double *r, double *out) {
  TRY(elasticity_mass_force_global(m, v, r));
  TRY(elasticity_dot(m->p, v, r, out));
  *out *= -0.5;
  return OK;
}

Status elasticity_kinetic_energy(ElasticityMass *m, const double *v, double *r, double *out) {
  TRY(elasticity_motion_frame(m->p, true, &v));
  return elasticity_kinetic_energy_global(m, v, r, out);
}

Status elasticity_mass_residual(ElasticityMass *m, const double *u, double *r) {
  const Space *s = m->p->space;
  const MassFixedArgs fixed = {m->p->supports.exec_fixed, r, m->p->dim};
  TRY(elasticity_mass_force(m, u, r));
  TRY(exec_rows(s->exec, &mass_fixed_kernel, &fixed, s->n_dof / s->n_component));
  return elasticity_reduce(m->p, r);
}

Status elasticity_combine(Exec *exec, int64_t n, double stiffness, const double *K, double mass, const double *M,
                          double *to) {
  const MassCombineArgs args = {stiffness, mass, K, M, to};
  return exec_rows(exec, &mass_combine_kernel, &args, n);
}

/* -1 . M 1 of one component, at own nodes. */
Status elasticity_mass_total(ElasticityMass *m, double *out) {
  const Space *s = m->p->space;
  const Inertia *inertia = &m->p->loads.inertia;
  const int64_t n = s->n_dof / s->n_component;
  double *part = NULL;
  Status status;
  *out = 0;
  ALLOC_DONE(part, n, "masses of the nodes");
  TRY_DONE(vec_fill(s->exec, s->n_node, 1, m->part[0]));
  TRY_DONE(component_residual(m));
  TRY_DONE(exec_download(s->exec, part, m->part[1], (size_t)n * sizeof *part));
  for (int64_t i = 0; i < n; ++i) *out -= part[i];
  for (int64_t i = 0; i < inertia->n; ++i)
    if (numbering_rank(&s->numbering, inertia->pair[i].a) < n) *out += inertia->pair[i].m;
  for (int32_t i = 0; i < inertia->n_body; ++i)
    if (numbering_rank(&s->numbering, inertia->body[i].node[0]) < n) *out += inertia->body[i].mass;
done:
  FREE(part);
  return status;
}
