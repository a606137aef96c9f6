/* Models that are read from a file while the program runs: a list of operations on registers, run over a block of cells
 * at once. On the CPU a register holds as many numbers as a block has cells, so that what decides which operation is
 * next is done once for all of them; on a GPU a block is a few cells of one thread, and all threads do the same.
 * physics/import makes the programs. */
#pragma once
#include "physics/ionic_math.h"
#include "physics/ionic_model.h"

#include <math.h>

enum {
  IONIC_REGISTERS = 128,       /* most registers of a step, of which a GPU holds all for each thread */
  IONIC_REGISTERS_HOST = 256,  /* of other programs */
  IONIC_NOWHERE = 255,         /* of a step: no register is written */
  IONIC_FEW = 2,               /* cells of a thread of a GPU, which share the work of reading a program */
  IONIC_BLOCK = 32,            /* cells of a block on the CPU, a multiple of those */
  IONIC_PLACE = 8 * IONIC_FEW, /* bytes of a register of a GPU */
  IONIC_NONE = 65535           /* place of none */
};

/* What an operation does; those with two operands thrice: on registers, with a constant behind, with a constant in front. */
typedef enum IonicOp {
  IONIC_OP_SET,      /* constant b */
  IONIC_OP_V,        /* the potential */
  IONIC_OP_STIMULUS, /* mV/ms */
  IONIC_OP_STATE,    /* state b */
  IONIC_OP_STORE,    /* of register a: state b goes on to it */
  IONIC_OP_FORCE,    /* of register a: f, mV/ms */
  IONIC_OP_SLOPE,    /* of register a: df/dV, 1/ms */
#define OP1(name, value) IONIC_OP_##name,
#define OP2(name, value) IONIC_OP_##name, IONIC_OP_##name##_BY, IONIC_OP_##name##_OF,
#define OP3(name, value) IONIC_OP_##name,
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
  N_IONIC_OPS,
  IONIC_OP_FUSED = N_IONIC_OPS - 1, /* behind it, of a GPU alone */
#define FUSED(name, first, second, at, R, K, value) IONIC_OP_##name,
#define FUSED_EITHER(name, first, second, at, R, K, value) IONIC_OP_##name,
#define TURNED(name, of, R, K, value) IONIC_OP_##name,
#define ON_STATE(name, of, R, K, value) IONIC_OP_##name,
#define FUSED_STATE(name, first, second, at, R, K, value) IONIC_OP_##name,
#include "physics/ionic_fused.def"
  N_IONIC_OPS_FUSED
} IonicOp;

typedef struct IonicStep {
  uint8_t op, d; /* IonicOp; the register that it writes */
  uint16_t a, b, c;
} IonicStep;

/* Those that programs of a GPU have most of are found in fewer steps: 46 and then 37 in a
 * hundred of ten Tusscher's, Stewart's, Courtemanche's, O'Hara's and Tomek's models. */
#define IONIC_OFTEN MUL_OF, MUL, ADD_OF, DIV_OF, MUL_TIMES, ADD_TIMES, DIV_TURNED, DIV
#define IONIC_NEXT                                                                                                     \
  ADD_ADD, ADD, RISE_LINE, RISE_EXP, EXP_OF, EXP_TIMES, GATE_OVER, SUB_TURNED, SUB_TIMES, ADD_MUL, SELECT, STATE,      \
      EULER_ON, SUB_OF, EXP_LINE, SUB_MUL
enum { IONIC_IS_OFTEN = 2, IONIC_IS_NEXT = 4 };

/* Of a GPU, a word of 8 bytes that is read at once: a and d are registers by their place in bytes, b and c by their number. The first operand is
 * what the last operation left where a is IONIC_NONE; what only the next one reads so is not stored, and d is IONIC_NONE. Numbers
 * stand in `stream` in the order in which they are needed. */
typedef struct __attribute__((aligned(8))) IonicFused {
  uint8_t b, often;
  uint16_t a;
  uint8_t op, c; /* op: IonicOp, or twice its place in the list that `often` says; c: also a state */
  uint16_t d;
} IonicFused;

/* Read by kernels on a GPU: fused and stream alone, which are where it runs; elsewhere step and constant. */
typedef struct IonicProgram {
  int32_t n_step, n_constant, n_fused, n_stream;
  const IonicStep *step;   /* [n_step] */
  const double *constant;  /* [n_constant] */
  const IonicFused *fused; /* [n_fused + 1], one more may be read */
  const double *stream;    /* [n_stream] */
} IonicProgram;

/* (1 - exp(-x)) / x: how a rate acts over a step in which the state decays by x. */
HD double ionic_phi(const double x) {
  const double at = x > 0 ? x : 1;
  return x > 0 ? -ionic_expm1(-at) * ionic_inverse(at) : 1;
}

/* Cells of a block: state j of cell k lies at from[j stride + k]. A lane that is off is worked out, but not stored. */
typedef struct IonicLanes {
  const double *from;
  double *to; /* of a step: another place than from; of the rate: g */
  int64_t stride;
  int32_t n;         /* cells that there are, at most the block */
  const uint8_t *on; /* [n] or NULL: all */
  double dt;
} IonicLanes;

/* A cell on the host, by any program; a block of cells. A few of a GPU: physics/ionic_few.h. */
#ifndef __CUDACC__
#define IONIC_LANES 1
#define IONIC_ROOM IONIC_REGISTERS_HOST
#define IONIC_RUN ionic_program_host
#include "physics/ionic_run.tmpl.h"
#define IONIC_LANES IONIC_BLOCK
#define IONIC_ROOM IONIC_REGISTERS
#define IONIC_RUN ionic_program_block
#include "physics/ionic_run.tmpl.h"
#endif
