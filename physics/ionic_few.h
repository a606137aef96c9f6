/* How a GPU runs a program (physics/ionic_program.h), a few cells a thread: the list of `fused`. The last result stays at hand,
 * where the next operation finds its first operand, and the next operation is read while one is at work. */
#pragma once
#include "physics/ionic_program.h"

/* A register: IONIC_FEW cells. */
#ifdef __CUDACC__
typedef double2 IonicFew;
#else
typedef struct IonicFew {
  double x, y;
} IonicFew;
#endif

#ifdef __CUDA_ARCH__
#define LANES _Pragma("unroll") for (int lane = 0; lane < IONIC_FEW; ++lane)
#else
#define LANES for (int lane = 0; lane < IONIC_FEW; ++lane)
#endif
#define PLACE(place) ((IonicFew *)(void *)((char *)r + (place)))
#define LOAD(to, place)                                                                                                \
  {                                                                                                                    \
    const IonicFew few = *PLACE(place);                                                                                \
    to[0] = few.x, to[1] = few.y;                                                                                      \
  }
#define OTHER(to, place)                                                                                               \
  double to[IONIC_FEW];                                                                                                \
  LOAD(to, place)
#define REGISTERS_0
#define REGISTERS_1                                                                                                    \
  if ((int32_t)low >= 0) LOAD(result, low >> 16)
#define REGISTERS_2                                                                                                    \
  OTHER(second, ionic_second(low))                                                                                     \
  REGISTERS_1
#define REGISTERS_3                                                                                                    \
  OTHER(third, ionic_third(high) * IONIC_PLACE)                                                                        \
  REGISTERS_2
#define NUMBERS_0
#define NUMBERS_1                                                                                                      \
  const double k = stream[0];                                                                                          \
  stream += 1;
#define NUMBERS_2                                                                                                      \
  const double k = stream[0], l = stream[1];                                                                           \
  stream += 2;
#define NUMBERS_3                                                                                                      \
  const double k = stream[0], l = stream[1], m = stream[2];                                                            \
  stream += 3;
#define NUMBERS_4                                                                                                      \
  const double k = stream[0], l = stream[1], m = stream[2], n = stream[3];                                             \
  stream += 4;
#define IN_LANE_0
#define IN_LANE_1 const double x = result[lane];
#define IN_LANE_2                                                                                                      \
  IN_LANE_1;                                                                                                           \
  const double y = second[lane];
#define IN_LANE_3                                                                                                      \
  IN_LANE_2;                                                                                                           \
  const double z = third[lane];
#define STEP(name, R, K, value)                                                                                        \
  case IONIC_OP_##name: {                                                                                              \
    NUMBERS_##K REGISTERS_##R LANES { IN_LANE_##R result[lane] = value; }                                              \
    break;                                                                                                             \
  }
/* dt is there for those of a step. */
#define PLAIN(name, R, K, operands, value)                                                                             \
  case IONIC_OP_##name: {                                                                                              \
    NUMBERS_##K REGISTERS_##R LANES {                                                                                  \
      IN_LANE_##R operands;                                                                                            \
      result[lane] = value;                                                                                            \
    }                                                                                                                  \
    break;                                                                                                             \
  }
#define STATE_STEP(name, R, K, value)                                                                                  \
  case IONIC_OP_##name: {                                                                                              \
    const double *const from = cells->from + ionic_third(high) * cells->stride;                                        \
    double *const to = cells->to + ionic_third(high) * cells->stride;                                                  \
    double state[IONIC_FEW];                                                                                           \
    LANES state[lane] = from[lane < cells->n ? lane : 0];                                                              \
    NUMBERS_##K REGISTERS_##R LANES {                                                                                  \
      IN_LANE_##R const double s = state[lane];                                                                        \
      result[lane] = value;                                                                                            \
      if (cells->on[lane]) to[lane] = result[lane];                                                                    \
    }                                                                                                                  \
    break;                                                                                                             \
  }

/* An IonicFused as it is read. */
typedef struct __attribute__((aligned(8))) IonicWord {
  uint32_t low, high;
} IonicWord;

