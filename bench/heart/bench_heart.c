/* `sinew bench heart`: steps of the monodomain equation (bench/heart/heart_run.h) on the hearts of --meshes, as they are and
 * refined once, or on generated slabs of 3,000 to 50,000 nodes; both schemes; time per phase beside it, and PETSc's
 * time on the same hearts where --petsc gives the file of bench/petsc_heart.sh: the ell-warp-heart-fem paper's Figures
 * 1, 2 and 12. */
#include "bench/heart/heart_run.h"
#include "bench/measure.h"
#include "core/memory.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const double EDGE = 0.3; /* of a slab's cubes, mm */
enum { MESHES_MOST = 128, N_SLABS = 4, RANKS = 2 };
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

typedef struct HeartBench {
  Exec *exec;
  const BenchParams *params;
  double copy; /* GB/s */
  FILE *out;
  Json *json;
} HeartBench;

static const char *scheme_name(MonodomainScheme scheme) { return scheme == MONODOMAIN_NODAL ? "nodal" : "gauss"; }

static void print_row(const HeartBench *b, const HeartRun *h) {
  const double each = h->seconds / (double)h->steps, steps = (double)h->steps;
  fprintf(b->out, "%-22s %8d %8lld  %s %4.3g/%-4.2g %7.1g %11.1f %7.2f %9.1f %9.3f", h->name, h->mesh->n_node,
          (long long)h->n_solved, scheme_name(h->scheme), HEART_ALONG, h->fibers ? HEART_ACROSS : HEART_ALONG, h->rtol,
          1e6 * each, (double)h->newton / steps, (double)h->products / steps, 1000 * each / HEART_DT);
  if (h->bytes > 0) fprintf(b->out, " %8.2f %6.1f %%\n", 1e-6 * h->bytes, 100 * h->bytes / each * 1e-9 / b->copy);
  else fprintf(b->out, " %8s %8s\n", "-", "-");
}

static void print_phases(const HeartBench *b, const HeartRun *h) {
  double sum = 0;
  for (int k = 0; k < HEART_PHASES; ++k) sum += h->phase[k];
  fprintf(b->out, "    launch by launch %.1f us:", 1e6 * sum);
  for (int k = 0; k < HEART_PHASES; ++k)
    fprintf(b->out, "%s %s %.1f %%", k ? "," : "", heart_phase_name((HeartPhase)k), 100 * h->phase[k] / sum);
  fprintf(b->out, "\n");
}

static void write_figures(Json *json, const HeartBench *b, const HeartRun *h) {
  const double each = h->seconds / (double)h->steps, steps = (double)h->steps;
  json_string(json, "mesh", h->name);
  json_integer(json, "nodes", h->mesh->n_node);
  json_integer(json, "elements", h->n_solved);
  json_string(json, "scheme", scheme_name(h->scheme));
  json_string(json, "format", mat_format(h->stiffness));
  json_number(json, "along_mm2_per_ms", HEART_ALONG);
  json_number(json, "across_mm2_per_ms", h->fibers ? HEART_ACROSS : HEART_ALONG);
  json_number(json, "dt_ms", HEART_DT);
  json_number(json, "rtol", h->rtol);
  json_integer(json, "steps", h->steps);
  json_number(json, "us_per_step", 1e6 * each);
  json_number(json, "fastest_us", 1e6 * h->fastest);
  if (exec_is_host(b->exec)) json_number(json, "processor_us_per_step", 1e6 * h->processor / steps);
  json_number(json, "newton_per_step", (double)h->newton / steps);
  json_number(json, "products_per_step", (double)h->products / steps);
  json_number(json, "seconds_per_simulated_second", 1000 * each / HEART_DT);
  json_number(json, "worst_residual", h->residual);
  json_bool(json, "converged", h->residual <= h->rtol);
  json_number(json, "share_of_nodes_active", h->active);
  if (h->bytes <= 0) return;
  json_number(json, "bytes_per_step", h->bytes);
  json_number(json, "share_of_copy", h->bytes / each * 1e-9 / b->copy);
}

static void write_phases(Json *json, const HeartRun *h) {
  json_object(json, "phases_us_launch_by_launch");
  for (int k = 0; k < HEART_PHASES; ++k) json_number(json, heart_phase_name((HeartPhase)k), 1e6 * h->phase[k]);
  json_end(json);
}

