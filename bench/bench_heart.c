/* `sinew bench heart`: steps of the monodomain equation with Aliev-Panfilov cells (goktepe-kuhl), isotropic diffusivity, on
 * the hearts of --meshes, as they are and refined once, or on generated slabs of 3,000 to 50,000 nodes; both schemes,
 * backward Euler. A sphere at a corner is stimulated; steps are timed while the wave runs. */
#include "assembly/monodomain.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "mesh/order.h"
#include "output/json.h"
#include "solver/evolution.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DT = 0.5, DIFFUSIVITY = 0.1, EDGE = 0.3; /* ms, mm2/ms, mm */
static const double AMPLITUDE = 40, DURATION = 2, REFERENCE = 100, ACTIVE = -30; /* mV/ms, ms, mV, mV */
enum { MESHES_MOST = 128, N_SLABS = 4, WARM = 8 };
enum { SMALL_NODAL = 300000, SMALL_GAUSS = 100000 }; /* nodes, on the CPU unless asked for */

static const struct {
  const char *name;
  int32_t cells[3];
} SLABS[N_SLABS] = {
    {"slab-3k", {24, 24, 4}}, {"slab-5k", {31, 31, 4}}, {"slab-30k", {60, 60, 7}}, {"slab-50k", {78, 78, 7}}};

typedef struct HeartSource {
  char name[64], path[1024]; /* path "": slab[index] */
  int32_t index, refine;
} HeartSource;

typedef struct Heart {
  Exec *exec;
  const BenchParams *params;
  const Mesh *mesh;
  MonodomainScheme scheme;
  double rtol;
  double (*tensor)[6];                            /* owned, [n_solved] */
  int32_t *stimulated, *rank;                     /* owned, [n_node] */
  Monodomain *monodomain;
  Mat *stiffness, *mass_matrix, *a;               /* the last two: gauss */
  LinearSolver *solver;
  Evolution *evolution;
  double *mass, *V, *host;                        /* [n] on the Exec, host owned [n_node] */
  int64_t n, steps, newton, products, n_solved;
  int32_t counted;                                /* steps to be timed */
  double seconds, residual, active, bytes;        /* of all steps; worst; share of the nodes; per step, 0: not known */
} Heart;

static Status current(void *context, const EvolutionClock *clock, const int32_t *when, const double *on, double *out) {
  (void)clock;
  return monodomain_current(context, when, on, out);
}
static Status reaction(void *context, const EvolutionClock *clock, const int32_t *when, const double *V, double *r,
                       double *diagonal) {
  return monodomain_reaction(context, &clock->theta, when, V, r, diagonal);
}
static Status tangent(void *context, const EvolutionClock *clock, double *values) {
  return monodomain_tangent(context, &clock->theta, NULL, values);
}
static Status commit(void *context, const EvolutionClock *clock, const int32_t *when, const double *V,
                     const double *before) {
  (void)before;
  return monodomain_commit(context, &clock->theta, when, V);
}

static void heart_release(Heart *h) {
  evolution_destroy(&h->evolution);
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

/* Nodes of elements within a tenth of the mesh's size, 1.5 mm at least, of the node nearest to the lowest corner. */
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

static Status make_problem(Heart *h) {
  const Mesh *mesh = h->mesh;
  const int kind = ionic_by_name("aliev-panfilov"), preset = ionic_preset(kind, "goktepe-kuhl");
  CHECK(kind >= 0 && preset >= 0, ERR_BUG, "there is no aliev-panfilov with goktepe-kuhl");
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) h->n_solved += mesh->block[b].n;
  ALLOC(h->tensor, h->n_solved, "diffusivity");
  ALLOC(h->stimulated, mesh->n_node, "stimulated nodes");
  ALLOC(h->rank, mesh->n_node, "numbering of the nodes");
  ALLOC(h->host, mesh->n_node, "potential");
  for (int64_t e = 0; e < h->n_solved; ++e) h->tensor[e][0] = h->tensor[e][1] = h->tensor[e][2] = DIFFUSIVITY;
  MeshOrder order;
  TRY(mesh_order_choose(mesh, 1, h->rank, &order));
  const MonodomainStimulus stimulus = {stimulate(mesh, h->stimulated), h->stimulated, AMPLITUDE};
  const IonicConstants cells = ionic_constants(kind, preset);
  const MonodomainParams params = {.diffusion = {.mesh = mesh,
                                                 .tensor = (const double(*)[6])h->tensor,
                                                 .node_rank = order == ORDER_NATURAL ? NULL : h->rank},
                                   .scheme = h->scheme,
                                   .n_region = 1,
                                   .region = &cells,
                                   .n_stimulus = 1,
                                   .stimulus = &stimulus};
  TRY(monodomain_create(h->exec, &params, &h->monodomain));
  h->n = diffusion_dofs(monodomain_diffusion(h->monodomain));
  return OK;
}

