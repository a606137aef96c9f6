/* Runs a program over IONIC_LANES cells, in at most IONIC_ROOM registers: IONIC_RUN(program, cells, V, stimulus, f, by_V), the
 * last four [IONIC_LANES]. Over 60 lines because it is one switch over all operations. What is written is never one of the operands. */
#ifdef __CUDACC__
#define LANES for (int l = 0; l < IONIC_LANES; ++l)
#else
#define LANES _Pragma("GCC ivdep") for (int l = 0; l < IONIC_LANES; ++l)
#endif
HD void IONIC_RUN(const IonicProgram *program, const IonicLanes *cells, const double *V, const double *stimulus,
                  double *f, double *by_V) {
  double r[IONIC_ROOM][IONIC_LANES];
  const double dt = cells->dt;
  (void)dt;
  for (int32_t i = 0; i < program->n_step; ++i) {
    const IonicStep step = program->step[i];
    double *d = r[step.d];
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
      const double *a = r[step.a];
      for (int l = 0; l < cells->n; ++l)
        if (!cells->on || cells->on[l]) s[l] = a[l];
      break;
    }
    case IONIC_OP_FORCE: LANES f[l] = r[step.a][l]; break;
    case IONIC_OP_SLOPE: LANES by_V[l] = r[step.a][l]; break;
#define OP1(name, value)                                                                                               \
  case IONIC_OP_##name: {                                                                                              \
    const double *x = r[step.a];                                                                                       \
    LANES {                                                                                                            \
      const double a = x[l];                                                                                           \
      d[l] = value;                                                                                                    \
    }                                                                                                                  \
    break;                                                                                                             \
  }
#define OP2(name, value)                                                                                               \
  case IONIC_OP_##name: {                                                                                              \
    const double *x = r[step.a], *y = r[step.b];                                                                       \
    LANES {                                                                                                            \
      const double a = x[l], b = y[l];                                                                                 \
      d[l] = value;                                                                                                    \
    }                                                                                                                  \
    break;                                                                                                             \
  }                                                                                                                    \
  case IONIC_OP_##name##_BY: {                                                                                         \
    const double *x = r[step.a], b = program->constant[step.b];                                                        \
    LANES {                                                                                                            \
      const double a = x[l];                                                                                           \
      d[l] = value;                                                                                                    \
    }                                                                                                                  \
    break;                                                                                                             \
  }                                                                                                                    \
  case IONIC_OP_##name##_OF: {                                                                                         \
    const double a = program->constant[step.a], *y = r[step.b];                                                        \
    LANES {                                                                                                            \
      const double b = y[l];                                                                                           \
      d[l] = value;                                                                                                    \
    }                                                                                                                  \
    break;                                                                                                             \
  }
#define OP3(name, value)                                                                                               \
  case IONIC_OP_##name: {                                                                                              \
    const double *x = r[step.a], *y = r[step.b], *z = r[step.c];                                                       \
    LANES {                                                                                                            \
      const double a = x[l], b = y[l], c = z[l];                                                                       \
      d[l] = value;                                                                                                    \
    }                                                                                                                  \
    break;                                                                                                             \
  }
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
    default: break;
    }
  }
}
#undef LANES
#undef IONIC_LANES
#undef IONIC_ROOM
#undef IONIC_RUN
