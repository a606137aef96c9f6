/* Preconditioned conjugate gradients with all scalars on the Exec (Saad, Iterative Methods, algorithm 9.1; in mixed
 * precision papers/polynomial-pcg-sbell-elasticity, algorithm 6: outer iteration in double, preconditioner in float).
 *
 * Launches and bytes per iteration, A = bytes of the matrix, n unknowns:
 *   p = z + beta p            jacobi 32 n (r, S, p in; p out)      others 24 n + T n (S, p, z in; p out)
 *   q = A p, alpha            A + 16 n
 *   x += alpha p, r -= alpha q, stop?, S r    jacobi 56 n (x, p, r, q, S in; x, r out)   others 64 n, and 4 n in float
 *   z = B (S r), beta         jacobi none: its r.z is a sum of the launch before         others see polynomial.c
 *   another beta, where B is not a linear function    24 n */
#include "solver/krylov/pcg.h"
#include "core/memory.h"
#include "core/vec.h"
#include "algebra/formats/tiled.h"
#include "solver/krylov/rows.h"

#include <math.h>

Status pcg_create(const Mat *a, Precond *m, Krylov *k, Pcg *pcg) {
  *pcg = (Pcg){.exec = mat_exec(a), .a = a, .m = m, .n = mat_rows(a), .k = k};
  EXEC_ALLOC(pcg->exec, pcg->p, mat_columns(a), "search direction");
  EXEC_ALLOC(pcg->exec, pcg->q, pcg->n, "matrix times search direction");
  EXEC_ALLOC(pcg->exec, pcg->r, pcg->n, "residual");
  return exec_mirror_alloc(pcg->exec, sizeof(KrylovMirror), (void **)&pcg->mirror, (void **)&pcg->mirror_device);
}

void pcg_release(Pcg *pcg) {
  if (!pcg->exec) return;
  exec_loop_destroy(&pcg->loop);
  EXEC_RELEASE(pcg->exec, pcg->p, mat_columns(pcg->a));
  EXEC_RELEASE(pcg->exec, pcg->q, pcg->n);
  EXEC_RELEASE(pcg->exec, pcg->r, pcg->n);
  exec_mirror_release(pcg->exec, (void **)&pcg->mirror);
  mat_destroy(&pcg->near);
}

Status pcg_draw_near(Pcg *pcg) {
  exec_loop_destroy(&pcg->loop);
  mat_destroy(&pcg->near);
  return tiled_near(pcg->a, &pcg->near);
}

void pcg_use(Pcg *pcg, Precond *m) {
  exec_loop_destroy(&pcg->loop);
  pcg->m = m;
}

double pcg_bytes(const Pcg *pcg) {
  const double n = (double)pcg->n, small = (double)precision_bytes(pcg->m->precision);
  const double product = (double)mat_bytes(pcg->a) + 16 * n;
  if (pcg->m->type->diagonal) return product + (32 + 56) * n;
  return product + (24 + small + (pcg->m->extra ? 1 : 0)) * n + (64 + (small < 8 ? small : 0)) * n + pcg->m->bytes;
}

static Status pcg_fetch(Pcg *pcg) { return exec_download(pcg->exec, &pcg->host, pcg->k, sizeof pcg->host); }

static Status pcg_tell(Pcg *pcg) { return exec_upload(pcg->exec, pcg->k, &pcg->host, sizeof pcg->host); }

void pcg_border(Pcg *pcg, int32_t n, const double *border, double *dot) {
  pcg->n_border = n;
  if (n == 0 || (border == pcg->border && dot == pcg->border_dot)) return;
  exec_loop_destroy(&pcg->loop);
  pcg->border = border;
  pcg->border_dot = dot;
}

Status pcg_project(const Pcg *pcg, double *v) {
  const BorderArgs args = {pcg->border, pcg->n, pcg->n_border, pcg->border_dot, v};
  if (!pcg->n_border) return OK;
  TRY(exec_rows(pcg->exec, &border_dots_kernel, &args, pcg->n));
  return exec_rows(pcg->exec, &border_less_kernel, &args, pcg->n);
}

static Status residual_on(Pcg *pcg, const double *b, const double *x, double *r) {
  return mat_product(pcg->a, MAT_RESIDUAL,
                     &(ProductArgs){.v = x, .w = r, .b = b, .step = KRYLOV_STORE, .krylov = pcg->k});
}

static Status residual_to(Pcg *pcg, const double *b, const double *x, double *r) {
  TRY(residual_on(pcg, b, x, r));
  TRY(pcg_project(pcg, r));
  if (pcg->n_border) TRY(vec_dot(pcg->exec, pcg->n, r, r, &pcg->k->sum[0]));
  return pcg_fetch(pcg);
}

Status pcg_residual(Pcg *pcg, const double *b, const double *x) { return residual_to(pcg, b, x, pcg->r); }

