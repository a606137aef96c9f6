/* Benchmarks that anyone can run: `sinew bench NAME`, which is the program sinew-bench (main.c). Every figure stands beside the copy bandwidth of the same run.
 * bench.c names them, problem.c builds the matrices, copy.c measures the machine, one file per benchmark. */
#pragma once
#include "core/comm.h"
#include "core/exec.h"

#include <stdio.h>

typedef struct BenchParams {
  int32_t percent;  /* size of the problems in per cent of the papers' edge lengths; 0: 100 */
  int32_t repeat;   /* timed repetitions of a kernel, 0: 50 on a GPU, 10 on the CPU */
  const char *only; /* NULL, or the name of one problem */
  const char *json; /* NULL, or the file for the figures */
  const char *
      dump; /* NULL, or the file to which bench pcg (heart) writes the last matrix (heart) for bench/rival/petsc_cg.c (petsc_heart.c) */
  const char *numbering; /* of the nodes of meshes in bench spmv (mesh/order/order.h); NULL: as they are */
  const char *meshes;    /* NULL, or a folder of .msh and .h5 files for bench spmv and heart */
  int32_t window;        /* rows among which bench spmv sorts, besides what formats choose; 0: 1024, ell-warp only */
  const char *matrix;    /* NULL, or a Matrix Market file for bench spmv, which then measures nothing else */
  bool markdown;         /* tables of bench spmv and pcg as Markdown */
  bool quick;            /* bench pcg: small meshes, one solve each, few degrees */
  const char *part;      /* NULL, or parts of bench pcg, with commas between; bench heart: nodal or gauss */
  const char *petsc; /* NULL, or the file of bench/petsc.sh (petsc_heart.sh) whose figures bench pcg (heart) quotes */
  double rtol;       /* of the solves of bench pcg, true; 0: 1e-8 */
  const char *version, *commit;
  Comm *comm; /* NULL, or the ranks of bench peers; the others are the work of one */
} BenchParams;

typedef struct BenchType {
  const char *name, *meaning;
  Status (*run)(Exec *exec, const BenchParams *params, FILE *out);
} BenchType;

int bench_count(void);
const BenchType *bench_type(int i);
/* NULL when unknown. */
const BenchType *bench_by_name(const char *name);

/* One function per line of benches.def. */
#define BENCH(name, folder, meaning) Status bench_##name(Exec *exec, const BenchParams *params, FILE *out);
#include "bench/benches.def"