/* PETSc's time on one rank and on two, and how many times faster this was. */
static Status rivals(const HeartBench *b, const HeartRun *h) {
  if (!b->params->petsc) return OK;
  const double us = 1e6 * h->seconds / (double)h->steps;
  json_array(b->json, "petsc");
  for (int ranks = 1; ranks <= RANKS; ++ranks) {
    HeartRival r;
    TRY(heart_rival(b->params->petsc, h, ranks, &r));
    if (!(r.us > 0)) continue;
    fprintf(b->out, "    PETSc, %d rank%s, %s: %.1f us a step (assembly %.1f, linear solves %.1f); speed-up %.2f",
            ranks, ranks == 1 ? "" : "s", r.preconditioner, r.us, r.assembly_us, r.solve_us, r.us / us);
    fprintf(b->out, "; fastest step %.1f us, %.2f", r.fastest_us, r.fastest_us / (1e6 * h->fastest));
    if (exec_is_host(b->exec))
      fprintf(b->out, "; processors %.1f us, here %.1f", r.processor_us, 1e6 * h->processor / (double)h->steps);
    fprintf(b->out, "\n");
    json_object(b->json, NULL);
    json_integer(b->json, "ranks", ranks);
    json_string(b->json, "preconditioner", r.preconditioner);
    json_number(b->json, "us_per_step", r.us);
    json_number(b->json, "assembly_us", r.assembly_us);
    json_number(b->json, "solve_us", r.solve_us);
    json_number(b->json, "difference_mv", r.difference_mv);
    json_number(b->json, "fastest_us", r.fastest_us);
    json_number(b->json, "processor_us", r.processor_us);
    json_number(b->json, "speed_up", r.us / us);
    json_number(b->json, "speed_up_of_the_fastest_step", r.fastest_us / (1e6 * h->fastest));
    json_end(b->json);
  }
  json_end(b->json);
  return OK;
}

static Status report(const HeartBench *b, const HeartRun *h) {
  print_row(b, h);
  print_phases(b, h);
  json_object(b->json, NULL);
  write_figures(b->json, b, h);
  write_phases(b->json, h);
  TRY(rivals(b, h));
  json_end(b->json);
  return OK;
}

static bool wants_scheme(const BenchParams *params, MonodomainScheme scheme) {
  return !params->part || !strcmp(params->part, scheme_name(scheme));
}

static int32_t steps_to_count(const HeartBench *b, MonodomainScheme scheme) {
  if (b->params->repeat > 0) return b->params->repeat;
  const int32_t n = exec_is_host(b->exec) ? 20 : 64;
  return scheme == MONODOMAIN_GAUSS ? n / 4 : n;
}

/* V [n_node] gets the potential, *steps how many were timed. */
static Status run_scheme(const HeartBench *b, HeartRun *h, double *V, int64_t *steps) {
  h->counted = steps_to_count(b, h->scheme);
  TRY(heart_run(h));
  memcpy(V, h->host, (size_t)h->mesh->n_node * sizeof *V);
  *steps = h->steps;
  TRY(heart_run_profile(h));
  return report(b, h);
}

static Status make_mesh(const BenchParams *params, const HeartSource *source, Mesh **out) {
  if (*source->path) return mesh_load(&(MeshParams){.path = source->path, .refine = source->refine}, out);
  const int32_t percent = params->percent > 0 ? params->percent : 100;
  BoxParams box = {.kind = element_by_name("tet4")->kind};
  for (int k = 0; k < 3; ++k) {
    box.n[k] = (int32_t)((int64_t)SLABS[source->index].cells[k] * percent / 100);
    if (box.n[k] < 1) box.n[k] = 1;
    box.size[k] = EDGE * box.n[k];
  }
  return mesh_box(&box, out);
}

static bool left_out(const HeartBench *b, MonodomainScheme scheme, const Mesh *mesh, const char *name) {
  const int32_t most = scheme == MONODOMAIN_GAUSS ? SMALL_GAUSS : SMALL_NODAL;
  if (!exec_is_host(b->exec) || b->params->only || mesh->n_node <= most) return false;
  fprintf(b->out, "%-22s %8d %8s  %s left out on the CPU; with --only %s it runs\n", name, mesh->n_node, "",
          scheme_name(scheme), name);
  return true;
}

