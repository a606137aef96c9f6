/* The matrices of `sinew bench spmv`: the polynomial-PCG paper's four on structured meshes, two of them on unstructured
 * meshes by Gmsh as in the paper, scalar Laplacians on the meshes of a folder and once refined, and generated ones. */
#include "assembly/space/dof_map.h"
#include "algebra/market/matrix_market.h"
#include "bench/spmv/spmv.h"
#include "core/memory.h"
#include "mesh/order/order.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOURCES_MOST = 256, DIM_2 = 2, SHUFFLED_BOX = 1 /* hex */ };

static bool ends(const char *name, const char *with) {
  const size_t n = strlen(name), m = strlen(with);
  return n > m && !strcmp(name + n - m, with);
}

static void add(const BenchParams *params, SpmvSource *list, int *n, SpmvSource source) {
  const char *half = source.judged ? "judged" : "fit";
  if (params->part && strcmp(params->part, half) != 0) return;
  if (params->quick && source.family != SPMV_GRAPH && !params->only) return;
  if (*n < SOURCES_MOST && bench_wants(params, source.name)) list[(*n)++] = source;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const SpmvSource *)a)->name, ((const SpmvSource *)b)->name);
}

static Status add_meshes(const BenchParams *params, SpmvSource *list, int *n) {
  DIR *folder = opendir(params->meshes);
  CHECK(folder, ERR_IO, "%s: cannot be read as a folder of meshes", params->meshes);
  const int first = *n;
  for (const struct dirent *entry; (entry = readdir(folder));) {
    const char *name = entry->d_name;
    if (!(ends(name, ".msh") || ends(name, ".h5")) || !strncmp(name, "unstructured-", 13)) continue;
    for (int32_t refine = 0; refine < 2; ++refine) {
      SpmvSource s = {.family = SPMV_HEART, .refine = refine};
      snprintf(s.name, sizeof s.name, "%.*s%s", (int)(strcspn(name, ".") < 40 ? strcspn(name, ".") : 40), name,
               refine ? "-refined" : "");
      if (snprintf(s.path, sizeof s.path, "%s/%s", params->meshes, name) < (int)sizeof s.path) add(params, list, n, s);
    }
  }
  closedir(folder);
  qsort(list + first, (size_t)(*n - first), sizeof *list, by_name);
  return OK;
}

Status spmv_sources(const BenchParams *params, SpmvSource **out, int *n) {
  *n = 0;
  SpmvSource *list = NULL;
  CHECK(!params->part || !strcmp(params->part, "fit") || !strcmp(params->part, "judged"), ERR_USAGE,
        "--part is '%s'; allowed: fit, judged", params->part);
  ALLOC(list, SOURCES_MOST, "list of matrices");
  Status status = OK;
  if (params->matrix) {
    SpmvSource s = {.family = SPMV_MARKET};
    const char *name = strrchr(params->matrix, '/');
    snprintf(s.name, sizeof s.name, "%.50s", name ? name + 1 : params->matrix);
    if (snprintf(s.path, sizeof s.path, "%s", params->matrix) < (int)sizeof s.path) list[(*n)++] = s;
  }
  for (int32_t i = 0; !params->matrix && i < BENCH_PROBLEMS; ++i) {
    SpmvSource s = {.family = SPMV_BOX, .index = i};
    snprintf(s.name, sizeof s.name, "%s", problem_name(i));
    add(params, list, n, s);
  }
  for (int32_t healed = 0; !params->matrix && healed < 2; ++healed) {
    SpmvSource s = {.family = SPMV_BOX, .index = SHUFFLED_BOX, .shuffled = true, .healed = healed};
    snprintf(s.name, sizeof s.name, "%s-shuffled%s", problem_name(SHUFFLED_BOX), healed ? "-auto" : "");
    add(params, list, n, s);
  }
  for (int32_t i = 0; !params->matrix && i < 2; ++i) {
    SpmvSource s = {.family = SPMV_GMSH, .index = i};
    snprintf(s.name, sizeof s.name, "%s-unstructured", i ? "tet" : "tri");
    add(params, list, n, s);
  }
  if (params->meshes && !params->matrix) TRY_DONE(add_meshes(params, list, n));
  for (int32_t i = 0; !params->matrix && spmv_generated_name(i); ++i) {
    SpmvSource s = {.family = SPMV_GENERATED, .index = i};
    snprintf(s.name, sizeof s.name, "%s", spmv_generated_name(i));
    add(params, list, n, s);
  }
  for (int32_t i = 0; !params->matrix && spmv_graph_name(i); ++i) {
    SpmvSource s = {.family = SPMV_GRAPH, .index = i, .judged = spmv_graph_judged(i)};
    snprintf(s.name, sizeof s.name, "%s", spmv_graph_name(i));
    add(params, list, n, s);
  }
  if (!*n)
    status = FAIL(
        ERR_USAGE,
        "no matrix is called '%s'; allowed: quad, hex, tet, tri, hex-shuffled, hex-shuffled-auto, "
        "tri-unstructured, tet-unstructured, webbase, circuit, economics, epidemiology, qcd, protein; grid9, grid27, "
        "power, random, band, arrow, blocks, triangles, tetrahedra, long with -1 (fit) or -2 (judged) behind, "
        "both meshes also with -shuffled behind that; and the meshes of --meshes",
        params->only ? params->only : params->part);
done:
  if (status != OK) FREE(list);
  *out = list;
  return status;
}

