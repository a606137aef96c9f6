#include "app/monodomain/conductor_private.h"
#include "app/input/case_format.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/layers.h"
#include "app/monodomain/purkinje.h"
#include "core/memory.h"
#include "core/vec.h"

#include <string.h>

static const char *const WHAT = "heart and torso as a conductor";

/* Any node does where nothing is held: where currents sum up to zero none flows there. */
static Status list_held(Conductor *k, const HeartSetup *own) {
  uint8_t *mark = NULL;
  if (k->share) {
    ALLOC(k->held, 1, WHAT);
    k->held[0] = k->share->held;
    k->n_held = k->share->held >= 0;
    return OK;
  }
  ALLOC(mark, k->mesh->n_node, WHAT);
  for (int32_t i = 0; i < own->n_shock; ++i)
    for (int32_t a = 0; !own->shock[i].share && a < own->shock[i].n; ++a) mark[own->shock[i].node[a]] = 1;
  for (int32_t i = 0; i < k->mesh->n_node; ++i) k->n_held += mark[i];
  k->grounded = k->n_held > 0;
  if (!k->grounded) mark[mesh_nodes_of(k->mesh, setup_first_solved(k->mesh))[0]] = 1, k->n_held = 1;
  const Status status = mem_alloc(k->n_held, sizeof *k->held, WHAT, (void **)&k->held);
  for (int32_t i = 0, n = 0; status == OK && i < k->mesh->n_node; ++i)
    if (mark[i]) k->held[n++] = i;
  FREE(mark);
  return status;
}

static Status make_operators(Conductor *k, const Case *c, const Setup *setup) {
  static char name[] = "points where the potential is held";
  const HeartSetup *own = heart_setup(setup);
  const CaseConductivity *first = &heart_tissue(c, 0)->conductivity;
  const double unit = first->surface.value * first->capacitance.value; /* of all tissues, where there are layers */
  DiffusionLink *link[2] = {NULL, NULL};
  int32_t *point = NULL;
  Status status = OK;
  TRY(list_held(k, own));
  TRY(mesh_view_points(k->mesh, k->n_held, k->held, &k->view));
  ALLOC_DONE(point, k->n_held, WHAT);
  for (int32_t i = 0; i < k->n_held; ++i) point[i] = i;
  const Group group = {.name = name, .n = k->n_held, .element = point};
  const Support support = {.on = &group, .value = {expr_constant(0)}};
  DiffusionParams body = {.mesh = &k->view,
                          .tensor = (const double(*)[6])k->tensor,
                          .thickness = own->thickness,
                          .node_rank = k->rank,
                          .n_support = k->n_held > 0,
                          .support = &support,
                          .share = k->share ? k->share->nodes : NULL};
  DiffusionParams sources = {.mesh = k->heart,
                             .tensor = (const double(*)[6])k->intra,
                             .thickness = own->thickness,
                             .node_rank = setup->node_rank,
                             .share = body.share};
  if (own->link_cells) {
    TRY_DONE(layers_links(own, true, true, unit, &link[0]));
    TRY_DONE(layers_links(own, true, false, unit, &link[1]));
    body.link = link[0], sources.link = link[1];
    body.n_link = sources.n_link = own->n_link;
  }
  TRY_DONE(diffusion_create(k->exec, &body, &k->body));
  TRY_DONE(diffusion_create(k->exec, &sources, &k->sources));
  k->n = diffusion_rows(k->body), k->n_heart = diffusion_rows(k->sources);
  k->n_read = diffusion_dofs(k->body);
done:
  FREE(link[0]);
  FREE(link[1]);
  FREE(point);
  return status;
}

/* A GPU waits for each launch of a level of some thousand rows, nine of them and those of levels below; its inverse is two. */
static void make_bottom(LinearParams *p) {
  enum { DIRECT_ROWS = 2500 };
  const PrecondType *type = precond_named(p->preconditioner);
  p->has_values = true;
  for (int32_t i = 0; i < type->n_param; ++i)
    p->values[i] = strcmp(type->param[i].name, "bottom") ? type->param[i].value : DIRECT_ROWS;
}