/* Between two turns q is free. */
Status pcg_check(Pcg *pcg, const double *b, const double *x) { return residual_to(pcg, b, x, pcg->q); }

/* Which of the three variants of a kernel: Jacobi, double, float. */
static int pcg_variant(const Pcg *pcg) {
  return pcg->m->type->diagonal ? 0 : pcg->m->precision == PRECISION_FLOAT ? 2 : 1;
}

static PcgArgs vector_args(const Pcg *pcg) {
  const Precond *m = pcg->m;
  return (PcgArgs){pcg->x, pcg->p, pcg->r, pcg->q, m->scale, m->residual, m->low, m->result, m->extra, pcg->k};
}

static Status record_direction(Pcg *pcg) {
  static const RowKernel *const direction[] = {&pcg_direction_jacobi_kernel, &pcg_direction_d_kernel,
                                               &pcg_direction_f_kernel};
  const PcgArgs args = vector_args(pcg);
  return exec_rows(pcg->exec, direction[pcg_variant(pcg)], &args, pcg->n);
}

/* x, r and the test; of a diagonal beta too. */
static Status record_update(Pcg *pcg) {
  static const RowKernel *const update[] = {&pcg_update_jacobi_kernel, &pcg_update_d_kernel, &pcg_update_f_kernel};
  const PcgArgs args = vector_args(pcg);
  return exec_rows(pcg->exec, update[pcg_variant(pcg)], &args, pcg->n);
}

/* z with beta. */
static Status record_precond(Pcg *pcg) {
  static const RowKernel *const flexible[] = {NULL, &pcg_flexible_d_kernel, &pcg_flexible_f_kernel};
  const PcgArgs args = vector_args(pcg);
  if (pcg->m->type->record) TRY(pcg->m->type->record(pcg->m));
  return pcg->m->flexible ? exec_rows(pcg->exec, flexible[pcg_variant(pcg)], &args, pcg->n) : OK;
}

static Status record_product(Pcg *pcg) {
  TRY(record_direction(pcg));
  TRY(pcg_project(pcg, pcg->p));
  TRY(mat_product(
      pcg->once && pcg->near ? pcg->near : pcg->a, MAT_DOT,
      &(ProductArgs){.v = pcg->p, .w = pcg->q, .stop = &pcg->k->stop, .step = KRYLOV_ALPHA, .krylov = pcg->k}));
  return pcg_project(pcg, pcg->q);
}

static Status record_iteration(Exec *exec, void *context) {
  Pcg *pcg = context;
  (void)exec;
  TRY(record_product(pcg));
  TRY(record_update(pcg));
  return record_precond(pcg);
}

/* The same from another place on: a loop that stops behind the update leaves no preconditioner to be passed by, and the first one is
 * not launched outside of it. */
static Status record_once(Exec *exec, void *context) {
  Pcg *pcg = context;
  (void)exec;
  TRY(record_precond(pcg));
  TRY(record_product(pcg));
  return record_update(pcg);
}

/* The loop is kept while the solution stays at the same place, the preconditioner does the same and the border has as many columns. */
static Status prepare_loop(Pcg *pcg, double *x, bool once) {
  if (pcg->loop && pcg->x == x && pcg->version == pcg->m->version && pcg->once == once &&
      pcg->n_recorded == pcg->n_border)
    return OK;
  exec_loop_destroy(&pcg->loop);
  pcg->n_recorded = pcg->n_border;
  pcg->version = pcg->m->version;
  pcg->x = x;
  pcg->once = once;
  pcg->made += 1;
  TRY(exec_loop_create(pcg->exec, once ? record_once : record_iteration, pcg, &pcg->k->stop, &pcg->loop));
  exec_loop_idles(pcg->loop,
                  &pcg->history); /* every launch looks at the flag, and krylov_residual stops at the last iteration */
  return OK;
}

void pcg_plan_check(Krylov *k, const PcgRun *run) {
  k->check_rr = run->check_drop * run->check_drop * k->rr;
  k->check_iteration = run->check_every > 0 ? k->iteration + run->check_every : INT64_MAX;
  if (run->check_drop <= 0) k->check_rr = -1;
}

/* rz = 0 makes the first beta 0, alpha = 0 and p = q = 0 make the first update neutral. */
void pcg_start(Krylov *k, const PcgRun *run, double rr, bool unit) {
  k->alpha = k->beta = k->rz = 0;
  k->rr = k->first = rr;
  k->limit = run->limit;
  k->best = HUGE_VAL;
  k->best_iteration = k->iteration;
  k->max_iteration = run->max_iteration;
  k->window = run->window;
  k->max_eigenvalue = run->max_eigenvalue > 0 ? run->max_eigenvalue : HUGE_VAL;
  k->stop = KRYLOV_RUNS;
  pcg_plan_check(k, run);
  pcg_unit(k, rr, unit ? 0 : run->mean_scale);
}

