/* What the coarse level gets in parcels from the fine one (pieces.h): its modes, its graph, its matrix. */
#include "algebra/graph/exec_graph.h"
#include "core/memory.h"
#include "solver/multigrid/amg.h"
#include "solver/multigrid/pieces_rows.h"
#include "solver/multigrid/rows.h"

/* Rows of parcels of other ranks behind those of the own ones. */
static Status pieces_append(Exec *exec, const MgPieces *pieces, size_t most, GraphHalo *rows, ExecGraph *graph) {
  if (!pieces->halo) return OK;
  TRY(graph_halo_create(exec, pieces->halo, graph, most, rows));
  return graph_halo_append(exec, rows, graph);
}

/* The columns of `full` that are not below the row of a parcel. */
static Status pieces_upper(Exec *exec, const MgPieces *pieces, const ExecGraph *full, int32_t *count, ExecGraph *out) {
  AmgUpperArgs args = {.from_start = full->start, .from = full->column, .row = pieces->row, .count = count};
  *out = (ExecGraph){.n_row = pieces->n_own};
  TRY(exec_rows(exec, &amg_upper_count_kernel, &args, pieces->n_own));
  EXEC_ALLOC(exec, out->start, (int64_t)pieces->n_own + 1, "rows of a level");
  int64_t n = 0;
  TRY(exec_scan(exec, count, sizeof *count, pieces->n_own, out->start, &n));
  TRY(exec_alloc(exec, n, sizeof *out->column, "columns of a level", (void **)&out->column));
  out->n_entry = n;
  args.start = out->start;
  args.column = out->column;
  return exec_rows(exec, &amg_upper_kernel, &args, pieces->n_own);
}

/* Own parcels: what their segments name. at [n_own + 1] is room. */
static Status pieces_full(Exec *exec, const AmgLevel *v, const MgTransfer *t, int64_t *at, ExecGraph *part,
                          ExecGraph *full) {
  const int32_t n = v->aggregates.n;
  const ExecGraph nodes = {.n_row = (int32_t)t->n_segment,
                           .n_entry = t->transposed.n_entry,
                           .start = t->segment,
                           .column = t->transposed.column},
                  segments = {.n_row = t->pieces->n_own, .n_entry = t->n_segment, .start = at};
  const PiecePickArgs pick = {t->pieces->first, t->row_segment, at};
  TRY(exec_rows(exec, &piece_pick_kernel, &pick, (int64_t)t->pieces->n_own + 1));
  TRY(exec_graph_union(exec, &(GraphUnion){.a = &nodes, .b = &v->ap, .n_column = n}, false, part));
  return exec_graph_union(exec, &(GraphUnion){.a = &segments, .b = part, .n_column = n}, false, full);
}

static Status pieces_graphs(Precond *m, int32_t l, ExecGraph *full, int32_t **count, ExecGraph *next) {
  const Amg *p = m->own;
  AmgLevel *v = &((Amg *)m->own)->level[l];
  const MgPieces *pieces = p->mg.level[l].transfer->pieces;
  GraphHalo rows = {0};
  EXEC_ALLOC(m->exec, *count, pieces->n_own, "rows of a level");
  TRY(pieces_upper(m->exec, pieces, full, *count, &v->upper));
  v->n_upper = v->upper.n_entry;
  TRY(pieces_append(m->exec, pieces, (size_t)p->m * sizeof(double), &v->upper_rows, &v->upper));
  TRY(exec_graph_rows(m->exec, &v->upper));
  Status status = pieces_append(m->exec, pieces, sizeof(int32_t), &rows, full);
  graph_halo_release(m->exec, &rows);
  TRY(status);
  const GraphUnion all = {.a = &pieces->of_row, .b = full, .n_column = v->aggregates.n};
  return exec_graph_union(m->exec, &all, true, next);
}

