/* The bidomain in the monodomain's steps. With K_i of the cells and K_m of the monodomain, both over surface-to-volume ratio and
 * capacitance,
 *   M dV/dt + K_i (V + phi) = M I  is  M dV/dt + K_m V = M I - d,  d = K_i (V + phi) - K_m V,
 * so that a step keeps its matrix, and d is known: extrapolated in time from the last two steps. After each step phi follows
 * from V (conductor.h). Where elements are too short for the steps, K_i stands in the place of K_m. Splitting and bounds: docs/theory/bidomain.md. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/conductor.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/layers.h"
#include "algebra/mat.h"
#include "app/run/ranks.h"
#include "app/run/run_state.h"
#include "app/setup/point_shape.h"
#include "core/clock.h"
#include "core/collect.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/time/scheme.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "currents of the bidomain";
/* Most steps of a loop where electrodes are switched, which each is looked at for. */
enum { HEART_SWITCH_STEPS = 64 };

typedef struct Bidomain {
  Diffusion *cells; /* owned, as the next: K_i */
  Mat *matrix;
  Mat *near, *near_mono; /* owned: copies of K_i and K_m by conductor_near; NULL: these themselves */
  Warm *warm;            /* borrowed: what the conductor begins with, */
  int64_t n_warm;        /* by so many rows */
  double *now, *next;    /* owned, on the Exec, [n_read]: -d/M of now, and of the next step */
  double *lead;          /* owned, on the Exec: how far ahead of now the next step's are, of the last step */
  int32_t *always;       /* owned, on the Exec: 0 */
  int32_t made;          /* conductor_record_prepare at the last recording */
  double length;         /* of the last step, ms; 0: there was none */
  bool told;             /* that the potential is out of all measure */
} Bidomain;

/* Of the whole, or of what a rank works on: conductivities of the cells over surface-to-volume ratio and capacitance, mm2/ms:
 * *tensor[n_solved], owned by the caller. */
static Status cell_tensors(const Heart *h, const HeartSetup *own, double (**out)[6]) {
  const Mesh *mesh = own->diffusion.mesh;
  const int32_t n = mesh->n_element - setup_first_solved(mesh);
  ALLOC(*out, n, WHAT);
  double(*tensor)[6] = *out;
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < n; ++e) {
    const int32_t t = own->monodomain.element_region[e];
    const CaseConductivity *s = &heart_tissue(h->c, t)->conductivity;
    const TissueNumbers *number = heart_numbers(own, t, e);
    conductivity_tensor(s->intra.n, number->D, number->intra, own->tensor[e], tensor[e]);
    for (int d = 0; d < 6; ++d) tensor[e][d] /= s->surface.value * s->capacitance.value;
  }
  return OK;
}

/* No less than the largest eigenvalue of M^-1 K of element e with tensor D, 1/ms, since the trace is, for lumped masses that are alike. */
static double element_rate(const Mesh *mesh, int32_t e, const double D[6]) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3], trace = 0, volume = 0;
  Quadrature rule;
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  if (element_mass_quadrature(type, &rule) != OK) return 0; /* no element without one comes here */
  for (int32_t q = 0; q < rule.n; ++q) {
    PointShape p;
    (mesh->in_space ? point_shape_in_space : point_shape)(type, (const double(*)[3])x, rule.xi[q], rule.weight[q], &p);
    volume += p.dV;
    for (int32_t a = 0; a < type->n_node; ++a) {
      const double *g = p.dN[a], z = mesh->dim + mesh->in_space > 2 ? g[2] : 0;
      trace += p.dV * (D[0] * g[0] * g[0] + D[1] * g[1] * g[1] + D[2] * z * z +
                       2 * (D[3] * g[0] * g[1] + D[4] * g[1] * z + D[5] * g[0] * z));
    }
  }
  return type->n_node * trace / volume;
}

