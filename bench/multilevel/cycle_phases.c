#include "bench/multilevel/cycle_phases.h"
#include "assembly/diffusion/diffusion.h"
#include "bench/measure.h"
#include "bench/heart/profile.h"
#include "core/memory.h"
#include "output/json.h"
#include "solver/krylov/linear_record.h"

#include <math.h>
#include <string.h>

static const char POTENTIAL[] = CYCLE_POTENTIAL;
static const char *const INSIDE[] = {"float", "half", "int8"}; /* of the hierarchy */
enum { N_INSIDE = 3 };

typedef struct CyclePhases {
  Exec *exec;
  const BenchParams *params;
  FILE *out;
  Json *json;
  const char *name;
  BenchProblem problem;
  Diffusion *potential; /* owned, as is all below: in place of the problem */
  Mesh *mesh;
  double (*tensor)[6]; /* [elements] */
  Mat *a;
  double *b, *x, *motions; /* b and x on the Exec */
  int64_t n;
  LinearSolver *solver;
  const char *inside;
} CyclePhases;

static void release(CyclePhases *c) {
  linear_destroy(&c->solver);
  EXEC_RELEASE(c->exec, c->b, c->n);
  EXEC_RELEASE(c->exec, c->x, c->n);
  FREE(c->motions);
  mat_destroy(&c->a);
  problem_release(&c->problem);
  diffusion_destroy(&c->potential);
  FREE(c->tensor);
  mesh_destroy(&c->mesh);
}

/* As for each step of a bidomain (app/monodomain/conductor.c). */
static void potential_hints(const CyclePhases *c, LinearParams *params) {
  enum { DIRECT_ROWS = 2500 };
  const PrecondType *type = precond_named(params->preconditioner);
  params->pattern = diffusion_pattern(c->potential);
  params->has_modes = params->at_once = params->has_values = true;
  params->tiles = linear_tiles_pay(c->a);
  for (int32_t i = 0; i < type->n_param; ++i)
    params->values[i] = strcmp(type->param[i].name, "bottom") ? type->param[i].value : DIRECT_ROWS;
}

static Status make_solver(CyclePhases *c) {
  LinearParams params = linear_params_default();
  params.rtol = c->params->rtol > 0 ? c->params->rtol : c->potential ? 1e-6 : 1e-8;
  params.preconditioner = "amg";
  TRY(linear_params_precision(&params, c->inside));
  if (c->potential) potential_hints(c, &params);
  else TRY(problem_hints(c->exec, &c->problem, c->a, &params, &c->motions));
  TRY(linear_create(c->exec, &params, c->a, &c->solver));
  return linear_setup(c->solver);
}

static Status solve(CyclePhases *c, LinearReport *report) {
  TRY(exec_zero(c->exec, c->x, (size_t)c->n * sizeof *c->x));
  return linear_solve(c->solver, c->b, c->x, report);
}

static Status print(CyclePhases *c, Profile *profile, const LinearReport *report, double seconds) {
  const ProfileRow *row;
  const double each = 1e6 / (double)report->iterations;
  double sum = 0, launches = 0;
  int n;
  TRY(profile_rows(profile, &row, &n));
  for (int k = 0; k < n; ++k) sum += row[k].seconds, launches += (double)row[k].launches;
  fprintf(c->out,
          "\n%s, %s: %lld unknowns, %lld iterations, %.2f us each in a loop, %.3f ms; launch by launch %.2f us, %.1f "
          "launches\n",
          c->name, precision_name(report->precision), (long long)c->n, (long long)report->iterations, each * seconds,
          1e3 * seconds, each * sum, launches / (double)report->iterations);
  fprintf(c->out, "  kernel                          rows  launches  us each  us an iteration\n");
  json_object(c->json, NULL);
  json_string(c->json, "mesh", c->name);
  json_string(c->json, "inside", precision_name(report->precision));
  json_integer(c->json, "unknowns", c->n);
  json_integer(c->json, "iterations", report->iterations);
  json_number(c->json, "iteration_us", each * seconds);
  json_array(c->json, "kernels");
  for (int k = 0; k < n; ++k) {
    fprintf(c->out, "  %-28s %9lld %9.2f %8.2f %8.2f\n", row[k].name, (long long)row[k].n,
            (double)row[k].launches / (double)report->iterations, 1e6 * row[k].seconds / (double)row[k].launches,
            each * row[k].seconds);
    json_object(c->json, NULL);
    json_string(c->json, "kernel", row[k].name);
    json_integer(c->json, "rows", row[k].n);
    json_integer(c->json, "launches", row[k].launches);
    json_number(c->json, "us", 1e6 * row[k].seconds);
    json_end(c->json);
  }
  json_end(c->json);
  json_end(c->json);
  return OK;
}

