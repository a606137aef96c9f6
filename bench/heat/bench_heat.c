/* `sinew bench heat`: steps a second of the heat equation on a square grid with a node for each pixel, as in the
 * ELLPACK-R paper (Michels and Hartmann): du/dt = laplace u, insulated edges, backward Euler with dt = h^2 (the paper
 * does not name its step), bilinear elements, to a relative residual of 1e-6. With the paper's solver (ELLPACK-R,
 * Jacobi), with Sinew's default and with the polynomial. */
#include "assembly/diffusion/diffusion.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "output/json.h"
#include "solver/time/stepper.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  int32_t nodes; /* per direction */
  double paper;  /* steps a second on a GeForce GTX 480; 0: not given */
} SIZES[] = {{"256", 256, 20}, {"512", 512, 10}, {"1024", 1024, 7}, {"2048", 2048, 0}, {"4096", 4096, 0}};

/* part: its word for --part */
static const struct {
  const char *name, *part, *format, *preconditioner;
  bool mixed;
} SOLVERS[] = {{"paper's", "paper", "ellr", "jacobi", false},
               /* what `auto` of a case takes at this step: app/heat/heat_choice.c */
               {"default", "default", "sbell", "jacobi", false},
               {"degree 8", "polynomial", "sbell", "least-squares", true}};

enum { N_SIZES = 5, N_SOLVERS = 3, WARM = 3, SMALL = 1024 /* up to here without being asked for on the CPU */ };

typedef struct Heat {
  Exec *exec;
  const BenchParams *params;
  int32_t size, solver_index; /* into the tables above */
  int32_t nodes;              /* per direction, scaled by --percent */
  Mesh *mesh;
  double (*tensor)[6]; /* owned, [n_solved] */
  double *initial;     /* owned, [n_node] */
  Diffusion *diffusion;
  Mat *a, *stiffness, *mass;
  LinearSolver *solver;
  Stepper *stepper;
  double *u; /* on the Exec, [dofs] */
  int64_t steps, iterations;
  double seconds, bytes; /* of all steps; least per iteration */
} Heat;

static Status tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  const Heat *h = context;
  (void)u;
  return diffusion_combine(h->diffusion, mat_values(h->stiffness), mat_values(h->mass), &stage->clock->theta,
                           mat_values(a));
}

static void heat_release(Heat *h) {
  stepper_destroy(&h->stepper);
  if (h->diffusion) EXEC_RELEASE(h->exec, h->u, diffusion_dofs(h->diffusion));
  linear_destroy(&h->solver);
  mat_destroy(&h->mass);
  mat_destroy(&h->stiffness);
  mat_destroy(&h->a);
  diffusion_destroy(&h->diffusion);
  FREE(h->tensor);
  FREE(h->initial);
  mesh_destroy(&h->mesh);
}

/* Rings and checks, black and white: every wave length that the grid has. */
static double grey(double x, double y) {
  const double r = hypot(x - 0.5, y - 0.5);
  if (r > 0.3) return r > 0.34 && r < 0.42;
  return ((int)(20 * x) + (int)(20 * y)) % 2;
}

static Status make_problem(Heat *h) {
  const int32_t cells = h->nodes - 1, n_solved = cells * cells;
  const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {cells, cells}, .size = {1, 1}};
  TRY(mesh_box(&box, &h->mesh));
  ALLOC(h->tensor, n_solved, "conductivity");
  ALLOC(h->initial, h->mesh->n_node, "initial temperature");
  for (int32_t e = 0; e < n_solved; ++e) h->tensor[e][0] = h->tensor[e][1] = h->tensor[e][2] = 1;
  for (int32_t i = 0; i < h->mesh->n_node; ++i) h->initial[i] = grey(h->mesh->x[i][0], h->mesh->x[i][1]);
  const DiffusionParams params = {.mesh = h->mesh, .tensor = (const double(*)[6])h->tensor};
  return diffusion_create(h->exec, &params, &h->diffusion);
}

static Status make_solver(Heat *h) {
  const MatParams format = {.format = SOLVERS[h->solver_index].format};
  LinearParams linear = linear_params_default();
  linear.rtol = 1e-6;
  linear.preconditioner = SOLVERS[h->solver_index].preconditioner;
  linear.mixed = SOLVERS[h->solver_index].mixed;
  linear.pattern = diffusion_pattern(h->diffusion);
  TRY(mat_create(h->exec, &format, diffusion_pattern(h->diffusion), &h->a));
  TRY(diffusion_bind(h->diffusion, mat_slots(h->a)));
  TRY(linear_create(h->exec, &linear, h->a, &h->solver));
  EXEC_ALLOC(h->exec, h->u, diffusion_dofs(h->diffusion), "temperature");
  return diffusion_initial(h->diffusion, h->initial, h->u);
}

static Status make_stepper(Heat *h, int64_t steps) {
  const double dt = 1.0 / ((double)(h->nodes - 1) * (h->nodes - 1));
  TRY(mat_create_like(h->a, PRECISION_DOUBLE, &h->stiffness));
  TRY(mat_create_like(h->a, PRECISION_DOUBLE, &h->mass));
  TRY(diffusion_operators(h->diffusion, mat_values(h->stiffness), mat_values(h->mass)));
  const Problem problem = {.context = h,
                           .n = diffusion_dofs(h->diffusion),
                           .linear = true,
                           .fixed = diffusion_fixed(h->diffusion),
                           .stiffness = h->stiffness,
                           .mass = h->mass,
                           .tangent = tangent};
  const StepperParams params = {.scheme = &backward_euler_scheme, .control = {.end = (double)steps * dt, .step = dt}};
  TRY(stepper_create(h->exec, &problem, &params, h->a, h->solver, &h->stepper));
  return stepper_start(h->stepper, h->u);
}

