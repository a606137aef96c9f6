/* PETSc's binary form: big-endian 32-bit counts and 64-bit reals (PETSc manual, MatLoad and VecLoad). */
#include "bench/rival/petsc_dump.h"
#include "core/memory.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

Status pattern_scalar_csr(const Pattern *p, int32_t **start, int32_t **column) {
  const int32_t bs = p->block;
  const int64_t n = (int64_t)p->n * bs, entries = pattern_entries(p) * bs * bs;
  TRY(pattern_fetch(p));
  CHECK(entries < INT32_MAX, ERR_INPUT, "%lld entries are more than a 32-bit CSR matrix can hold", (long long)entries);
  *start = *column = NULL;
  Status status = mem_alloc(n + 1, sizeof **start, "row starts", (void **)start);
  if (status == OK) status = mem_alloc(entries, sizeof **column, "columns", (void **)column);
  if (status != OK) {
    FREE(*start);
    return status;
  }
  int32_t at = 0;
  for (int32_t i = 0; i < p->n; ++i)
    for (int32_t r = 0; r < bs; ++r) {
      (*start)[(int64_t)i * bs + r] = at;
      for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
        for (int32_t c = 0; c < bs; ++c) (*column)[at++] = p->column[k] * bs + c;
    }
  (*start)[n] = at;
  return OK;
}

static bool put_int(FILE *f, int32_t value) {
  const uint32_t big = htobe32((uint32_t)value);
  return fwrite(&big, sizeof big, 1, f) == 1;
}

static bool put_real(FILE *f, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = htobe64(bits);
  return fwrite(&bits, sizeof bits, 1, f) == 1;
}

enum { PETSC_MAT = 1211216, PETSC_VEC = 1211214 };

static bool put_vector(FILE *f, int32_t n, const double *v) {
  bool ok = put_int(f, PETSC_VEC) && put_int(f, n);
  for (int32_t i = 0; ok && i < n; ++i) ok = put_real(f, v[i]);
  return ok;
}

static bool put_matrix(FILE *f, int32_t n, const int32_t *start, const int32_t *column, const double *value) {
  bool ok = put_int(f, PETSC_MAT) && put_int(f, n) && put_int(f, n) && put_int(f, start[n]);
  for (int32_t i = 0; ok && i < n; ++i) ok = put_int(f, start[i + 1] - start[i]);
  for (int32_t k = 0; ok && k < start[n]; ++k) ok = put_int(f, column[k]);
  for (int32_t k = 0; ok && k < start[n]; ++k) ok = put_real(f, value[k]);
  return ok;
}

Status petsc_dump(Exec *exec, const Pattern *pattern, const Mat *csr, const double *b, const double *near_null,
                  int32_t n_near_null, const char *path) {
  int32_t *start = NULL, *column = NULL;
  double *value = NULL, *rhs = NULL;
  FILE *f = NULL;
  Status status;
  const int64_t n = (int64_t)pattern->n * pattern->block;
  const double sizes[2] = {pattern->block, n_near_null};
  TRY_DONE(pattern_scalar_csr(pattern, &start, &column));
  ALLOC_DONE(value, start[n], "matrix values");
  ALLOC_DONE(rhs, n, "right-hand side");
  TRY_DONE(exec_download(exec, value, mat_values(csr), (size_t)start[n] * sizeof *value));
  TRY_DONE(exec_download(exec, rhs, b, (size_t)n * sizeof *rhs));
  f = fopen(path, "wb");
  bool written =
      f && put_vector(f, 2, sizes) && put_matrix(f, (int32_t)n, start, column, value) && put_vector(f, (int32_t)n, rhs);
  for (int32_t k = 0; written && k < n_near_null; ++k) written = put_vector(f, (int32_t)n, near_null + k * n);
  if ((f && fclose(f) != 0) || !written) status = FAIL(ERR_IO, "%s: cannot be written", path);
done:
  FREE(start);
  FREE(column);
  FREE(value);
  FREE(rhs);
  return status;
}