static Status make_solver(Conductor *k, const Case *c, int32_t n_solve) {
  LinearParams linear = linear_params_default();
  linear.rtol = c->solver.rtol.value;
  linear.pattern = diffusion_pattern(k->body);
  linear.pattern_once = true;
  linear.has_modes = true;
  linear.solves = linear.together = n_solve;
  if (heart_is_bidomain(c)) { /* a solve in each step: its set-up counts for nothing, and each look for something */
    linear.preconditioner = "amg";
    linear.at_once = true;
  }
  /* sliced blocks a GPU makes itself; what ranks share is not chosen by the size of a part */
  const char *on_host = k->share ? NULL : "auto";
  const bool on_gpu = !exec_is_host(k->exec);
  const MatParams format = {.format = on_gpu ? mat_format_with(MAT_SLICED_BLOCKS) : on_host,
                            .window = linear.at_once && on_gpu}; /* rows stay as they are, for tiles */
  TRY(mat_create(k->exec, &format, linear.pattern, &k->a));
  linear.tiles = linear.at_once && linear_tiles_pay(k->a);
  if (linear.at_once && on_gpu) {
    make_bottom(&linear);
    if (mat_allows(k->a, PRECISION_HALF)) linear.inner = LINEAR_INNER_HALF; /* the cycle waits for its matrices */
  }
  TRY(diffusion_bind(k->body, mat_slots(k->a)));
  TRY(diffusion_matrix(k->body, 1, 0, mat_values(k->a)));
  TRY(linear_create(k->exec, &linear, k->a, &k->solver));
  return linear_setup(k->solver);
}

Status conductor_near(const Conductor *k, const Mat *a, Mat **out) { return linear_record_near(k->solver, a, out); }

Status conductor_cells(const Conductor *k, const double *V, double *to) {
  return mat_product(k->quick ? k->quick : k->cells, MAT_COMBINE, &(ProductArgs){.v = V, .w = to, .c0 = -1});
}

/* Of each row one other, or none: at[to] = from, -1. */
static Status make_spread(Exec *exec, int64_t n_from, int64_t n_to, const int32_t *at, Functional **out) {
  int32_t *start = NULL, *from = NULL;
  double *one = NULL;
  Status status = OK;
  ALLOC_DONE(start, n_to + 1, WHAT);
  ALLOC_DONE(from, n_to, WHAT);
  ALLOC_DONE(one, n_to, WHAT);
  for (int64_t i = 0; i < n_to; ++i) {
    start[i + 1] = start[i] + (at[i] >= 0);
    if (at[i] >= 0) from[start[i]] = at[i], one[start[i]] = 1;
  }
  const FunctionalParams params = {.n = n_from, .n_point = (int32_t)n_to, .start = start, .at = from, .weight = one};
  status = functional_create(exec, &params, out);
done:
  FREE(start);
  FREE(from);
  FREE(one);
  return status;
}

/* Places by nodes of the heart become those of its rows, by rows of heart and torso. */
static void places_of_rows(const Conductor *k, const TissuePlaces *node, TissuePlaces *row) {
  int32_t n = 0;
  for (int64_t i = 0; i < k->n_heart; ++i) {
    const int32_t from = diffusion_node(k->sources, i);
    for (int32_t a = node->start[from]; a < node->start[from + 1]; ++a, ++n) {
      const int32_t at = node->at[a];
      row->at[n] = (int32_t)conductor_row(k, k->mesh == k->heart ? at : k->heart->whole_node[at]);
      row->share[n] = node->share[a];
    }
    row->start[i + 1] = n;
  }
}

