/* Which pieces there are: each rank finds its own, and all hear of them. */
#include "solver/multigrid/pieces.h"
#include "core/memory.h"
#include "solver/multigrid/pieces_rows.h"
#include "solver/multigrid/rows.h"

static const char *const WHAT = "pieces of a transfer";

void mg_pieces_destroy(MgPieces **pieces) {
  MgPieces *p = *pieces;
  if (!p) return;
  EXEC_RELEASE(p->exec, p->start, (int64_t)p->n_piece + 1);
  EXEC_RELEASE(p->exec, p->first, (int64_t)p->n_own + 1);
  EXEC_RELEASE(p->exec, p->row, p->n_own);
  exec_graph_release(p->exec, &p->of_row);
  halo_destroy(&p->halo);
  FREE(*pieces);
}

/* While pieces are found: on the Exec, where parts begin, pieces of each row and those before it, rows of pieces. */
typedef struct Cutting {
  int64_t *part, *before;
  int32_t *count, *row;
} Cutting;

static Status pieces_cut(MgPieces *p, PieceArgs *args, Cutting *w) {
  int64_t n = 0;
  args->count = w->count;
  TRY(exec_rows(p->exec, &piece_count_kernel, args, p->n_row));
  TRY(exec_scan(p->exec, w->count, sizeof *w->count, p->n_row, w->before, &n));
  CHECK(n < INT32_MAX, ERR_INPUT, "the matrix is too large for preconditioner 'amg': %lld pieces of rows",
        (long long)n);
  TRY(exec_alloc(p->exec, n, sizeof *w->row, WHAT, (void **)&w->row));
  p->n_piece = (int32_t)n;
  EXEC_ALLOC(p->exec, p->start, n + 1, WHAT);
  args->first = w->before;
  args->piece = p->start;
  args->row = w->row;
  return exec_rows(p->exec, &piece_cut_kernel, args, (int64_t)p->n_row + 1);
}

/* row: of each piece, host, the caller's. */
static Status pieces_find(MgPieces *p, const SumParts *parts, const ExecGraph *t, int32_t **row) {
  Cutting w = {0};
  Status status;
  TRY_DONE(exec_alloc_upload(p->exec, parts->n_own + 1, sizeof *w.part, parts->start, WHAT, (void **)&w.part));
  TRY_DONE(exec_alloc(p->exec, (int64_t)p->n_row + 1, sizeof *w.before, WHAT, (void **)&w.before));
  TRY_DONE(exec_alloc(p->exec, p->n_row, sizeof *w.count, WHAT, (void **)&w.count));
  PieceArgs args = {
      .part = w.part, .start = t->start, .column = t->column, .n = p->n_row, .n_part = parts->n_own ? parts->n_own : 1};
  TRY_DONE(pieces_cut(p, &args, &w));
  ALLOC_DONE(*row, p->n_piece, WHAT);
  status = exec_download(p->exec, *row, w.row, (size_t)p->n_piece * sizeof **row);
done:
  EXEC_RELEASE(p->exec, w.part, parts->n_own + 1);
  EXEC_RELEASE(p->exec, w.before, (int64_t)p->n_row + 1);
  EXEC_RELEASE(p->exec, w.count, p->n_row);
  EXEC_RELEASE(p->exec, w.row, p->n_piece);
  return status;
}

/* Each rank's parcels to all others. start [ranks + 1]: those of each. */
static Status pieces_share(MgPieces *p, const int64_t *start) {
  Comm *comm = p->exec->comm;
  const int n_rank = comm_size(comm), rank = comm_rank(comm), n = n_rank - 1;
  int64_t *send_start = NULL, *recv_start = NULL;
  int32_t *send = NULL, *peer = NULL;
  Status status;
  ALLOC_DONE(send_start, n_rank, WHAT);
  ALLOC_DONE(recv_start, n_rank, WHAT);
  ALLOC_DONE(peer, n_rank, WHAT);
  ALLOC_DONE(send, (int64_t)n * p->n_own, WHAT);
  for (int32_t k = 0; k < n; ++k) {
    const int r = k < rank ? k : k + 1;
    peer[k] = r;
    send_start[k + 1] = send_start[k] + p->n_own;
    recv_start[k + 1] = recv_start[k] + start[r + 1] - start[r];
    for (int32_t q = 0; q < p->n_own; ++q) send[send_start[k] + q] = q;
  }
  const HaloLists lists = {p->n_own, p->n_all - p->n_own, n, peer, send_start, send, recv_start};
  status = halo_create(p->exec, &lists, MG_PIECE_BYTES, &p->halo);
done:
  FREE(send_start);
  FREE(recv_start);
  FREE(peer);
  FREE(send);
  return status;
}

