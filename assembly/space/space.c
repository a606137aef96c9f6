/* A space from its elements to its gather maps; what works on them is in space_apply.c. */
#include "assembly/space/space.h"
#include "assembly/space/dof_map.h"
#include "assembly/space/rows.h"
#include "core/memory.h"

#include <math.h>

static Status space_new(Exec *exec, const Mesh *mesh, int32_t n_component, Space **out) {
  Space *s = NULL;
  *out = NULL;
  CHECK(n_component >= 1 && n_component <= SPACE_COMPONENTS, ERR_BUG, "%d components at a node, must be 1 to %d",
        n_component, SPACE_COMPONENTS);
  ALLOC(s, 1, "finite element space");
  s->exec = exec;
  s->mesh = mesh;
  s->n_component = n_component;
  *out = s;
  return OK;
}

/* The elements and how many unknowns they have. */
static Status space_take(Space *s, const ElementSet *set) {
  s->set = *set;
  s->dim = set->dim;
  s->n_node = set->n_node;
  s->n_dof = s->n_read = (int64_t)set->n_node * s->n_component;
  CHECK(s->n_dof <= INT32_MAX, ERR_INPUT, "%lld unknowns are more than one device can number (%d)", (long long)s->n_dof,
        INT32_MAX);
  return incidence_create(s->exec, &s->set, &s->incidence);
}

Status space_create(Exec *exec, const Mesh *mesh, int32_t dim, int32_t n_component, Space **out) {
  ElementSet set;
  element_set_create(mesh, dim, exec_is_host(exec), &set);
  TRY(space_new(exec, mesh, n_component, out));
  const Status status = space_take(*out, &set);
  if (status != OK) space_destroy(out);
  return status;
}

/* Shape functions and gradients at the points of a rule. */
static Status rule_upload(Exec *exec, const ElementType *type, const Quadrature *rule, RuleTables *t) {
  Status status = OK;
  const int64_t n = (int64_t)rule->n * type->n_node;
  double *values = NULL, *gradients = NULL;
  t->n_q = rule->n;
  ALLOC_DONE(values, n, "shape functions");
  ALLOC_DONE(gradients, n * type->dim, "reference gradients");
  element_tabulate(type, rule, values, gradients);
  TRY_DONE(exec_alloc_upload(exec, n, sizeof *values, values, "shape functions", (void **)&t->N));
  TRY_DONE(
      exec_alloc_upload(exec, n * type->dim, sizeof *gradients, gradients, "reference gradients", (void **)&t->dN));
  TRY_DONE(exec_alloc_upload(exec, rule->n, sizeof(double), rule->weight, "quadrature weights", (void **)&t->weight));
done:
  FREE(values);
  FREE(gradients);
  return status;
}

static void rule_release(Exec *exec, const ElementType *type, RuleTables *t) {
  EXEC_RELEASE(exec, t->N, (int64_t)t->n_q * type->n_node);
  EXEC_RELEASE(exec, t->dN, (int64_t)t->n_q * type->n_node * type->dim);
  EXEC_RELEASE(exec, t->weight, t->n_q);
}

/* Nodes of a block in the way of its kernels. */
static Status nodes_upload(Exec *exec, const SetBlock *block, int32_t **out) {
  TurnArgs args = {.node_a = block->node_a, .node_e = block->node_e, .n_node = block->type->n_node};
  TRY(exec_alloc(exec, (int64_t)block->n * args.n_node, sizeof **out, "element nodes", (void **)out));
  args.to = *out;
  TRY(block_nodes_lend(exec, block, &args.from));
  const Status status = exec_rows(exec, &turn_nodes_kernel, &args, block->n);
  block_nodes_lend_end(exec, block, &args.from);
  return status;
}

/* Numbers of a block's table of pairs of nodes (kappa). */
static int64_t kappa_size(const Space *s, int32_t k) {
  const SetBlock *b = &s->set.block[k];
  const int64_t n = b->type->n_node;
  return b->n * (n * (n + 1) / 2) * spring_numbers(s->n_component, s->block[k].form);
}

