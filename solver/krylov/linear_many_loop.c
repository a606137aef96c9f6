/* The loop of several columns (linear_many_loop.h). Launches and bytes per iteration, A = bytes of the matrix, n
 * unknowns, K columns, P = bytes of the polynomial's matrix:
 *   p = S z + beta p                    (8 + 24 K) n, z in float 20 K
 *   q = A p, alpha                      A + 16 K n
 *   x += alpha p, r -= alpha q, stop?, S r    (8 + 56 K) n, and 4 K n in float
 *   z = B (S r), beta                   (degree - 1) P and K times the vectors of polynomial.c; B = 1: 8 K n;
 *                                       multigrid: multigrid_many_cycle.c
 * For K = 1 this is pcg.c; the matrices are what is saved. */
#include "solver/krylov/linear_many_loop.h"
#include "core/memory.h"
#include "algebra/many_product.h"
#include "algebra/mat_format.h"
#include "solver/precond/polynomial.h"
#include "algebra/many/rows.h"
#include "solver/krylov/rows.h"

#include <math.h>

static bool is_polynomial(const Precond *m) { return precond_is_polynomial(m) && m->degree > 1; }

const char *many_pcg_obstacle(const LinearSolver *s) {
  if (!mat_allows_many(s->a))
    return "the matrix' format has no product with several vectors (csr has, and sbell with slices of 32 rows)";
  const bool simple = s->m->type->diagonal || s->m->type->block_diagonal || precond_is_polynomial(s->m);
  return simple ? NULL : precond_many_obstacle(s->m);
}

/* What has vectors of its own. */
static bool is_inner(const Precond *m) { return is_polynomial(m) || m->type->many; }

static void release_inner(ManyPcg *p) {
  const int64_t size = p->n_read * p->room;
  if (p->low != p->scaled && !p->multi) exec_release(p->exec, size, p->inner_size, &p->low);
  p->low = NULL;
  exec_release(p->exec, size, p->inner_size, &p->result);
  for (int i = 0; i < 2; ++i) exec_release(p->exec, size, p->inner_size, &p->t[i]);
  for (int i = 0; i < 2; ++i) EXEC_RELEASE(p->exec, p->extra[i], size);
  EXEC_RELEASE(p->exec, p->result_extra, size);
  precond_many_destroy(&p->multi);
  p->has_inner = false;
}

static Status take_inner(ManyPcg *p) {
  const int64_t size = p->n_read * p->room;
  const bool is_float = p->s->m->precision == PRECISION_FLOAT;
  p->inner_size = is_float ? sizeof(float) : sizeof(double);
  p->has_inner = true;
  TRY(exec_alloc(p->exec, size, p->inner_size, "preconditioner workspace", &p->result));
  if (p->s->m->type->many) {
    TRY(precond_many_create(p->s->m, p->room, &p->multi));
    p->low = is_float ? precond_many_low(p->multi) : p->scaled;
    return OK;
  }
  for (int i = 0; i < 2; ++i) TRY(exec_alloc(p->exec, size, p->inner_size, "preconditioner workspace", &p->t[i]));
  if (!is_float) {
    p->low = p->scaled;
    return OK;
  }
  TRY(exec_alloc(p->exec, size, p->inner_size, "preconditioner workspace", &p->low));
  for (int i = 0; i < 2; ++i) EXEC_ALLOC(p->exec, p->extra[i], size, "preconditioner workspace");
  EXEC_ALLOC(p->exec, p->result_extra, size, "preconditioner workspace");
  return OK;
}

/* Vectors of the preconditioner. */
static Status prepare_inner(ManyPcg *p) {
  const Precond *m = p->s->m;
  const size_t size = precision_bytes(m->precision);
  const bool other = p->multi && (p->m != m || p->fallbacks != p->s->fallbacks);
  if (p->has_inner && (other || !is_inner(m) || (m->type->many != NULL) != (p->multi != NULL) || size != p->inner_size))
    release_inner(p);
  if (!is_inner(m)) return OK;
  if (!p->has_inner) TRY(take_inner(p));
  return OK;
}

Status many_pcg_create(LinearSolver *s, int32_t columns, ManyPcg *p) {
  *p = (ManyPcg){.exec = s->exec,
                 .s = s,
                 .n = mat_rows(s->a),
                 .n_read = mat_columns(s->a),
                 .room = columns <= 2   ? 2
                         : columns <= 4 ? 4
                                        : MANY_MOST};
  const int64_t size = p->n_read * p->room;
  double **const vectors[] = {&p->b, &p->x, &p->p, &p->q, &p->r, &p->scaled};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    EXEC_ALLOC(p->exec, *vectors[i], size, "vectors of several right-hand sides");
  EXEC_ALLOC(p->exec, p->many, 1, "solver scalars");
  TRY(exec_mirror_alloc(p->exec, sizeof(KrylovMirror), (void **)&p->mirror, (void **)&p->mirror_device));
  return many_pcg_prepare(p, columns);
}

