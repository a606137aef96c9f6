/* sinew check: everything short of solving, on the CPU, with nothing written unless --draw is given. */
#include "app/commands/check_ranks.h"
#include "app/commands/commands.h"
#include "app/run/backend.h"
#include "app/run/backend_choice.h"
#include "app/run/forecast.h"
#include "app/input/echo_short.h"
#include "app/input/physics.h"
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "app/report/progress.h"
#include "output/wording.h"
#include "core/host_memory.h"
#include "core/memory.h"
#include "gpu/exec/cuda_exec.h"
#include "mesh/order/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Check {
  const Options *options;
  Case *c;
  Mesh *mesh;
  Setup setup;
  Device device; /* the CPU, whatever a run would use */
  MemoryPlan plan;
  size_t before;      /* bytes in use before the case was read */
  int64_t host_bytes; /* of case, mesh and setup */
} Check;

static void check_release(Check *k) {
  setup_release(&k->setup);
  mesh_destroy(&k->mesh);
  device_close(&k->device);
  case_destroy(&k->c);
}

static Status print_whole(const Case *c) {
  Text text = {0};
  case_echo(c, &text);
  const Status status = text.status;
  if (status == OK) printf("# the case, with every default filled in\n%s\n", text.data);
  text_release(&text);
  return status;
}

/* What is given, then as a comment what stands for the rest. */
static Status print_brief(const Case *c) {
  Text text = {0}, given = {0}, rest = {0};
  case_echo_brief(c, &text);
  char *behind = text.data ? strstr(text.data, ECHO_REST) : NULL, *rows = NULL;
  if (behind) {
    *behind = 0;
    echo_short(text.data, &given);
    echo_short(behind + strlen(ECHO_REST), &rest);
    rows = given.data ? strstr(given.data, "\nexpect: ") : NULL; /* the last key; it changes nothing in a run */
  }
  const Status status = text.status != OK ? text.status : given.status != OK ? given.status : rest.status;
  if (rows) rows[1] = 0;
  if (status == OK)
    printf("# the case, with its defaults (one by one with --verbose)\n%s# unless given  ",
           given.data ? given.data : "");
  for (const char *p = rest.data; status == OK && p && *p; p += strcspn(p, "\n") + 1)
    printf("%s%.*s", p == rest.data ? "" : "; ", (int)strcspn(p, "\n"), p);
  if (status == OK) printf("\n");
  text_release(&text);
  text_release(&given);
  text_release(&rest);
  return status;
}

static Status print_case(const Case *c, bool all) {
  const Status status = (all ? print_whole : print_brief)(c);
  return status == OK ? OK : FAIL(status, "not enough memory for the resolved case");
}

static const UnitKind measure_unit[] = {UNIT_NONE, UNIT_LENGTH, UNIT_AREA, UNIT_VOLUME};

static Status print_groups(const Units *units, const Mesh *mesh) {
  static const char *const measure[] = {"points", "length", "area", "volume"};
  char n[32], unit[UNIT_BYTES + 1];
  printf("groups:\n");
  for (int32_t g = 0; g < mesh->n_group; ++g) {
    const Group *group = &mesh->group[g];
    double size = 0;
    TRY(mesh_group_measure(mesh, group, &size));
    printf("  %-20s %-8s %10s element%s %s %.6g%s\n", group->name, dimension_name(group->dim), count_text(group->n, n),
           group->n == 1 ? " " : "s", measure[group->dim & 3], size,
           unit_behind(units, measure_unit[group->dim & 3], unit));
  }
  return OK;
}

/* Those of one dimension in a row. */
static Status print_groups_folded(const Units *units, const Mesh *mesh) {
  enum { WIDTH = 150 };
  char n[32], unit[UNIT_BYTES + 1], text[400];
  printf("groups (size, elements):\n");
  for (int dim = 3; dim >= 0; --dim) {
    int at = 0;
    for (int32_t g = 0; g < mesh->n_group; ++g) {
      const Group *group = &mesh->group[g];
      double size = 0;
      if (group->dim != dim) continue;
      TRY(mesh_group_measure(mesh, group, &size));
      if (dim)
        snprintf(text, sizeof text, " %.6g%s (%s)", size, unit_behind(units, measure_unit[dim], unit),
                 count_text(group->n, n));
      else snprintf(text, sizeof text, " (%s)", count_text(group->n, n));
      const int more = (int)(strlen(group->name) + strlen(text)) + 2;
      if (at == 0) at = printf("  %-8s ", dimension_name(dim));
      else if (at + more > WIDTH) printf(",\n%11s", ""), at = 11;
      else at += printf(", ");
      at += printf("%s%s", group->name, text);
    }
    if (at) printf("\n");
  }
  return OK;
}