/* A part of a word; on a GPU in so many words, since nvcc would work it out for all operations before it knows which one it is. */
#ifdef __CUDA_ARCH__
#define PART(to, word, shift, bits)                                                                                    \
  asm volatile("bfe.u32 %0, %1, %2, %3;" : "=r"(to) : "r"(word), "n"(shift), "n"(bits))
#else
#define PART(to, word, shift, bits) to = (word) >> (shift) & ((UINT32_C(1) << (bits)) - 1)
#endif
HD uint32_t ionic_second(uint32_t low) {
  uint32_t b;
  PART(b, low, 0, 16);
  return b;
}
HD uint32_t ionic_third(uint32_t high) {
  uint32_t c;
  PART(c, high, 8, 8);
  return c;
}
#undef PART

/* As ionic_program_block, of at most IONIC_FEW cells; cells.on is there. Over 60 lines because it is one switch over all
 * operations. */
HD void ionic_program_few(const IonicProgram *program, const IonicLanes *cells, const double *V, const double *stimulus,
                          double *f, double *by_V) {
  IonicFew r[IONIC_REGISTERS];
  double result[IONIC_FEW];
  const double dt = cells->dt, *stream = program->stream;
  const IonicWord *at = (const IonicWord *)(const void *)program->fused;
  IonicWord next = *at;
  LANES result[lane] = 0;
  for (int32_t i = program->n_fused; i > 0; --i) {
    const uint32_t low = next.low, high = next.high;
    next = *++at;
    switch (high & 255) {
    case IONIC_OP_V: LANES result[lane] = V[lane]; break;
    case IONIC_OP_STIMULUS: LANES result[lane] = stimulus[lane]; break;
    case IONIC_OP_STATE: {
      const double *const s = cells->from + ionic_third(high) * cells->stride;
      LANES result[lane] = s[lane < cells->n ? lane : 0];
      break;
    }
    case IONIC_OP_STORE: {
      double *const s = cells->to + ionic_third(high) * cells->stride;
      REGISTERS_1
      LANES if (cells->on[lane]) s[lane] = result[lane];
      break;
    }
    case IONIC_OP_FORCE: {
      REGISTERS_1
      LANES f[lane] = result[lane];
      break;
    }
    case IONIC_OP_SLOPE: {
      REGISTERS_1
      LANES by_V[lane] = result[lane];
      break;
    }
    default: STEP(SET, 0, 1, k)
#define A_X const double a = x
#define OP1(name, value) PLAIN(name, 1, 0, A_X, value)
#define OP2(name, value)                                                                                               \
  PLAIN(name, 2, 0, A_X; const double b = y, value)                                                                    \
  PLAIN(name##_BY, 1, 1, A_X; const double b = k, value)                                                               \
  PLAIN(name##_OF, 1, 1, const double a = k; const double b = x, value)
#define OP3(name, value) PLAIN(name, 3, 0, A_X; const double b = y; const double c = z, value)
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
#undef A_X
#define FUSED(name, first, second, at, R, K, value) STEP(name, R, K, value)
#define FUSED_EITHER(name, first, second, at, R, K, value) STEP(name, R, K, value)
#define TURNED(name, of, R, K, value) STEP(name, R, K, value)
#define ON_STATE(name, of, R, K, value) STATE_STEP(name, R, K, value)
#define FUSED_STATE(name, first, second, at, R, K, value) STATE_STEP(name, R, K, value)
#include "physics/ionic_fused.def"
    }
    if ((int32_t)high >= 0) {
      IonicFew few;
      few.x = result[0], few.y = result[1];
      *PLACE(high >> 16) = few;
    }
  }
}
#undef LANES
#undef PLACE
#undef LOAD
#undef OTHER
#undef REGISTERS_0
#undef REGISTERS_1
#undef REGISTERS_2
#undef REGISTERS_3
#undef NUMBERS_0
#undef NUMBERS_1
#undef NUMBERS_2
#undef NUMBERS_3
#undef NUMBERS_4
#undef IN_LANE_0
#undef IN_LANE_1
#undef IN_LANE_2
#undef IN_LANE_3
#undef STEP
#undef PLAIN
#undef STATE_STEP
