/* Currents, reaction, tangent and the step of the states as sequences of row kernels. Bytes of a reaction and its
 * tangent in GAUSS (n elements): tet4 and tri3 alone, 64 n of nodes, potentials and points, 8 n of forces and of slopes
 * written and looked up 4 and 16 times, 4 bytes for each time, and three value arrays; else (as of a tet4) 32 n of
 * forces and 80 n of element matrices written and read. */
#include "assembly/monodomain/monodomain_data.h"

#define PICK monodomain_react
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_react_many
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_commit_many
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_rate_many
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_pairs
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_commit
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_rate
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_average
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_measure
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK_SURFACES
#define PICK monodomain_measure_surface
#include "assembly/space/pick_kernel.tmpl.h"

MonodomainCells monodomain_cells_of(const Monodomain *m, const uint16_t *kind, const double *numbers,
                                    const int32_t *when) {
  return (MonodomainCells){.constants = m->exec_constants,
                           .kind = kind,
                           .state = m->state,
                           .history = m->history,
                           .stride = m->n_cell,
                           .keeps_rate = m->keeps == MONODOMAIN_RATE,
                           .numbers = numbers,
                           .when = when,
                           .turn = m->turn,
                           .size = monodomain_states(m)};
}

static MonodomainNodeArgs node_args(const Monodomain *m, const double *numbers, const int32_t *when, const double *V) {
  return (MonodomainNodeArgs){.cells = monodomain_cells_of(m, m->kind, numbers, when),
                              .mass = m->mass,
                              .next = m->next,
                              .fixed = m->diffusion->supports.exec_fixed,
                              .V = V};
}

MonodomainPointArgs monodomain_point_args(const Monodomain *m, int32_t k, const double *numbers, const int32_t *when) {
  const Diffusion *p = m->diffusion;
  const MonodomainBlock *block = &m->block[k];
  const SetBlock *b = &p->space->set.block[k];
  return (MonodomainPointArgs){
      .cells = monodomain_cells_of(m, block->kind, numbers, when),
      .n_elem = b->n,
      .n_q = block->n_q,
      .nodes = p->space->block[k].nodes,
      .node_a = b->node_a,
      .node_e = b->node_e,
      .N = p->space->block[k].stiffness.N,
      .point_first = block->first,
      .point_q = block->step_q,
      .point_e = block->step_e,
      .measure = m->measure,
      .slope = m->slope,
      .f = p->space->f,
      .force_first = b->force_first,
      .force_a = b->force_a,
      .force_e = b->force_e,
      .K = p->space->K,
      .pair_first = b->pair_first,
      .pair_p = b->pair_p,
      .pair_e = b->pair_e,
      .point_V = m->point_V,
      .point_current = m->point_current,
      .force = m->force,
      .gradient = m->gradient,
  };
}

Status monodomain_bring(const Monodomain *m, const double *V) {
  return m->scheme == MONODOMAIN_GAUSS ? space_bring_halo(m->diffusion->space, V) : OK;
}

/* One of the kernels above over the elements of all blocks. */
Status monodomain_over_elements(Monodomain *m, const RowKernel *(*kernel)(ElementKind), MonodomainPointArgs part) {
  const ElementSet *set = &m->diffusion->space->set;
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    MonodomainPointArgs args = monodomain_point_args(m, k, part.cells.numbers, part.cells.when);
    args.V = part.V;
    args.unit = part.unit;
    args.slot = part.slot;
    args.simple = part.simple;
    args.current = part.current;
    TRY(exec_rows(m->exec, kernel(set->block[k].type->kind), &args, set->block[k].n));
  }
  return OK;
}

static MonodomainGatherArgs gather_args(const Monodomain *m, const int32_t *when, const uint8_t *fixed, double *out) {
  const Diffusion *p = m->diffusion;
  return (MonodomainGatherArgs){.gather = {.start = p->space->nodes.start,
                                           .entry = p->space->nodes.entry,
                                           .node = p->space->nodes.node,
                                           .f = p->space->f,
                                           .entry_step = 1,
                                           .component_step = 1,
                                           .fixed = fixed,
                                           .out = out},
                                .when = when};
}

Status monodomain_gather_points(Monodomain *m, const int32_t *when, const uint8_t *fixed, double *out) {
  const MonodomainGatherArgs args = gather_args(m, when, fixed, out);
  return exec_rows(m->exec, &monodomain_gather_kernel, &args, m->diffusion->space->nodes.n_row);
}

