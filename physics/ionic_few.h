/* How a GPU runs a program (physics/ionic_program.h), a few cells a thread: the list of `fused`. The last result stays at hand,
 * where the next operation finds its first operand, and the next operation is read while one is at work. Tests run the same on a
 * CPU. Over 60 lines because it is one switch over all operations, which nvcc makes comparisons of, no table: those that are met
 * often are found before it. */
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
  OTHER(second, ionic_second(low) * IONIC_PLACE)                                                                       \
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
/* Where an operation begins; those of IONIC_OFTEN and IONIC_NEXT are no cases of the switch: none is above 255. */
#define AT(name) at_##name : __attribute__((unused));
#define IS_EIGHT(op, a, b, c, d, e, f, g, h)                                                                           \
  ((op) == IONIC_OP_##a || (op) == IONIC_OP_##b || (op) == IONIC_OP_##c || (op) == IONIC_OP_##d ||                     \
   (op) == IONIC_OP_##e || (op) == IONIC_OP_##f || (op) == IONIC_OP_##g || (op) == IONIC_OP_##h)
#define IS_SIXTEEN(op, a, b, c, d, e, f, g, h, ...) (IS_EIGHT(op, a, b, c, d, e, f, g, h) || IS_EIGHT(op, __VA_ARGS__))
#define SPREAD(list, first, ...) list(first, __VA_ARGS__)
#define CASE_OF(op) ((op) + (SPREAD(IS_EIGHT, op, IONIC_OFTEN) || SPREAD(IS_SIXTEEN, op, IONIC_NEXT) ? 256 : 0))
#define EITHER(bit, yes, no)                                                                                           \
  if (high & (bit)) {                                                                                                  \
    yes                                                                                                                \
  } else {                                                                                                             \
    no                                                                                                                 \
  }
#define TWO(a, b) EITHER(2, goto at_##b;, goto at_##a;)
#define GO_EIGHT(bit, a, b, c, d, e, f, g, h)                                                                          \
  EITHER(8, EITHER(4, TWO(g, h), TWO(e, f)), EITHER(4, TWO(c, d), TWO(a, b)))
#define GO_SIXTEEN(bit, a, b, c, d, e, f, g, h, ...)                                                                   \
  EITHER(bit, GO_EIGHT(0, __VA_ARGS__), GO_EIGHT(0, a, b, c, d, e, f, g, h))
#define STEP(name, R, K, value)                                                                                        \
  case CASE_OF(IONIC_OP_##name):                                                                                       \
    AT(name) {                                                                                                         \
      NUMBERS_##K REGISTERS_##R LANES { IN_LANE_##R result[lane] = value; }                                            \
      break;                                                                                                           \
    }
/* dt is there for those of a step. */
#define PLAIN(name, R, K, operands, value)                                                                             \
  case CASE_OF(IONIC_OP_##name):                                                                                       \
    AT(name) {                                                                                                         \
      NUMBERS_##K REGISTERS_##R LANES {                                                                                \
        IN_LANE_##R operands;                                                                                          \
        result[lane] = value;                                                                                          \
      }                                                                                                                \
      break;                                                                                                           \
    }
#define STATE_STEP(name, R, K, value)                                                                                  \
  case CASE_OF(IONIC_OP_##name):                                                                                       \
    AT(name) {                                                                                                         \
      const double *const from = cells->from + ionic_third(high) * cells->stride;                                      \
      double *const to = cells->to + ionic_third(high) * cells->stride;                                                \
      double state[IONIC_FEW];                                                                                         \
      LANES state[lane] = from[lane < cells->n ? lane : 0];                                                            \
      NUMBERS_##K REGISTERS_##R LANES {                                                                                \
        IN_LANE_##R const double s = state[lane];                                                                      \
        result[lane] = value;                                                                                          \
        if (cells->on[lane]) to[lane] = result[lane];                                                                  \
      }                                                                                                                \
      break;                                                                                                           \
    }

/* An IonicFused as it is read. */
typedef struct __attribute__((aligned(8), may_alias)) IonicWord {
  uint32_t low, high;
} IonicWord;

/* ionic_exp with its coefficients from constant memory, the same bits: nvcc makes two operations of each to have it in a register,
 * which many cells share elsewhere, but not here. */
#ifdef __CUDACC__
#define NEXT(coefficient) coefficient,
static __constant__ double ionic_few_part[] = {IONIC_EXP_FIRST, IONIC_EXP_PART(NEXT)};
#undef NEXT
#endif
HD double ionic_few_exp(const double x) {
#ifdef __CUDA_ARCH__
  IonicBits power;
  const double r = ionic_reduce(x, &power);
  double q = ionic_few_part[0];
  IONIC_UNROLL for (int k = 1; k < 10; ++k) q = q * r + ionic_few_part[k];
  return (1 + (r + r * r * q)) * power.number;
#else
  return ionic_exp(x);
#endif
}

/* A part of a word; on a GPU in so many words, since nvcc would work it out for all operations before it knows which one it is. */
#ifdef __CUDA_ARCH__
#define PART(to, word, shift, bits)                                                                                    \
  asm volatile("bfe.u32 %0, %1, %2, %3;" : "=r"(to) : "r"(word), "n"(shift), "n"(bits))
#else
#define PART(to, word, shift, bits) to = (word) >> (shift) & ((UINT32_C(1) << (bits)) - 1)
#endif
HD uint32_t ionic_second(uint32_t low) {
  uint32_t b;
  PART(b, low, 0, 8);
  return b;
}
HD uint32_t ionic_third(uint32_t high) {
  uint32_t c;
  PART(c, high, 8, 8);
  return c;
}
#undef PART

/* As ionic_program_block, of at most IONIC_FEW cells; cells.on is there. */
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
    if (low & IONIC_IS_OFTEN << 8) {
      SPREAD(GO_EIGHT, 0, IONIC_OFTEN)
    }
    if (low & IONIC_IS_NEXT << 8) {
      SPREAD(GO_SIXTEEN, 16, IONIC_NEXT)
    }
    switch (high & 255) {
    case IONIC_OP_V: LANES result[lane] = V[lane]; break;
    case IONIC_OP_STIMULUS: LANES result[lane] = stimulus[lane]; break;
    case CASE_OF(IONIC_OP_STATE):
      AT(STATE) {
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
#define ionic_exp ionic_few_exp
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
#undef ionic_exp
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
#undef AT
#undef IS_EIGHT
#undef IS_SIXTEEN
#undef SPREAD
#undef CASE_OF
#undef EITHER
#undef TWO
#undef GO_EIGHT
#undef GO_SIXTEEN
