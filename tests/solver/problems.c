#include "tests/solver/problems.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

double problem_number(int64_t i) {
  uint32_t h = (uint32_t)i * 2654435761u + 12345u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  return (double)h / 2147483648.0 - 1;
}

static Pattern *new_pattern(int n, int block) {
  Pattern *p = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "pattern", (void **)&p));
  p->n = n;
  p->block = block;
  assert_ok(mem_alloc(n + 1, sizeof *p->start, "starts", (void **)&p->start));
  return p;
}

static void alloc_entries(Problem *out) {
  Pattern *p = out->pattern;
  assert_ok(mem_alloc(p->start[p->n], sizeof *p->column, "columns", (void **)&p->column));
  assert_ok(mem_alloc(p->start[p->n] * p->block * p->block, sizeof *out->value, "values", (void **)&out->value));
}

double *problem_entry(const Problem *p, int i, int j, int r, int c) {
  const int B = p->pattern->block;
  for (int64_t k = p->pattern->start[i]; k < p->pattern->start[i + 1]; ++k)
    if (p->pattern->column[k] == j) return p->value + k * B * B + r * B + c;
  return NULL;
}

/* Neighbours of node (x, y, z) in ascending order; returns their number. */
static int neighbours(const int size[3], int i, int32_t *out) {
  const int x = i % size[0], y = i / size[0] % size[1], z = i / size[0] / size[1];
  int n = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int X = x + dx, Y = y + dy, Z = z + dz;
        if (X < 0 || Y < 0 || Z < 0 || X >= size[0] || Y >= size[1] || Z >= size[2]) continue;
        out[n++] = (Z * size[1] + Y) * size[0] + X;
      }
  return n;
}

static void spring(const int size[3], int B, double contrast, int i, int j, double *k) {
  double d[3], length = 0;
  const int step[3] = {1, size[0], size[0] * size[1]};
  for (int c = 0; c < 3; ++c) {
    d[c] = j / step[c] % size[c] - i / step[c] % size[c];
    if (c < B || B == 1) length += d[c] * d[c];
  }
  const int64_t low = i < j ? i : j, high = i < j ? j : i;
  const double w = contrast > 1 ? exp(log(contrast) * 0.5 * (1 + problem_number(low * 7919 + high))) : 1;
  for (int r = 0; r < B; ++r)
    for (int c = 0; c < B; ++c) k[r * B + c] = B == 1 ? w : w * (d[r] * d[c] / length + (r == c ? 0.1 : 0));
}

void problem_grid(int nx, int ny, int nz, int block, double contrast, Problem *out) {
  const int size[3] = {nx, ny, nz}, n = nx * ny * nz, square = block * block;
  int32_t near[27];
  Pattern *p = out->pattern = new_pattern(n, block);
  for (int i = 0; i < n; ++i) p->start[i + 1] = p->start[i] + neighbours(size, i, near);
  alloc_entries(out);
  for (int i = 0; i < n; ++i) {
    const int count = neighbours(size, i, p->column + p->start[i]);
    double *row = out->value + p->start[i] * square, *diagonal = NULL;
    for (int k = 0; k < count; ++k)
      if (p->column[p->start[i] + k] == i) diagonal = row + k * square;
    for (int k = 0; k < count; ++k) {
      const int j = p->column[p->start[i] + k];
      if (i % nx == 0) {
        for (int r = 0; j == i && r < block; ++r) diagonal[r * block + r] = 1;
        continue;
      }
      if (j == i) continue;
      double s[9];
      spring(size, block, contrast, i, j, s);
      for (int e = 0; e < square; ++e) {
        diagonal[e] += s[e];
        if (j % nx != 0) row[k * square + e] = -s[e];
      }
    }
  }
}

/* True where row i couples to j: the diagonal, row n / 2, and now and then. */
static int couples(int n, unsigned seed, int i, int j) {
  if (i == j || i == n / 2 || j == n / 2) return 1;
  const int64_t low = i < j ? i : j, high = i < j ? j : i;
  return problem_number(low * 104729 + high * 31 + seed) > 1 - 12.0 / n * (1 + (low * high) % 3);
}

void problem_random(int n, int block, unsigned seed, Problem *out) {
  Pattern *p = out->pattern = new_pattern(n, block);
  for (int i = 0; i < n; ++i) {
    p->start[i + 1] = p->start[i];
    for (int j = 0; j < n; ++j) p->start[i + 1] += couples(n, seed, i, j);
  }
  alloc_entries(out);
  const int square = block * block;
  for (int i = 0; i < n; ++i) {
    int64_t k = p->start[i];
    for (int j = 0; j < n; ++j)
      if (couples(n, seed, i, j)) p->column[k++] = j;
    for (k = p->start[i]; k < p->start[i + 1]; ++k)
      for (int e = 0; e < square; ++e) {
        const int j = p->column[k], r = e / block, c = e % block, up = i * block + r < j * block + c;
        const int64_t a = up ? i * block + r : j * block + c, b = up ? j * block + c : i * block + r;
        out->value[k * square + e] = problem_number(a * 15485863 + b + seed) +
                                     (a == b ? 2.0 * block * (double)(p->start[i + 1] - p->start[i]) : 0);
      }
  }
}

