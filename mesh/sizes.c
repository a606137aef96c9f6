#include "mesh/sizes.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Sizes {
  const Mesh *mesh;
  double *node;   /* [n_node] the size there */
  double *weight; /* [n_node] */
} Sizes;

/* Elements of the highest dimension, in order: `of` gets the block's type, the nodes, and the number from 0. */
typedef void (*SizesVisit)(void *context, const ElementType *type, const int32_t *nodes, int64_t i);
static void sizes_visit(const Mesh *mesh, SizesVisit visit, void *context) {
  int64_t i = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim) continue;
    for (int32_t e = 0; e < block->n; ++e) visit(context, type, block->nodes + (int64_t)e * type->n_node, i++);
  }
}

/* The mean of the edges between vertices, of which each is joined to each in a simplex. */
static double element_size(const Mesh *mesh, const ElementType *type, const int32_t *nodes) {
  double sum = 0;
  int n = 0;
  for (int32_t a = 0; a < type->n_vertex; ++a)
    for (int32_t b = 0; b < a; ++b) sum += vec3_distance(mesh->x[nodes[a]], mesh->x[nodes[b]]), ++n;
  return sum / n;
}

/* Beside a singular place ever smaller elements are asked for. So much smaller than the body they change no digit that an estimate
 * can see, and below it Gmsh makes triangles without area. */
static const double SMALLEST = 1e-7;

typedef struct Wanted {
  Sizes *s;
  double least;
  const double *part;
  double error, n, mean; /* mean: of the roots of the parts */
} Wanted;

static void add_root(void *context, const ElementType *type, const int32_t *nodes, int64_t i) {
  Wanted *w = context;
  (void)type, (void)nodes;
  w->mean += sqrt(w->part[i]);
  w->n += 1;
}

static void add_wanted(void *context, const ElementType *type, const int32_t *nodes, int64_t i) {
  static const double LEAST = 0.25, AT_CORNERS = 1.0 / 16, MOST = 2, MANY = 100;
  const Wanted *w = context;
  const double root = sqrt(w->part[i]);
  const double share = root > 0 ? pow(w->error / (sqrt(w->n) * root), 1.0 / type->order) : MOST;
  const double h = fmax(w->least, element_size(w->s->mesh, type, nodes) *
                                      fmin(fmax(share, root > MANY * w->mean ? AT_CORNERS : LEAST), MOST));
  for (int32_t a = 0; a < type->n_vertex; ++a) w->s->node[nodes[a]] += log(h), w->s->weight[nodes[a]] += 1;
}

typedef struct Growth {
  Sizes *s;
  bool changed;
} Growth;

/* One way over all edges; ends after a few, since sizes only fall. */
static void limit_growth(void *context, const ElementType *type, const int32_t *nodes, int64_t i) {
  static const double STEEPEST = 0.4;
  Growth *g = context;
  double *h = g->s->node;
  (void)i;
  for (int32_t a = 0; a < type->n_vertex; ++a)
    for (int32_t b = 0; b < type->n_vertex; ++b) {
      const double limit = h[nodes[b]] + STEEPEST * vec3_distance(g->s->mesh->x[nodes[a]], g->s->mesh->x[nodes[b]]);
      if (h[nodes[a]] > limit * (1 + 1e-12)) h[nodes[a]] = limit, g->changed = true;
    }
}

typedef struct Expected {
  const Sizes *s;
  double n;
} Expected;

static void add_expected(void *context, const ElementType *type, const int32_t *nodes, int64_t i) {
  Expected *x = context;
  double h = 0;
  (void)i;
  for (int32_t a = 0; a < type->n_vertex; ++a) h += x->s->node[nodes[a]] / type->n_vertex;
  x->n += pow(element_size(x->s->mesh, type, nodes) / h, type->dim);
}

typedef struct View {
  const Sizes *s;
  FILE *file;
  double scale;
  bool good;
} View;

static void write_element(void *context, const ElementType *type, const int32_t *nodes, int64_t i) {
  View *v = context;
  (void)i;
  v->good &= fprintf(v->file, type->dim == 3 ? "SS(" : "ST(") > 0;
  for (int32_t a = 0; a < type->n_vertex; ++a) {
    const double *x = v->s->mesh->x[nodes[a]];
    v->good &=
        fprintf(v->file, "%s%.9g,%.9g,%.9g", a ? "," : "", x[0] / v->scale, x[1] / v->scale, x[2] / v->scale) > 0;
  }
  for (int32_t a = 0; a < type->n_vertex; ++a)
    v->good &= fprintf(v->file, "%s%.6g", a ? "," : "){", v->s->node[nodes[a]] / v->scale) > 0;
  v->good &= fprintf(v->file, "};\n") > 0;
}

static Status write_view(const Sizes *s, double scale, const char *path) {
  View v = {.s = s, .file = fopen(path, "w"), .scale = scale > 0 ? scale : 1, .good = true};
  CHECK(v.file, ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  v.good = fprintf(v.file, "View \"sizes\" {\n") > 0;
  sizes_visit(s->mesh, write_element, &v);
  v.good &= fprintf(v.file, "};\n") > 0;
  v.good = fclose(v.file) == 0 && v.good;
  CHECK(v.good, ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  return OK;
}

static void find_sizes(Sizes *s, const double *part, const MeshSizesParams *params) {
  enum { SWEEPS = 50 };
  const Mesh *mesh = s->mesh;
  Wanted wanted = {.s = s, .least = SMALLEST * mesh_size(mesh), .part = part, .error = params->error};
  Expected before = {.s = s};
  Growth growth = {.s = s, .changed = true};
  sizes_visit(mesh, add_root, &wanted);
  wanted.mean /= fmax(wanted.n, 1);
  sizes_visit(mesh, add_wanted, &wanted);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (s->weight[i] > 0) s->node[i] = exp(s->node[i] / s->weight[i]);
  for (int k = 0; k < SWEEPS && growth.changed; ++k) {
    growth.changed = false;
    sizes_visit(mesh, limit_growth, &growth);
  }
  sizes_visit(mesh, add_expected, &before);
  const double larger = before.n > params->most ? pow(before.n / params->most, 1.0 / mesh->dim) : 1;
  for (int32_t i = 0; i < mesh->n_node; ++i) s->node[i] *= larger;
}

Status mesh_sizes_check(const Mesh *mesh) {
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    CHECK(type->dim != mesh->dim || shape_is_simplex(type->shape), ERR_MESH,
          "%s: sizes that follow the error are for triangles and tetrahedra, and this mesh has %s\n  remedy: leave out "
          "'Recombine' and 'Transfinite' in the geometry, or 'adapt' in the case",
          mesh->path, type->name);
  }
  return OK;
}

Status mesh_sizes_write(const Mesh *mesh, const double *part, const MeshSizesParams *params, const char *path) {
  Sizes s = {.mesh = mesh};
  Status status = OK;
  TRY(mesh_sizes_check(mesh));
  ALLOC_DONE(s.node, mesh->n_node, "sizes of elements");
  ALLOC_DONE(s.weight, mesh->n_node, "sizes of elements");
  find_sizes(&s, part, params);
  status = write_view(&s, params->scale, path);
done:
  FREE(s.node);
  FREE(s.weight);
  return status;
}
