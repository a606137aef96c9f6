/* Lead fields of heart and torso: which potential each node of the heart gives between two electrodes. */
#include "app/monodomain/conductor_private.h"
#include "core/memory.h"
#include "core/vec.h"

#include <string.h>

static void add_current(const Conductor *k, const Electrode *e, double current, double *b) {
  for (int32_t a = 0; e && a < e->n; ++a) b[conductor_row(k, e->node[a])] += current * e->share[a];
}

static double held_at(const Conductor *k, const Electrode *e, const double *hold) {
  double sum = 0;
  for (int32_t a = 0; e && a < e->n; ++a) sum += e->share[a] * hold[conductor_row(k, e->node[a])];
  return sum;
}

/* Takes the place of reference from the current that goes in, b on the Exec: a mean, or nothing where what is held is that, or a node is. */
static Status take_mean(const Conductor *k, double *b) {
  double share;
  if (k->grounded || k->zero >= 0) return OK;
  TRY(exec_download(k->exec, &share, k->one, sizeof share));
  TRY(vec_axpy(k->exec, k->n, -share, k->mass, b));
  for (int32_t a = 0; a < k->n_held; ++a) TRY(exec_zero(k->exec, b + conductor_row(k, k->held[a]), sizeof *b));
  return OK;
}

/* z^T of what each electrode does, and between the pair what it holds there. */
static Status pair_shocks(Conductor *k, const ConductorPair *pair, const double *z, double *host, double *shock) {
  for (int32_t i = 0; i < k->n_shock; ++i) {
    TRY(vec_dot(k->exec, k->n, z, k->current[i], k->sum));
    TRY(exec_download(k->exec, &shock[i], k->sum, sizeof shock[i]));
    if (!k->hold[i]) continue;
    TRY(exec_download(k->exec, host, k->hold[i], (size_t)k->n * sizeof *host));
    shock[i] += held_at(k, pair->positive, host) - held_at(k, pair->negative, host);
  }
  return OK;
}

/* Rooms of a block of pairs. */
typedef struct PairRoom {
  LinearMany *many;
  double *host, *b, *z; /* [n], and on the Exec, [n_most][n] */
} PairRoom;

/* Of up to LINEAR_MANY pairs: K z = current, by its nodes on the host, then -K_i z. */
static Status solve_pairs(Conductor *k, const PairRoom *room, int32_t n, const ConductorPair *pair, double *weight,
                          double *shock) {
  double *host = room->host, *b = room->b, *z = room->z;
  LinearReport report[LINEAR_MANY];
  int32_t failed;
  for (int32_t p = 0; p < n; ++p) {
    memset(host, 0, (size_t)k->n * sizeof *host);
    add_current(k, pair[p].positive, 1, host);
    add_current(k, pair[p].negative, -1, host);
    if (!pair[p].negative && !k->grounded && k->zero >= 0) host[conductor_row(k, k->zero)] -= 1;
    for (int32_t a = 0; a < k->n_held; ++a) host[conductor_row(k, k->held[a])] = 0;
    TRY(exec_upload(k->exec, b + p * k->n, host, (size_t)k->n * sizeof *host));
    if (!pair[p].negative) TRY(take_mean(k, b + p * k->n));
  }
  TRY(exec_zero(k->exec, z, (size_t)(n * k->n) * sizeof *z));
  TRY(linear_solve_many(room->many, b, z, n, report, &failed));
  for (int32_t p = 0; p < n; ++p) {
    k->iterations += report[p].iterations, ++k->solves;
    TRY(pair_shocks(k, &pair[p], z + p * k->n, host, shock + p * k->n_shock));
    if (k->pick) TRY(functional_points(k->pick, z + p * k->n, k->x, NULL));
    TRY(conductor_cells(k, k->pick ? k->x : z + p * k->n, k->b));
    TRY(diffusion_download(k->sources, k->b, weight + (int64_t)p * k->heart->n_node));
  }
  return OK;
}

/* The conductor has a torso. */
static Status solve_leads(Conductor *k, int32_t n_pair, const ConductorPair *pair, double *weight, double *shock) {
  const int32_t n_most = n_pair < LINEAR_MANY ? n_pair : LINEAR_MANY;
  PairRoom room = {0};
  Status status = linear_many_create(k->solver, n_most, &room.many);
  if (status != OK) goto done;
  ALLOC_DONE(room.host, k->n, "currents of electrodes");
  TRY_DONE(exec_alloc(k->exec, n_most * k->n, sizeof *room.b, "currents of electrodes", (void **)&room.b));
  TRY_DONE(exec_alloc(k->exec, n_most * k->n, sizeof *room.z, "lead fields", (void **)&room.z));
  for (int32_t p = 0; p < n_pair && status == OK; p += n_most)
    status = solve_pairs(k, &room, n_pair - p < n_most ? n_pair - p : n_most, pair + p,
                         weight + p * (int64_t)k->heart->n_node, shock + p * k->n_shock);
done:
  FREE(room.host);
  if (room.b) EXEC_RELEASE(k->exec, room.b, n_most * k->n);
  if (room.z) EXEC_RELEASE(k->exec, room.z, n_most * k->n);
  linear_many_destroy(&room.many);
  return status;
}

Status conductor_leads(Conductor *k, int32_t n_pair, const ConductorPair *pair, double *weight, double *shock) {
  const SumParts *before = exec_sum_over(k->exec, k->parts);
  const Status status = solve_leads(k, n_pair, pair, weight, shock);
  exec_sum_over(k->exec, before);
  return status;
}
