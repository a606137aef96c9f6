/* Preconditioned conjugate gradients on K interleaved columns at once, recorded once: what pcg.h is for one.
 * linear_many.c decides between runs. */
#pragma once
#include "solver/krylov/linear_solver.h"
#include "algebra/many.h"
#include "solver/precond/precond_many.h"

typedef struct ManyPcg {
  Exec *exec; /* borrowed, as is s */
  LinearSolver *s;
  int64_t n, n_read;                    /* rows; those of vectors that products read, the halo included */
  int32_t room;                         /* columns that there is memory for: 2, 4 or 8 */
  int32_t k, shift;                     /* K of this batch = 2^shift <= room */
  double *b, *x, *p, *q, *r, *scaled;   /* owned, as are all vectors, on the Exec, [n_read][room] */
  bool has_inner;                       /* the next ones are there, */
  size_t inner_size;                    /* for a polynomial or multigrid with vectors of such scalars */
  void *low, *result, *t[2];            /* low is scaled in double, and multi's in float */
  int8_t *extra[2], *result_extra;      /* NULL in double */
  PrecondMany *multi;                   /* owned: multigrid in place of a polynomial; NULL */
  KrylovMany *many;                     /* owned, on the Exec */
  LinearScale scale[MANY_MOST];         /* of the columns of this batch */
  KrylovMany host;                      /* what the Exec was told and what it answered last */
  KrylovMirror *mirror, *mirror_device; /* owned */
  ExecLoop *loop;                       /* owned; made for this preconditioner in this state: */
  const Precond *m;
  int32_t version, fallbacks;
} ManyPcg;

/* NULL, or why the solver cannot work on several columns at once. */
const char *many_pcg_obstacle(const LinearSolver *s);
/* Release accepts a partly created one. */
Status many_pcg_create(LinearSolver *s, int32_t columns, ManyPcg *out);
void many_pcg_release(ManyPcg *p);
/* Before a batch of `columns`, and after the preconditioner has changed: vectors and matrix that it needs, and a
 * loop. */
Status many_pcg_prepare(ManyPcg *p, int32_t columns);
/* b [columns][n] and x [columns][n_read] into the interleaved vectors, scaled where |b|^2 is beyond double, zeros behind them; host.bb =
 * |b|^2 there. */
Status many_pcg_load(ManyPcg *p, const double *b, const double *x, int32_t columns);
/* r, or q where `aside`, = b - A x; host.column[].sum[0] = its square. */
Status many_pcg_residual(ManyPcg *p, bool aside);
/* Runs the columns whose host.column[].stop is 0 (pcg_start) from r until each has stopped or one asks for a look;
 * others keep their bits. */
Status many_pcg_run(ManyPcg *p);
/* Goes on after such looks, for which host.column[].stop has been set again: as if nothing had been. */
Status many_pcg_continue(ManyPcg *p);
/* Columns of `mask` back to x [columns][n_read], in the units of b. */
Status many_pcg_unload(ManyPcg *p, double *x, int32_t columns, uint32_t mask);
/* Bytes that one iteration must move for each of `columns` columns. */
double many_pcg_bytes(const ManyPcg *p, int32_t columns);