/* Sources are those of the tissue alone: what a tree gives it is, as of a stimulus, taken from outside and brought inside at one place. */
static Status make_maps(Conductor *k) {
  TissuePlaces node = {0}, row = {0};
  int32_t *to = NULL;
  Status status = OK;
  if (k->mesh == k->heart && !k->heart->n_cable && !k->grounded) return OK;
  TRY_DONE(tissue_places_create(k->heart, &node));
  ALLOC_DONE(to, k->n, WHAT);
  ALLOC_DONE(row.start, k->n_heart + 1, WHAT);
  ALLOC_DONE(row.at, node.start[k->heart->n_node], WHAT);
  ALLOC_DONE(row.share, node.start[k->heart->n_node], WHAT);
  places_of_rows(k, &node, &row);
  for (int64_t i = 0; i < k->n; ++i) to[i] = -1;
  for (int64_t i = 0; i < k->n_heart; ++i) {
    const int32_t from = diffusion_node(k->sources, i), a = node.start[from];
    if (a < node.start[from + 1] && node.at[a] == from) to[row.at[row.start[i]]] = (int32_t)i;
  }
  for (int32_t i = 0; i < k->n_held && k->grounded; ++i) to[conductor_row(k, k->held[i])] = -1;
  if (k->mesh != k->heart || k->grounded) TRY_DONE(make_spread(k->exec, k->n_heart, k->n, to, &k->spread));
  const FunctionalParams pick = {
      .n = k->n, .n_point = (int32_t)k->n_heart, .start = row.start, .at = row.at, .weight = row.share};
  status = functional_create(k->exec, &pick, &k->pick);
done:
  FREE(to);
  tissue_places_release(&node);
  tissue_places_release(&row);
  return status;
}

/* `one` becomes what sum m x is taken from x by, so that its mean by the masses m is 0; of a node of reference, 1. */
static Status mean_over_all(Conductor *k) {
  double volume;
  TRY(vec_fill(k->exec, k->n, 1, k->one));
  TRY(vec_dot(k->exec, k->n, k->mass, k->one, k->sum));
  TRY(exec_download(k->exec, &volume, k->sum, sizeof volume));
  return k->zero >= 0 ? OK : vec_fill(k->exec, k->n, 1 / volume, k->one);
}

static Status make_room(Conductor *k) {
  EXEC_ALLOC(k->exec, k->mass, k->n_read, WHAT);
  EXEC_ALLOC(k->exec, k->one, k->n_read, WHAT);
  EXEC_ALLOC(k->exec, k->b, k->n_read, WHAT);
  EXEC_ALLOC(k->exec, k->x, k->n_read, WHAT);
  EXEC_ALLOC(k->exec, k->sum, 1, WHAT);
  EXEC_ALLOC(k->exec, k->tally, 1, WHAT);
  TRY(exec_zero(k->exec, k->tally, sizeof *k->tally));
  TRY(diffusion_integrals(k->body, k->mass));
  return mean_over_all(k);
}

/* What electrode i does while it is on: mV at held nodes and -K of it elsewhere, or a current, which at held nodes goes to ground. */
static Status make_electrode(Conductor *k, const ShockElectrode *e, int32_t i, double *host) {
  const size_t bytes = (size_t)k->n * sizeof *host;
  EXEC_ALLOC(k->exec, k->current[i], k->n, WHAT);
  memset(host, 0, bytes);
  for (int32_t a = 0; a < e->n; ++a) host[conductor_row(k, e->node[a])] = e->amount * (e->share ? e->share[a] : 1);
  if (!e->share) {
    EXEC_ALLOC(k->exec, k->hold[i], k->n, WHAT);
    TRY(exec_upload(k->exec, k->hold[i], host, bytes));
    TRY(diffusion_residual(k->body, k->hold[i], NULL, NULL, false, k->current[i]));
    TRY(exec_download(k->exec, host, k->current[i], bytes));
  }
  for (int32_t a = 0; a < k->n_held; ++a) host[conductor_row(k, k->held[a])] = 0;
  return exec_upload(k->exec, k->current[i], host, bytes);
}