static Status heart_run_mesh(const HeartBench *b, const HeartSource *source) {
  const BenchParams *params = b->params;
  HeartRun h = {.exec = b->exec};
  Mesh *mesh = NULL;
  double *V[2] = {NULL, NULL};
  int64_t steps[2] = {0, 0};
  Status status;
  TRY(make_mesh(params, source, &mesh));
  for (int s = 0; s < 2; ++s) ALLOC_DONE(V[s], mesh->n_node, "potential");
  for (int s = MONODOMAIN_NODAL; s <= MONODOMAIN_GAUSS; ++s) {
    if (!wants_scheme(params, (MonodomainScheme)s) || left_out(b, (MonodomainScheme)s, mesh, source->name)) continue;
    heart_run_release(&h);
    h = (HeartRun){.exec = b->exec,
                   .name = source->name,
                   .mesh = mesh,
                   .scheme = (MonodomainScheme)s,
                   .rtol = params->rtol > 0 ? params->rtol : 1e-8};
    TRY_DONE(run_scheme(b, &h, V[s], &steps[s]));
  }
  if (params->dump && h.mesh) TRY_DONE(heart_dump(&h, (const double *const *)V, steps, params->dump));
  status = OK;
done:
  heart_run_release(&h);
  for (int s = 0; s < 2; ++s) FREE(V[s]);
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

/* Twice refined where --only asks for it. */
static Status list_folder(const BenchParams *params, HeartSource *list, int *n) {
  static const char *const refined[] = {"", "-refined", "-refined-twice"};
  DIR *folder = opendir(params->meshes);
  CHECK(folder, ERR_IO, "%s: cannot be read as a folder of meshes", params->meshes);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    const char *name = entry->d_name;
    if (!(ends(name, ".msh") || ends(name, ".h5")) || !strncmp(name, "unstructured-", 13)) continue;
    for (int32_t refine = 0; refine < (params->only ? 3 : 2) && *n < MESHES_MOST; ++refine) {
      HeartSource s = {.refine = refine};
      snprintf(s.name, sizeof s.name, "%.*s%s", (int)(strcspn(name, ".") < 40 ? strcspn(name, ".") : 40), name,
               refined[refine]);
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
  CHECK(*n, ERR_USAGE,
        "no mesh of 'heart' is called '%s'; allowed: slab-3k, slab-5k, slab-30k, slab-50k, or those of "
        "--meshes and with -refined or -refined-twice behind",
        params->only ? params->only : "");
  return OK;
}

static void head(const HeartBench *b) {
  fprintf(
      b->out,
      "%s: copy %.0f GB/s; Aliev-Panfilov goktepe-kuhl, backward Euler, dt %g ms, D along/across fibres in mm2/ms\n",
      b->exec->device, b->copy, HEART_DT);
  fprintf(b->out, "mesh                      nodes elements scheme D          rtol     us/step  Newton  products"
                  "  s/1 s sim  MB/step  of copy\n");
  json_string(b->json, "bench", "heart");
  json_string(b->json, "version", b->params->version);
  json_string(b->json, "commit", b->params->commit);
  json_string(b->json, "device", b->exec->device);
  json_string(b->json, "model", "aliev-panfilov goktepe-kuhl");
  json_string(b->json, "time", "backward Euler");
  json_number(b->json, "copy_gb_per_s", b->copy);
}

Status bench_heart(Exec *exec, const BenchParams *params, FILE *out) {
  HeartBench b = {.exec = exec, .params = params, .out = out};
  HeartSource *list = NULL;
  Status status;
  int n = 0;
  CHECK(wants_scheme(params, MONODOMAIN_NODAL) || wants_scheme(params, MONODOMAIN_GAUSS), ERR_USAGE,
        "part of 'heart' is '%s', must be nodal or gauss", params->part);
  ALLOC(list, MESHES_MOST, "list of meshes");
  TRY_DONE(list_sources(params, list, &n));
  TRY_DONE(json_create(&b.json));
  TRY_DONE(bench_copy(exec, &b.copy));
  head(&b);
  json_array(b.json, "figures");
  for (int i = 0; i < n; ++i) TRY_DONE(heart_run_mesh(&b, &list[i]));
  json_end(b.json);
  if (params->json) TRY_DONE(json_save(b.json, params->json));
done:
  FREE(list);
  json_destroy(&b.json);
  return status;
}