static Status make_matrices(Heart *h) {
  Diffusion *diffusion = monodomain_diffusion(h->monodomain);
  const bool gauss = h->scheme == MONODOMAIN_GAUSS;
  const MatParams format = {.format = "auto"};
  TRY(mat_create(h->exec, &format, diffusion_pattern(diffusion), &h->stiffness));
  TRY(monodomain_bind(h->monodomain, mat_slots(h->stiffness)));
  if (gauss) TRY(mat_create_like(h->stiffness, PRECISION_DOUBLE, &h->mass_matrix));
  TRY(diffusion_operators(diffusion, mat_values(h->stiffness), gauss ? mat_values(h->mass_matrix) : NULL));
  EXEC_ALLOC(h->exec, h->mass, h->n, "lumped mass");
  EXEC_ALLOC(h->exec, h->V, h->n, "potential");
  TRY(diffusion_lumped_mass(diffusion, h->mass));
  if (!gauss) return OK;
  LinearParams linear = linear_params_default();
  linear.preconditioner = "jacobi";
  linear.pattern = diffusion_pattern(diffusion);
  TRY(mat_create_like(h->stiffness, PRECISION_DOUBLE, &h->a));
  return linear_create(h->exec, &linear, h->a, &h->solver);
}

static Status make_evolution(Heart *h) {
  const EvolutionPulse pulse = {.duration = DURATION, .count = 1};
  const EvolutionProblem problem = {.context = h->monodomain,
                                    .n = h->n,
                                    .mass = h->mass,
                                    .fixed = diffusion_fixed(monodomain_diffusion(h->monodomain)),
                                    .stiffness = h->stiffness,
                                    .mass_matrix = h->mass_matrix,
                                    .steepest = monodomain_steepest(h->monodomain),
                                    .current = current,
                                    .reaction = reaction,
                                    .tangent = h->mass_matrix ? tangent : NULL,
                                    .commit = commit};
  const EvolutionParams params = {.scheme = TRANSIENT_BACKWARD_EULER,
                                  .control = {.end = (WARM + h->counted) * DT, .step = DT},
                                  .n_pulse = 1,
                                  .pulse = &pulse,
                                  .reference = REFERENCE,
                                  .rtol = h->rtol};
  TRY(evolution_create(h->exec, &problem, &params, h->a, h->solver, &h->evolution));
  TRY(monodomain_rest(h->monodomain, h->V));
  TRY(monodomain_start(h->monodomain, h->V));
  return evolution_start(h->evolution, h->V);
}

/* The first steps record the loop and outlast the stimulus: they are not counted. */
static Status walk(Heart *h) {
  EvolutionStep step;
  for (int64_t done = 0; done < WARM; done += step.steps) TRY(evolution_step(h->evolution, WARM - done, &step));
  TRY(exec_sync(h->exec));
  const double begin = bench_now();
  while (!evolution_done(h->evolution)) {
    TRY(evolution_step(h->evolution, h->counted, &step));
    h->steps += step.steps;
    h->newton += step.newton;
    h->products += step.products;
    h->residual = fmax(h->residual, step.residual);
  }
  TRY(exec_sync(h->exec));
  h->seconds = bench_now() - begin;
  TRY(diffusion_download(monodomain_diffusion(h->monodomain), h->V, h->host));
  for (int32_t i = 0; i < h->mesh->n_node; ++i) h->active += (h->host[i] > ACTIVE) / (double)h->mesh->n_node;
  return OK;
}