void many_pcg_release(ManyPcg *p) {
  if (!p->exec) return;
  const int64_t size = p->n_read * p->room;
  exec_loop_destroy(&p->loop);
  release_inner(p);
  double **const vectors[] = {&p->b, &p->x, &p->p, &p->q, &p->r, &p->scaled};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) EXEC_RELEASE(p->exec, *vectors[i], size);
  EXEC_RELEASE(p->exec, p->many, 1);
  exec_mirror_release(p->exec, (void **)&p->mirror);
}

static ManyVectors vectors_of(const ManyPcg *p) {
  const Precond *m = p->s->m;
  return (ManyVectors){.n = p->n,
                       .shift = p->shift,
                       .block = mat_block(p->s->a),
                       .x = p->x,
                       .p = p->p,
                       .r = p->r,
                       .q = p->q,
                       .b = p->b,
                       .scale = m->scale,
                       .g = m->blocks,
                       .scaled = p->scaled,
                       .low = p->low == p->scaled ? NULL : p->low,
                       .z = is_inner(m) ? p->result : p->scaled,
                       .extra = p->result_extra,
                       .many = p->many};
}

static Status sum_rows(const ManyPcg *p, const RowKernel *kernels) {
  const ManyVectors args = vectors_of(p);
  return exec_rows(p->exec, &kernels[p->shift - 1], &args, p->n);
}

static Status record_polynomial(const ManyPcg *p) {
  const Precond *m = p->s->m;
  const PolynomialVectors v = {p->scaled,      p->low, {p->t[0], p->t[1]}, p->result, {p->extra[0], p->extra[1]},
                               p->result_extra};
  int32_t pending = 0;
  for (int32_t k = 0; k + 1 < m->degree; ++k) {
    ManyProduct args = {.many = p->many};
    const MatOp op = polynomial_step(m, &v, k, &pending, &args.product);
    args.product.stop = &p->many->stop;
    args.product.step = KRYLOV_BETA;
    TRY(mat_product_many(m->stored, op, p->k, &args));
  }
  return OK;
}

/* z and beta */
static Status record_precond(const ManyPcg *p) {
  const Precond *m = p->s->m;
  const ManyVectors args = vectors_of(p);
  const int64_t items = p->n / args.block * p->k;
  if (p->multi)
    return precond_many_record(p->multi, &(PrecondManyCall){p->shift, p->scaled, p->low, p->result, p->many, true});
  if (m->blocks) TRY(exec_rows(p->exec, &many_forward_kernel, &args, items));
  if (is_polynomial(m)) TRY(record_polynomial(p));
  else TRY(sum_rows(p, many_one_kernels));
  return m->blocks ? exec_rows(p->exec, &many_back_kernel, &args, items) : OK;
}

static Status record_update(const ManyPcg *p) {
  const bool is_float = p->low && p->low != p->scaled;
  TRY(sum_rows(p, is_float ? many_update_f_kernels : many_update_d_kernels));
  return record_precond(p);
}

static Status record_iteration(Exec *exec, void *context) {
  const ManyPcg *p = context;
  const ManyVectors args = vectors_of(p);
  TRY(exec_rows(exec, args.low ? &many_direction_f_kernel : &many_direction_d_kernel, &args, p->n * p->k));
  const ManyProduct product = {{.v = p->p, .w = p->q, .stop = &p->many->stop, .step = KRYLOV_ALPHA}, p->many};
  TRY(mat_product_many(p->s->a, MAT_DOT, p->k, &product));
  return record_update(p);
}

Status many_pcg_prepare(ManyPcg *p, int32_t columns) {
  const Precond *m = p->s->m;
  int32_t shift = 1;
  while (1 << shift < columns) ++shift;
  CHECK(1 << shift <= p->room, ERR_BUG, "%d columns, there is room for %d", columns, p->room);
  TRY(prepare_inner(p));
  const bool same = shift == p->shift && m == p->m && m->version == p->version && p->s->fallbacks == p->fallbacks;
  if (p->loop && same) return OK;
  exec_loop_destroy(&p->loop);
  p->shift = shift;
  p->k = 1 << shift;
  p->m = m;
  p->version = m->version;
  p->fallbacks = p->s->fallbacks;
  return exec_loop_create(p->exec, record_iteration, p, &p->many->stop, &p->loop);
}

static Status linear_many_loop_fetch(ManyPcg *p) { return exec_download(p->exec, &p->host, p->many, sizeof p->host); }

static Status linear_many_loop_tell(ManyPcg *p) {
  p->host.columns = p->k;
  p->host.mirror = p->mirror_device;
  p->host.stop = KRYLOV_RUNS;
  return exec_upload(p->exec, p->many, &p->host, sizeof p->host);
}