static Status make_electrodes(Conductor *k, const HeartSetup *own) {
  double *host = NULL;
  Status status = OK;
  if (!own->n_shock) return OK;
  ALLOC(k->current, own->n_shock, WHAT);
  ALLOC(k->hold, own->n_shock, WHAT);
  EXEC_ALLOC(k->exec, k->off, own->n_shock, WHAT);
  ALLOC(host, k->n, WHAT);
  k->n_shock = own->n_shock;
  for (int32_t i = 0; i < k->n_shock && status == OK; ++i) status = make_electrode(k, &own->shock[i], i, host);
  FREE(host);
  return status == OK ? conductor_set_time(k, 0) : status;
}

static Status conductor_make(Conductor *k, const Case *c, const Setup *setup, int32_t n_solve) {
  if (k->mesh != k->heart) TRY(setup_number(c, k->mesh, &k->own_rank));
  k->rank = k->mesh == k->heart ? setup->node_rank : k->own_rank;
  TRY(conductor_tensors(c, heart_setup(setup), k->heart, k->mesh, &k->tensor, &k->intra));
  TRY(make_operators(k, c, setup));
  TRY(heart_matrix(k->exec, c, k->sources, &k->cells));
  TRY(make_solver(k, c, n_solve));
  TRY(make_maps(k));
  FREE(k->tensor);
  FREE(k->intra);
  k->c = c, k->zero = heart_setup(setup)->zero - 1;
  TRY(make_room(k));
  return make_electrodes(k, heart_setup(setup));
}

Status conductor_create(Exec *exec, const Case *c, const Mesh *mesh, const Setup *setup, int32_t n_solve,
                        const ConductorShare *share, Conductor **out) {
  *out = NULL;
  Conductor *k = NULL;
  ALLOC(k, 1, WHAT);
  k->exec = exec, k->heart = mesh, k->mesh = mesh->whole ? mesh->whole : mesh;
  k->share = share, k->parts = share ? share->parts : NULL;
  const SumParts *before = exec_sum_over(exec, k->parts); /* those of a run are of the heart's rows */
  const Status status = conductor_make(k, c, setup, n_solve);
  exec_sum_over(exec, before);
  k->share = NULL;
  if (status != OK) conductor_destroy(&k);
  *out = k;
  return status;
}

static Status mean_over_spread(Conductor *k) {
  TRY(diffusion_integrals(k->sources, k->x));
  TRY(functional_points(k->spread, k->x, k->mass, NULL));
  return mean_over_all(k);
}

Status conductor_mean_over_heart(Conductor *k) {
  const SumParts *before = exec_sum_over(k->exec, k->parts);
  const Status status = k->spread ? mean_over_spread(k) : OK;
  exec_sum_over(k->exec, before);
  return status;
}

Status conductor_continue(Conductor *k, double ratio, Warm **warm, int64_t *n) {
  TRY(warm_create(k->exec, k->n, &k->warm));
  EXEC_ALLOC(k->exec, k->V, k->n_read, WHAT);
  EXEC_ALLOC(k->exec, k->rest, k->n, WHAT);
  TRY(conductor_near(k, k->cells, &k->quick));
  k->near = (WarmNear){k->V, -ratio};
  *warm = k->warm, *n = k->n;
  return OK;
}

