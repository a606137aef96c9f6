/* What ranks cost each other: an exchange of rows between neighbours and a sum over all, one behind the other and in a
 * loop. Alone: what sums by parts cost beside those of all rows at once. */
#include "bench/measure.h"
#include "core/halo.h"
#include "core/memory.h"
#include "core/sum_parts.h"
#include "core/vec.h"
#include "output/json.h"

#include <stdio.h>
#include <string.h>

/* APART: rows from one that is sent to the next, as at the border of a body. */
enum { N_SIZES = 3, APART = 4, PARTS = 64, MORE = 8, HOST_TURNS = 100, HOST_ROWS = 1 << 16, GPU_TURNS = 2000 };
static const int32_t sizes[N_SIZES] = {4096, 32768, 262144};
/* Rows of a rank with which sums by parts stand beside plain ones. */
static const int64_t lengths[] = {32768, 500000, 4000000, 16000000};

typedef struct Numbers {
  double sum;
  int32_t left, stop;
} Numbers;

/* What is measured: so many exchanges or sums in a turn. */
typedef struct PeersRun {
  Exec *exec;
  Comm *comm;
  Halo *halo;       /* NULL: sums */
  SumParts *parts;  /* NULL: of all rows at once */
  double *v;        /* own rows, halo rows */
  int64_t n, room;  /* rows that are summed, and of v */
  Numbers *numbers; /* on the Exec */
  int32_t each;     /* of a turn */
} PeersRun;

static Status work_once(void *context) {
  const PeersRun *run = context;
  if (run->halo) return exec_exchange(run->exec, run->halo, run->v, sizeof *run->v);
  return vec_dot(run->exec, run->n, run->v, run->v, &run->numbers->sum);
}

static Status loop_turn(Exec *exec, void *context) {
  const PeersRun *run = context;
  for (int32_t k = 0; k < run->each; ++k) TRY(work_once(context));
  return vec_countdown(exec, &run->numbers->left, &run->numbers->stop);
}

/* Seconds of a turn of a loop with so many; of the slowest rank. */
static Status time_loop(PeersRun *run, int32_t each, double *seconds) {
  const int32_t turns = (exec_is_host(run->exec) ? HOST_TURNS : GPU_TURNS) / each;
  ExecLoop *loop = NULL;
  Status status = OK;
  run->each = each;
  TRY(exec_loop_create(run->exec, loop_turn, run, &run->numbers->stop, &loop));
  for (int k = 0; k < 2 && status == OK; ++k) { /* the first is recorded */
    const Numbers numbers = {0, turns, 0};
    TRY_DONE(exec_upload(run->exec, run->numbers, &numbers, sizeof numbers));
    TRY_DONE(exec_sync(run->exec));
    TRY_DONE(comm_barrier(run->comm));
    const double begin = bench_now();
    status = exec_loop_run(loop, turns, NULL, NULL);
    *seconds = (bench_now() - begin) / turns;
  }
done:
  if (status == OK) status = comm_barrier(run->comm);
  exec_loop_destroy(&loop);
  return status == OK ? comm_most(run->comm, seconds) : status;
}

/* us: in a stream; a turn of a loop with one; each one more in it. */
typedef struct PeersFigure {
  double stream, turn, more;
} PeersFigure;

static Status measure(const BenchParams *params, PeersRun *run, PeersFigure *f) {
  const int32_t repeat = params->repeat > 0 ? params->repeat : exec_is_host(run->exec) ? HOST_TURNS : GPU_TURNS / 4;
  double one, several;
  const SumParts *before = exec_sum_over(run->exec, run->parts);
  Status status = comm_barrier(run->comm);
  if (status == OK) status = bench_time(run->exec, work_once, run, repeat, &f->stream);
  if (status == OK) status = comm_most(run->comm, &f->stream);
  if (status == OK) status = time_loop(run, 1, &one);
  if (status == OK) status = time_loop(run, 1 + MORE, &several);
  exec_sum_over(run->exec, before);
  TRY(status);
  *f = (PeersFigure){1e6 * f->stream, 1e6 * one, 1e6 * (several - one) / MORE};
  return OK;
}

static void report(const PeersRun *run, const char *what, int64_t n, const PeersFigure *f, FILE *out, Json *json) {
  if (comm_rank(run->comm)) return;
  fprintf(out, "%-28s %10lld %10.2f %10.2f %10.2f\n", what, (long long)n, f->stream, f->turn, f->more);
  json_object(json, NULL);
  json_string(json, "what", what);
  json_integer(json, "n", n);
  json_number(json, "stream_us", f->stream);
  json_number(json, "turn_us", f->turn);
  json_number(json, "more_us", f->more);
  json_end(json);
}

static Status run_alloc(PeersRun *run, int64_t rows) {
  double *v = NULL;
  run->room = rows;
  TRY(exec_alloc(run->exec, 1, sizeof *run->numbers, "numbers", (void **)&run->numbers));
  ALLOC(v, rows, "rows");
  for (int64_t i = 0; i < rows; ++i) v[i] = (double)(i % 1000) + 1e4 * comm_rank(run->comm);
  const Status status = exec_alloc_upload(run->exec, rows, sizeof *v, v, "rows", (void **)&run->v);
  FREE(v);
  return status == OK ? comm_barrier(run->comm) : status;
}

