/* The bidomain in the monodomain's steps. With K_i of the cells and K_m of the monodomain, both over surface-to-volume ratio and
 * capacitance,
 *   M dV/dt + K_i (V + phi) = M I  is  M dV/dt + K_m V = M I - d,  d = K_i (V + phi) - K_m V,
 * so that a step keeps its matrix, and d is known: extrapolated in time from the last two steps. After each step phi follows
 * from V (conductor.h). Splitting and bounds: docs/theory/bidomain.md. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/conductor.h"
#include "app/monodomain/heart.h"
#include "algebra/mat.h"
#include "app/run/run_state.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/time/scheme.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "currents of the bidomain";

typedef struct Bidomain {
  Diffusion *cells;   /* owned: K_i */
  double *warm;       /* view, on the Exec: what the conductor begins with, */
  int64_t n_warm;     /* so many */
  double *now, *next; /* owned, on the Exec, [n]: -d/M of now, and of the next step */
  double length;      /* of the last step, ms; 0: there was none */
} Bidomain;

/* Conductivities of the cells over surface-to-volume ratio and capacitance, mm2/ms. */
static Status make_cells(Heart *h) {
  const HeartSetup *own = heart_setup(h->setup);
  const int32_t n = h->mesh->n_element - setup_first_solved(h->mesh);
  double(*tensor)[6] = NULL;
  ALLOC(tensor, n, WHAT);
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < n; ++e) {
    const int32_t t = own->monodomain.element_region[e];
    const CaseConductivity *s = &heart_tissue(h->c, t)->conductivity;
    const TissueNumbers *number = heart_numbers(own, t, e);
    conductivity_tensor(s->intra.n, number->D, number->intra, own->tensor[e], tensor[e]);
    for (int d = 0; d < 6; ++d) tensor[e][d] /= s->surface.value * s->capacitance.value;
  }
  const DiffusionParams cells = {.mesh = h->mesh,
                                 .tensor = (const double(*)[6])tensor,
                                 .thickness = own->thickness,
                                 .node_rank = h->setup->node_rank};
  const Status status = diffusion_create(h->exec, &cells, &h->bidomain->cells);
  FREE(tensor);
  return status;
}

Status heart_bidomain_create(Heart *h) {
  if (!heart_is_bidomain(h->c)) return OK;
  CHECK(!h->run->share, ERR_INPUT,
        "'model: bidomain' is solved by one process\n  remedy: run it without mpirun, or 'model: monodomain'");
  ALLOC(h->bidomain, 1, WHAT);
  Bidomain *b = h->bidomain;
  TRY(make_cells(h));
  EXEC_ALLOC(h->exec, b->now, h->n, WHAT);
  EXEC_ALLOC(h->exec, b->next, h->n, WHAT);
  const char *reference = h->c->reference.text;
  return conductor_continue(h->conductor, !reference || strcmp(reference, "tissue") == 0, &b->warm, &b->n_warm);
}

void heart_bidomain_destroy(Heart *h) {
  Bidomain *b = h->bidomain;
  if (!b) return;
  diffusion_destroy(&b->cells);
  EXEC_RELEASE(h->exec, b->now, h->n);
  EXEC_RELEASE(h->exec, b->next, h->n);
  FREE(h->bidomain);
}

const double *heart_bidomain_current(const Heart *h) { return h->bidomain ? h->bidomain->next : NULL; }

/* phi of V, and from both the currents of now and of the next step, which is ahead by `lead` of the last one. */
static Status solve_now(Heart *h, double lead) {
  Bidomain *b = h->bidomain;
  RunReport *report = h->run->report;
  const double begin = clock_seconds();
  conductor_set_time(h->conductor, report->time);
  TRY(run_solved(h->run, conductor_potential(h->conductor, h->V, h->phi)));
  conductor_work(h->conductor, &report->heart.outside_solves, &report->heart.outside_iterations);
  TRY(exec_copy(h->exec, h->work, h->V, (size_t)h->n * sizeof *h->V));
  TRY(vec_axpy(h->exec, h->n, 1, h->phi, h->work));
  TRY(diffusion_residual(b->cells, h->work, NULL, NULL, false, b->next)); /* -K_i (V + phi) */
  TRY(mat_apply(h->stiffness, h->V, h->work));
  report->heart.outside_seconds += clock_seconds() - begin;
  return monodomain_outside(h->monodomain, h->mass, b->next, h->work, lead, b->now, b->next);
}

Status heart_bidomain_begin(Heart *h) {
  Bidomain *b = h->bidomain;
  if (!b) return OK;
  TRY(exec_zero(h->exec, b->warm, (size_t)b->n_warm * sizeof *b->warm));
  TRY(exec_zero(h->exec, b->now, (size_t)h->n * sizeof *b->now));
  b->length = 0;
  TRY(solve_now(h, 0));
  return exec_copy(h->exec, b->warm + b->n_warm / 2, b->warm, (size_t)(b->n_warm / 2) * sizeof *b->warm);
}

/* At such a time the potential jumps: what is kept of it is that behind the jump. */
static bool is_switched(const Heart *h, double from, double to) {
  for (int32_t i = 0; i < h->c->electrodes.n; ++i)
    if (electrode_is_on(h->c, i, from) != electrode_is_on(h->c, i, to)) return true;
  return false;
}

/* Schemes of the middle of a step (Crank-Nicolson, stages) take the current there, others at its end. Where steps had different
 * lengths, at events and in smoothing, and where an electrode is switched, that of now. */
Status heart_bidomain_step(Heart *h) {
  static const double SAME = 1e-6;
  Bidomain *b = h->bidomain;
  SchemeFactors factors;
  const double length = h->run->report->heart.last_step, before = b->length;
  h->scheme->factors(length, length, &factors);
  const double ahead = h->scheme->stages ? 0.5 : factors.theta;
  const double time = h->run->report->time;
  const bool steady = fabs(length - before) <= SAME * length && !is_switched(h, time - length, time);
  b->length = length;
  return solve_now(h, steady ? ahead : 0);
}

int64_t heart_bidomain_state_size(const Heart *h) { return h->bidomain ? h->bidomain->n_warm + 3 * h->n + 1 : 0; }

Status heart_bidomain_save(const Heart *h, double *host) {
  const Bidomain *b = h->bidomain;
  const size_t bytes = (size_t)h->n * sizeof *host;
  if (!b) return OK;
  host[0] = b->length, ++host;
  TRY(exec_download(h->exec, host, b->warm, (size_t)b->n_warm * sizeof *host));
  host += b->n_warm;
  TRY(exec_download(h->exec, host, b->now, bytes));
  TRY(exec_download(h->exec, host + h->n, b->next, bytes));
  return exec_download(h->exec, host + 2 * h->n, h->phi, bytes);
}

Status heart_bidomain_restore(Heart *h, const double *host) {
  Bidomain *b = h->bidomain;
  const size_t bytes = (size_t)h->n * sizeof *host;
  if (!b) return OK;
  b->length = host[0], ++host;
  TRY(exec_upload(h->exec, b->warm, host, (size_t)b->n_warm * sizeof *host));
  host += b->n_warm;
  TRY(exec_upload(h->exec, b->now, host, bytes));
  TRY(exec_upload(h->exec, b->next, host + h->n, bytes));
  return exec_upload(h->exec, h->phi, host + 2 * h->n, bytes);
}
