/* Runs a program over IONIC_LANES cells, in at most IONIC_ROOM registers: IONIC_RUN(program, cells, V, stimulus, f, by_V), the
 * last four [IONIC_LANES]. Over 60 lines because it is one switch over all operations. What is written is never one of the operands. */
#ifdef __CUDACC__
#define LANES for (int l = 0; l < IONIC_LANES; ++l)
#else
#define LANES _Pragma("GCC ivdep") for (int l = 0; l < IONIC_LANES; ++l)
#endif
#define REGISTER(x, k) const double *x = r[k]
HD void IONIC_RUN(const IonicProgram *program, const IonicLanes *cells, const double *V, const double *stimulus,
                  double *f, double *by_V) {
  const double dt = cells->dt;
  (void)dt;
  double r[IONIC_ROOM][IONIC_LANES];
  for (int32_t i = 0; i < program->n_step; ++i) {
    const IonicStep step = program->step[i];
    double *d = r[step.d % IONIC_ROOM]; /* IONIC_NOWHERE: not written */
    switch (step.op) {
    case IONIC_OP_SET: {
      const double value = program->constant[step.b];
      LANES d[l] = value;
      break;
    }
    case IONIC_OP_V: LANES d[l] = V[l]; break;
    case IONIC_OP_STIMULUS: LANES d[l] = stimulus[l]; break;
    case IONIC_OP_STATE: {
      const double *s = cells->from + step.b * cells->stride;
      for (int l = 0; l < cells->n; ++l) d[l] = s[l];
      for (int l = cells->n; l < IONIC_LANES; ++l) d[l] = s[0];
      break;
    }
    case IONIC_OP_STORE: {
      double *s = cells->to + step.b * cells->stride;
      REGISTER(a, step.a);
      for (int l = 0; l < cells->n; ++l)
        if (!cells->on || cells->on[l]) s[l] = a[l];
      break;
    }
    case IONIC_OP_FORCE: {
      REGISTER(x, step.a);
      LANES f[l] = x[l];
      break;
    }
    case IONIC_OP_SLOPE: {
      REGISTER(x, step.a);
      LANES by_V[l] = x[l];
      break;
    }
#define CONSTANT(x, k) const double x = program->constant[k]
#define STEP(name, operands, in_lane, value)                                                                           \
  case IONIC_OP_##name: {                                                                                              \
    operands;                                                                                                          \
    LANES {                                                                                                            \
      in_lane;                                                                                                         \
      d[l] = value;                                                                                                    \
    }                                                                                                                  \
    break;                                                                                                             \
  }
#define LANE_A const double a = x[l]
#define LANE_B const double b = y[l]
#define LANE_C const double c = z[l]
#define OP1(name, value) STEP(name, REGISTER(x, step.a), LANE_A, value)
#define OP2(name, value)                                                                                               \
  STEP(name, REGISTER(y, step.b); REGISTER(x, step.a), LANE_A; LANE_B, value)                                          \
  STEP(name##_BY, REGISTER(x, step.a); CONSTANT(b, step.b), LANE_A, value)                                             \
  STEP(name##_OF, CONSTANT(a, step.a); REGISTER(y, step.b), LANE_B, value)
#define OP3(name, value)                                                                                               \
  STEP(name, REGISTER(y, step.b); REGISTER(z, step.c); REGISTER(x, step.a), LANE_A; LANE_B; LANE_C, value)
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
#undef CONSTANT
#undef STEP
#undef LANE_A
#undef LANE_B
#undef LANE_C
    default: break;
    }
  }
}
#undef LANES
#undef REGISTER
#undef IONIC_LANES
#undef IONIC_ROOM
#undef IONIC_RUN
