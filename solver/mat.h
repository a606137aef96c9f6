/* A sparse matrix on an Exec, in one of the formats of solver/formats.def. Values are written from outside (assembly's
 * gather, through `slots`), products come with three epilogues. New format: one file here, one in gpu/, one line in
 * formats.def. */
#pragma once
#include "assembly/pattern.h"
#include "core/exec.h"

typedef enum Precision { PRECISION_DOUBLE, PRECISION_FLOAT } Precision;

typedef struct Mat Mat;

typedef struct MatParams {
  const char *format;  /* "sbell" (default when NULL), "csr" */
  Precision precision;
  int32_t slice;       /* block rows per slice; 0: 32 */
} MatParams;

Status mat_create(Exec *exec, const MatParams *params, const Pattern *pattern, Mat **out);
void mat_destroy(Mat **mat);
const SlotMap *mat_slots(const Mat *mat);
/* The value array on the Exec: double[n_value] or float[n_value]. */
void *mat_values(const Mat *mat);
int64_t mat_rows(const Mat *mat);    /* scalar rows */
int64_t mat_entries(const Mat *mat); /* scalar entries of the pattern, padding not counted */
size_t mat_bytes(const Mat *mat);    /* what one product must read: values, columns, offsets, padding included */
/* y = A x, same precision as the matrix. Recordable. */
Status mat_apply(const Mat *mat, const void *x, void *y);
