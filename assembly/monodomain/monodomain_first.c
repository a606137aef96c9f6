/* States first: memory, the step of the states, the line at nodes. Each model has a kernel of its own, launched over all
 * cells where the problem has that model. */
#include "assembly/monodomain/monodomain_data.h"
#include "assembly/monodomain/imported_program.h"
#include "core/memory.h"

#define PICK monodomain_spread
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK monodomain_line
#include "assembly/space/pick_kernel.tmpl.h"

/* In the order of IonicConstants.kind. */
static const RowKernel *const first_kernel[] = {
#define IONIC(name, text, n) &monodomain_first_##name##_kernel,
#include "physics/ionics.def"
#undef IONIC
};

Status imported_program_create(Exec *exec, const IonicProgram *from, IonicProgram *out) {
  const char *what = "a program of a cell model";
  *out = (IonicProgram){0};
  if (exec_is_host(exec)) {
    out->n_step = from->n_step, out->n_constant = from->n_constant;
    TRY(exec_alloc_upload(exec, out->n_step, sizeof *out->step, from->step, what, (void **)(uintptr_t)&out->step));
    return exec_alloc_upload(exec, out->n_constant, sizeof *out->constant, from->constant, what,
                             (void **)(uintptr_t)&out->constant);
  }
  out->n_fused = from->n_fused, out->n_stream = from->n_stream;
  TRY(exec_alloc_upload(exec, out->n_fused + 1, sizeof *out->fused, from->fused, what,
                        (void **)(uintptr_t)&out->fused));
  return exec_alloc_upload(exec, out->n_stream, sizeof *out->stream, from->stream, what,
                           (void **)(uintptr_t)&out->stream);
}

void imported_program_release(Exec *exec, IonicProgram *p) {
  exec_release(exec, p->n_step, sizeof *p->step, (void **)(uintptr_t)&p->step);
  exec_release(exec, p->n_constant, sizeof *p->constant, (void **)(uintptr_t)&p->constant);
  exec_release(exec, p->n_fused + 1, sizeof *p->fused, (void **)(uintptr_t)&p->fused);
  exec_release(exec, p->n_stream, sizeof *p->stream, (void **)(uintptr_t)&p->stream);
}

/* Models from files: their programs to the Exec. */
static Status create_programs(Monodomain *m) {
  ALLOC(m->program, m->n_constants, "programs of cell models");
  for (int32_t k = 0; k < m->n_constants; ++k) {
    const IonicProgram *from = ionic_type(m->constants[k].kind)->program;
    if (from) TRY(imported_program_create(m->exec, from, &m->program[k]));
  }
  return OK;
}

static void release_programs(Monodomain *m) {
  for (int32_t k = 0; m->program && k < m->n_constants; ++k) imported_program_release(m->exec, &m->program[k]);
  FREE(m->program);
}

/* The node of each cell, where nodes have more than one. */
static Status create_cell_nodes(Monodomain *m) {
  Status status = OK;
  int32_t *node = NULL;
  if (!m->cell_next) return OK;
  ALLOC_DONE(node, m->n_cell, "nodes of cells");
  for (int32_t i = 0; i < monodomain_rows(m); ++i)
    for (int32_t k = i; k >= 0; k = m->cell_next[k]) node[k] = i;
  TRY_DONE(exec_alloc_upload(m->exec, m->n_cell, sizeof *node, node, "nodes of cells", (void **)&m->cell_node));
done:
  FREE(node);
  return status;
}

Status monodomain_first_create(Monodomain *m) {
  EXEC_ALLOC(m->exec, m->turn, 1, "which states are those of now");
  TRY(exec_zero(m->exec, m->turn, sizeof *m->turn));
  EXEC_ALLOC(m->exec, m->force, m->n_cell, "reactions of cells");
  EXEC_ALLOC(m->exec, m->gradient, m->n_cell, "slopes of cells");
  TRY(create_programs(m));
  if (m->scheme == MONODOMAIN_NODAL) return create_cell_nodes(m);
  EXEC_ALLOC(m->exec, m->point_V, m->n_cell, "potentials of points");
  EXEC_ALLOC(m->exec, m->point_current, m->n_cell, "currents of points");
  if (m->n_constants == 1) return OK;
  return exec_alloc_upload(m->exec, m->n_cell, sizeof *m->cell_kind, m->cell_kind, "ionic models of cells",
                           (void **)&m->kind);
}