/* The first steps build the matrix and record the loop: they are not counted. */
static Status walk(Heat *h) {
  double begin = bench_now();
  for (int64_t k = 0; !stepper_done(h->stepper); ++k) {
    StepReport step = {0};
    if (k == WARM) {
      TRY(exec_sync(h->exec));
      begin = bench_now();
    }
    TRY(stepper_step(h->stepper, 1, &step));
    if (k < WARM) continue;
    ++h->steps;
    h->iterations += step.linear.iterations;
    h->bytes = step.linear.bytes_per_iteration;
  }
  TRY(exec_sync(h->exec));
  h->seconds = bench_now() - begin;
  return OK;
}

static void report(const Heat *h, double copy, FILE *out, Json *json) {
  const double rate = (double)h->steps / h->seconds, paper = SIZES[h->size].paper;
  const double share = h->bytes * (double)h->iterations / h->seconds * 1e-9 / copy;
  const bool same = h->nodes == SIZES[h->size].nodes;
  fprintf(out, "%5d^2  %-8s %-6s %-13s %10.1f steps/s  %5.1f its/step  %5.1f %% of copy", h->nodes,
          SOLVERS[h->solver_index].name, SOLVERS[h->solver_index].format, SOLVERS[h->solver_index].preconditioner, rate,
          (double)h->iterations / (double)h->steps, 100 * share);
  if (paper > 0 && same) fprintf(out, "  paper %.0f, %.0f x", paper, rate / paper);
  fprintf(out, "\n");
  json_object(json, NULL);
  json_integer(json, "nodes_per_direction", h->nodes);
  json_string(json, "solver", SOLVERS[h->solver_index].name);
  json_string(json, "format", SOLVERS[h->solver_index].format);
  json_string(json, "preconditioner", SOLVERS[h->solver_index].preconditioner);
  json_integer(json, "unknowns", diffusion_unknowns(h->diffusion));
  json_integer(json, "steps", h->steps);
  json_number(json, "steps_per_second", rate);
  json_number(json, "iterations_per_step", (double)h->iterations / (double)h->steps);
  json_number(json, "bytes_per_iteration", h->bytes);
  json_number(json, "share_of_copy", share);
  if (paper > 0 && same) json_number(json, "paper_steps_per_second", paper);
  json_end(json);
}

static Status run_one(Heat *h, double copy, FILE *out, Json *json) {
  const int32_t counted = h->params->repeat > 0 ? h->params->repeat : exec_is_host(h->exec) ? 10 : 200;
  TRY(make_problem(h));
  TRY(make_solver(h));
  TRY(make_stepper(h, WARM + counted));
  TRY(walk(h));
  report(h, copy, out, json);
  return OK;
}

/* Whether the list `part`, words with commas between, holds a word; NULL holds all. */
static bool part_holds(const char *part, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = part; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strcspn(at, ",") == n && !strncmp(at, word, n)) return true;
  return !part;
}

static Status check_part(const char *part) {
  for (const char *at = part; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    const size_t n = strcspn(at, ",");
    bool found = false;
    for (int i = 0; i < N_SOLVERS; ++i) found |= strlen(SOLVERS[i].part) == n && !strncmp(at, SOLVERS[i].part, n);
    CHECK(found, ERR_USAGE, "'heat' has no part '%.*s'\n  allowed, with commas between: paper, default, polynomial",
          (int)(n < 40 ? n : 40), at);
  }
  return OK;
}

static Status check_only(const BenchParams *params) {
  for (int i = 0; i < N_SIZES; ++i)
    if (bench_wants(params, SIZES[i].name)) return OK;
  return FAIL(ERR_USAGE, "no size of 'heat' is called '%.40s'\n  allowed: 256, 512, 1024, 2048, 4096", params->only);
}

static Status run_size(Exec *exec, const BenchParams *params, int32_t size, double copy, FILE *out, Json *json) {
  const int32_t percent = params->percent > 0 ? params->percent : 100;
  for (int32_t i = 0; i < N_SOLVERS; ++i) {
    if (!part_holds(params->part, SOLVERS[i].part)) continue;
    Heat h = {.exec = exec, .params = params, .size = size, .solver_index = i};
    h.nodes = (int32_t)((int64_t)SIZES[size].nodes * percent / 100);
    if (h.nodes < 3) h.nodes = 3;
    const Status status = run_one(&h, copy, out, json);
    heat_release(&h);
    TRY(status);
  }
  return OK;
}

Status bench_heat(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status;
  double copy;
  TRY(check_part(params->part));
  TRY(check_only(params));
  TRY_DONE(json_create(&json));
  TRY_DONE(bench_copy(exec, &copy));
  fprintf(out, "%s: copy %.0f GB/s; backward Euler, dt = h^2, relative residual 1e-6\n", exec->device, copy);
  json_string(json, "bench", "heat");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_number(json, "copy_gb_per_s", copy);
  json_array(json, "figures");
  for (int32_t i = 0; i < N_SIZES; ++i) {
    const bool asked = params->only && bench_wants(params, SIZES[i].name);
    if (!bench_wants(params, SIZES[i].name) || (exec_is_host(exec) && SIZES[i].nodes > SMALL && !asked)) continue;
    TRY_DONE(run_size(exec, params, i, copy, out, json));
  }
  json_end(json);
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