/* Where all parcels of each row lie; row[n_all] in the order of the ranks. */
static Status pieces_list(MgPieces *p, const int64_t *start, const int32_t *row) {
  const int rank = comm_rank(p->exec->comm);
  BlockGraph graph = {.n_row = p->n_row, .n_column = p->n_all};
  int64_t *at = NULL;
  Status status;
  ALLOC_DONE(graph.start, (int64_t)p->n_row + 1, WHAT);
  ALLOC_DONE(graph.column, p->n_all, WHAT);
  ALLOC_DONE(at, (int64_t)p->n_row + 1, WHAT);
  for (int32_t k = 0; k < p->n_all; ++k) graph.start[row[k] + 1] += 1;
  for (int32_t g = 0; g < p->n_row; ++g) graph.start[g + 1] += graph.start[g];
  for (int32_t g = 0; g < p->n_row; ++g) at[g] = graph.start[g];
  for (int64_t k = 0; k < p->n_all; ++k) {
    const int64_t place = k < start[rank] ? k + p->n_own : k < start[rank + 1] ? k - start[rank] : k;
    graph.column[at[row[k]]++] = (int32_t)place;
  }
  status = exec_graph_upload(p->exec, &graph, WHAT, &p->of_row);
done:
  FREE(at);
  block_graph_release(&graph);
  return status;
}

/* From the rows of all ranks' pieces, in the order of the ranks: those of the parcels, in place, and where they begin in
 * what this rank has. start [ranks + 1]: pieces before those of each rank, then parcels. whose [n_row] is room. */
static void pieces_pack(MgPieces *p, int64_t *start, int32_t *row, int32_t *whose, int64_t *first) {
  const int n_rank = comm_size(p->exec->comm), rank = comm_rank(p->exec->comm);
  int64_t n = 0, begin = 0;
  for (int32_t g = 0; g < p->n_row; ++g) whose[g] = -1;
  for (int r = 0; r < n_rank; ++r) {
    const int64_t end = start[r + 1], before = n;
    for (int64_t k = begin; k < end; ++k) {
      const int32_t g = row[k];
      if (whose[g] < 0) whose[g] = r;
      if (n > before && row[n - 1] == g && whose[g] == r) continue;
      if (r == rank) first[n - before] = k - begin;
      row[n++] = g;
    }
    if (r == rank) p->n_own = (int32_t)(n - before);
    begin = end;
    start[r + 1] = n;
  }
  first[p->n_own] = p->n_piece;
  p->n_all = (int32_t)n;
}

/* What goes through the hosts of all ranks. */
typedef struct Telling {
  int64_t *start, *bytes, *first;
  int32_t *own, *all, *whose;
} Telling;

static Status pieces_tell(MgPieces *p, Telling *w) {
  Comm *comm = p->exec->comm;
  const int n_rank = comm_size(comm);
  const int64_t mine = p->n_piece;
  ALLOC(w->start, n_rank + 1, WHAT);
  ALLOC(w->bytes, n_rank + 1, WHAT);
  ALLOC(w->first, mine + 1, WHAT);
  ALLOC(w->whose, p->n_row, WHAT);
  TRY(comm_gather(comm, &mine, sizeof mine, w->start + 1));
  for (int r = 0; r < n_rank; ++r) {
    w->start[r + 1] += w->start[r];
    w->bytes[r + 1] = w->start[r + 1] * (int64_t)sizeof *w->all;
  }
  CHECK(w->start[n_rank] < INT32_MAX, ERR_INPUT,
        "the matrix is too large for preconditioner 'amg': %lld pieces of rows", (long long)w->start[n_rank]);
  ALLOC(w->all, w->start[n_rank], WHAT);
  TRY(comm_gather_parts(comm, w->own, w->bytes, w->all));
  pieces_pack(p, w->start, w->all, w->whose, w->first);
  TRY(exec_alloc_upload(p->exec, (int64_t)p->n_own + 1, sizeof *p->first, w->first, WHAT, (void **)&p->first));
  TRY(exec_alloc_upload(p->exec, p->n_own, sizeof *p->row, w->all + w->start[comm_rank(comm)], WHAT, (void **)&p->row));
  TRY(pieces_list(p, w->start, w->all));
  return n_rank > 1 ? pieces_share(p, w->start) : OK;
}

static Status pieces_make(MgPieces *p, const SumParts *parts, const ExecGraph *transposed) {
  Telling w = {0};
  Status status = pieces_find(p, parts, transposed, &w.own);
  if (status == OK) status = pieces_tell(p, &w);
  FREE(w.start);
  FREE(w.bytes);
  FREE(w.first);
  FREE(w.own);
  FREE(w.all);
  FREE(w.whose);
  return status;
}

Status mg_pieces_create(Exec *exec, const SumParts *parts, const ExecGraph *transposed, MgPieces **out) {
  MgPieces *p = NULL;
  *out = NULL;
  ALLOC(p, 1, WHAT);
  *p = (MgPieces){.exec = exec, .n_row = transposed->n_row};
  const Status status = pieces_make(p, parts, transposed);
  if (status != OK) mg_pieces_destroy(&p);
  *out = p;
  return status;
}

Status mg_pieces_exchange(const MgPieces *p, void *v, size_t bytes, const int32_t *stop) {
  return p->halo ? exec_exchange_unless(p->exec, p->halo, v, bytes, stop) : OK;
}