static Status blocks_upload(Space *s, const SpringBlock *facet) {
  Quadrature rule;
  for (int32_t k = 0; k < s->set.n_block; ++k) {
    const ElementType *type = s->set.block[k].type;
    SpaceBlock *t = &s->block[k];
    TRY(nodes_upload(s->exec, &s->solver_set->block[k], &t->nodes));
    if (k >= s->set.n_solved_block) {
      if (!facet[k - s->set.n_solved_block].kappa) {
        TRY(element_load_quadrature(type, &rule)); /* of pressure that follows them */
        TRY(rule_upload(s->exec, type, &rule, &t->mass));
        continue;
      }
      t->form = facet[k - s->set.n_solved_block].form;
      TRY(exec_alloc_upload(s->exec, kappa_size(s, k), sizeof(double), facet[k - s->set.n_solved_block].kappa,
                            "springs and convection", (void **)&t->kappa));
      const double *viscosity = facet[k - s->set.n_solved_block].viscosity,
                   *inertia = facet[k - s->set.n_solved_block].inertia;
      if (viscosity)
        TRY(exec_alloc_upload(s->exec, kappa_size(s, k), sizeof(double), viscosity, "dashpots",
                              (void **)&t->viscosity));
      if (inertia)
        TRY(exec_alloc_upload(s->exec, kappa_size(s, k), sizeof(double), inertia, "masses", (void **)&t->inertia));
      continue;
    }
    TRY(element_stiffness_quadrature(type, &rule));
    TRY(rule_upload(s->exec, type, &rule, &t->stiffness));
    TRY(element_mass_quadrature(type, &rule));
    TRY(rule_upload(s->exec, type, &rule, &t->mass));
  }
  return OK;
}

/* Element results: scalars of one entry together on the CPU, scalars of consecutive entries on a GPU. */
static void space_set_steps(Space *s) {
  const bool host = exec_is_host(s->exec);
  s->entry_step = host ? s->n_component : 1;
  s->component_step = host ? 1 : s->set.n_force;
  s->block_step = host ? s->n_component * s->n_component : 1;
  s->scalar_step = host ? 1 : s->set.n_pair;
}

/* Everything behind the numbering. */
static Status space_build(Space *s, const SpringBlock *facet, const double (*x)[3]) {
  Exec *exec = s->exec;
  s->solver_set = s->numbering.rank ? &s->numbering.set : &s->set;
  s->solver_incidence = s->numbering.rank ? &s->numbering.incidence : &s->incidence;
  space_set_steps(s);
  s->n_dof = (int64_t)element_set_rows(s->solver_set) * s->n_component;
  if (s->numbering.rank) ALLOC(s->arranged, s->n_read, "vector in the solver's order");
  TRY(pattern_create(exec, s->solver_set, s->solver_incidence, s->n_component, &s->pattern));
  TRY(numbering_upload(exec, &s->numbering, 3, sizeof(double), x, "coordinates", (void **)&s->x));
  TRY(blocks_upload(s, facet));
  EXEC_ALLOC(exec, s->f, s->set.n_force * s->n_component, "element vectors");
  return gather_create_nodes(exec, s->solver_set, s->solver_incidence, &s->nodes);
}

/* ERR_MESH: inverted elements, which the Exec counts and the host names. */
static Status check_inverted(const Space *s) {
  Status status = OK;
  double *n = NULL, found = 0;
  EXEC_ALLOC(s->exec, n, 1, "inverted elements");
  for (int32_t k = 0; k < s->set.n_solved_block && found == 0; ++k) {
    const SetBlock *b = &s->set.block[k];
    const CheckInvertedArgs args = {.n_node = b->type->n_node,
                                    .dim = s->dim,
                                    .n_q = s->block[k].stiffness.n_q,
                                    .in_space = s->mesh->in_space,
                                    .nodes = s->block[k].nodes,
                                    .node_a = b->node_a,
                                    .node_e = b->node_e,
                                    .x = s->x,
                                    .dN = s->block[k].stiffness.dN,
                                    .n = n};
    const SumParts *over = exec_sum_over(s->exec, NULL);
    status = exec_rows(s->exec, &check_inverted_kernel, &args, b->n);
    exec_sum_over(s->exec, over);
    TRY_DONE(status);
    if (b->n) TRY_DONE(exec_download(s->exec, &found, n, sizeof found));
  }
  if (found > 0) status = space_check_elements(s->mesh, &s->set);
done:
  EXEC_RELEASE(s->exec, n, 1);
  return status;
}

