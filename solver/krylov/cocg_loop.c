/* One run of conjugate orthogonal conjugate gradients, recorded once.
 *
 * Launches and bytes per iteration, A = bytes of one real matrix, n unknowns:
 *   p = z + beta p                 48 n
 *   q = (A + i B) p                4 A + 48 n (2 A + 32 n where B is 0)
 *   p.q, alpha                     32 n
 *   x += alpha p, r -= alpha q     104 n with S r for the preconditioner
 *   z = S B S r, twice             the preconditioner's own twice, and 56 n
 *   r.z, beta                      32 n with the last of these */
#include "core/memory.h"
#include "solver/krylov/cocg_solver.h"
#include "solver/krylov/rows.h"

#include <math.h>

static Status cocg_loop_fetch(CocgSolver *s) { return exec_download(s->exec, &s->host, s->scalars, sizeof s->host); }

static Status cocg_loop_tell(CocgSolver *s) { return exec_upload(s->exec, s->scalars, &s->host, sizeof s->host); }

int64_t cocg_products_each(const CocgSolver *s) { return (s->imaginary ? 4 : 2) + 2 * s->m->products; }

double cocg_bytes(const CocgSolver *s) {
  const double n = (double)s->n, a = (double)mat_bytes(s->real);
  const double product = s->imaginary ? 4 * a + 48 * n : 2 * a + 32 * n;
  return product + 2 * s->m->bytes + (48 + 32 + 104 + (s->m->type->diagonal ? 48 : 88)) * n;
}

Status cocg_residual(CocgSolver *s, const double *const b[2], double *const x[2]) {
  for (int part = 0; part < 2; ++part) {
    TRY(mat_product(s->real, MAT_COMBINE,
                    &(ProductArgs){.v = x[part], .w = s->r[part], .b = b[part], .c0 = -1, .c3 = 1}));
    if (!s->imaginary) continue;
    TRY(mat_product(s->imaginary, MAT_COMBINE,
                    &(ProductArgs){.v = x[1 - part], .w = s->r[part], .u = s->r[part], .c0 = part ? -1 : 1, .c2 = 1}));
  }
  const CocgArgs args = {.r = {s->r[0], s->r[1]}, .b = {b[0], b[1]}, .c = s->scalars};
  TRY(exec_rows(s->exec, &cocg_norms_kernel, &args, s->n));
  return cocg_loop_fetch(s);
}

static CocgArgs vector_args(const CocgSolver *s) {
  const Precond *m = s->m;
  CocgArgs args = {.scale = m->scale,
                   .scaled = m->residual,
                   .low = m->low,
                   .result = m->result,
                   .extra = m->extra,
                   .c = s->scalars,
                   .inner = s->inner};
  for (int part = 0; part < 2; ++part) {
    args.x[part] = s->x[part];
    args.p[part] = s->p[part];
    args.q[part] = s->q[part];
    args.r[part] = s->r[part];
    args.z[part] = s->z[part];
  }
  return args;
}

/* x, r, the test, and z with beta. */
static Status record_update(CocgSolver *s) {
  Exec *exec = s->exec;
  const CocgArgs args = vector_args(s);
  const bool low = s->m->precision == PRECISION_FLOAT;
  if (s->m->type->diagonal) {
    TRY(exec_rows(exec, &cocg_update_d_kernel, &args, s->n));
    return exec_rows(exec, &cocg_diagonal_kernel, &args, s->n);
  }
  TRY(exec_rows(exec, low ? &cocg_update_f_kernel : &cocg_update_d_kernel, &args, s->n));
  TRY(s->m->type->record(s->m));
  TRY(exec_rows(exec, low ? &cocg_between_f_kernel : &cocg_between_d_kernel, &args, s->n));
  TRY(s->m->type->record(s->m));
  return exec_rows(exec, low ? &cocg_last_f_kernel : &cocg_last_d_kernel, &args, s->n);
}

