/* Models that are read from a file while the program runs: a list of operations on registers, run over a block of cells
 * at once. On the CPU a register holds as many numbers as a block has cells, so that what decides which operation is
 * next is done once for all of them; on a GPU a block is a few cells of one thread, and all threads do the same.
 * physics/import makes the programs. */
#pragma once
#include "physics/ionic_math.h"
#include "physics/ionic_model.h"

#include <math.h>

enum {
  IONIC_REGISTERS = 128,      /* most registers of a step, of which a GPU holds all for each thread */
  IONIC_REGISTERS_HOST = 256, /* of other programs */
  IONIC_PASSED = 127,         /* of a step: what only the next operation reads, which a GPU does not store */
  IONIC_NOWHERE = 255,        /* of a step: no register is written */
  IONIC_FEW = 2,              /* cells of a thread of a GPU, which share the work of reading a program */
  IONIC_BLOCK = 32            /* cells of a block on the CPU, a multiple of those */
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
  IONIC_FUSED = N_IONIC_OPS - 1, /* behind it, on a GPU */
#define FUSED(name) IONIC_OP_##name,
#define FUSED_CR(name, first, second, at, value) FUSED(name)
#define FUSED_CRC(name, first, second, at, value) FUSED(name)
#define FUSED_RRC(name, first, second, at, value) FUSED(name)
#define FUSED_RRR(name, first, second, at, value) FUSED(name)
#include "physics/ionic_fused.def"
#undef FUSED
#undef FUSED_CR
#undef FUSED_CRC
#undef FUSED_RRC
#undef FUSED_RRR
  N_IONIC_OPS_FUSED
} IonicOp;

/* A word of 8 bytes, which a GPU reads at once. */
typedef struct __attribute__((aligned(8))) IonicStep {
  uint8_t op, d; /* IonicOp; the register that it writes */
  uint16_t a, b, c;
} IonicStep;

/* Read by kernels: step and constant are on the Exec where they run, on a GPU `fused` in place of step. */
typedef struct IonicProgram {
  int32_t n_step, n_constant, n_fused;
  const IonicStep *step, *fused; /* [n_step], [n_fused + 1]: one more may be read */
  const double *constant;
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

/* A few cells; a cell on the host, by any program; a block of cells. */
#define IONIC_LANES IONIC_FEW
#define IONIC_ROOM IONIC_REGISTERS
#define IONIC_RUN ionic_program_few
#include "physics/ionic_run.tmpl.h"
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