static void run_release(PeersRun *run) {
  halo_destroy(&run->halo);
  sum_parts_destroy(&run->parts);
  exec_release(run->exec, run->room, sizeof *run->v, (void **)&run->v);
  exec_release(run->exec, 1, sizeof *run->numbers, (void **)&run->numbers);
}

/* ---- exchanges: in a ring, n rows to each neighbour ---- */
static Status ring_halo(PeersRun *run, int32_t n, int32_t *send_row) {
  const int size = comm_size(run->comm), me = comm_rank(run->comm);
  const int32_t up = (me + 1) % size, down = (me + size - 1) % size, n_peer = size == 2 ? 1 : 2;
  const int32_t peer[2] = {up < down ? up : down, up < down ? down : up};
  const int64_t start[3] = {0, n, 2 * (int64_t)n};
  for (int32_t i = 0; i < 2 * n; ++i) send_row[i] = i % n * APART;
  const HaloLists lists = {n * APART, n_peer * n, n_peer, peer, start, send_row, start};
  return halo_create(run->exec, &lists, sizeof *run->v, &run->halo);
}

/* What arrived is what the neighbours have. */
static Status ring_check(const PeersRun *run, int32_t n) {
  const Halo *h = run->halo;
  double *v = NULL;
  Status status = OK;
  ALLOC(v, h->n_halo, "rows");
  TRY_DONE(exec_download(run->exec, v, run->v + h->n_own, (size_t)h->n_halo * sizeof *v));
  for (int32_t i = 0; i < h->n_halo && status == OK; ++i) {
    const double wanted = (double)((int64_t)(i % n) * APART % 1000) + 1e4 * h->peer[i / n].rank;
    if (v[i] != wanted) status = FAIL(ERR_NUMERIC, "row %d of the halo is %g, not %g", i, v[i], wanted);
  }
done:
  FREE(v);
  return comm_agree(run->comm, status);
}

static Status exchange_size(Exec *exec, const BenchParams *params, int32_t n, FILE *out, Json *json) {
  PeersRun run = {.exec = exec, .comm = params->comm};
  PeersFigure f;
  int32_t *send_row = NULL;
  Status status;
  ALLOC(send_row, 2 * (int64_t)n, "rows for other ranks");
  TRY_DONE(ring_halo(&run, n, send_row));
  TRY_DONE(run_alloc(&run, (int64_t)run.halo->n_own + run.halo->n_halo));
  TRY_DONE(measure(params, &run, &f));
  TRY_DONE(ring_check(&run, n));
  report(&run, "exchange of n doubles", n, &f, out, json);
done:
  FREE(send_row);
  run_release(&run);
  return status;
}

/* ---- sums ---- */
static Status sums(Exec *exec, const BenchParams *params, int64_t n, bool by_parts, FILE *out, Json *json) {
  const int size = comm_size(params->comm), me = comm_rank(params->comm);
  const int32_t own = PARTS * (me + 1) / size - PARTS * me / size;
  PeersRun run = {.exec = exec, .comm = params->comm, .n = n};
  PeersFigure f;
  int64_t start[PARTS + 1];
  Status status;
  for (int32_t p = 0; p <= own; ++p) start[p] = p == own ? n : n * p / own;
  TRY_DONE(run_alloc(&run, n));
  if (by_parts) TRY_DONE(sum_parts_create(exec, own, start, &run.parts));
  TRY_DONE(measure(params, &run, &f));
  report(&run, by_parts ? "sum over all ranks' n rows" : "of this rank's, not by parts", n, &f, out, json);
done:
  run_release(&run);
  return status;
}

static Status measure_all(Exec *exec, const BenchParams *params, FILE *out, Json *json) {
  const int32_t percent = params->percent > 0 ? params->percent : 100; /* 1 leaves 40 rows */
  const int size = comm_size(params->comm);
  if (size > PARTS) return FAIL(ERR_USAGE, "%d ranks, at most %d", size, PARTS);
  for (int k = 0; k < N_SIZES && size > 1; ++k)
    TRY(exchange_size(exec, params, (int32_t)((int64_t)sizes[k] * percent / 100), out, json));
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k) {
    if (exec_is_host(exec) && lengths[k] > HOST_ROWS) break;
    TRY(sums(exec, params, lengths[k] * percent / 100, true, out, json));
    TRY(sums(exec, params, lengths[k] * percent / 100, false, out, json));
  }
  return OK;
}

Status bench_peers(Exec *exec, const BenchParams *params, FILE *out) {
  const bool is_root = comm_rank(params->comm) == 0;
  Json *json = NULL;
  Status status;
  TRY(exec_join(exec, params->comm));
  TRY_DONE(json_create(&json));
  if (is_root) {
    fprintf(out, "%d rank%s, %s%s; us\n", comm_size(params->comm), comm_size(params->comm) == 1 ? "" : "s",
            exec->device, comm_size(params->comm) == 1 ? ": no exchanges, start it by mpirun -n 2" : " each");
    fprintf(out, "%-28s %10s %10s %10s %10s\n", "", "n", "stream", "loop turn", "one more");
  }
  json_string(json, "bench", "peers");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_integer(json, "ranks", comm_size(params->comm));
  json_array(json, "figures");
  TRY_DONE(measure_all(exec, params, out, json));
  json_end(json);
  if (params->json && is_root) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