static Status record_product(const CocgSolver *s) {
  const int32_t *stop = &s->scalars->k.stop;
  for (int part = 0; part < 2; ++part) {
    TRY(mat_product(s->real, MAT_APPLY, &(ProductArgs){.v = s->p[part], .w = s->q[part], .stop = stop}));
    if (!s->imaginary) continue;
    TRY(mat_product(
        s->imaginary, MAT_COMBINE,
        &(ProductArgs){
            .v = s->p[1 - part], .w = s->q[part], .u = s->q[part], .c0 = part ? 1 : -1, .c2 = 1, .stop = stop}));
  }
  return OK;
}

static Status record_iteration(Exec *exec, void *context) {
  CocgSolver *s = context;
  const CocgArgs args = vector_args(s);
  TRY(exec_rows(exec, &cocg_direction_kernel, &args, s->n));
  TRY(record_product(s));
  TRY(exec_rows(exec, &cocg_alpha_kernel, &args, s->n));
  return record_update(s);
}

/* The loop is kept while the solution stays at the same place and the preconditioner does the same. */
static Status prepare_loop(CocgSolver *s, double *const x[2]) {
  if (s->loop && s->x[0] == x[0] && s->x[1] == x[1] && s->version == s->m->version) return OK;
  exec_loop_destroy(&s->loop);
  s->version = s->m->version;
  s->x[0] = x[0];
  s->x[1] = x[1];
  return exec_loop_create(s->exec, record_iteration, s, &s->scalars->k.stop, &s->loop);
}

/* rho = 0 makes the first beta 0, alpha = 0 and p = q = 0 make the first update neutral. */
static void start_scalars(CocgSolver *s, double limit, int64_t window) {
  Cocg *c = &s->host;
  const double rr = c->k.sum[0];
  *c = (Cocg){.bb = c->bb,
              .k = {.iteration = c->k.iteration,
                    .rr = rr,
                    .first = rr,
                    .limit = limit,
                    .best = HUGE_VAL,
                    .best_iteration = c->k.iteration,
                    .max_iteration = s->most,
                    .window = window,
                    .check_rr = -1,
                    .check_iteration = INT64_MAX,
                    .max_eigenvalue = HUGE_VAL,
                    .to_unit = 1,
                    .from_unit = 1,
                    .mirror = s->mirror_device}};
  if (s->m->type->diagonal || !(rr > 0) || !isfinite(rr) || !(s->mean_scale > 0)) return;
  int exponent;
  frexp(sqrt(rr) * s->mean_scale, &exponent);
  c->k.to_unit = ldexp(1, -exponent);
  c->k.from_unit = ldexp(1, exponent);
}

static Status start_inner(CocgSolver *s) {
  Krylov inner;
  TRY(exec_download(s->exec, &inner, s->inner, sizeof inner));
  inner.stop = KRYLOV_RUNS;
  inner.alpha = inner.beta = inner.rz = 0;
  inner.to_unit = inner.from_unit = 1;
  inner.max_eigenvalue = HUGE_VAL;
  return exec_upload(s->exec, s->inner, &inner, sizeof inner);
}

Status cocg_run(CocgSolver *s, double *const x[2], double limit, int64_t window) {
  TRY(prepare_loop(s, x));
  start_scalars(s, limit, window);
  TRY(start_inner(s));
  TRY(cocg_loop_tell(s));
  for (int part = 0; part < 2; ++part) {
    TRY(exec_zero(s->exec, s->p[part], (size_t)s->n * sizeof(double)));
    TRY(exec_zero(s->exec, s->q[part], (size_t)s->n * sizeof(double)));
  }
  TRY(record_update(s));
  TRY(cocg_loop_fetch(s));
  if (s->host.k.stop) return OK;
  const int64_t left = s->most - s->host.k.iteration;
  TRY(exec_loop_run(s->loop, left > 0 ? left : 1, s->poll ? cocg_poll : NULL, s));
  return cocg_loop_fetch(s);
}