/* Where the monodomain is exact: nothing around the tissue, and one ratio of conductivities outside and inside. */
static bool is_in_one_ratio(const Heart *h) {
  static const double SAME = 1e-9;
  const TissueNumbers *first = heart_numbers(heart_setup(h->setup), 0, 0);
  const int32_t n = h->mesh->n_element - setup_first_solved(h->mesh);
  bool same = h->c->torso.n == 0;
  for (int32_t e = 0; e < n && same; ++e) {
    const TissueNumbers *s =
        heart_numbers(heart_setup(h->setup), heart_setup(h->setup)->monodomain.element_region[e], e);
    for (int k = 0; k < 3 && s->intra[k] > 0; ++k)
      same &= fabs(s->extra[k] / s->intra[k] - first->extra[0] / first->intra[0]) <= SAME * s->extra[k] / s->intra[k];
  }
  const HeartSetup *own = heart_setup(h->setup);
  for (int32_t i = 0; own->link_cells && i < own->n_link && same; ++i)
    same = fabs(own->link_outside[i] * first->intra[0] - own->link_cells[i] * first->extra[0]) <=
           SAME * own->link_cells[i] * first->extra[0];
  return same;
}

/* Of adaptive steps without a longest one: any. */
static double longest_step(const CaseTime *time) {
  if (!case_adapts(time)) return time->step.value;
  return place_given(time->adaptive.max.place) ? time->adaptive.max.value : HUGE_VAL;
}

Status heart_bidomain_guard(Heart *h, DiffusionParams *diffusion, double (**tensor)[6]) {
  const double(*D)[6] = (const double(*)[6])heart_setup(h->setup)->tensor;
  const int32_t first = setup_first_solved(h->mesh), n = h->mesh->n_element - first;
  double most = 0, (*whole)[6] = NULL;
  if (!heart_is_bidomain(h->c) || is_in_one_ratio(h)) return OK;
  TRY(cell_tensors(h, heart_setup(h->setup), &whole));
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int32_t e = 0; e < n; ++e) {
    double lags[6];
    for (int d = 0; d < 6; ++d) lags[d] = whole[e][d] - D[e][d];
    most = fmax(most, element_rate(h->mesh, first + e, lags));
  }
  FREE(whole);
  const double step = longest_step(&h->c->time), layers = layers_lag(h->c, h->mesh, heart_setup(h->setup));
  CHECK(!(layers > 0) || layers * step <= 1, ERR_INPUT,
        "steps of %g ms are too long for layers that are coupled so tightly\n  allowed: at most %.3g ms, or smaller "
        "conductances",
        step, 1 / layers);
  h->guarded = most > 0 && most * step > 1;
  if (!h->guarded) return OK;
  TRY(cell_tensors(h, heart_setup(h->part), tensor));
  diffusion->tensor = (const double(*)[6]) * tensor;
  return OK;
}

static Status make_cells(Heart *h) {
  double(*tensor)[6] = NULL;
  DiffusionParams cells = heart_setup(h->part)->diffusion;
  DiffusionLink *link = NULL;
  Status status = cell_tensors(h, heart_setup(h->part), &tensor);
  if (status == OK && heart_setup(h->part)->link_cells) {
    status = layers_links(heart_setup(h->part), true, false, 1, &link);
    cells.link = link;
  }
  cells.tensor = (const double(*)[6])tensor;
  cells.share = h->run->share ? &h->run->share->nodes : NULL;
  if (status == OK) status = diffusion_create(h->exec, &cells, &h->bidomain->cells);
  FREE(link);
  FREE(tensor);
  return status == OK ? heart_matrix(h->exec, h->c, h->bidomain->cells, &h->bidomain->matrix) : status;
}

/* Of conductivities inside of the cells and in all, in the mean over elements and directions, of the whole. */
static double ratio_of(const Heart *h) {
  const HeartSetup *own = heart_setup(h->setup);
  const int32_t n = h->mesh->n_element - setup_first_solved(h->mesh);
  double inside = 0, all = 0;
  for (int32_t e = 0; e < n; ++e) {
    const TissueNumbers *s = heart_numbers(own, own->monodomain.element_region[e], e);
    for (int k = 0; k < 3; ++k) inside += s->intra[k], all += s->intra[k] + s->extra[k];
  }
  return inside / all;
}