void monodomain_first_release(Monodomain *m) {
  EXEC_RELEASE(m->exec, m->turn, 1);
  release_programs(m);
  EXEC_RELEASE(m->exec, m->cell_node, m->n_cell);
  EXEC_RELEASE(m->exec, m->force, m->n_cell);
  EXEC_RELEASE(m->exec, m->gradient, m->n_cell);
  EXEC_RELEASE(m->exec, m->point_V, m->n_cell);
  EXEC_RELEASE(m->exec, m->point_current, m->n_cell);
}

static Status first_of_model(const Monodomain *m, int32_t k, const MonodomainFirstArgs *args) {
  const int32_t kind = m->constants[k].kind;
  const MonodomainImportedArgs imported = {*args, m->program[k], kind, m->n_cell};
  return kind < ionic_count() ? exec_rows(m->exec, first_kernel[kind], args, m->n_cell)
                              : exec_rows(m->exec, &monodomain_first_imported_kernel, &imported,
                                          (m->n_cell + IONIC_FEW - 1) / IONIC_FEW);
}

Status monodomain_first(Monodomain *m, const double *numbers, const int32_t *when, const double *V,
                        const double *current) {
  CHECK(m->keeps == MONODOMAIN_STATES_FIRST, ERR_BUG, "monodomain_first where states are eliminated");
  const bool gauss = m->scheme == MONODOMAIN_GAUSS;
  TRY(monodomain_bring(m, V));
  if (gauss)
    TRY(monodomain_over_elements(
        m, monodomain_spread_kernel,
        (MonodomainPointArgs){.cells = {.numbers = numbers, .when = when}, .V = V, .current = current}));
  const MonodomainFirstArgs args = {.cells = monodomain_cells_of(m, m->kind, numbers, when),
                                    .node = m->cell_node,
                                    .V = gauss ? m->point_V : V,
                                    .current = gauss ? m->point_current : current,
                                    .force = m->force,
                                    .gradient = m->gradient};
  bool launched[sizeof first_kernel / sizeof *first_kernel + IONIC_ADDED] = {false};
  for (int32_t k = 0; k < m->n_constants; ++k) {
    const int kind = m->constants[k].kind;
    if (!launched[kind]) TRY(first_of_model(m, k, &args));
    launched[kind] = true;
  }
  if (!m->open) return OK;
  const MonodomainOpenFirstArgs open = {when, numbers, m->cell_node, m->open, m->level, V, m->force, m->gradient};
  return exec_rows(m->exec, &monodomain_open_first_kernel, &open, m->n_cell);
}

Status monodomain_first_line(Monodomain *m, const double *numbers, const int32_t *when, const double *V, double *r,
                             double *diagonal) {
  if (m->scheme == MONODOMAIN_GAUSS)
    return monodomain_over_elements(
        m, monodomain_line_kernel,
        (MonodomainPointArgs){.cells = {.numbers = numbers, .when = when}, .V = V, .simple = m->simple});
  const MonodomainLineArgs args = {.when = when,
                                   .numbers = numbers,
                                   .mass = m->mass,
                                   .next = m->next,
                                   .fixed = m->diffusion->supports.exec_fixed,
                                   .force = m->force,
                                   .gradient = m->gradient,
                                   .V = V,
                                   .r = r,
                                   .diagonal = diagonal};
  return exec_rows(m->exec, &monodomain_node_line_kernel, &args, monodomain_rows(m));
}

bool monodomain_cell_line(const Monodomain *m, const double **force, const double **gradient) {
  *force = m->force, *gradient = m->gradient;
  return m->keeps == MONODOMAIN_STATES_FIRST && m->scheme == MONODOMAIN_NODAL && !m->next;
}

Status monodomain_first_commit(Monodomain *m, const int32_t *when) {
  const MonodomainTurnArgs args = {when, m->turn};
  return exec_rows(m->exec, &monodomain_turn_kernel, &args, 1);
}