/* "grid: 20 x 10 nodes, so 19 x 9 cells": many take the counts for those of elements. */
static void print_mesh_name(const Case *c, const Mesh *mesh) {
  const VectorValue *grid = &c->mesh.grid;
  printf("# mesh %s", mesh->path);
  for (int less = 0; less < 2 && grid->n; ++less) {
    printf(less ? ", so " : ": ");
    for (int k = 0; k < grid->n; ++k) printf("%s%.0f", k ? " x " : "", grid->value[k] - less);
    printf(less ? " cells" : " nodes");
  }
  printf("\n");
}

static Status print_mesh(const Case *c, const Mesh *mesh, bool all) {
  char n[32], unit[UNIT_BYTES + 1];
  Units units;
  units_of_case(c, &units);
  print_mesh_name(c, mesh);
  printf("nodes: %s", count_text(mesh->n_node, n));
  for (int32_t b = 0; b < mesh->n_block; ++b)
    printf(", %s: %s", element_type(mesh->block[b].kind)->name, count_text(mesh->block[b].n, n));
  if (mesh->whole)
    printf("; %s: with the heart %s nodes", place_given(c->bath.place) ? "bath" : "torso",
           count_text(mesh->whole->n_node, n));
  double low[3], high[3];
  mesh_extent(mesh, low, high);
  for (int k = 0; k < mesh->dim + mesh->in_space; ++k)
    printf("%s%c from %.6g to %.6g", k ? ", " : "; extent: ", "xyz"[k], low[k], high[k]);
  printf("%s\n", unit_behind(&units, UNIT_LENGTH, unit));
  TRY((all ? print_groups : print_groups_folded)(&units, mesh));
  MeshQuality quality;
  mesh_quality(mesh, &quality);
  const ElementBlock *block = mesh_block_of(mesh, quality.worst_element);
  printf("quality: worst %.3g (element %lld), mean %.3g, %lld slivers (1 is ideal, below 0.1 a sliver)\n",
         quality.worst, (long long)block->tag[quality.worst_element - block->first], quality.mean,
         (long long)quality.n_sliver);
  return OK;
}

/* What the solver takes, and why. */
static Status print_numbering(const Check *k) {
  const int word = k->c->solver.numbering.value; /* 0: auto, then the orders of mesh/order/orders.def */
  const MeshOrder order = word > 0 ? (MeshOrder)(word - 1) : k->setup.node_rank ? ORDER_HILBERT : ORDER_NATURAL;
  int32_t *found = NULL;
  if (order != ORDER_HILBERT) {
    ALLOC(found, k->mesh->n_node, "numbering of the nodes");
    const Status status = mesh_order(k->mesh, ORDER_HILBERT, found);
    if (status != OK) FREE(found);
    TRY(status);
  }
  const double own = mesh_mean_distance(k->mesh, NULL),
               curve = mesh_mean_distance(k->mesh, found ? found : k->setup.node_rank);
  printf(
      "# numbering of the nodes\nmean distance between the nodes of an element: %.6g in the mesh, %.6g along a Hilbert "
      "curve (%.3g times)\nnumbering: %s%s\n\n",
      own, curve, curve > 0 ? own / curve : 1, mesh_order_name((int32_t)order), word > 0 ? "" : " (auto)");
  FREE(found);
  return OK;
}

static Status print_memory(const Check *k, const MemoryPlan *plan, bool gpu) {
  Text text = {0};
  const bool all = k->options->verbose;
  char host[32], device[32];
  const Status status = memory_table_text(plan, gpu, MEMORY_ROWS_ALL, &text);
  if (status == OK && !k->options->quiet && all) printf("# memory of a run\n%s\n", text.data);
  if (status == OK && !k->options->quiet && !all)
    printf("memory of a run: %s on the host%s%s (each array with --verbose)\n", bytes_text((double)plan->peak[0], host),
           plan->peak[1] > 0 ? ", and on the GPU " : "",
           plan->peak[1] > 0 ? bytes_text((double)plan->peak[1], device) : "");
  text_release(&text);
  return status;
}

static Status print_ranks(const Check *k, double gpu_free) {
  return check_ranks_print(&(RanksForecast){.n_rank = k->options->ranks,
                                            .mesh = k->mesh,
                                            .number = k->setup.node_rank,
                                            .n_pair = k->setup.n_pair,
                                            .pair = (const int32_t(*)[2])k->setup.pair,
                                            .linked = &k->setup.linked,
                                            .n_component = k->c->physics->n_component == 1 ? 1 : k->mesh->dim,
                                            .plan = &k->plan,
                                            .host_bytes = (double)k->host_bytes,
                                            .gpu_free = gpu_free,
                                            .host_free = host_memory_free()});
}

/* Whether a run would have the GPU; *why it would not. */
static bool gpu_is_usable(const Check *k, char why[384]) {
  const Options *o = k->options;
  BackendCost cost;
  *why = 0;
  if (!backend_leaves_gpu(o->backend, k->c, k->mesh->n_node, o->threads, &cost)) return cuda_usable(why, 384);
  if (o->backend == BACKEND_AUTO) snprintf(why, 384, "a GPU would take longer to start than this case takes here");
  return false;
}

