/* The extracellular potential. In a monodomain no step depends on it (pseudo-bidomain: Bishop and Plank 2011, IEEE Transactions on
 * Biomedical Engineering 58, 2297-2307): one solve at each time that is stored. Each begins at zero, so that a run that
 * goes on has the same bits. */
#include "app/monodomain/conductor.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/run/ranks.h"
#include "core/ascending.h"
#include "core/clock.h"
#include "core/collect.h"
#include "core/memory.h"

#include <math.h>

bool heart_shares_outside(const Heart *h) {
  const HeartSetup *own = heart_setup(h->setup);
  return !h->mesh->whole && !h->mesh->n_cable && own->n_shock == 0 && own->zero == 0 && !own->link_cells;
}

/* Any node does, if it is the same on all ranks. */
static int32_t held_here(const Heart *h) {
  const int32_t node = mesh_nodes_of(h->mesh, setup_first_solved(h->mesh))[0];
  const LocalMesh *local = h->run->share ? &h->run->share->local : NULL;
  return local ? (int32_t)ascending_find(local->mesh->n_node, local->node, node) : node;
}

Status heart_extracellular_create(Heart *h) {
  enum { MANY_SOLVES = 100 };
  if (!case_has_extracellular(h->c)) return OK;
  EXEC_ALLOC(h->exec, h->phi, h->n_read, "extracellular potential");
  h->phi_time = (double)NAN;
  if (heart_shares_outside(h)) {
    const ConductorShare share = {
        .nodes = h->run->share ? &h->run->share->nodes : NULL, .parts = run_parts(h->run, "amg"), .held = held_here(h)};
    return conductor_create(h->exec, h->c, run_mesh(h->run), h->part, MANY_SOLVES, &share, &h->conductor);
  }
  if (h->run->share) EXEC_ALLOC(h->exec, h->outside, 2 * (int64_t)h->mesh->n_node, "extracellular potential");
  return conductor_create(h->exec, h->c, h->mesh, h->setup, MANY_SOLVES, NULL, &h->conductor);
}

void heart_extracellular_destroy(Heart *h) {
  conductor_destroy(&h->conductor);
  EXEC_RELEASE(h->exec, h->outside, 2 * (int64_t)h->mesh->n_node);
  EXEC_RELEASE(h->exec, h->phi, h->n_read);
}

/* Of several ranks all get the whole potential and solve alike; each takes its rows, whose numbers are those of the whole
 * from its first on. */
static Status solve_alike(Heart *h) {
  Comm *comm = h->run->params->comm;
  const int64_t n = h->mesh->n_node, first = h->run->share->local.first;
  double *host = NULL, *phi = h->outside + n;
  COMM_ROOM(comm, host, n, "a potential of all ranks");
  Status status = exec_collect(h->exec, &(RankRun){first, h->n, n}, sizeof *host, h->V, host);
  if (status == OK) status = comm_broadcast(comm, 0, host, n * (int64_t)sizeof *host);
  if (status == OK) status = exec_upload(h->exec, h->outside, host, (size_t)n * sizeof *host);
  if (status == OK) status = conductor_potential(h->conductor, h->outside, phi);
  if (status == OK) status = exec_copy(h->exec, h->phi, phi + first, (size_t)h->n * sizeof *phi);
  FREE(host);
  return status;
}

Status heart_outside_now(Heart *h) {
  return run_solved(h->run, h->outside ? solve_alike(h) : conductor_potential(h->conductor, h->V, h->phi));
}

Status heart_extracellular(Heart *h, const double **phi) {
  *phi = h->phi;
  if (h->phi_time == h->run->report->time || h->bidomain) return OK; /* the bidomain's is that of now */
  RunReport *report = h->run->report;
  const double begin = clock_seconds();
  TRY(heart_outside_now(h));
  conductor_work(h->conductor, &report->heart.outside_solves, &report->heart.outside_iterations);
  report->heart.outside_seconds += clock_seconds() - begin;
  h->phi_time = h->run->report->time;
  return OK;
}
