/* The tables of a diffusion problem on its Exec: nodes, coordinates, shape functions, tensors, loads, supports. */
#include "assembly/diffusion/diffusion_data.h"
#include "assembly/space/element_tables.h"
#include "core/memory.h"

int32_t diffusion_index(const ElementSet *set, int32_t element) {
  int32_t before = 0;
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    const SetBlock *b = &set->block[k];
    if (element < b->first_id + b->n) return before + element - b->first_id;
    before += b->n;
  }
  return -1;
}

/* Shape functions or gradients (`size` numbers per point) of a rule; N and dN may be NULL. */
static Status upload_rule(Diffusion *p, const ElementType *type, const Quadrature *rule, double **N, double **dN,
                          double **weight) {
  Status status = OK;
  const int64_t n = (int64_t)rule->n * type->n_node;
  double *values = NULL, *gradients = NULL;
  ALLOC_DONE(values, n, "shape functions");
  ALLOC_DONE(gradients, n * type->dim, "reference gradients");
  element_tabulate(type, rule, values, gradients);
  if (N) TRY_DONE(exec_alloc_upload(p->exec, n, sizeof *values, values, "shape functions", (void **)N));
  TRY_DONE(exec_alloc_upload(p->exec, n * type->dim, sizeof *gradients, gradients, "reference gradients", (void **)dN));
  TRY_DONE(exec_alloc_upload(p->exec, rule->n, sizeof(double), rule->weight, "quadrature weights", (void **)weight));
done:
  FREE(values);
  FREE(gradients);
  return status;
}

static Status upload_solved(Diffusion *p, int32_t k, int32_t first, const DiffusionParams *params) {
  const ElementType *type = p->set.block[k].type;
  DiffusionTables *t = &p->table[k];
  Quadrature rule;
  TRY(element_stiffness_quadrature(type, &rule));
  t->n_q = rule.n;
  TRY(upload_rule(p, type, &rule, NULL, &t->dN, &t->weight));
  TRY(element_mass_quadrature(type, &rule));
  t->n_m = rule.n;
  TRY(upload_rule(p, type, &rule, &t->mass_N, &t->mass_dN, &t->mass_weight));
  t->lumping = type->order == 1 ? LUMPING_ROW_SUM : LUMPING_SCALED;
  const int32_t n = p->set.block[k].n, *order = p->numbering.element[k];
  const double *capacity = params->capacity, *thickness = params->thickness;
  TRY(element_upload(p->exec, order, n, sizeof *params->tensor, params->tensor[first], "tensors", (void **)&t->tensor));
  if (capacity)
    TRY(element_upload(p->exec, order, n, sizeof *capacity, capacity + first, "capacities", (void **)&t->capacity));
  if (thickness)
    TRY(element_upload(p->exec, order, n, sizeof *thickness, thickness + first, "thicknesses", (void **)&t->thickness));
  return OK;
}

static Status upload_blocks(Diffusion *p, const DiffusionParams *params) {
  int32_t first = 0;
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    TRY(element_upload_nodes(p->exec, &p->solver_set->block[k], &p->table[k].nodes));
    if (k < p->set.n_solved_block) {
      TRY(upload_solved(p, k, first, params));
      first += b->n;
    } else {
      const SpringBlock *film = &p->loads.film[k - p->set.n_solved_block];
      TRY(exec_alloc_upload(p->exec, element_pair_size(b, 1), sizeof(double), film->kappa, "convection",
                            (void **)&p->table[k].kappa));
    }
  }
  return OK;
}

/* Solver's numbers of the nodes that values are put to. */
static Status upload_scatter(Diffusion *p) {
  Status status = OK;
  const DiffusionSupports *s = &p->supports;
  const DiffusionLoads *l = &p->loads;
  int32_t *node = NULL;
  ALLOC_DONE(node, s->n > l->n_touched ? s->n : l->n_touched, "prescribed values");
  for (int32_t j = 0; j < s->n; ++j) node[j] = numbering_rank(&p->numbering, s->node[j]);
  TRY_DONE(exec_alloc_upload(p->exec, s->n, sizeof *node, node, "prescribed values", (void **)&p->support_node));
  for (int32_t j = 0; j < l->n_touched; ++j) node[j] = numbering_rank(&p->numbering, l->share[l->start[j]].node);
  TRY_DONE(exec_alloc_upload(p->exec, l->n_touched, sizeof *node, node, "loads that depend on time",
                             (void **)&p->touched_node));
  TRY_DONE(exec_alloc_upload(p->exec, s->n, sizeof(double), s->value, "prescribed values", (void **)&p->support_value));
  TRY_DONE(exec_alloc(p->exec, l->n_touched, sizeof(double), "loads that depend on time", (void **)&p->touched_value));
done:
  FREE(node);
  return status;
}

Status diffusion_upload(Diffusion *p, const DiffusionParams *params) {
  Exec *exec = p->exec;
  const Numbering *numbering = &p->numbering;
  if (numbering->rank) ALLOC(p->arranged, p->n_node, "values in the solver's order");
  TRY(numbering_upload(exec, numbering, 3, sizeof(double), p->mesh->x, "coordinates", (void **)&p->x));
  TRY(numbering_upload(exec, numbering, 1, sizeof(double), p->loads.force, "loads", (void **)&p->force));
  TRY(numbering_upload(exec, numbering, 1, 1, p->supports.fixed, "prescribed values", (void **)&p->fixed));
  TRY(upload_blocks(p, params));
  TRY(upload_scatter(p));
  EXEC_ALLOC(exec, p->f, p->set.n_force, "element loads");
  EXEC_ALLOC(exec, p->zero, p->n_node, "no load");
  TRY(exec_zero(exec, p->zero, (size_t)p->n_node * sizeof *p->zero));
  return gather_create_nodes(exec, p->solver_set, p->solver_incidence, &p->nodes);
}

void diffusion_release_tables(Diffusion *p) {
  Exec *exec = p->exec;
  EXEC_RELEASE(exec, p->x, 3 * (int64_t)p->n_node);
  EXEC_RELEASE(exec, p->force, p->n_node);
  EXEC_RELEASE(exec, p->fixed, p->n_node);
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    DiffusionTables *t = &p->table[k];
    const int64_t n = b->type->n_node, dim = b->type->dim;
    EXEC_RELEASE(exec, t->nodes, n * b->n);
    EXEC_RELEASE(exec, t->dN, t->n_q * n * dim);
    EXEC_RELEASE(exec, t->weight, t->n_q);
    EXEC_RELEASE(exec, t->mass_N, t->n_m * n);
    EXEC_RELEASE(exec, t->mass_dN, t->n_m * n * dim);
    EXEC_RELEASE(exec, t->mass_weight, t->n_m);
    EXEC_RELEASE(exec, t->tensor, 6 * (int64_t)b->n);
    EXEC_RELEASE(exec, t->capacity, b->n);
    EXEC_RELEASE(exec, t->thickness, b->n);
    EXEC_RELEASE(exec, t->kappa, element_pair_size(b, 1));
  }
  EXEC_RELEASE(exec, p->support_node, p->supports.n);
  EXEC_RELEASE(exec, p->support_value, p->supports.n);
  EXEC_RELEASE(exec, p->touched_node, p->loads.n_touched);
  EXEC_RELEASE(exec, p->touched_value, p->loads.n_touched);
  EXEC_RELEASE(exec, p->f, p->set.n_force);
  EXEC_RELEASE(exec, p->zero, p->n_node);
  gather_release(exec, &p->nodes);
  FREE(p->arranged);
}