void conductor_destroy(Conductor **conductor) {
  Conductor *k = *conductor;
  if (!k) return;
  warm_destroy(&k->warm);
  EXEC_RELEASE(k->exec, k->V, k->n_read);
  EXEC_RELEASE(k->exec, k->rest, k->n);
  EXEC_RELEASE(k->exec, k->mass, k->n_read);
  EXEC_RELEASE(k->exec, k->one, k->n_read);
  EXEC_RELEASE(k->exec, k->b, k->n_read);
  EXEC_RELEASE(k->exec, k->x, k->n_read);
  EXEC_RELEASE(k->exec, k->sum, 1);
  EXEC_RELEASE(k->exec, k->tally, 1);
  EXEC_RELEASE(k->exec, k->off, k->n_shock);
  for (int32_t i = 0; i < k->n_shock; ++i) {
    EXEC_RELEASE(k->exec, k->current[i], k->n);
    EXEC_RELEASE(k->exec, k->hold[i], k->n);
  }
  mem_free((void **)(void *)&k->current);
  mem_free((void **)(void *)&k->hold);
  FREE(k->held);
  functional_destroy(&k->spread);
  functional_destroy(&k->pick);
  linear_destroy(&k->solver);
  mat_destroy(&k->a);
  mat_destroy(&k->quick);
  mat_destroy(&k->cells);
  diffusion_destroy(&k->body);
  diffusion_destroy(&k->sources);
  mesh_view_release(&k->view);
  FREE(k->tensor);
  FREE(k->intra);
  FREE(k->own_rank);
  FREE(*conductor);
}

void conductor_work(const Conductor *k, int64_t *solves, int64_t *iterations) {
  *solves = k->solves, *iterations = k->iterations;
}

/* ---- the potential outside of the cells ---- */

/* x where the next solve begins. */
static Status begin_solve(Conductor *k) {
  if (!k->warm) return exec_zero(k->exec, k->x, (size_t)k->n * sizeof *k->x);
  return warm_begin(k->warm, k->rest, &k->near, k->x);
}

static Status keep_solution(Conductor *k, const int32_t *skip) {
  return warm_keep(k->warm, k->rest, linear_recorded_residual(k->solver), &k->near, k->x, skip);
}

/* V by rows of heart and torso, and what of b is not explained by it. */
static Status put_near(Conductor *k, const double *V, int64_t held) {
  if (!k->warm) return OK;
  TRY(k->spread ? functional_points(k->spread, V, k->V, NULL) : exec_copy(k->exec, k->V, V, (size_t)k->n * sizeof *V));
  if (held < k->n) TRY(exec_zero(k->exec, k->V + held, sizeof *k->V));
  return mat_product(linear_recorded_matrix(k->solver), MAT_COMBINE,
                     &(ProductArgs){.v = k->V, .w = k->rest, .b = k->b, .c0 = -k->near.factor, .c3 = 1});
}

static Status add_electrodes(const Conductor *k, double *const *of, double *to) {
  for (int32_t i = 0; i < k->n_shock; ++i)
    if (of[i]) TRY(vec_less(k->exec, k->n, &k->off[i], of[i], to));
  return OK;
}

Status conductor_set_time(Conductor *k, double time) {
  double *off = NULL;
  if (!k->n_shock) return OK;
  ALLOC(off, k->n_shock, "which electrodes are on");
  for (int32_t i = 0; i < k->n_shock; ++i) off[i] = electrode_is_on(k->c, i, time) ? -1 : 0;
  const Status status = exec_upload(k->exec, k->off, off, (size_t)k->n_shock * sizeof *off);
  FREE(off);
  return status;
}

/* b and x of V, by rows of heart and torso. */
static Status put_problem(Conductor *k, const double *V) {
  double *sources = k->spread ? k->x : k->b;
  TRY(conductor_cells(k, V, sources));
  if (k->spread) TRY(functional_points(k->spread, sources, k->b, NULL));
  TRY(add_electrodes(k, k->current, k->b));
  const int64_t held = !k->grounded && k->n_held ? conductor_row(k, k->held[0]) : k->n;
  if (held < k->n) TRY(exec_zero(k->exec, k->b + held, sizeof *k->b));
  TRY(put_near(k, V, held));
  return begin_solve(k);
}

/* What the solution is without a constant, where that is not known. */
static Status take_solution(Conductor *k) {
  TRY(add_electrodes(k, k->hold, k->x));
  if (k->grounded) return OK;
  if (k->zero >= 0) TRY(exec_copy(k->exec, k->sum, k->x + conductor_row(k, k->zero), sizeof *k->sum));
  else TRY(vec_dot(k->exec, k->n, k->mass, k->x, k->sum));
  return vec_less(k->exec, k->n, k->sum, k->one, k->x);
}