/* Which element an entry of a gather belongs to: element fastest (step_e 1, steps of step_a), or by element. */
static MonodomainSimpleArgs simple_args(const double *from, double factor, int64_t step_a, int64_t step_e) {
  return (MonodomainSimpleArgs){from, factor, (uint32_t)step_e, step_e > 1 ? UINT32_MAX : (uint32_t)step_a};
}

static Status gather_simple(Monodomain *m, const int32_t *when, double *r) {
  const Diffusion *p = m->diffusion;
  const SetBlock *b = p->space->set.block;
  const MonodomainSimpleGatherArgs args = {gather_args(m, when, p->supports.exec_fixed, r),
                                           simple_args(p->space->f, 1, b->force_a, b->force_e)};
  return exec_rows(m->exec, &monodomain_simple_gather_kernel, &args, p->space->nodes.n_row);
}

/* What averages of a state are divided by: made at creation for all cells, again where only some have the state. */
static Status monodomain_apply_weigh(Monodomain *m, const int32_t *slot) {
  TRY(monodomain_over_elements(m, monodomain_average_kernel, (MonodomainPointArgs){.unit = 1, .slot = slot}));
  return monodomain_gather_points(m, NULL, NULL, m->weight);
}

Status monodomain_measure(Monodomain *m) {
  const Diffusion *p = m->diffusion;
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    const MonodomainBlock *block = &m->block[k];
    const MonodomainMeasureArgs args = {diffusion_args(p, k), block->first, block->step_q, block->step_e, m->measure};
    const ElementKind kind = p->space->set.block[k].type->kind;
    TRY(exec_rows(m->exec,
                  p->space->mesh->in_space ? monodomain_measure_surface_kernel(kind) : monodomain_measure_kernel(kind),
                  &args, p->space->set.block[k].n));
  }
  return monodomain_apply_weigh(m, NULL);
}

/* Kernels of models with one state have a build of their own. */
static bool monodomain_apply_many(const Monodomain *m) { return m->n_state > 1; }

Status monodomain_outside(Monodomain *m, const double *mass, const double *cells, const double *tissue,
                          const double *lead, const int32_t *skip, double *now, double *next) {
  const MonodomainOutsideArgs args = {mass, cells, tissue, lead, skip, now, next};
  return exec_rows(m->exec, &monodomain_outside_kernel, &args, diffusion_rows(m->diffusion));
}

Status monodomain_current(Monodomain *m, const int32_t *when, const double *on, double *current) {
  const MonodomainCurrentArgs args = {.when = when,
                                      .node = m->current_node,
                                      .start = m->current_start,
                                      .stimulus = m->current_stimulus,
                                      .amplitude = m->current_amplitude,
                                      .on = on,
                                      .current = current};
  return exec_rows(m->exec, &monodomain_current_kernel, &args, m->n_stimulated);
}

Status monodomain_open(Monodomain *m, const double *open, const double *level) {
  CHECK(m->scheme == MONODOMAIN_NODAL, ERR_BUG, "channels at nodes, and cells at integration points");
  m->open = open, m->level = level;
  return OK;
}

Status monodomain_reaction(Monodomain *m, const double *numbers, const int32_t *when, const double *V, double *r,
                           double *diagonal) {
  const bool line = m->keeps == MONODOMAIN_STATES_FIRST;
  TRY(monodomain_bring(m, V));
  if (line) TRY(monodomain_first_line(m, numbers, when, V, r, diagonal));
  if (m->scheme == MONODOMAIN_NODAL) {
    if (line) return OK;
    MonodomainNodeArgs args = node_args(m, numbers, when, V);
    args.r = r;
    args.diagonal = diagonal;
    TRY(exec_rows(m->exec, monodomain_apply_many(m) ? &monodomain_node_many_kernel : &monodomain_node_kernel, &args,
                  monodomain_rows(m)));
    const MonodomainOpenArgs open = {when,    numbers,  args.mass, args.next, args.fixed,
                                     m->open, m->level, V,         r,         diagonal};
    return m->open ? exec_rows(m->exec, &monodomain_open_node_kernel, &open, monodomain_rows(m)) : OK;
  }
  const MonodomainPointArgs part = {.cells = {.numbers = numbers, .when = when}, .V = V, .simple = m->simple};
  if (!line)
    TRY(monodomain_over_elements(m, monodomain_apply_many(m) ? monodomain_react_many_kernel : monodomain_react_kernel,
                                 part));
  return m->simple ? gather_simple(m, when, r)
                   : monodomain_gather_points(m, when, m->diffusion->supports.exec_fixed, r);
}

