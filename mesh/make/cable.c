/* Trees of lines from elements of a mesh. */
#include "mesh/make/cable.h"
#include "core/disjoint.h"
#include "core/memory.h"
#include "mesh/same_nodes.h"

#include <math.h>
#include <string.h>

static const char *const WHAT = "a tree of lines";

void cable_release(Cable *cable) {
  FREE(cable->x);
  FREE(cable->line);
  *cable = (Cable){0};
}

static double between(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

double cable_length(const Cable *cable) {
  double sum = 0;
  for (int32_t i = 0; i < cable->n_line; ++i) sum += between(cable->x[cable->line[i][0]], cable->x[cable->line[i][1]]);
  return sum;
}

/* The lines, with nodes as the mesh numbers them. */
static Status take_lines(const Mesh *mesh, const Group *group, Cable *out) {
  const int32_t n = group ? group->n : mesh->n_element;
  ALLOC(out->line, n, WHAT);
  for (int32_t i = 0; i < n; ++i) {
    const int32_t e = group ? group->element[i] : i;
    const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
    if (!group && type->dim == 0) continue;
    CHECK(type->dim == 1 && type->n_node == 2, ERR_MESH,
          "%s: a tree is made of lines with two nodes, but %s%s%s has %s elements\n  remedy: a group of lines, of "
          "order 1",
          mesh->path, group ? "group '" : "it", group ? group->name : "", group ? "'" : "", type->name);
    memcpy(out->line[out->n_line++], mesh_nodes_of(mesh, e), sizeof *out->line);
  }
  CHECK(out->n_line > 0, ERR_MESH, "%s: has no lines, and a tree is made of lines", mesh->path);
  return OK;
}

/* A file may have a line for each group that it is in: twice it would conduct twice, and its end would be none. */
static Status merge_lines(Cable *out) {
  int32_t *first = NULL, n = 0;
  ALLOC(first, out->n_line, WHAT);
  const Status status = same_nodes_find((const int32_t *)out->line, out->n_line, 2, first);
  for (int32_t i = 0; i < out->n_line && status == OK; ++i)
    if (first[i] == i) memmove(out->line[n++], out->line[i], sizeof *out->line);
  if (status == OK) out->n_line = n;
  FREE(first);
  return status;
}

/* Nodes that no line has are left out. */
static Status take_nodes(const Mesh *mesh, Cable *out) {
  int32_t *number = NULL;
  Status status = OK;
  ALLOC_DONE(number, mesh->n_node, WHAT);
  for (int32_t i = 0; i < out->n_line; ++i)
    for (int a = 0; a < 2; ++a) {
      int32_t *node = &out->line[i][a];
      if (!number[*node]) number[*node] = ++out->n_node;
    }
  ALLOC_DONE(out->x, out->n_node, WHAT);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (number[i]) memcpy(out->x[number[i] - 1], mesh->x[i], sizeof *out->x);
  for (int32_t i = 0; i < out->n_line; ++i)
    for (int a = 0; a < 2; ++a) out->line[i][a] = number[out->line[i][a]] - 1;
done:
  FREE(number);
  return status;
}

static Status check_lines(const Mesh *mesh, const Cable *cable) {
  int32_t *parent = NULL, apart = 0;
  for (int32_t i = 0; i < cable->n_line; ++i) {
    const double *a = cable->x[cable->line[i][0]], *b = cable->x[cable->line[i][1]];
    CHECK(between(a, b) > 0, ERR_MESH, "%s: a line of the tree has length zero, at (%g, %g, %g)", mesh->path, a[0],
          a[1], a[2]);
  }
  ALLOC(parent, cable->n_node, WHAT);
  for (int32_t i = 0; i < cable->n_node; ++i) parent[i] = i;
  for (int32_t i = 0; i < cable->n_line; ++i) disjoint_join(parent, cable->line[i][0], cable->line[i][1]);
  while (apart < cable->n_node && disjoint_root(parent, apart) == 0) ++apart;
  FREE(parent);
  if (apart == cable->n_node) return OK;
  return FAIL(ERR_MESH,
              "%s: the lines of the tree are not connected: (%g, %g, %g) cannot be reached from (%g, %g, %g)\n  "
              "remedy: lines that meet share a node; or an entry for each tree",
              mesh->path, cable->x[apart][0], cable->x[apart][1], cable->x[apart][2], cable->x[0][0], cable->x[0][1],
              cable->x[0][2]);
}

static int32_t nearest_node(const Cable *cable, const double at[3]) {
  int32_t best = 0;
  for (int32_t i = 1; i < cable->n_node; ++i)
    if (between(cable->x[i], at) < between(cable->x[best], at)) best = i;
  return best;
}

Status cable_of_lines(const Mesh *mesh, const Group *group, const double *root, Cable *out) {
  *out = (Cable){0};
  Status status = take_lines(mesh, group, out);
  if (status == OK) status = merge_lines(out);
  if (status == OK) status = take_nodes(mesh, out);
  if (status == OK) status = check_lines(mesh, out);
  if (status != OK) cable_release(out);
  else if (root) out->root = nearest_node(out, root);
  return status;
}

static int32_t pieces_of(const Cable *cable, int32_t i, double size) {
  const double n = ceil(between(cable->x[cable->line[i][0]], cable->x[cable->line[i][1]]) / size * (1 - 1e-9));
  return n < 1 ? 1 : n < INT32_MAX ? (int32_t)n : INT32_MAX;
}

Status cable_split(Cable *cable, double size) {
  int64_t n = 0;
  const int32_t n_line = cable->n_line;
  for (int32_t i = 0; i < n_line; ++i) n += pieces_of(cable, i, size);
  CHECK(n + cable->n_node < INT32_MAX / 4, ERR_MESH, "a tree of %lld pieces; at most %d are possible", (long long)n,
        INT32_MAX / 4);
  RESIZE(cable->x, cable->n_node + n - n_line, WHAT);
  RESIZE(cable->line, n, WHAT);
  for (int32_t i = 0; i < n_line; ++i) {
    const int32_t pieces = pieces_of(cable, i, size), a = cable->line[i][0], b = cable->line[i][1];
    int32_t before = a;
    for (int32_t k = 1; k < pieces; ++k) {
      for (int c = 0; c < 3; ++c)
        cable->x[cable->n_node][c] = cable->x[a][c] + (cable->x[b][c] - cable->x[a][c]) * k / pieces;
      int32_t *line = k == 1 ? cable->line[i] : cable->line[cable->n_line++];
      line[0] = before, line[1] = before = cable->n_node++;
    }
    if (pieces == 1) continue;
    cable->line[cable->n_line][0] = before, cable->line[cable->n_line++][1] = b;
  }
  return OK;
}