/* What a nodal step must move but for the cells: the sum at the head of solver/evolution_nodal.c. */
static Status count_bytes(Heart *h) {
  if (h->scheme != MONODOMAIN_NODAL) return OK;
  Mat *low = NULL;
  TRY(mat_create_like(h->stiffness, PRECISION_FLOAT, &low));
  const double n = (double)h->n, newton = (double)h->newton / (double)h->steps;
  const double inner = (double)h->products / (double)h->steps - 1; /* one is the true product at the end */
  h->bytes = n * (80 + 2 * 88 + 76 * newton + 16 + 120) + (double)mat_bytes(h->stiffness) +
             inner * ((double)mat_bytes(low) + 44 * n);
  mat_destroy(&low);
  return OK;
}

static void report(const Heart *h, const char *name, double copy, FILE *out, Json *json) {
  const char *scheme = h->scheme == MONODOMAIN_NODAL ? "nodal" : "gauss";
  const double each = h->seconds / (double)h->steps, steps = (double)h->steps;
  const double share = h->bytes / each * 1e-9 / copy, factor = 1000 * each / DT;
  fprintf(out, "%-20s %9d %9lld  %s %5.3g %7.1g %11.1f %7.2f %9.1f %9.3f", name, h->mesh->n_node, (long long)h->n_solved,
          scheme, DT, h->rtol, 1e6 * each, (double)h->newton / steps, (double)h->products / steps, factor);
  if (h->bytes > 0)
    fprintf(out, " %8.2f %6.1f %%\n", 1e-6 * h->bytes, 100 * share);
  else
    fprintf(out, " %8s %8s\n", "-", "-");
  json_object(json, NULL);
  json_string(json, "mesh", name);
  json_integer(json, "nodes", h->mesh->n_node);
  json_integer(json, "elements", h->n_solved);
  json_string(json, "scheme", scheme);
  json_string(json, "format", mat_format(h->stiffness));
  json_number(json, "dt_ms", DT);
  json_number(json, "rtol", h->rtol);
  json_integer(json, "steps", h->steps);
  json_number(json, "us_per_step", 1e6 * each);
  json_number(json, "newton_per_step", (double)h->newton / steps);
  json_number(json, "products_per_step", (double)h->products / steps);
  json_number(json, "seconds_per_simulated_second", factor);
  json_number(json, "worst_residual", h->residual);
  json_bool(json, "converged", h->residual <= h->rtol);
  json_number(json, "share_of_nodes_active", h->active);
  if (h->bytes > 0) json_number(json, "bytes_per_step", h->bytes), json_number(json, "share_of_copy", share);
  json_end(json);
}

static Status run_one(Heart *h) {
  const bool gauss = h->scheme == MONODOMAIN_GAUSS;
  h->counted = h->params->repeat > 0 ? h->params->repeat : exec_is_host(h->exec) ? 20 : 64;
  if (gauss && !h->params->repeat) h->counted /= 4;
  TRY(make_problem(h));
  TRY(make_matrices(h));
  TRY(make_evolution(h));
  TRY(walk(h));
  return count_bytes(h);
}

static Status make_mesh(const BenchParams *params, const HeartSource *source, Mesh **out) {
  if (*source->path) return mesh_load(&(MeshParams){.path = source->path, .refine = source->refine}, out);
  const int32_t percent = params->percent > 0 ? params->percent : 100;
  BoxParams box = {.kind = ELEMENT_TET4};
  for (int k = 0; k < 3; ++k) {
    box.n[k] = (int32_t)((int64_t)SLABS[source->index].cells[k] * percent / 100);
    if (box.n[k] < 1) box.n[k] = 1;
    box.size[k] = EDGE * box.n[k];
  }
  return mesh_box(&box, out);
}