/* In the order that is given, or that of a rank's nodes in the whole. */
static Status space_number(Space *s, const int32_t *node_rank, const NodeShare *share) {
  const LocalMesh *local = share ? share->local : NULL;
  if (node_rank || local) incidence_leave_exec(&s->incidence);
  return local ? numbering_create(s->exec, &s->set, local->solver, (HaloOrder){local->n_own, local->n_low},
                                  local->sorted, &s->numbering)
               : numbering_create(s->exec, &s->set, node_rank, (HaloOrder){0}, true, &s->numbering);
}

Status space_add_facets(Space *s, const SpringBlock *facet, int32_t n_facet) {
  const int32_t there = s->set.n_block - s->set.n_solved_block;
  if (there >= n_facet) return OK;
  for (int32_t k = there; k < n_facet; ++k)
    element_set_add(&s->set, facet[k].type, facet[k].n, facet[k].nodes, exec_is_host(s->exec));
  incidence_release(&s->incidence);
  return incidence_create(s->exec, &s->set, &s->incidence);
}

Status space_finish(Space *s, const SpringBlock *facet, int32_t n_facet, const int32_t *node_rank,
                    const NodeShare *share) {
  TRY(space_add_facets(s, facet, n_facet));
  TRY(space_number(s, node_rank, share));
  TRY(space_build(s, facet, (const double(*)[3])s->mesh->x));
  if (share) {
    s->pattern->share.n_whole = share->local->n_whole;
    s->pattern->share.first = share->local->first;
    s->pattern->share.halo = share->halo;
  }
  return check_inverted(s);
}

Status space_add_halo_rows(Space *s) {
  const RowShare share = s->pattern->share;
  pattern_destroy(&s->pattern);
  TRY(pattern_create_all(s->exec, s->solver_set, s->solver_incidence, s->n_component, &s->pattern));
  s->pattern->share.n_whole = share.n_whole, s->pattern->share.first = share.first;
  s->pattern->share.halo = share.halo;
  return OK;
}

/* Blocks whose row or column node is prescribed, in pattern order. */
static Status prescribed_find(Space *s, PrescribedListArgs *args) {
  Status status = OK;
  const char *what = "blocks of prescribed nodes";
  const int64_t n_block = pattern_entries(s->pattern), square = (int64_t)s->n_component * s->n_component;
  int64_t *index = NULL, n = 0;
  TRY_DONE(exec_alloc(s->exec, n_block, sizeof *args->flag, what, (void **)&args->flag));
  TRY_DONE(exec_rows(s->exec, &prescribed_flag_kernel, args, s->pattern->n));
  TRY_DONE(exec_compact(s->exec, args->flag, n_block, what, &index, &n));
  s->n_prescribed = n;
  TRY_DONE(exec_alloc(s->exec, n, sizeof *args->block, what, (void **)&s->prescribed));
  TRY_DONE(exec_alloc(s->exec, n * square, sizeof *args->slot, what, (void **)&s->prescribed_slot));
  args->index = index;
  args->block = s->prescribed;
  args->slot = s->prescribed_slot;
  status = exec_rows(s->exec, &prescribed_list_kernel, args, n);
done:
  EXEC_RELEASE(s->exec, args->flag, n_block);
  EXEC_RELEASE(s->exec, index, n);
  return status;
}

