/* The sparsity pattern of the DOF graph in blocks, and what a matrix format says about where its entries lie. */
#pragma once
#include "algebra/halo_order.h"
#include "core/exec.h"

#include <stdbool.h>
#include <stdint.h>

/* What the rows of a rank are in the whole; all 0: they are the whole. */
typedef struct RowShare {
  int32_t n_halo;          /* rows of other ranks, behind the own ones */
  int32_t n_low;           /* how many of them come before those in the whole */
  int32_t n_whole, first;  /* rows of the whole, and where its own begin */
  const struct Halo *halo; /* borrowed: brings the halo of vectors */
} RowShare;

/* Block CSR structure: block row i (a node) couples to block columns column[start[i] .. start[i+1]), ascending, always
 * with itself. Where a GPU found it, it is there alone until pattern_fetch. The rows of a
 * rank couple with rows of others too, columns from n on; columns ascend in the order of the whole then
 * (algebra/halo_order.h). */
typedef struct Pattern {
  int32_t n;       /* block rows */
  int32_t block;   /* scalars per block row: 1, 2 or 3 in a matrix, to 6 in a space */
  RowShare share;  /* of several ranks */
  int64_t *start;  /* owned, host, [n + 1]; NULL: not fetched */
  int32_t *column; /* owned, host, [start[n]]; NULL: not fetched */
  Exec *exec;      /* a GPU that found it has the same, owned; NULL: none */
  int64_t *exec_start;
  int32_t *exec_column;
  int64_t n_entry; /* start[n], known where start is NULL */
} Pattern;
/* Blocks of all rows. */
static inline int64_t pattern_entries(const Pattern *p) { return p->start ? p->start[p->n] : p->n_entry; }
static inline int32_t pattern_columns(const Pattern *pattern) { return pattern->n + pattern->share.n_halo; }
static inline HaloOrder pattern_order(const Pattern *pattern) {
  return (HaloOrder){pattern->share.n_halo ? pattern->n : 0, pattern->share.n_low};
}
/* Where the entries lie in a format's value array. For pattern block k in block row i, scalar (r, c) is at
 *   per_scalar: slot[(k * block + r) * block + c]
 *   else:       slot[k] + r * row_step[i] + c * column_step          (row_step has one item when same_step)
 * Where a GPU listed them, slot and the row_step of every row are there alone until slot_map_fetch. */
typedef struct SlotMap {
  int64_t n_value; /* length of the value array, padding included; padding is zero for ever */
  int32_t per_scalar;
  int32_t same_step;
  int64_t *slot;     /* owned, host, [n_block] or [n_block * block^2] */
  int64_t *row_step; /* owned, host, [n] or [1]; NULL when per_scalar */
  int64_t column_step;
  Exec *exec; /* a GPU that listed them has the same, owned; NULL: none */
  int64_t *exec_slot, *exec_row_step;
  int64_t n_slot, n_row_step; /* of the arrays there */
} SlotMap;
void slot_map_release(SlotMap *slots);

void pattern_destroy(Pattern **pattern);
/* start and column on the host as well; nothing is done where they are. The same of slots. ERR_MEMORY, ERR_GPU;
 * ERR_BUG: nobody has them any more. */
Status pattern_fetch(const Pattern *pattern);
Status slot_map_fetch(const SlotMap *slots);
/* The GPU needs them no more: what was not fetched is gone. */
void pattern_leave_exec(const Pattern *pattern);
void slot_map_leave_exec(const SlotMap *slots);
/* Room for slots (and row steps, 0: none) that row kernels list on the Exec, [n_slot] of exec_slot; slot_map_listed ends
 * it: on the CPU they are the host's from then on. */
Status slot_map_begin(Exec *exec, int64_t n_slot, int64_t n_row_step, SlotMap *slots);
Status slot_map_listed(SlotMap *slots);
/* What the host or a GPU has of a matrix, for row kernels that read it: where it is on the CPU or on the GPU that found
 * it, else uploaded. */
typedef struct MatrixLoan {
  const int64_t *start; /* Pattern */
  const int32_t *column;
  SlotMap slots; /* with arrays of the Exec */
  int64_t n_start, n_column, n_slot, n_row_step;
  bool uploaded; /* start and column were */
  bool listed;   /* the slots are those of the GPU */
} MatrixLoan;
/* The pattern alone, or with slots. ERR_MEMORY, ERR_GPU; whatever comes, matrix_loan_end follows. */
Status pattern_lend(Exec *exec, const Pattern *pattern, MatrixLoan *out);
Status matrix_lend(Exec *exec, const Pattern *pattern, const SlotMap *slots, MatrixLoan *out);
void matrix_loan_end(Exec *exec, MatrixLoan *loan);

/* Values at one set of nodes from those at another: node i takes value[k] times what node column[k] has, summed over k
 * in start[i] .. start[i + 1). Host memory. */
typedef struct NodeMap {
  int32_t n_row, n_column;
  int32_t
      /* 1: value[k] is a number for all components, else value[k * block^2 ..] is a matrix (nodes with frames) */
      block;
  int64_t *start;  /* owned, [n_row + 1] */
  int32_t *column; /* owned, [start[n_row]], ascending in a row */
  double *value;   /* owned, [start[n_row]][block^2] */
} NodeMap;
/* Between the nodes of elements of one order and those of the next lower one on the same mesh: `up` is the
 * interpolation of the lower space at the nodes of the higher one, `down` that of the higher space at the nodes of the
 * lower one. Of several ranks each has those of the nodes that are here, own ones first, columns in the order of the
 * whole; rows of own nodes are those of the whole. */
typedef struct OrderTransfer {
  NodeMap up, down;
  int32_t
      *number; /* owned, [up.n_row], the node of lower order that each node stands for, ascending in the order of the
                      whole, or -1 */
} OrderTransfer;
enum { ORDER_TRANSFERS = 2 }; /* cubic to quadratic to linear */
typedef struct OrderTransfers {
  int32_t n; /* 0: all elements are linear */
  OrderTransfer level[ORDER_TRANSFERS];
} OrderTransfers;
void order_transfers_release(OrderTransfers *transfers);