/* Where a GPU of `auto` has no room, a run is on the CPU. */
static Status gpu_holds(const Check *k, double room, bool *gpu) {
  const Status status = memory_table_check(&k->plan, room, "the GPU");
  if (status != ERR_GPU || k->options->backend != BACKEND_AUTO) return status;
  status_warn("a run would use the CPU, because the GPU has too little memory for it\n  %s", status_message());
  status_clear();
  *gpu = false;
  return OK;
}

static Status print_memory_and_backend(const Check *k) {
  char why[384], room[32];
  bool gpu = gpu_is_usable(k, why);
  size_t free_bytes = 0, total_bytes = 0;
  TRY(print_memory(k, &k->plan, gpu));
  if (gpu) TRY(cuda_memory(&free_bytes, &total_bytes));
  if (k->options->ranks) TRY(print_ranks(k, (double)free_bytes));
  else if (gpu) TRY(gpu_holds(k, (double)device_room(free_bytes), &gpu));
  if (k->options->quiet) return OK;
  if (gpu) printf("backend: cuda, %s of memory free\n", bytes_text((double)free_bytes, room));
  else printf("backend: cpu (%s)%s%s\n", k->device.exec->device, *why ? "; " : "", why);
  return OK;
}

static Status draw_done(const Options *o, const Inspection *k) {
  CHECK(!o->draw || k->drawn, ERR_USAGE,
        "--draw shows what may touch, and this case has nothing that does\n  allowed: static cases with 'contact'");
  CHECK(!o->overwrite || o->draw, ERR_USAGE, "--overwrite is of what --draw writes\n  remedy: leave it out");
  return OK;
}

static Status inspect_physics(Check *k) {
  char why[384];
  const bool gpu = gpu_is_usable(k, why);
  Inspection inspection = {.c = k->c,
                           .mesh = k->mesh,
                           .setup = &k->setup,
                           .exec = k->device.exec,
                           .quiet = k->options->quiet,
                           .draw = k->options->draw,
                           .overwrite = k->options->overwrite};
  TRY(k->c->physics->inspect(&inspection));
  TRY(draw_done(k->options, &inspection));
  k->host_bytes = (int64_t)(mem_in_use() - k->before);
  const ForecastRequest request = {
      .c = k->c, .mesh = k->mesh, .setup = &k->setup, .on_gpu = gpu, .host_bytes = k->host_bytes};
  TRY(memory_forecast(&request, &k->plan));
  CHECK(gpu || k->options->backend != BACKEND_CUDA, ERR_GPU,
        "--backend cuda: %s\n  use --backend cpu or --backend auto", why);
  return OK;
}

/* What a large grid costs, by its counts, before the minutes that making and looking through it take. */
static void print_large_grid(const Check *k) {
  static const int64_t LARGE = 5000000;
  char n[32], cpu[32];
  const int64_t n_node = backend_guess_nodes(k->c);
  if (k->c->mesh.grid.n == 0 || n_node < LARGE) return;
  const BackendCost cost = backend_cost(k->c, n_node, k->options->threads);
  printf("# a large grid, by its counts\nabout %s nodes; ", count_text(n_node, n));
  printf("a run takes about %s on the CPU of this host; ", seconds_text(cost.cpu, cpu));
  printf("memory follows when the mesh is there\n\n");
  fflush(stdout);
}

static Status case_inspect(Check *k) {
  const Options *o = k->options;
  char *path = NULL;
  TRY(case_operand(o->operand[0], &path));
  k->before = mem_in_use();
  const Status read = case_open(path, o->n_set, o->set, &k->c);
  FREE(path);
  TRY(read);
  if (k->c->physics->without_mesh) {
    Inspection inspection = {.c = k->c, .quiet = o->quiet};
    if (!o->quiet) TRY(print_case(k->c, o->verbose));
    TRY(draw_done(o, &inspection));
    return k->c->physics->inspect(&inspection);
  }
  if (!o->quiet) print_large_grid(k);
  TRY(mesh_of_case(k->c, o->trust, NULL, &k->mesh));
  TRY(setup_create(k->c, k->mesh, &k->setup));
  TRY(device_open(BACKEND_CPU, o->threads, &k->device));
  if (!o->quiet) {
    TRY(print_case(k->c, o->verbose));
    TRY(print_mesh(k->c, k->mesh, o->verbose));
    if (o->verbose) TRY(print_numbering(k));
  }
  TRY(inspect_physics(k));
  return print_memory_and_backend(k);
}

Status command_check(const Options *options) {
  Check k = {.options = options};
  mem_reset_peak();
  const Status status = case_inspect(&k);
  check_release(&k);
  return status;
}