/* First as users run it, then launch by launch. */
static Status measure(CyclePhases *c) {
  LinearReport report = {0};
  Profile *profile = NULL;
  TRY(make_solver(c));
  for (int again = 0; again < 3; ++again) TRY(solve(c, &report));
  const double seconds = report.solve_seconds;
  linear_destroy(&c->solver);
  FREE(c->motions);
  TRY(profile_begin(c->exec, &profile));
  profile_by_rows(profile);
  Status status = make_solver(c);
  for (int again = 0; again < 2 && status == OK; ++again) {
    status = profile_reset(profile);
    if (status == OK) status = solve(c, &report);
  }
  if (status == OK) status = print(c, profile, &report, seconds);
  linear_destroy(&c->solver);
  FREE(c->motions);
  profile_end(&profile);
  return status;
}

static Status make_room(CyclePhases *c) {
  EXEC_ALLOC(c->exec, c->b, c->n, "loads");
  EXEC_ALLOC(c->exec, c->x, c->n, "displacement");
  return OK;
}

static Status make_problem(CyclePhases *c, int i) {
  double seconds;
  TRY(problem_create(c->exec, i, c->params->percent > 0 ? c->params->percent : 100, &c->problem));
  c->name = c->problem.name;
  c->n = elasticity_dofs(c->problem.elasticity);
  TRY(problem_matrix(c->exec, &c->problem, "sbell", &c->a, &seconds));
  TRY(make_room(c));
  TRY(elasticity_initial(c->problem.elasticity, c->x));
  return elasticity_residual(c->problem.elasticity, c->x, c->b);
}

/* What a front across a block of tissue makes outside of its cells: (K + small M) x = K V, conductivities of both spaces, S/m. */
static Status make_potential(CyclePhases *c) {
  static const double SIZE[3] = {20, 7, 3}, ALONG = 0.79, ACROSS = 0.259, SMALL = 1e-6; /* mm; S/m */
  const double percent = c->params->percent > 0 ? c->params->percent : 100;
  BoxParams box = {.kind = element_by_name("tet4")->kind};
  double *host = NULL;
  for (int d = 0; d < 3; ++d) box.size[d] = SIZE[d], box.n[d] = (int32_t)fmax(2, 0.107 * percent * SIZE[d]);
  TRY(mesh_box(&box, &c->mesh));
  ALLOC(c->tensor, c->mesh->n_element, "conductivities");
  for (int32_t e = 0; e < c->mesh->n_element; ++e) c->tensor[e][0] = ALONG, c->tensor[e][1] = c->tensor[e][2] = ACROSS;
  const DiffusionParams params = {.mesh = c->mesh, .tensor = (const double(*)[6])c->tensor};
  TRY(diffusion_create(c->exec, &params, &c->potential));
  TRY(mat_create(c->exec, &(MatParams){.format = "sbell", .window = 1}, diffusion_pattern(c->potential), &c->a));
  TRY(diffusion_bind(c->potential, mat_slots(c->a)));
  TRY(diffusion_matrix(c->potential, 1, SMALL, mat_values(c->a)));
  c->name = POTENTIAL, c->n = diffusion_rows(c->potential);
  TRY(make_room(c));
  ALLOC(host, c->n, "potential of the cells");
  for (int64_t i = 0; i < c->n; ++i) {
    const double *x = c->mesh->x[diffusion_node(c->potential, i)];
    host[i] = 50 * tanh(hypot(x[0], 1.7 * x[1]) - 5);
  }
  const Status status = exec_upload(c->exec, c->x, host, (size_t)c->n * sizeof *host);
  FREE(host);
  return status == OK ? mat_apply(c->a, c->x, c->b) : status;
}

/* i < 0: the potential. */
static Status run(CyclePhases *c, int i) {
  Status status = i < 0 ? make_potential(c) : make_problem(c, i);
  const int n = i < 0 ? N_INSIDE - 1 : N_INSIDE; /* 8 bits of a scalar are half */
  for (int k = 0; k < n && status == OK; ++k) {
    c->inside = INSIDE[k];
    status = measure(c);
  }
  release(c);
  return status;
}

Status cycle_phases(Exec *exec, const BenchParams *params, FILE *out) {
  CyclePhases c = {.exec = exec, .params = params, .out = out};
  Status status;
  TRY_DONE(json_create(&c.json));
  fprintf(out, "%s: an iteration of conjugate gradients with amg\n", exec->device);
  json_string(c.json, "bench", "multilevel");
  json_string(c.json, "part", "cycle");
  json_string(c.json, "version", params->version);
  json_string(c.json, "commit", params->commit);
  json_string(c.json, "device", exec->device);
  json_array(c.json, "meshes");
  for (int i = -1; i < BENCH_PROBLEMS; ++i)
    if (bench_wants(params, i < 0 ? POTENTIAL : problem_name(i))) {
      const CyclePhases fresh = {.exec = exec, .params = params, .out = out, .json = c.json};
      c = fresh;
      TRY_DONE(run(&c, i));
    }
  json_end(c.json);
  if (params->json) status = json_save(c.json, params->json);
done:
  json_destroy(&c.json);
  return status;
}