void problem_far(int32_t n, int32_t block, Problem *p) {
  Pattern *q = NULL;
  assert_ok(mem_alloc(1, sizeof *q, "pattern", (void **)&q));
  q->n = n;
  q->block = block;
  assert_ok(mem_alloc(n + 1, sizeof *q->start, "starts", (void **)&q->start));
  assert_ok(mem_alloc(4 * (int64_t)n, sizeof *q->column, "columns", (void **)&q->column));
  int64_t at = 0;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t far = i % 64 == 0 || (n - 1 - i) % 64 == 0 ? n - 1 - i : i;
    if (far < i - 1) q->column[at++] = far;
    for (int32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; ++j) q->column[at++] = j;
    if (far > i + 1) q->column[at++] = far;
    q->start[i + 1] = at;
  }
  p->pattern = q;
  assert_ok(mem_alloc(at * block * block, sizeof *p->value, "values", (void **)&p->value));
  for (int32_t i = 0; i < n; ++i)
    for (int64_t k = q->start[i]; k < q->start[i + 1]; ++k)
      for (int r = 0; r < block; ++r)
        for (int c = 0; c < block; ++c) {
          const int64_t j = q->column[k], one = i * block + r, two = j * block + c;
          p->value[(k * block + r) * block + c] =
              one == two ? 8 : 0.7 * problem_number(one < two ? 31 * one + two : 31 * two + one);
        }
}

void problem_release(Problem *p) {
  pattern_destroy(&p->pattern);
  FREE(p->value);
}

void problem_apply(const Problem *p, const double *x, double *y) {
  const int B = p->pattern->block;
  for (int i = 0; i < p->pattern->n; ++i)
    for (int r = 0; r < B; ++r) {
      long double s = 0;
      for (int64_t k = p->pattern->start[i]; k < p->pattern->start[i + 1]; ++k)
        for (int c = 0; c < B; ++c)
          s += (long double)p->value[(k * B + r) * B + c] * (long double)x[p->pattern->column[k] * B + c];
      y[i * B + r] = (double)s;
    }
}

static int64_t slot_of(const SlotMap *s, int B, int64_t i, int64_t k, int r, int c) {
  if (s->per_scalar) return s->slot[(k * B + r) * B + c];
  return s->slot[k] + r * s->row_step[s->same_step ? 0 : i] + c * s->column_step;
}

void problem_fill(const Problem *p, Mat *mat) {
  const SlotMap *slots = mat_slots(mat);
  assert_ok(slot_map_fetch(slots));
  const int B = p->pattern->block, is_float = mat_precision(mat) == PRECISION_FLOAT;
  const size_t size = is_float ? sizeof(float) : sizeof(double);
  void *value = NULL;
  assert_ok(mem_alloc(slots->n_value, size, "values", &value));
  for (int64_t i = 0; i < p->pattern->n; ++i)
    for (int64_t k = p->pattern->start[i]; k < p->pattern->start[i + 1]; ++k)
      for (int e = 0; e < B * B; ++e) {
        const int64_t slot = slot_of(slots, B, i, k, e / B, e % B);
        const double v = p->value[k * B * B + e];
        assert_true(slot >= 0 && slot < slots->n_value);
        if (is_float) ((float *)value)[slot] = (float)v;
        else ((double *)value)[slot] = v;
      }
  assert_ok(exec_upload(mat_exec(mat), mat_values(mat), value, (size_t)slots->n_value * size));
  mem_free(&value);
}

Mat *problem_mat(Exec *exec, const Problem *p, const char *format) {
  Mat *mat = NULL;
  assert_ok(mat_create(exec, &(MatParams){.format = format}, p->pattern, &mat));
  problem_fill(p, mat);
  return mat;
}

double *problem_vector(Exec *exec, int64_t n, const double *from) {
  double *host = NULL, *out = NULL;
  assert_ok(mem_alloc(n, sizeof *host, "vector", (void **)&host));
  for (int64_t i = 0; i < n; ++i) host[i] = from ? from[i] : problem_number(i);
  assert_ok(exec_alloc_upload(exec, n, sizeof *host, host, "vector", (void **)&out));
  FREE(host);
  return out;
}

typedef struct Attempt {
  Exec *exec;
  const MatParams *params;
  const Pattern *pattern;
  bool like;
} Attempt;

static Status create_and_destroy(void *context) {
  const Attempt *t = context;
  Mat *a = NULL, *b = NULL;
  Status status = mat_create(t->exec, t->params, t->pattern, &a);
  if (status == OK && t->like) status = mat_create_like(a, PRECISION_FLOAT, &b);
  mat_destroy(&b);
  mat_destroy(&a);
  return status;
}