/* Where the launches before have set the flag already, the first turn is empty: not checked, which would take
 * longer. */
static Status iterate_until_stop(Pcg *pcg, const PcgRun *run, LoopPoll poll, void *poll_context) {
  const int64_t before = pcg->host.iteration, left = run->max_iteration - before;
  TRY(exec_loop_run(pcg->loop, left > 0 ? left : 1, poll, poll_context));
  TRY(pcg_fetch(pcg));
  loop_history_add(&pcg->history, pcg->host.iteration - before);
  return OK;
}

static Status first_update(Pcg *pcg) {
  TRY(exec_zero(pcg->exec, pcg->p, (size_t)pcg->n * sizeof(double)));
  TRY(exec_zero(pcg->exec, pcg->q, (size_t)pcg->n * sizeof(double)));
  return record_update(pcg);
}

Status pcg_run(Pcg *pcg, double *x, const PcgRun *run, LoopPoll poll, void *poll_context) {
  TRY(prepare_loop(pcg, x, false));
  pcg_start(&pcg->host, run, pcg->host.sum[0], pcg->m->type->diagonal);
  pcg->host.mirror = pcg->mirror_device;
  TRY(pcg_tell(pcg));
  TRY(first_update(pcg));
  TRY(record_precond(pcg));
  return iterate_until_stop(pcg, run, poll, poll_context);
}

Status pcg_once_prepare(Pcg *pcg, double *x) { return prepare_loop(pcg, x, true); }

Status pcg_once(Pcg *pcg, const double *b, const PcgRun *run, double rtol, const double range[2]) {
  const bool unit = pcg->m->type->diagonal;
  const PcgBeginArgs begin = {pcg->k, rtol, unit ? 0 : run->mean_scale, range[0], range[1]};
  PcgResetArgs reset = {.k = pcg->k};
  pcg_start(&reset.value, run, 1, unit);
  TRY(exec_rows(pcg->exec, &pcg_reset_kernel, &reset, 1));
  TRY(residual_on(pcg, b, pcg->x, pcg->r));
  TRY(exec_rows(pcg->exec, &pcg_begin_kernel, &begin, 1));
  TRY(first_update(pcg));
  TRY(exec_loop_run(pcg->loop, run->max_iteration, NULL, NULL));
  return residual_on(pcg, b, pcg->x, pcg->q);
}

Status pcg_run_once(Pcg *pcg, const double *b, double *x, const PcgRun *run, double rtol, const double range[2]) {
  TRY(pcg_once_prepare(pcg, x));
  TRY(pcg_once(pcg, b, run, rtol, range));
  TRY(pcg_fetch(pcg));
  loop_history_add(&pcg->history, pcg->host.iteration);
  return OK;
}

/* The turn that stopped ended before z, which a diagonal does not need. q is A p no more, so that the first direction
 * of a flexible iteration takes the usual beta. */
Status pcg_continue(Pcg *pcg, const PcgRun *run, LoopPoll poll, void *poll_context) {
  pcg->host.stop = KRYLOV_RUNS;
  pcg_plan_check(&pcg->host, run);
  TRY(pcg_tell(pcg));
  if (pcg->m->type->record) TRY(pcg->m->type->record(pcg->m));
  return iterate_until_stop(pcg, run, poll, poll_context);
}

/* p <- M r. */
static Status direction_alone(Pcg *pcg) {
  const size_t bytes = (size_t)pcg->n * sizeof(double);
  const PcgRun run = {.max_iteration = INT64_MAX};
  double *x = pcg->x;
  TRY(vec_dot(pcg->exec, pcg->n, pcg->r, pcg->r, &pcg->k->sum[0]));
  TRY(pcg_fetch(pcg));
  pcg_start(&pcg->host, &run, pcg->host.sum[0], pcg->m->type->diagonal);
  pcg->host.limit = -1;
  pcg->host.mirror = NULL;
  TRY(pcg_tell(pcg));
  TRY(exec_zero(pcg->exec, pcg->p, bytes));
  TRY(exec_zero(pcg->exec, pcg->q, bytes));
  pcg->x = pcg->p; /* which stays 0 */
  Status status = record_update(pcg);
  if (status == OK) status = record_precond(pcg);
  if (status == OK) status = record_direction(pcg);
  pcg->x = x;
  return status;
}

Status pcg_precondition(Pcg *pcg, const double *v, double *out) {
  const size_t bytes = (size_t)pcg->n * sizeof(double);
  TRY(exec_copy(pcg->exec, pcg->r, v, bytes));
  TRY(direction_alone(pcg));
  return exec_copy(pcg->exec, out, pcg->p, bytes);
}

Status pcg_correct(Pcg *pcg, double *x) {
  TRY(direction_alone(pcg));
  return vec_axpy(pcg->exec, pcg->n, 1, pcg->p, x);
}