Status heart_bidomain_create(Heart *h) {
  if (!heart_is_bidomain(h->c)) return OK;
  ALLOC(h->bidomain, 1, WHAT);
  Bidomain *b = h->bidomain;
  TRY(make_cells(h));
  TRY(conductor_near(h->conductor, b->matrix, &b->near));
  TRY(conductor_near(h->conductor, h->stiffness, &b->near_mono));
  EXEC_ALLOC(h->exec, b->now, h->n_read, WHAT);
  EXEC_ALLOC(h->exec, b->next, h->n_read, WHAT);
  EXEC_ALLOC(h->exec, b->lead, 1, WHAT);
  EXEC_ALLOC(h->exec, b->always, 1, WHAT);
  TRY(exec_zero(h->exec, b->always, sizeof *b->always));
  if (bidomain_means_tissue(h->c)) TRY(conductor_mean_over_heart(h->conductor));
  return conductor_continue(h->conductor, ratio_of(h), &b->warm, &b->n_warm);
}

void heart_bidomain_destroy(Heart *h) {
  Bidomain *b = h->bidomain;
  if (!b) return;
  mat_destroy(&b->near);
  mat_destroy(&b->near_mono);
  mat_destroy(&b->matrix);
  diffusion_destroy(&b->cells);
  EXEC_RELEASE(h->exec, b->now, h->n_read);
  EXEC_RELEASE(h->exec, b->next, h->n_read);
  EXEC_RELEASE(h->exec, b->lead, 1);
  EXEC_RELEASE(h->exec, b->always, 1);
  FREE(h->bidomain);
}

const double *heart_bidomain_current(const Heart *h) { return h->bidomain ? h->bidomain->next : NULL; }

/* The currents of now from V and phi, and those of the next step. Recordable. */
static Status put_currents(Heart *h, const int32_t *skip) {
  Bidomain *b = h->bidomain;
  TRY(exec_copy(h->exec, h->work, h->V, (size_t)h->n * sizeof *h->V));
  TRY(vec_axpy(h->exec, h->n, 1, h->phi, h->work));
  TRY(mat_product(b->near ? b->near : b->matrix, MAT_COMBINE, &(ProductArgs){.v = h->work, .w = b->next, .c0 = -1}));
  TRY(mat_apply(b->near_mono ? b->near_mono : h->stiffness, h->V, h->work));
  return monodomain_outside(h->monodomain, h->mass, b->next, h->work, b->lead, skip, b->now, b->next);
}

static Status set_lead(Heart *h, double lead) { return exec_upload(h->exec, h->bidomain->lead, &lead, sizeof lead); }

/* phi of V, and from both the currents of now and of the next step, which is ahead by `lead` of the last one. */
static Status solve_now(Heart *h, double lead) {
  RunReport *report = h->run->report;
  const double begin = clock_seconds();
  TRY(conductor_set_time(h->conductor, report->time));
  TRY(heart_outside_now(h));
  conductor_work(h->conductor, &report->heart.outside_solves, &report->heart.outside_iterations);
  TRY(set_lead(h, lead));
  TRY(put_currents(h, h->bidomain->always));
  report->heart.outside_seconds += clock_seconds() - begin;
  return OK;
}

