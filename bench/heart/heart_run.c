/* One heart and one scheme: from mesh to steps. */
#include "bench/heart/heart_run.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "mesh/fibers/fibers.h"
#include "mesh/order/order.h"

#include <math.h>
#include <time.h>

static const double ACTIVE = -30; /* mV */

static Status current(void *context, const Stage *stage, const double *on, double *out) {
  return monodomain_current(context, stage->when, on, out);
}
static Status reaction(void *context, const Stage *stage, const double *V, double *r, double *diagonal) {
  return monodomain_reaction(context, &stage->clock->theta, stage->when, V, r, diagonal);
}
static Status tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)u;
  return monodomain_tangent(context, &stage->clock->theta, NULL, mat_values(a));
}
static Status commit(void *context, const Stage *stage, const double *V, const double *before) {
  (void)before;
  return monodomain_commit(context, &stage->clock->theta, stage->when, V);
}

void heart_run_release(HeartRun *h) {
  stepper_destroy(&h->stepper);
  linear_destroy(&h->solver);
  mat_destroy(&h->a);
  mat_destroy(&h->mass_matrix);
  mat_destroy(&h->stiffness);
  EXEC_RELEASE(h->exec, h->mass, h->n);
  EXEC_RELEASE(h->exec, h->V, h->n);
  monodomain_destroy(&h->monodomain);
  FREE(h->tensor);
  FREE(h->stimulated);
  FREE(h->rank);
  FREE(h->host);
}

/* Nodes within a tenth of the mesh's size, 1.5 mm at least, of the node nearest to the lowest corner. */
static int32_t stimulate(const Mesh *mesh, int32_t *node) {
  const double radius = fmax(1.5, 0.1 * mesh_size(mesh));
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, least = HUGE_VAL;
  int32_t n = 0, centre = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) low[k] = fmin(low[k], mesh->x[i][k]);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i], r = hypot(hypot(x[0] - low[0], x[1] - low[1]), x[2] - low[2]);
    if (r < least) least = r, centre = i;
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i], *c = mesh->x[centre];
    if (hypot(hypot(x[0] - c[0], x[1] - c[1]), x[2] - c[2]) <= radius) node[n++] = i;
  }
  return n;
}

static bool has_fibers(const Mesh *mesh) {
  const MeshField *node = mesh_field(mesh, "fiber", true), *element = mesh_field(mesh, "fiber", false);
  return (node && node->n_component == 3) || (element && element->n_component == 3);
}

static Status make_arrays(HeartRun *h) {
  const Mesh *mesh = h->mesh;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) h->n_solved += mesh->block[b].n;
  ALLOC(h->tensor, h->n_solved, "diffusivity");
  ALLOC(h->stimulated, mesh->n_node, "stimulated nodes");
  ALLOC(h->rank, mesh->n_node, "numbering of the nodes");
  ALLOC(h->host, mesh->n_node, "potential");
  FiberTissue tissue = {.along = HEART_ALONG};
  h->fibers = has_fibers(mesh);
  if (h->fibers) tissue.fiber.field = "fiber", tissue.across = HEART_ACROSS;
  TRY(fiber_tensors(mesh, &tissue, NULL, 0, h->tensor));
  MeshOrder order;
  TRY(mesh_order_choose(mesh, 1, h->rank, &order));
  h->ordered = order != ORDER_NATURAL;
  h->n_stimulated = stimulate(mesh, h->stimulated);
  return OK;
}

static Status make_problem(HeartRun *h) {
  const int kind = ionic_by_name("aliev-panfilov"), preset = ionic_preset(kind, "goktepe-kuhl");
  CHECK(kind >= 0 && preset >= 0, ERR_BUG, "there is no aliev-panfilov with goktepe-kuhl");
  TRY(make_arrays(h));
  const MonodomainStimulus stimulus = {.n = h->n_stimulated, .node = h->stimulated, .amplitude = HEART_AMPLITUDE};
  const IonicConstants cells = ionic_constants(kind, preset);
  const MonodomainParams params = {
      .diffusion = {.mesh = h->mesh, .tensor = (const double(*)[6])h->tensor, .node_rank = h->ordered ? h->rank : NULL},
      .scheme = h->scheme,
      .n_region = 1,
      .region = &cells,
      .n_stimulus = 1,
      .stimulus = &stimulus};
  TRY(monodomain_create(h->exec, &params, &h->monodomain));
  h->n = diffusion_dofs(monodomain_diffusion(h->monodomain));
  return OK;
}