Status amg_pieces_graph(Precond *m, int32_t l, ExecGraph *next) {
  const Amg *p = m->own;
  const MgTransfer *t = p->mg.level[l].transfer;
  ExecGraph part = {0}, full = {0};
  int32_t *count = NULL;
  int64_t *at = NULL;
  EXEC_ALLOC(m->exec, at, (int64_t)t->pieces->n_own + 1, "rows of a level");
  Status status = pieces_full(m->exec, &p->level[l], t, at, &part, &full);
  EXEC_RELEASE(m->exec, at, (int64_t)t->pieces->n_own + 1);
  exec_graph_release(m->exec, &part);
  if (status == OK) status = pieces_graphs(m, l, &full, &count, next);
  EXEC_RELEASE(m->exec, count, t->pieces->n_own);
  exec_graph_release(m->exec, &full);
  return status;
}

Status amg_pieces_orthonormal(Precond *m, int32_t l, double *g) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  const MgTransfer *t = p->mg.level[l].transfer;
  const MgPieces *pieces = t->pieces;
  const int64_t n_gram = (int64_t)pieces->n_all * p->m * p->m;
  double *room = NULL;
  EXEC_ALLOC(m->exec, room, n_gram, "modes of aggregates");
  AmgGramPieceArgs gram = {.first = pieces->first,
                           .start = pieces->start,
                           .node = t->transposed.column,
                           .row = pieces->row,
                           .of = v->aggregates.of,
                           .live = v->live,
                           .modes = v->modes,
                           .gram = room,
                           .row_start = pieces->of_row.start,
                           .place = pieces->of_row.column,
                           .factor = g,
                           .next = v[1].modes,
                           .s = v->s,
                           .m = p->m};
  const AmgOrthonormalArgs orthonormal = {v->aggregates.of, v->live, g, v->modes, v->s, p->m};
  Status status = OK;
  for (; gram.again < 2 && status == OK; gram.again += 1) {
    status = exec_rows(m->exec, &amg_gram_piece_kernel, &gram, pieces->n_own);
    if (status == OK) status = mg_pieces_exchange(pieces, room, (size_t)(p->m * p->m) * sizeof *room, NULL);
    if (status == OK) status = exec_rows(m->exec, &amg_gram_join_kernel, &gram, v->aggregates.n);
    if (status == OK) status = exec_rows(m->exec, &amg_orthonormal_kernel, &orthonormal, v->n_node);
  }
  EXEC_RELEASE(m->exec, room, n_gram);
  return status;
}

/* Blocks of parcels of other ranks, a row of all blocks after the other. */
static Status parcels_bring(Precond *m, int32_t l, double *piece) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l];
  const int64_t n = v->upper.n_entry * p->m, n_halo = v->upper.n_entry - v->n_upper;
  AmgPlaneArgs args = {.value = piece, .m = p->m};
  Status status = OK;
  EXEC_ALLOC(m->exec, args.plane, n, "pieces of a level");
  for (args.which = 0; args.which < p->m && status == OK; ++args.which) {
    args.first = 0, args.back = 0;
    status = exec_rows(m->exec, &amg_plane_kernel, &args, v->n_upper);
    if (status == OK)
      status = exec_exchange(m->exec, v->upper_rows.entries, args.plane, (size_t)p->m * sizeof *args.plane);
    args.first = v->n_upper, args.back = 1;
    if (status == OK) status = exec_rows(m->exec, &amg_plane_kernel, &args, n_halo);
  }
  EXEC_RELEASE(m->exec, args.plane, n);
  return status;
}

static Status join_values(Precond *m, int32_t l, double *piece) {
  const Amg *p = m->own;
  const AmgLevel *v = &p->level[l], *next = v + 1;
  const MgPieces *pieces = p->mg.level[l].transfer->pieces;
  const AmgJoinArgs args = {pieces->of_row.start,
                            pieces->of_row.column,
                            v->upper.start,
                            v->upper.column,
                            piece,
                            next->a.start,
                            next->a.column,
                            next->value,
                            p->m,
                            p->m};
  if (pieces->halo) TRY(parcels_bring(m, l, piece));
  TRY(exec_zero(m->exec, next->value, (size_t)(next->a.n_entry * p->m * p->m) * sizeof *next->value));
  return exec_rows(m->exec, &amg_join_kernel, &args, next->n);
}

Status amg_pieces_join(Precond *m, int32_t l, double **piece) {
  const Amg *p = m->own;
  const Status status = join_values(m, l, *piece);
  EXEC_RELEASE(m->exec, *piece, p->level[l].upper.n_entry * p->m * p->m);
  return status;
}