Status monodomain_tangent(Monodomain *m, const double *numbers, const int32_t *when, double *values) {
  const Diffusion *p = m->diffusion;
  CHECK(m->stiffness_values, ERR_BUG, "monodomain_tangent before monodomain_bind, or with nodal reaction");
  const MonodomainPointArgs part = {.cells = {.numbers = numbers, .when = when}};
  const SetBlock *b = p->space->set.block;
  if (!m->simple) TRY(monodomain_over_elements(m, monodomain_pairs_kernel, part));
  const MonodomainTangentArgs args = {.gather = gather_block_args(&p->space->batch->gather, p->space->K, 1, 1, values),
                                      .when = when,
                                      .numbers = numbers,
                                      .stiffness = m->stiffness_values,
                                      .mass = m->mass_values};
  const MonodomainSimpleTangentArgs simple = {args,
                                              simple_args(m->slope, m->simple_N * m->simple_N, b->pair_p, b->pair_e)};
  if (m->simple) TRY(exec_rows(m->exec, &monodomain_simple_tangent_kernel, &simple, p->space->batch->gather.n_row));
  else TRY(exec_rows(m->exec, &monodomain_tangent_kernel, &args, p->space->batch->gather.n_row));
  const Space *space = p->space;
  const MonodomainSupportArgs supports = {{space->prescribed, space->prescribed_slot, NULL, values, 1, 1}, when};
  return exec_rows(m->exec, &monodomain_support_kernel, &supports, space->n_prescribed);
}

Status monodomain_commit(Monodomain *m, const double *numbers, const int32_t *when, const double *V) {
  if (m->keeps == MONODOMAIN_STATES_FIRST) return monodomain_first_commit(m, when);
  TRY(monodomain_bring(m, V));
  if (m->scheme == MONODOMAIN_NODAL) {
    const MonodomainNodeArgs args = node_args(m, numbers, when, V);
    return exec_rows(m->exec,
                     monodomain_apply_many(m) ? &monodomain_node_commit_many_kernel : &monodomain_node_commit_kernel,
                     &args, monodomain_rows(m));
  }
  const MonodomainPointArgs part = {.cells = {.numbers = numbers, .when = when}, .V = V};
  return monodomain_over_elements(
      m, monodomain_apply_many(m) ? monodomain_commit_many_kernel : monodomain_commit_kernel, part);
}

Status monodomain_start(Monodomain *m, const double *V) {
  if (!m->history) return OK;
  if (m->keeps == MONODOMAIN_INCREMENT)
    return exec_zero(m->exec, m->history, (size_t)(m->n_state * m->n_cell) * sizeof *m->history);
  TRY(monodomain_bring(m, V));
  if (m->scheme == MONODOMAIN_GAUSS)
    return monodomain_over_elements(m, monodomain_apply_many(m) ? monodomain_rate_many_kernel : monodomain_rate_kernel,
                                    (MonodomainPointArgs){.V = V});
  const MonodomainNodeArgs args = node_args(m, NULL, NULL, V);
  return exec_rows(m->exec, monodomain_apply_many(m) ? &monodomain_node_rate_many_kernel : &monodomain_node_rate_kernel,
                   &args, monodomain_rows(m));
}

static bool all_have(const Monodomain *m, const char *name) {
  for (int32_t k = 0; k < m->n_constants; ++k)
    if (ionic_state(m->constants[k].kind, name) < 0) return false;
  return true;
}

Status monodomain_state(Monodomain *m, const char *name, const int32_t *when, double *state) {
  const int index = ionic_state_index(name);
  CHECK(index >= 0, ERR_BUG, "no ionic model has a state '%s'", name);
  const int32_t *slot = m->slot + (int64_t)index * m->n_constants;
  if (m->scheme == MONODOMAIN_NODAL) {
    MonodomainNodeArgs args = node_args(m, NULL, when, NULL);
    args.r = state;
    args.slot = slot;
    return exec_rows(m->exec, &monodomain_node_state_kernel, &args, monodomain_rows(m));
  }
  if (!all_have(m, name) || m->partial) TRY(monodomain_apply_weigh(m, slot));
  m->partial = !all_have(m, name);
  TRY(monodomain_over_elements(m, monodomain_average_kernel, (MonodomainPointArgs){.slot = slot}));
  TRY(monodomain_gather_points(m, NULL, NULL, state));
  const MonodomainDivideArgs args = {m->weight, state};
  return exec_rows(m->exec, &monodomain_divide_kernel, &args, monodomain_rows(m));
}