/* Behind a switch: currents in another unit make potentials that no shock has. */
static Status warn_large(Heart *h) {
  static const double MOST = 1000; /* mV */
  Bidomain *b = h->bidomain;
  double *phi = NULL, most = 0;
  if (b->told || !h->c->electrodes.n) return OK;
  ALLOC(phi, h->n, WHAT);
  const Status status = exec_download(h->exec, phi, h->phi, (size_t)h->n * sizeof *phi);
  for (int64_t i = 0; i < h->n && status == OK; ++i) most = fmax(most, fabs(phi[i]));
  FREE(phi);
  if (status == OK && h->run->share) TRY(comm_most(h->run->params->comm, &most));
  b->told = most > MOST;
  if (b->told)
    status_warn("electrodes take the extracellular potential of the tissue to %.3g mV at %g ms, beyond %g\n  remedy: "
                "smaller ones, unless that is meant: 'current' is in mA, in 2D for each mm of thickness, 'density' in "
                "uA/mm2 or uA/mm3",
                most, h->run->report->time, MOST);
  return status;
}

Status heart_bidomain_begin(Heart *h) {
  Bidomain *b = h->bidomain;
  if (!b) return OK;
  TRY(warm_forget(b->warm));
  TRY(exec_zero(h->exec, b->now, (size_t)h->n * sizeof *b->now));
  b->length = 0;
  TRY(solve_now(h, 0));
  return warn_large(h);
}

/* At such a time the potential jumps: what is kept of it is that behind the jump. */
static bool is_switched(const Heart *h, double from, double to) {
  for (int32_t i = 0; i < h->c->electrodes.n; ++i)
    if (electrode_is_on(h->c, i, from) != electrode_is_on(h->c, i, to)) return true;
  return false;
}

/* Schemes of the middle of a step (Crank-Nicolson, stages) take the current there, others at its end. Where steps had different
 * lengths, at events and in smoothing, and where an electrode is switched, that of now. */
static double lead_of(const Heart *h, double from, double to, double length) {
  static const double SAME = 1e-6;
  SchemeFactors factors;
  h->scheme->factors(length, length, &factors);
  const bool alike = fabs(length - h->bidomain->length) <= SAME * length && !is_switched(h, from, to);
  return !alike ? 0 : h->scheme->stages ? 0.5 : factors.theta;
}

/* Of steps that choose their lengths the next one is known: the line through the last two currents is taken as far as that goes. */
static double lead_ahead(const Heart *h, double from, double to, double before) {
  StepControl next = *stepper_control(h->stepper); /* its events are only read */
  const double length = to - from;
  if (!(before > 0) || is_switched(h, from, to) || step_control_done(&next)) return 0;
  SchemeFactors factors;
  h->scheme->factors(length, length, &factors);
  return factors.theta * step_control_next(&next) / length;
}

bool heart_bidomain_in_loop(const Heart *h) {
  return h->bidomain && h->scheme->stages && !h->run->share && conductor_can_record(h->conductor);
}

Status heart_bidomain_follow(void *context, int32_t *stop, int32_t end) {
  Heart *h = context;
  TRY(conductor_record(h->conductor, h->V, h->phi, stop, end));
  return put_currents(h, conductor_failed(h->conductor));
}

Status heart_bidomain_before(Heart *h) {
  Bidomain *b = h->bidomain;
  int32_t made;
  if (!b || !heart_bidomain_in_loop(h)) return OK;
  StepControl next = *stepper_control(h->stepper); /* its events are only read */
  const double length = step_control_next(&next);
  TRY(conductor_record_prepare(h->conductor, &made));
  if (made != b->made) stepper_forget(h->stepper);
  b->made = made;
  TRY(conductor_set_time(h->conductor, next.target));
  return set_lead(h, lead_of(h, next.time, next.target, length));
}

/* Steps of a loop have the electrodes and the lead of its first one: where it has several, the two before were as long. */
int64_t heart_bidomain_steps(const Heart *h, int64_t most) {
  const double time = h->run->report->time, step = h->c->time.step.value;
  int64_t n = 1;
  if (!h->bidomain || !h->c->electrodes.n) return most;
  while (n < most && n < HEART_SWITCH_STEPS && !is_switched(h, time, time + ((double)n + 1.001) * step)) ++n;
  return n;
}