void problem_mat_fails(Exec *exec, const MatParams *params, const Problem *p, bool like) {
  testing_fail_each(exec, create_and_destroy, &(Attempt){exec, params, p->pattern, like});
}

double *problem_host(int64_t n) {
  double *v = NULL;
  assert_ok(mem_alloc(n, sizeof *v, "vector", (void **)&v));
  return v;
}

double *problem_dense(Exec *exec, const Mat *a) {
  const int64_t n = mat_rows(a);
  double *out = problem_host(n * n), *e = problem_host(n), *v = problem_vector(exec, n, NULL),
         *w = problem_vector(exec, n, NULL);
  for (int64_t j = 0; j < n; ++j) {
    e[j] = 1;
    assert_ok(exec_upload(exec, v, e, (size_t)n * sizeof *e));
    assert_ok(mat_apply(a, v, w));
    assert_ok(exec_download(exec, out + j * n, w, (size_t)n * sizeof *e));
    e[j] = 0;
  }
  EXEC_RELEASE(exec, v, n);
  EXEC_RELEASE(exec, w, n);
  FREE(e);
  return out;
}

static void download_result(Precond *m, double *to) {
  Exec *exec = m->exec;
  if (m->precision != PRECISION_FLOAT) {
    assert_ok(exec_download(exec, to, m->result, (size_t)m->n * sizeof *to));
    return;
  }
  float *low = NULL;
  assert_ok(mem_alloc(m->n, sizeof *low, "vector", (void **)&low));
  assert_ok(exec_download(exec, low, m->result, (size_t)m->n * sizeof *low));
  for (int64_t i = 0; i < m->n; ++i) to[i] = (double)low[i];
  FREE(low);
}

void problem_precond(Precond *m, const Krylov *krylov, double tolerance, const double *from, double *to) {
  double rz = 0, size = 0;
  Krylov k;
  assert_ok(exec_upload(m->exec, m->residual, from, (size_t)m->n * sizeof *from));
  assert_ok(m->type->record(m));
  download_result(m, to);
  for (int64_t i = 0; i < m->n; ++i) rz += from[i] * to[i], size += fabs(from[i] * to[i]);
  assert_ok(exec_download(m->exec, &k, krylov, sizeof k));
  assert_true(fabs(k.rz - rz) <= tolerance * size);
}

void problem_precond_symmetric(Precond *m, const Krylov *krylov, double tolerance) {
  const int64_t n = m->n;
  double *e = problem_host(n), *b = problem_host(n * n), largest = 0;
  for (int64_t j = 0; j < n; ++j) {
    e[j] = 1;
    problem_precond(m, krylov, fmax(tolerance, 1e-13), e, b + j * n);
    e[j] = 0;
  }
  for (int64_t i = 0; i < n * n; ++i) largest = fmax(largest, fabs(b[i]));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < i; ++j) assert_true(fabs(b[i * n + j] - b[j * n + i]) <= tolerance * largest);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = j; i < n; ++i) {
      double t = b[i * n + j];
      for (int64_t c = 0; c < j; ++c) t -= b[i * n + c] * b[j * n + c];
      if (i == j) assert_true(t > 0);
      b[i * n + j] = i == j ? sqrt(t) : t / b[j * n + j];
    }
  FREE(e);
  FREE(b);
}

void problem_precond_stopped(Precond *m, Krylov *krylov, double tolerance) {
  Exec *exec = m->exec;
  double *r = problem_host(m->n), *z = problem_host(m->n), *again = problem_host(m->n);
  for (int64_t i = 0; i < m->n; ++i) r[i] = problem_number(i);
  problem_precond(m, krylov, tolerance, r, z);
  Krylov k;
  assert_ok(exec_download(exec, &k, krylov, sizeof k));
  k.stop = KRYLOV_CONVERGED;
  k.rz = 7;
  assert_ok(exec_upload(exec, krylov, &k, sizeof k));
  for (int64_t i = 0; i < m->n; ++i) r[i] = 1;
  assert_ok(exec_upload(exec, m->residual, r, (size_t)m->n * sizeof *r));
  assert_ok(m->type->record(m));
  download_result(m, again);
  assert_ok(exec_download(exec, &k, krylov, sizeof k));
  assert_memory_equal(z, again, (size_t)m->n * sizeof *z);
  assert_true(k.rz == 7 && k.stop == KRYLOV_CONVERGED);
  FREE(r);
  FREE(z);
  FREE(again);
}

Status problem_precond_set_up(Precond *m) {
  Exec *exec = mat_exec(m->a);
  double *work = NULL, mean;
  int64_t n_bad = 0;
  TRY(exec_alloc(exec, m->n, sizeof *work, "work", (void **)&work));
  const Status status = precond_setup(m, work, &n_bad, &mean);
  assert_int_equal(n_bad, 0);
  EXEC_RELEASE(exec, work, m->n);
  return status;
}