/* Times 2^exponent of each column, or back. */
static ManyPack pack_of(const ManyPcg *p, const double *from, double *to, int32_t columns, int sign) {
  const bool is_b = to == p->b;
  ManyPack pack = {.from = from, .to = to, .n = p->n, .step = is_b ? p->n : p->n_read, .shift = p->shift, .k = columns};
  for (int32_t c = 0; c < MANY_MOST; ++c) {
    const int exponent = sign * p->scale[c].exponent;
    pack.factor[c] = ldexp(1, exponent / 2);
    pack.again[c] = ldexp(1, exponent - exponent / 2);
  }
  return pack;
}

static Status linear_many_loop_pack(ManyPcg *p, const double *b, const double *x, int32_t columns) {
  const ManyPack pack_b = pack_of(p, b, p->b, columns, 1), pack_x = pack_of(p, x, p->x, columns, 1);
  TRY(exec_rows(p->exec, &many_pack_kernel, &pack_b, p->n));
  TRY(exec_rows(p->exec, &many_pack_kernel, &pack_x, p->n));
  TRY(linear_many_loop_tell(p));
  TRY(sum_rows(p, many_norm_kernels));
  TRY(linear_many_loop_fetch(p));
  for (int32_t c = 0; c < p->k; ++c) p->host.bb[c] = p->host.column[c].sum[0];
  return OK;
}

Status many_pcg_load(ManyPcg *p, const double *b, const double *x, int32_t columns) {
  bool scaled = false;
  p->host = (KrylovMany){.stop = 0};
  for (int32_t c = 0; c < MANY_MOST; ++c) p->scale[c] = (LinearScale){0, 0};
  TRY(linear_many_loop_pack(p, b, x, columns));
  for (int32_t c = 0; c < columns; ++c) {
    TRY(linear_find_scale(p->exec, p->n, b + c * p->n, p->host.bb[c], p->s->mean_scale, p->s->krylov->sum,
                          &p->scale[c]));
    scaled = scaled || p->scale[c].exponent;
  }
  return scaled ? linear_many_loop_pack(p, b, x, columns) : OK;
}

Status many_pcg_residual(ManyPcg *p, bool aside) {
  const ManyProduct product = {{.v = p->x, .w = aside ? p->q : p->r, .b = p->b, .step = KRYLOV_STORE}, p->many};
  TRY(linear_many_loop_tell(p));
  TRY(mat_product_many(p->s->a, MAT_RESIDUAL, p->k, &product));
  return linear_many_loop_fetch(p);
}

Status many_pcg_unload(ManyPcg *p, double *x, int32_t columns, uint32_t mask) {
  ManyPack pack = pack_of(p, p->x, x, columns, -1);
  pack.mask = mask;
  return mask ? exec_rows(p->exec, &many_unpack_kernel, &pack, p->n) : OK;
}

static void call_poll(void *context) {
  const LinearSolver *s = ((const ManyPcg *)context)->s;
  const KrylovMirror *mirror = ((const ManyPcg *)context)->mirror;
  s->poll(s->poll_context, mirror->iteration, sqrt(mirror->rr));
}

static Status iterate_until_stop(ManyPcg *p) {
  int64_t left = 1;
  TRY(linear_many_loop_fetch(p));
  if (p->host.stop) return OK;
  for (int32_t c = 0; c < p->k; ++c) {
    const Krylov *k = &p->host.column[c];
    if (!k->stop && k->max_iteration - k->iteration > left) left = k->max_iteration - k->iteration;
  }
  TRY(exec_loop_run(p->loop, left, p->s->poll ? call_poll : NULL, p));
  return linear_many_loop_fetch(p);
}

Status many_pcg_run(ManyPcg *p) {
  const size_t bytes = (size_t)(p->n * p->k) * sizeof(double);
  TRY(linear_many_loop_tell(p));
  TRY(exec_zero(p->exec, p->p, bytes));
  TRY(exec_zero(p->exec, p->q, bytes));
  TRY(record_update(p));
  return iterate_until_stop(p);
}

Status many_pcg_continue(ManyPcg *p) {
  TRY(linear_many_loop_tell(p));
  TRY(record_precond(p));
  return iterate_until_stop(p);
}

double many_pcg_bytes(const ManyPcg *p, int32_t columns) {
  const Precond *m = p->s->m;
  const double n = (double)p->n, part = (double)p->k / columns, share = 1.0 / columns;
  const bool poly = is_polynomial(m), is_float = is_inner(m) && p->inner_size == sizeof(float);
  double vectors = (is_float ? 20 : 24) + 16 + 56 + (is_float ? 4 : 0) + (m->blocks ? (is_float ? 30 : 32) : 0);
  double once = (double)mat_bytes(p->s->a) + 16 * n + (m->blocks ? 16.0 * mat_block(p->s->a) * n : 0);
  if (p->multi) return (once + precond_many_bytes(p->multi, p->shift)) * share + vectors * n * part;
  if (poly) {
    once += (double)m->products * (double)mat_bytes(m->stored);
    vectors += polynomial_vector_bytes(m->degree, p->inner_size);
  } else {
    vectors += 8;
  }
  return once * share + vectors * n * part;
}