/* Nodes that share an element are coupled. */
static Status pattern_of_mesh(const Mesh *mesh, int32_t block, Pattern **out) {
  ElementSet set;
  Incidence incidence = {0};
  Exec *cpu = NULL;
  TRY(exec_create_cpu(0, &cpu));
  element_set_create(mesh, mesh->dim, true, &set);
  Status status = incidence_create(cpu, &set, &incidence);
  if (status == OK) status = pattern_create(cpu, &set, &incidence, block, out);
  incidence_release(&incidence);
  exec_destroy(&cpu);
  return status;
}

/* Unit square or cube; the size of the elements gives the paper's number of unknowns at 100 per cent. */
static Status write_geo(const char *path, int dim, double size) {
  FILE *f = fopen(path, "w");
  CHECK(f, ERR_IO, "%s: cannot be written", path);
  fprintf(f, "Mesh.CharacteristicLengthMin = %.6g;\nMesh.CharacteristicLengthMax = %.6g;\nMesh.Algorithm = 5;\n", size,
          size);
  fprintf(f, "Point(1) = {0,0,0};\nPoint(2) = {1,0,0};\nPoint(3) = {1,1,0};\nPoint(4) = {0,1,0};\n");
  fprintf(f, "Line(1) = {1,2};\nLine(2) = {2,3};\nLine(3) = {3,4};\nLine(4) = {4,1};\n");
  fprintf(f, "Curve Loop(1) = {1,2,3,4};\nPlane Surface(1) = {1};\n");
  if (dim == DIM_2) fprintf(f, "Physical Surface(\"body\") = {1};\n");
  else fprintf(f, "e[] = Extrude {0,0,1} { Surface{1}; };\nPhysical Volume(\"body\") = {e[1]};\n");
  CHECK(fclose(f) == 0, ERR_IO, "%s: cannot be written", path);
  return OK;
}

static Status gmsh_mesh(int dim, int32_t percent, Mesh **out, char *why) {
  char folder[] = "/tmp/sinew-bench-XXXXXX", path[64];
  CHECK(mkdtemp(folder), ERR_IO, "/tmp: a folder for a mesh cannot be made");
  snprintf(path, sizeof path, "%s/box.geo", folder);
  const double paper = dim == DIM_2 ? 0.001583 : 0.01554; /* 529,186 and 207,903 nodes; the paper 530,056 and 208,193 */
  Status status = write_geo(path, dim, paper * 100 / percent);
  if (status == OK) {
    const MeshParams params = {.path = path, .time_limit = 300};
    if (mesh_load(&params, out) != OK) {
      *out = NULL;
      spmv_why(why);
    }
  }
  remove(path);
  rmdir(folder);
  return status;
}

