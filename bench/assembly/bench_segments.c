/* `sinew bench segments`: from two surfaces of different meshes to the rows of weights of contact, and how many pairs of facets share
 * an area: 1 M of them at full size, on surfaces that are flat or bent, of order 1 and 2. */
#include "assembly/mortar/mortar_weights.h"
#include "bench/measure.h"
#include "core/memory.h"
#include "output/json.h"

#include <math.h>
#include <string.h>

enum { CELLS = 495, MORE = 10, REPEAT = 3 }; /* n and n + MORE cells along each side: (2 n + 9)^2 pairs */

static const struct {
  const char *name;
  ElementKind kind, elevated;
  double bent; /* how high the middle is over the rim */
} SURFACES[] = {{"quad4", ELEMENT_QUAD4, ELEMENT_QUAD4, 0},
                {"quad4-bent", ELEMENT_QUAD4, ELEMENT_QUAD4, 0.1},
                {"tri3", ELEMENT_TRI3, ELEMENT_TRI3, 0.1},
                {"tri6", ELEMENT_TRI3, ELEMENT_TRI6, 0.1},
                {"quad8", ELEMENT_QUAD4, ELEMENT_QUAD8, 0.1}};
enum { N_SURFACE = sizeof SURFACES / sizeof *SURFACES };

static Status make_sheet(int i, int32_t n, Mesh **out) {
  const BoxParams box = {.kind = SURFACES[i].kind, .n = {n, n, 1}, .size = {1, 1, 1}};
  Mesh *plain = NULL;
  TRY(mesh_box(&box, &plain));
  if (SURFACES[i].elevated == SURFACES[i].kind) {
    *out = plain;
    return OK;
  }
  const Status status = mesh_elevate(plain, true, out);
  mesh_destroy(&plain);
  return status;
}

/* Both in one mesh, as groups 0 and 1 of it. */
static Status join(int i, Mesh *const sheet[2], Mesh *out) {
  const int32_t n_node = sheet[0]->n_node + sheet[1]->n_node, size = element_type(SURFACES[i].elevated)->n_node;
  int32_t node = 0, element = 0;
  *out = (Mesh){.n_node = n_node, .n_block = 1, .n_group = 2, .dim = 2};
  TRY(mem_alloc(n_node, sizeof *out->x, "sheets", (void **)(void *)&out->x));
  ALLOC(out->block, 1, "sheets");
  ALLOC(out->group, 2, "sheets");
  for (int s = 0; s < 2; ++s) out->n_element += sheet[s]->block[sheet[s]->n_block - 1].n;
  out->block[0].kind = SURFACES[i].elevated, out->block[0].n = out->n_element;
  ALLOC(out->block[0].nodes, (int64_t)size * out->n_element, "sheets");
  for (int s = 0; s < 2; ++s) {
    const ElementBlock *from = &sheet[s]->block[sheet[s]->n_block - 1];
    Group *group = &out->group[s];
    group->dim = 2, group->n = from->n;
    ALLOC(group->element, from->n, "sheets");
    for (int32_t e = 0; e < from->n; ++e) group->element[e] = element + e;
    for (int64_t k = 0; k < (int64_t)size * from->n; ++k)
      out->block[0].nodes[(int64_t)size * element + k] = node + from->nodes[k];
    for (int32_t k = 0; k < sheet[s]->n_node; ++k) {
      double *x = out->x[node + k];
      memcpy(x, sheet[s]->x[k], sizeof *out->x);
      x[2] = SURFACES[i].bent * (1 - 2 * (x[0] - 0.5) * (x[0] - 0.5) - 2 * (x[1] - 0.5) * (x[1] - 0.5));
    }
    node += sheet[s]->n_node, element += from->n;
  }
  return OK;
}

static void mesh_free(Mesh *mesh) {
  mem_free((void **)(void *)&mesh->x);
  if (mesh->block) FREE(mesh->block->nodes);
  for (int s = 0; s < 2 && mesh->group; ++s) FREE(mesh->group[s].element);
  FREE(mesh->block);
  FREE(mesh->group);
}

static Status make_mesh(int i, int32_t percent, Mesh *out) {
  const int32_t n = CELLS * percent / 100 < 2 ? 2 : CELLS * percent / 100;
  Mesh *sheet[2] = {NULL, NULL};
  Status status = make_sheet(i, n, &sheet[0]);
  if (status == OK) status = make_sheet(i, n + MORE, &sheet[1]);
  if (status == OK) status = join(i, sheet, out);
  for (int s = 0; s < 2; ++s) mesh_destroy(&sheet[s]);
  return status;
}