/* The loop has done it, but for a solve that did not converge. */
static Status step_recorded(Heart *h) {
  Bidomain *b = h->bidomain;
  RunReport *report = h->run->report;
  bool mended;
  TRY(run_solved(h->run, conductor_recorded(h->conductor, h->phi, &mended)));
  conductor_work(h->conductor, &report->heart.outside_solves, &report->heart.outside_iterations);
  return mended ? put_currents(h, b->always) : OK;
}

Status heart_bidomain_step(Heart *h) {
  Bidomain *b = h->bidomain;
  if (!b) return OK;
  const double length = h->run->report->heart.last_step, time = h->run->report->time;
  const double lead = case_adapts(&h->c->time) ? lead_ahead(h, time - length, time, b->length)
                                               : lead_of(h, time - length, time, length);
  b->length = length;
  TRY(heart_bidomain_in_loop(h) ? step_recorded(h) : solve_now(h, lead));
  return is_switched(h, time - length, time) ? warn_large(h) : OK;
}

/* Rows of all ranks. What a solve begins with all ranks have alike where they do not share it. */
static RankRun rows_of(const Heart *h) {
  const RunShare *share = h->run->share;
  return share ? (RankRun){share->local.first, h->n, h->mesh->n_node} : (RankRun){0, h->n, h->n};
}

/* What is saved, on the Exec: numbers that are the same on all ranks, vectors of which each has its rows, and those that all have alike. */
enum { BIDOMAIN_VECTORS = 16 };
typedef struct BidomainState {
  int32_t n_number, n_shared, n_alike;
  double *number, *shared[BIDOMAIN_VECTORS], *alike;
} BidomainState;

static BidomainState state_of(const Heart *h) {
  const Bidomain *b = h->bidomain;
  BidomainState s = {0};
  warm_state(b->warm, &s.alike, &s.n_alike, &s.number, &s.n_number);
  for (int32_t k = 0; heart_shares_outside(h) && k < s.n_alike; ++k) s.shared[s.n_shared++] = s.alike + k * b->n_warm;
  if (s.n_shared) s.n_alike = 0;
  s.shared[s.n_shared++] = b->now, s.shared[s.n_shared++] = b->next, s.shared[s.n_shared++] = h->phi;
  return s;
}

int64_t heart_bidomain_state_size(const Heart *h) {
  if (!h->bidomain) return 0;
  const BidomainState s = state_of(h);
  return 1 + s.n_number + s.n_alike * h->bidomain->n_warm + s.n_shared * rows_of(h).all;
}

Status heart_bidomain_save(const Heart *h, double *host) {
  if (!h->bidomain) return OK;
  const BidomainState s = state_of(h);
  const RankRun rows = rows_of(h);
  const int64_t n_alike = s.n_alike * h->bidomain->n_warm;
  if (host) {
    *host++ = h->bidomain->length;
    TRY(exec_download(h->exec, host, s.number, (size_t)s.n_number * sizeof *host));
    host += s.n_number;
    TRY(exec_download(h->exec, host, s.alike, (size_t)n_alike * sizeof *host));
    host += n_alike;
  }
  for (int k = 0; k < s.n_shared; ++k)
    TRY(exec_collect(h->exec, &rows, sizeof *host, s.shared[k], host ? host + k * rows.all : NULL));
  return OK;
}

Status heart_bidomain_restore(Heart *h, const double *host) {
  if (!h->bidomain) return OK;
  const BidomainState s = state_of(h);
  const RankRun rows = rows_of(h);
  const int64_t n_alike = s.n_alike * h->bidomain->n_warm;
  h->bidomain->length = *host++;
  TRY(exec_upload(h->exec, s.number, host, (size_t)s.n_number * sizeof *host));
  host += s.n_number;
  TRY(exec_upload(h->exec, s.alike, host, (size_t)n_alike * sizeof *host));
  host += n_alike;
  for (int k = 0; k < s.n_shared; ++k) TRY(exec_deal(h->exec, &rows, sizeof *host, host + k * rows.all, s.shared[k]));
  return OK;
}