static Status prescribed_list(Space *s, const MatrixLoan *loan, const PrescribedNodes *nodes) {
  Status status = OK;
  const char *what = "blocks of prescribed nodes";
  uint8_t *fixed = NULL;
  int32_t *frame_of = NULL;
  TRY_DONE(numbering_upload(s->exec, &s->numbering, 1, sizeof *fixed, nodes->fixed, what, (void **)&fixed));
  if (nodes->frame_of)
    TRY_DONE(numbering_upload(s->exec, &s->numbering, 1, sizeof *frame_of, nodes->frame_of, what, (void **)&frame_of));
  PrescribedListArgs args = {.n = s->pattern->n,
                             .size = s->n_component,
                             .start = loan->start,
                             .column = loan->column,
                             .fixed = fixed,
                             .frame_of = frame_of,
                             .slots = loan->slots};
  status = prescribed_find(s, &args);
done:
  EXEC_RELEASE(s->exec, fixed, s->n_node);
  EXEC_RELEASE(s->exec, frame_of, s->n_node);
  return status;
}

void space_release_matrices(Space *s) { EXEC_RELEASE(s->exec, s->K, s->n_pair * s->n_component * s->n_component); }

static void batches_release(Space *s) {
  for (int32_t b = 0; b < s->n_batch; ++b) gather_release(s->exec, &s->batch[b].gather);
  s->gathers = false;
}

void space_release_gathers(Space *s) {
  batches_release(s);
  EXEC_RELEASE(s->exec, s->f, s->set.n_force * s->n_component);
  if (s->n_batch > 1) space_release_matrices(s);
}

Status space_need_matrices(Space *s) {
  if (!s->K) EXEC_ALLOC(s->exec, s->K, s->n_pair * s->n_component * s->n_component, "element matrices");
  return OK;
}

Status space_need_forces(Space *s) {
  if (!s->f) EXEC_ALLOC(s->exec, s->f, s->set.n_force * s->n_component, "element vectors");
  return OK;
}

static void space_unbind(Space *s) {
  const int64_t square = s->n_component * s->n_component;
  batches_release(s);
  FREE(s->batch);
  space_release_matrices(s);
  s->n_batch = 0;
  EXEC_RELEASE(s->exec, s->prescribed, s->n_prescribed);
  EXEC_RELEASE(s->exec, s->prescribed_slot, s->n_prescribed * square);
}

/* Element matrices that are there at a time when not all are: on a GPU few batches, since each makes a gather map, on the
 * CPU what stays in its caches. */
static const double BATCH_BYTES_GPU = 4e9, BATCH_BYTES_CPU = 16e6;

/* Deals the elements out to batches of at most so many pairs, at least an element each. */
static Status space_cut(Space *s, int64_t most) {
  const ElementSet *all = &s->set;
  const bool host = exec_is_host(s->exec);
  ALLOC(s->batch, all->n_pair / (most / 2 + 1) + all->n_block + 1, "batches of elements");
  int32_t done = 0;
  for (int32_t k = 0; k < all->n_block; done = 0, ++k)
    while (done < all->block[k].n) {
      SpaceBatch *batch = &s->batch[s->n_batch];
      const int64_t n = all->block[k].type->n_node, pairs = n * (n + 1) / 2;
      if (batch->set.n_pair + pairs > most && batch->set.n_pair > 0) {
        ++s->n_batch;
        continue;
      }
      if (batch->set.n_pair == 0) {
        batch->set = *all;
        batch->set.n_pair = 0;
        for (int32_t j = 0; j < all->n_block; ++j) batch->set.block[j].n = 0;
      }
      SetBlock *block = &batch->set.block[k];
      const int64_t room = (most - batch->set.n_pair) / pairs, rest = all->block[k].n - done;
      block->n = (int32_t)(room < 1 ? 1 : room < rest ? room : rest);
      block->pair_first = batch->set.n_pair;
      block->pair_p = host ? 1 : block->n;
      block->pair_e = host ? pairs : 1;
      batch->first[k] = done;
      batch->set.n_pair += block->n * pairs;
      done += block->n;
    }
  s->n_batch += s->batch[s->n_batch].set.n_pair > 0 || s->n_batch == 0;
  for (int32_t b = 0; b < s->n_batch; ++b)
    if (s->batch[b].set.n_pair > s->n_pair) s->n_pair = s->batch[b].set.n_pair;
  s->scalar_step = host ? 1 : s->n_pair;
  return OK;
}