/* keep: later ones begin at this one too. */
static Status solve_ordinarily(Conductor *k, bool keep) {
  LinearReport report;
  TRY_CONTEXT(linear_solve(k->solver, k->b, k->x, &report), "while solving for the extracellular potential");
  k->iterations += report.iterations, ++k->solves;
  if (k->warm && keep) {
    TRY(linear_form_residual(k->solver, k->b, k->x));
    TRY(keep_solution(k, NULL));
  }
  return take_solution(k);
}

static Status solve_potential(Conductor *k, const double *V, bool keep) {
  TRY(put_problem(k, V));
  return solve_ordinarily(k, keep);
}

/* Of the heart alone. */
static Status pick_potential(Conductor *k, double *phi) {
  return k->pick ? functional_points(k->pick, k->x, phi, NULL)
                 : exec_copy(k->exec, phi, k->x, (size_t)k->n * sizeof *phi);
}

Status conductor_potential(Conductor *k, const double *V, double *phi) {
  const SumParts *before = exec_sum_over(k->exec, k->parts);
  Status status = solve_potential(k, V, true);
  exec_sum_over(k->exec, before);
  if (status == OK) status = pick_potential(k, phi);
  return status;
}

bool conductor_can_record(const Conductor *k) { return k->warm && linear_can_record(k->solver); }

Status conductor_record_prepare(Conductor *k, int32_t *made) { return linear_record_prepare(k->solver, k->x, made); }

const int32_t *conductor_failed(const Conductor *k) { return &k->tally->failed; }

Status conductor_record(Conductor *k, const double *V, double *phi, int32_t *stop, int32_t end) {
  const SumParts *before = exec_sum_over(k->exec, k->parts);
  Status status = put_problem(k, V);
  if (status == OK) status = linear_record(k->solver, k->b, k->tally, stop, end);
  if (status == OK && k->warm) status = keep_solution(k, &k->tally->failed);
  if (status == OK) status = take_solution(k);
  exec_sum_over(k->exec, before);
  return status == OK ? pick_potential(k, phi) : status;
}

Status conductor_recorded(Conductor *k, double *phi, bool *mended) {
  PcgTally tally;
  TRY(exec_download(k->exec, &tally, k->tally, sizeof tally));
  TRY(exec_zero(k->exec, k->tally, sizeof tally));
  k->solves += tally.solves, k->iterations += tally.iterations;
  *mended = tally.failed;
  if (!tally.failed) return OK;
  k->solves -= 1; /* the same once more: where that one ended is not known to be any good */
  const SumParts *before = exec_sum_over(k->exec, k->parts);
  Status status = begin_solve(k);
  if (status == OK) status = solve_ordinarily(k, true);
  exec_sum_over(k->exec, before);
  return status == OK ? pick_potential(k, phi) : status;
}

Status conductor_body(Conductor *k, const double *V, double *phi) {
  const SumParts *before = exec_sum_over(k->exec, k->parts);
  double *host = NULL, *rows = NULL;
  Status status = OK;
  ALLOC_DONE(host, k->n_heart, WHAT);
  TRY_DONE(exec_alloc(k->exec, k->n_heart, sizeof *rows, WHAT, (void **)&rows));
  for (int64_t i = 0; i < k->n_heart; ++i) host[i] = V[diffusion_node(k->sources, i)];
  TRY_DONE(exec_upload(k->exec, rows, host, (size_t)k->n_heart * sizeof *host));
  TRY_DONE(solve_potential(k, rows, false));
  status = diffusion_download(k->body, k->x, phi);
done:
  exec_sum_over(k->exec, before);
  if (rows) EXEC_RELEASE(k->exec, rows, k->n_heart);
  FREE(host);
  return status;
}