/* Of one surface: all from host to host, and its parts, milliseconds. */
typedef struct Figures {
  double all, part[4];
} Figures;
static const char *const PARTS[] = {"facets", "search", "segments", "rows"};

/* Time since *last, when the Exec has done all that it was given. */
static Status part_ends(Exec *exec, double *last, double *least) {
  TRY(exec_sync(exec));
  const double now = bench_now();
  *least = fmin(*least, 1e3 * (now - *last));
  *last = now;
  return OK;
}

static Status measure_parts(const MortarParams *asked, Figures *f) {
  MortarPairs pairs = {0};
  MortarTie tie = {0};
  bool faults;
  double last = bench_now();
  Status status = mortar_pairs_create(asked, asked->exec, &pairs);
  if (status == OK) status = part_ends(asked->exec, &last, &f->part[0]);
  if (status == OK) status = mortar_pairs_search(&pairs);
  if (status == OK) status = part_ends(asked->exec, &last, &f->part[1]);
  if (status == OK) status = mortar_pairs_integrate(&pairs);
  if (status == OK) status = part_ends(asked->exec, &last, &f->part[2]);
  if (status == OK) status = mortar_weights(&pairs, &tie, &faults);
  if (status == OK) status = part_ends(asked->exec, &last, &f->part[3]);
  mortar_release(&tie);
  mortar_pairs_release(&pairs);
  return status;
}

static void tell(int i, const Mesh *mesh, const MortarTie *tie, const Figures *f, FILE *out, Json *json) {
  double area = 0;
  for (int32_t k = 0; k < tie->n; ++k) area += tie->area[k];
  fprintf(out, "%-11s %8d and %8d facets, %8lld pairs, %8d nodes of area %.6f: %8.1f ms", SURFACES[i].name,
          mesh->group[0].n, mesh->group[1].n, (long long)tie->n_pair, tie->n, area, f->all);
  for (int k = 0; k < 4; ++k) fprintf(out, "%s%s %.1f", k ? ", " : "; ", PARTS[k], f->part[k]);
  fprintf(out, "\n");
  fflush(out);
  json_object(json, NULL);
  json_string(json, "surface", SURFACES[i].name);
  json_integer(json, "pairs", tie->n_pair);
  json_number(json, "ms", f->all);
  for (int k = 0; k < 4; ++k) json_number(json, PARTS[k], f->part[k]);
  json_end(json);
}

static Status measure(Exec *exec, int i, const BenchParams *params, FILE *out, Json *json) {
  const double none = (double)INFINITY;
  Mesh mesh = {0};
  MortarTie tie = {0};
  Figures f = {none, {none, none, none, none}};
  const int32_t repeat = params->repeat > 0 ? params->repeat : REPEAT;
  Status status = make_mesh(i, params->percent ? params->percent : 100, &mesh);
  const MortarParams asked = {
      .exec = exec, .mesh = &mesh, .on = mesh.group, .to = mesh.group + 1, .reach = 0.01, .dual = true};
  for (int32_t k = 0; k < repeat && status == OK; ++k) {
    mortar_release(&tie);
    const double begin = bench_now();
    status = mortar_create(&asked, &tie);
    f.all = fmin(f.all, 1e3 * (bench_now() - begin));
    if (status == OK) status = measure_parts(&asked, &f);
  }
  if (status == OK) tell(i, &mesh, &tie, &f, out, json);
  mortar_release(&tie);
  mesh_free(&mesh);
  return status;
}

static Status measure_all(Exec *exec, const BenchParams *params, FILE *out, Json *json) {
  int n = 0;
  for (int i = 0; i < N_SURFACE; ++i) {
    if (!bench_wants(params, SURFACES[i].name)) continue;
    TRY(measure(exec, i, params, out, json));
    ++n;
  }
  CHECK(n, ERR_USAGE, "no surface of 'segments' is called '%s'; there are quad4, quad4-bent, tri3, tri6, quad8",
        params->only);
  return OK;
}

Status bench_segments(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status;
  fprintf(out, "Sinew %s (%s) on %s, backend %s\n", params->version, params->commit, exec->device, exec->table->name);
  TRY_DONE(json_create(&json));
  json_string(json, "bench", "segments");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_string(json, "backend", exec->table->name);
  json_array(json, "figures");
  TRY_DONE(measure_all(exec, params, out, json));
  json_end(json);
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