static Status space_cut_one(Space *s) {
  ALLOC(s->batch, 1, "batches of elements");
  s->batch->set = s->set;
  s->n_batch = 1;
  s->n_pair = s->set.n_pair;
  s->scalar_step = exec_is_host(s->exec) ? 1 : s->n_pair;
  return OK;
}

static Status batches_gather(Space *s, const SlotMap *slots, const MatrixLoan *loan) {
  const GatherParams params = {
      .set = s->solver_set, .incidence = s->solver_incidence, .pattern = s->pattern, .slots = slots, .loan = loan};
  GatherRange *range = NULL;
  if (s->n_batch == 1) return gather_create_blocks(s->exec, &params, &s->batch->gather);
  ALLOC(range, s->n_batch, "batches of elements");
  for (int32_t b = 0; b < s->n_batch; ++b)
    range[b] = (GatherRange){&s->batch[b].set, s->batch[b].first, &s->batch[b].gather};
  const Status status = gather_create_ranges(s->exec, &params, s->n_batch, range);
  FREE(range);
  return status;
}

static Status bind_parts(Space *s, const SlotMap *slots, const MatrixLoan *loan, const PrescribedNodes *nodes,
                         bool in_batches) {
  const double bytes = (double)sizeof *s->K * s->n_component * s->n_component,
               room = exec_is_host(s->exec) ? BATCH_BYTES_CPU : BATCH_BYTES_GPU;
  const int64_t most = (int64_t)ceil(room / bytes / fmax(1, s->exec->stands_for));
  s->n_pair = 0;
  TRY(in_batches && s->set.n_pair > 2 * most ? space_cut(s, most) : space_cut_one(s));
  TRY(batches_gather(s, slots, loan));
  TRY(prescribed_list(s, loan, nodes));
  s->gathers = true;
  s->n_value = slots->n_value;
  return OK;
}

Status space_bind(Space *s, const SlotMap *slots, const PrescribedNodes *nodes, bool in_batches) {
  MatrixLoan loan = {0};
  space_unbind(s);
  if (!incidence_is_there(s->solver_incidence)) TRY(incidence_find(s->exec, s->solver_set, s->solver_incidence));
  Status status = matrix_lend(s->exec, s->pattern, slots, &loan);
  if (status == OK) status = bind_parts(s, slots, &loan, nodes, in_batches);
  matrix_loan_end(s->exec, &loan);
  if (s->n_batch > 1) incidence_drop_exec(s->solver_incidence); /* every byte counts there */
  numbering_leave_exec(&s->numbering);
  incidence_leave_exec(&s->incidence);
  if (status == OK) status = space_need_matrices(s);
  if (status != OK) space_unbind(s);
  return status;
}

void space_destroy(Space **space) {
  Space *s = *space;
  if (!s) return;
  space_unbind(s);
  for (int32_t k = 0; k < s->set.n_block; ++k) {
    const SetBlock *b = &s->set.block[k];
    EXEC_RELEASE(s->exec, s->block[k].nodes, (int64_t)b->type->n_node * b->n);
    EXEC_RELEASE(s->exec, s->block[k].kappa, kappa_size(s, k));
    EXEC_RELEASE(s->exec, s->block[k].viscosity, kappa_size(s, k));
    EXEC_RELEASE(s->exec, s->block[k].inertia, kappa_size(s, k));
    rule_release(s->exec, b->type, &s->block[k].stiffness);
    rule_release(s->exec, b->type, &s->block[k].mass);
  }
  EXEC_RELEASE(s->exec, s->x, 3 * (int64_t)s->n_node);
  EXEC_RELEASE(s->exec, s->f, s->set.n_force * s->n_component);
  gather_release(s->exec, &s->nodes);
  pattern_destroy(&s->pattern);
  numbering_release(&s->numbering);
  incidence_release(&s->incidence);
  FREE(s->arranged);
  FREE(*space);
}
