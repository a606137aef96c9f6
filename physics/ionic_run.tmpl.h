/* Runs a program over IONIC_LANES cells, in at most IONIC_ROOM registers: IONIC_RUN(program, cells, V, stimulus, f, by_V), the
 * last four [IONIC_LANES]. Over 60 lines because it is one switch over all operations. What is written is never one of the operands.
 * On a GPU the last result stays at hand, where the next operation finds its first operand, and the next operation is read while
 * one is at work. */
#ifdef __CUDA_ARCH__
#define LANES _Pragma("unroll") for (int l = 0; l < IONIC_LANES; ++l)
#define FIRST(x, k)                                                                                                    \
  if ((k) != last) LANES result[l] = r[k][l];                                                                          \
  const double *x = result
#define OTHER(x, k)                                                                                                    \
  double x[IONIC_LANES];                                                                                               \
  if ((k) == last) LANES x[l] = result[l];                                                                             \
  else LANES x[l] = r[k][l]
#define RESULT result[l]
#else
#ifdef __CUDACC__
#define LANES for (int l = 0; l < IONIC_LANES; ++l)
#else
#define LANES _Pragma("GCC ivdep") for (int l = 0; l < IONIC_LANES; ++l)
#endif
#define FIRST(x, k) const double *x = r[k]
#define OTHER(x, k) const double *x = r[k]
#define RESULT d[l]
#endif
HD void IONIC_RUN(const IonicProgram *program, const IonicLanes *cells, const double *V, const double *stimulus,
                  double *f, double *by_V) {
  const double dt = cells->dt;
  (void)dt;
#ifdef __CUDA_ARCH__
  alignas(16) double r[IONIC_ROOM][IONIC_LANES];
  double result[IONIC_LANES];
  LANES result[l] = 0;
  uint32_t last = IONIC_NOWHERE;
  uint64_t next = *(const uint64_t *)program->step;
#else
  double r[IONIC_ROOM][IONIC_LANES];
#endif
  for (int32_t i = 0; i < program->n_step; ++i) {
#ifdef __CUDA_ARCH__
    const uint32_t low = (uint32_t)next, high = (uint32_t)(next >> 32);
    const struct { uint32_t op, d, a, b, c; } step = {low & 255, low >> 8 & 255, low >> 16, high & 65535, high >> 16};
    next = ((const uint64_t *)program->step)[i + 1];
#else
    const IonicStep step = program->step[i];
    double *d = r[step.d % IONIC_ROOM]; /* IONIC_NOWHERE: not written */
#endif
    switch (step.op) {
    case IONIC_OP_SET: {
      const double value = program->constant[step.b];
      LANES RESULT = value;
      break;
    }
    case IONIC_OP_V: LANES RESULT = V[l]; break;
    case IONIC_OP_STIMULUS: LANES RESULT = stimulus[l]; break;
    case IONIC_OP_STATE: {
      const double *s = cells->from + step.b * cells->stride;
#ifdef __CUDA_ARCH__
      LANES result[l] = s[l < cells->n ? l : 0];
#else
      for (int l = 0; l < cells->n; ++l) d[l] = s[l];
      for (int l = cells->n; l < IONIC_LANES; ++l) d[l] = s[0];
#endif
      break;
    }
    case IONIC_OP_STORE: {
      double *s = cells->to + step.b * cells->stride;
      FIRST(a, step.a);
#ifdef __CUDA_ARCH__
      LANES if (cells->on[l]) s[l] = a[l];
#else
      for (int l = 0; l < cells->n; ++l)
        if (!cells->on || cells->on[l]) s[l] = a[l];
#endif
      break;
    }
    case IONIC_OP_FORCE: {
      FIRST(x, step.a);
      LANES f[l] = x[l];
      break;
    }
    case IONIC_OP_SLOPE: {
      FIRST(x, step.a);
      LANES by_V[l] = x[l];
      break;
    }
#define CONSTANT(x, k) const double x = program->constant[k]
#define STEP(name, operands, in_lane, value)                                                                           \
  case IONIC_OP_##name: {                                                                                              \
    operands;                                                                                                          \
    LANES {                                                                                                            \
      in_lane;                                                                                                         \
      RESULT = value;                                                                                                  \
    }                                                                                                                  \
    break;                                                                                                             \
  }
#define LANE_A const double a = x[l]
#define LANE_B const double b = y[l]
#define LANE_C const double c = z[l]
#define OP1(name, value) STEP(name, FIRST(x, step.a), LANE_A, value)
#define OP2(name, value)                                                                                               \
  STEP(name, OTHER(y, step.b); FIRST(x, step.a), LANE_A; LANE_B, value)                                                \
  STEP(name##_BY, FIRST(x, step.a); CONSTANT(b, step.b), LANE_A, value)                                                \
  STEP(name##_OF, CONSTANT(a, step.a); FIRST(y, step.b), LANE_B, value)
#define OP3(name, value) STEP(name, OTHER(y, step.b); OTHER(z, step.c); FIRST(x, step.a), LANE_A; LANE_B; LANE_C, value)
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
#ifdef __CUDA_ARCH__
#define FUSED_CR(name, first, second, at, value) STEP(name, CONSTANT(a, step.a); FIRST(y, step.b), LANE_B, value)
#define FUSED_CRC(name, first, second, at, value)                                                                      \
  STEP(name, CONSTANT(a, step.a); CONSTANT(c, step.c); FIRST(y, step.b), LANE_B, value)
#define FUSED_RRC(name, first, second, at, value)                                                                      \
  STEP(name, CONSTANT(c, step.c); OTHER(x, step.a); FIRST(y, step.b), LANE_A; LANE_B, value)
#define FUSED_RRR(name, first, second, at, value)                                                                      \
  STEP(name, OTHER(x, step.a); OTHER(z, step.c); FIRST(y, step.b), LANE_A; LANE_B; LANE_C, value)
#include "physics/ionic_fused.def"
#undef FUSED_CR
#undef FUSED_CRC
#undef FUSED_RRC
#undef FUSED_RRR
#endif
#undef CONSTANT
#undef STEP
#undef LANE_A
#undef LANE_B
#undef LANE_C
    default: break;
    }
#ifdef __CUDA_ARCH__
    last = step.d;
    if (last < IONIC_PASSED) LANES r[last][l] = result[l];
#endif
  }
}
#undef LANES
#undef FIRST
#undef OTHER
#undef RESULT
#undef IONIC_LANES
#undef IONIC_ROOM
#undef IONIC_RUN