static Status run_mesh(Exec *exec, const BenchParams *params, const HeartSource *source, double copy, FILE *out,
                       Json *json) {
  Mesh *mesh = NULL;
  Status status;
  TRY(make_mesh(params, source, &mesh));
  for (int scheme = MONODOMAIN_NODAL; scheme <= MONODOMAIN_GAUSS; ++scheme) {
    const int32_t most = scheme == MONODOMAIN_GAUSS ? SMALL_GAUSS : SMALL_NODAL;
    if (exec_is_host(exec) && !params->only && mesh->n_node > most) {
      fprintf(out, "%-20s %9d %9s  %s left out on the CPU; with --only %s it runs\n", source->name, mesh->n_node, "",
              scheme == MONODOMAIN_GAUSS ? "gauss" : "nodal", source->name);
      continue;
    }
    Heart h = {.exec = exec, .params = params, .mesh = mesh, .scheme = (MonodomainScheme)scheme};
    h.rtol = params->rtol > 0 ? params->rtol : 1e-8;
    status = run_one(&h);
    if (status == OK) report(&h, source->name, copy, out, json);
    heart_release(&h);
    TRY_DONE(status);
  }
  status = OK;
done:
  mesh_destroy(&mesh);
  return status;
}

static bool ends(const char *name, const char *with) {
  const size_t n = strlen(name), m = strlen(with);
  return n > m && !strcmp(name + n - m, with);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const HeartSource *)a)->name, ((const HeartSource *)b)->name);
}

static Status list_folder(const BenchParams *params, HeartSource *list, int *n) {
  DIR *folder = opendir(params->meshes);
  CHECK(folder, ERR_IO, "%s: cannot be read as a folder of meshes", params->meshes);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    const char *name = entry->d_name;
    if (!(ends(name, ".msh") || ends(name, ".h5")) || !strncmp(name, "unstructured-", 13)) continue;
    for (int32_t refine = 0; refine < 2 && *n < MESHES_MOST; ++refine) {
      HeartSource s = {.refine = refine};
      snprintf(s.name, sizeof s.name, "%.*s%s", (int)(strcspn(name, ".") < 40 ? strcspn(name, ".") : 40), name,
               refine ? "-refined" : "");
      const int length = snprintf(s.path, sizeof s.path, "%s/%s", params->meshes, name);
      if (length < (int)sizeof s.path && bench_wants(params, s.name)) list[(*n)++] = s;
    }
  }
  closedir(folder);
  qsort(list, (size_t)*n, sizeof *list, by_name);
  return OK;
}

static Status list_sources(const BenchParams *params, HeartSource *list, int *n) {
  *n = 0;
  if (params->meshes) TRY(list_folder(params, list, n));
  for (int32_t i = 0; !params->meshes && i < N_SLABS; ++i) {
    HeartSource s = {.index = i};
    snprintf(s.name, sizeof s.name, "%s", SLABS[i].name);
    if (bench_wants(params, s.name)) list[(*n)++] = s;
  }
  CHECK(*n, ERR_USAGE, "no mesh of 'heart' is called '%s'; allowed: slab-3k, slab-5k, slab-30k, slab-50k, or those of "
        "--meshes and with -refined behind", params->only ? params->only : "");
  return OK;
}

Status bench_heart(Exec *exec, const BenchParams *params, FILE *out) {
  HeartSource *list = NULL;
  Json *json = NULL;
  Status status;
  double copy;
  int n = 0;
  ALLOC(list, MESHES_MOST, "list of meshes");
  TRY_DONE(list_sources(params, list, &n));
  TRY_DONE(json_create(&json));
  TRY_DONE(bench_copy(exec, &copy));
  fprintf(out, "%s: copy %.0f GB/s; Aliev-Panfilov goktepe-kuhl, %g mm2/ms, backward Euler\n", exec->device, copy,
          DIFFUSIVITY);
  fprintf(out, "mesh                     nodes  elements scheme dt ms   rtol     us/step  Newton  products  s/1 s sim"
               "  MB/step  of copy\n");
  json_string(json, "bench", "heart");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_string(json, "model", "aliev-panfilov goktepe-kuhl");
  json_number(json, "diffusivity_mm2_per_ms", DIFFUSIVITY);
  json_number(json, "copy_gb_per_s", copy);
  json_array(json, "figures");
  for (int i = 0; i < n; ++i) TRY_DONE(run_mesh(exec, params, &list[i], copy, out, json));
  json_end(json);
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  FREE(list);
  json_destroy(&json);
  return status;
}