static Status make_matrices(HeartRun *h) {
  Diffusion *diffusion = monodomain_diffusion(h->monodomain);
  const bool gauss = h->scheme == MONODOMAIN_GAUSS;
  const bool gpu = !exec_is_host(h->exec);
  const MatParams format = {.format = gauss && !gpu ? "auto" : "sbell",
                            .window = gpu ? 1 : 0}; /* app/monodomain/heart.c */
  TRY(mat_create(h->exec, &format, diffusion_pattern(diffusion), &h->stiffness));
  TRY(monodomain_bind(h->monodomain, mat_slots(h->stiffness)));
  if (gauss) TRY(mat_create_like(h->stiffness, PRECISION_DOUBLE, &h->mass_matrix));
  TRY(diffusion_operators(diffusion, mat_values(h->stiffness), gauss ? mat_values(h->mass_matrix) : NULL));
  EXEC_ALLOC(h->exec, h->mass, h->n, "lumped mass");
  EXEC_ALLOC(h->exec, h->V, h->n, "potential");
  TRY(diffusion_lumped_mass(diffusion, h->mass));
  return gauss ? mat_create_like(h->stiffness, PRECISION_DOUBLE, &h->a) : OK;
}

Status heart_run_linear(HeartRun *h) {
  if (h->scheme != MONODOMAIN_GAUSS) return OK;
  LinearParams linear = linear_params_default();
  linear.preconditioner = "jacobi";
  linear.pattern = diffusion_pattern(monodomain_diffusion(h->monodomain));
  return linear_create(h->exec, &linear, h->a, &h->solver);
}

Status heart_run_stepper(HeartRun *h, double start, int32_t steps) {
  const EvolutionPulse pulse = {.start = start, .duration = HEART_DURATION, .count = 1};
  const Problem problem = {.context = h->monodomain,
                           .n = h->n,
                           .reaction.nodal = !h->mass_matrix,
                           .reaction.lumped = h->mass,
                           .fixed = diffusion_fixed(monodomain_diffusion(h->monodomain)),
                           .stiffness = h->stiffness,
                           .mass = h->mass_matrix,
                           .reaction.max_slope = monodomain_max_slope(h->monodomain),
                           .reaction.current = current,
                           .force = reaction,
                           .tangent = h->mass_matrix ? tangent : NULL,
                           .commit = commit};
  const StepperParams params = {.scheme = &backward_euler_scheme,
                                .control = {.end = steps * HEART_DT, .step = HEART_DT},
                                .n_pulse = 1,
                                .pulse = &pulse,
                                .reference = HEART_REFERENCE,
                                .rtol = h->rtol};
  TRY(stepper_create(h->exec, &problem, &params, h->a, h->solver, &h->stepper));
  return stepper_start(h->stepper, h->V);
}

static Status walk(HeartRun *h) {
  StepReport step;
  for (int64_t done = 0; done < HEART_WARM; done += step.steps) TRY(stepper_step(h->stepper, HEART_WARM - done, &step));
  TRY(exec_sync(h->exec));
  const double begin = bench_now();
  const clock_t spent = clock();
  h->fastest = HUGE_VAL;
  while (!stepper_done(h->stepper)) {
    const double before = bench_now();
    TRY(stepper_step(h->stepper, exec_is_host(h->exec) ? 1 : h->counted, &step));
    h->fastest = fmin(h->fastest, (bench_now() - before) / (double)step.steps);
    h->steps += step.steps;
    h->newton += step.newton;
    h->products += step.linear.products;
    h->residual = fmax(h->residual, step.residual);
  }
  TRY(exec_sync(h->exec));
  h->seconds = bench_now() - begin;
  h->processor = (double)(clock() - spent) / CLOCKS_PER_SEC;
  TRY(diffusion_download(monodomain_diffusion(h->monodomain), h->V, h->host));
  for (int32_t i = 0; i < h->mesh->n_node; ++i) h->active += (h->host[i] > ACTIVE) / (double)h->mesh->n_node;
  return OK;
}

/* What a nodal step must move but for the cells: the sum at the head of solver/time/stepper_resident.c. */
static Status count_bytes(HeartRun *h) {
  if (h->scheme != MONODOMAIN_NODAL) return OK;
  Mat *low = NULL;
  TRY(mat_create_like(h->stiffness, exec_is_host(h->exec) ? PRECISION_FLOAT : PRECISION_HALF, &low));
  const double n = (double)h->n, newton = (double)h->newton / (double)h->steps;
  const double inner = (double)h->products / (double)h->steps - newton; /* a true product ends each Newton step */
  h->bytes = n * (80 + 64 + 80 * (newton + 1) + 24 * newton) + newton * ((double)mat_bytes(h->stiffness) + 16 * n) +
             inner * ((double)mat_bytes(low) + 24 * n);
  mat_destroy(&low);
  return OK;
}

Status heart_run(HeartRun *h) {
  TRY(make_problem(h));
  TRY(make_matrices(h));
  TRY(heart_run_linear(h));
  TRY(monodomain_rest(h->monodomain, h->V));
  TRY(monodomain_start(h->monodomain, h->V));
  TRY(heart_run_stepper(h, 0, HEART_WARM + h->counted));
  TRY(walk(h));
  return count_bytes(h);
}
