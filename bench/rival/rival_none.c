/* Built without CUDA: there is no vendor's product or solver to measure. */
#include "bench/pcg/pcg.h"

Status rival_csr(Exec *exec, const Pattern *pattern, const Mat *csr, const double *x, double *y, int32_t repeat,
                 double *seconds, char *why, int size) {
  (void)exec, (void)pattern, (void)csr, (void)x, (void)y, (void)repeat;
  *seconds = 0;
  snprintf(why, (size_t)size, "built without CUDA");
  return OK;
}

Status rival_formats(Exec *exec, const Pattern *pattern, const Mat *csr, const double *value, const void *x, void *y,
                     int32_t repeat, RivalTimes *out) {
  (void)exec, (void)pattern, (void)csr, (void)value, (void)x, (void)y, (void)repeat;
  *out = (RivalTimes){.why = "built without CUDA"};
  return OK;
}

Status rival_pcg(Exec *exec, const Pattern *pattern, const Mat *csr, const double *b, double *x, double rtol,
                 RivalSolve *out) {
  (void)exec, (void)pattern, (void)csr, (void)b, (void)x, (void)rtol;
  *out = (RivalSolve){.why = "built without CUDA"};
  return OK;
}