/* In the folder of --meshes such a mesh may lie ready, for machines without Gmsh. */
static Status unstructured_mesh(const BenchParams *params, int32_t index, int32_t percent, Mesh **out, char *why) {
  static const char *const ready[] = {"unstructured-tri", "unstructured-tet"}, *const ending[] = {"h5", "msh"};
  for (int e = 0; params->meshes && percent == 100 && e < 2; ++e) {
    char path[SPMV_PATH];
    snprintf(path, sizeof path, "%.900s/%s.%s", params->meshes, ready[index], ending[e]);
    if (!access(path, R_OK)) return mesh_load(&(MeshParams){.path = path}, out);
  }
  return gmsh_mesh(index ? 3 : DIM_2, percent, out, why);
}

static Status market_pattern(const char *path, Pattern **out) {
  MarketMatrix market = {0};
  TRY(market_matrix_read(path, 0, &market));
  *out = market.pattern;
  market.pattern = NULL;
  market_matrix_release(&market);
  return OK;
}

/* A permutation, the same every time (Fisher and Yates; numbers by a Weyl sequence through a mixing function). */
void spmv_shuffle(int32_t n, int32_t *rank) {
  uint64_t state = 0;
  for (int32_t i = 0; i < n; ++i) rank[i] = i;
  for (int32_t i = n - 1; i > 0; --i) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    const int32_t k = (int32_t)((z ^ (z >> 32)) % (uint64_t)(i + 1)), t = rank[i];
    rank[i] = rank[k];
    rank[k] = t;
  }
}

static Status order_nodes(const char *name, int32_t n_component, Mesh *mesh, int32_t *rank) {
  MeshOrder order = ORDER_NATURAL;
  if (!strcmp(name, "auto")) {
    TRY(mesh_order_choose(mesh, n_component, rank, &order));
  } else {
    TRY(mesh_order_by_name(name, &order));
    TRY(mesh_order(mesh, order, rank));
  }
  return mesh_renumber(mesh, rank);
}

/* Shuffled where the source says so, then in the order that --numbering names, where it names one. */
static Status number_nodes(const BenchParams *params, const SpmvSource *source, int32_t n_component, Mesh *mesh) {
  const char *name = source->healed ? "auto" : params->numbering;
  if (!name && !source->shuffled) return OK;
  int32_t *rank = NULL;
  Status status = OK;
  ALLOC(rank, mesh->n_node, "order of the nodes");
  if (source->shuffled) {
    spmv_shuffle(mesh->n_node, rank);
    status = mesh_renumber(mesh, rank);
  }
  if (status == OK && name) status = order_nodes(name, n_component, mesh, rank);
  FREE(rank);
  return status;
}

Status spmv_pattern(const BenchParams *params, const SpmvSource *source, Pattern **out, char *why) {
  const int32_t percent = params->percent > 0 ? params->percent : 100;
  Mesh *mesh = NULL;
  *out = NULL;
  *why = 0;
  if (source->family == SPMV_GENERATED) return spmv_generated(source->index, percent, out);
  if (source->family == SPMV_GRAPH) return spmv_graph(source->index, percent, out);
  if (source->family == SPMV_MARKET) return market_pattern(source->path, out);
  Status status = OK;
  if (source->family == SPMV_BOX) status = problem_mesh(source->index, percent, &mesh);
  else if (source->family == SPMV_GMSH) status = unstructured_mesh(params, source->index, percent, &mesh, why);
  else status = mesh_load(&(MeshParams){.path = source->path, .refine = source->refine}, &mesh);
  const int32_t block = !mesh || source->family == SPMV_HEART ? 1 : mesh->dim;
  if (status == OK && mesh) status = number_nodes(params, source, block, mesh);
  if (status == OK && mesh) status = pattern_of_mesh(mesh, block, out);
  mesh_destroy(&mesh);
  return status;
}
