/* Adding a tree of lines to a mesh: nodes at the end, lines and points at the end of their blocks, so that ids behind them rise. */
#include "core/memory.h"
#include "mesh/make/cable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const WHAT = "a tree in a mesh";

/* Where the block of this kind stands, which is made where there is none. */
static Status block_of_kind(Mesh *mesh, ElementKind kind, int32_t *at) {
  for (*at = 0; *at < mesh->n_block && mesh->block[*at].kind < kind; ++*at) continue;
  if (*at < mesh->n_block && mesh->block[*at].kind == kind) return OK;
  RESIZE(mesh->block, mesh->n_block + 1, WHAT);
  memmove(mesh->block + *at + 1, mesh->block + *at, (size_t)(mesh->n_block - *at) * sizeof *mesh->block);
  const int32_t first = *at < mesh->n_block ? mesh->block[*at + 1].first : mesh->n_element;
  mesh->block[*at] = (ElementBlock){.kind = kind, .first = first};
  ++mesh->n_block;
  return OK;
}

static int32_t raised(int32_t id, int32_t from, int32_t n) { return id >= from ? id + n : id; }

/* Room for n elements with ids from `from` on, in all that goes by ids. */
static Status make_room(Mesh *mesh, int32_t from, int32_t n) {
  for (int32_t f = 0; f < mesh->n_field; ++f) {
    MeshField *field = &mesh->field[f];
    const int64_t m = field->n_component;
    if (field->on_nodes) continue;
    RESIZE(field->value, (mesh->n_element + n) * m, WHAT);
    memmove(field->value + (from + n) * m, field->value + from * m,
            (size_t)((mesh->n_element - from) * m) * sizeof *field->value);
    for (int64_t i = from * m; i < (from + n) * m; ++i) field->value[i] = (double)NAN;
  }
  for (int32_t g = 0; g < mesh->n_group; ++g)
    for (int32_t i = 0; i < mesh->group[g].n; ++i)
      mesh->group[g].element[i] = raised(mesh->group[g].element[i], from, n);
  mesh->quality.worst_element = raised(mesh->quality.worst_element, from, n);
  if (mesh->n_cable) mesh->first_cable = raised(mesh->first_cable, from, n);
  mesh->n_element += n;
  return OK;
}

static int64_t highest_tag(const Mesh *mesh) {
  int64_t most = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    for (int32_t e = 0; e < mesh->block[b].n; ++e)
      if (mesh->block[b].tag[e] > most) most = mesh->block[b].tag[e];
  return most;
}

/* Elements of one kind, nodes[n][n_node], behind all of their block or, `before` > 0, before the element of that id in it;
 * *first: their id. */
static Status add_elements(Mesh *mesh, const ElementType *type, int32_t n, const int32_t *nodes, int32_t before,
                           int32_t *first) {
  int32_t at;
  TRY(block_of_kind(mesh, type->kind, &at));
  ElementBlock *block = &mesh->block[at];
  const int64_t tag = highest_tag(mesh), size = type->n_node;
  const int64_t from = before > 0 ? before - block->first : block->n, behind = block->n - from;
  RESIZE(block->nodes, ((int64_t)block->n + n) * size, WHAT);
  RESIZE(block->tag, (int64_t)block->n + n, WHAT);
  memmove(block->nodes + (from + n) * size, block->nodes + from * size, (size_t)(behind * size) * sizeof *nodes);
  memmove(block->tag + from + n, block->tag + from, (size_t)behind * sizeof *block->tag);
  memcpy(block->nodes + from * size, nodes, (size_t)(n * size) * sizeof *nodes);
  for (int32_t i = 0; i < n; ++i) block->tag[from + i] = tag + 1 + i;
  *first = block->first + (int32_t)from;
  TRY(make_room(mesh, *first, n));
  block->n += n;
  for (int32_t b = at + 1; b < mesh->n_block; ++b) mesh->block[b].first += n;
  return OK;
}

static Status add_group(Mesh *mesh, const char *name, const char *part, int32_t dim, int32_t first, int32_t n) {
  int32_t number = 0;
  for (int32_t g = 0; g < mesh->n_group; ++g)
    if (mesh->group[g].number > number) number = mesh->group[g].number;
  RESIZE(mesh->group, mesh->n_group + 1, WHAT);
  Group *group = &mesh->group[mesh->n_group++];
  const size_t length = strlen(name) + strlen(part) + 1;
  *group = (Group){.dim = dim, .number = number + 1};
  ALLOC(group->name, length, WHAT);
  snprintf(group->name, length, "%s%s", name, part);
  ALLOC(group->element, n, WHAT);
  group->n = n;
  for (int32_t i = 0; i < n; ++i) group->element[i] = first + i;
  return OK;
}

static Status add_nodes(Mesh *mesh, const Cable *cable) {
  const int32_t n = mesh->n_node, m = cable->n_node;
  int64_t tag = 0;
  CHECK((int64_t)n + m <= INT32_MAX, ERR_MESH, "%lld nodes with those of a tree; at most %d are possible",
        (long long)n + m, INT32_MAX);
  RESIZE(mesh->x, n + m, WHAT);
  RESIZE(mesh->node_tag, n + m, WHAT);
  for (int32_t i = 0; i < n; ++i)
    if (mesh->node_tag[i] > tag) tag = mesh->node_tag[i];
  memcpy(mesh->x + n, cable->x, (size_t)m * sizeof *mesh->x);
  for (int32_t i = 0; i < m; ++i) mesh->node_tag[n + i] = tag + 1 + i;
  if (mesh->whole) {
    RESIZE(mesh->whole_node, n + m, WHAT);
    for (int32_t i = 0; i < m; ++i) mesh->whole_node[n + i] = -1;
  }
  for (int32_t f = 0; f < mesh->n_field; ++f) {
    MeshField *field = &mesh->field[f];
    if (!field->on_nodes) continue;
    RESIZE(field->value, ((int64_t)n + m) * field->n_component, WHAT);
    for (int64_t i = (int64_t)n * field->n_component; i < ((int64_t)n + m) * field->n_component; ++i)
      field->value[i] = (double)NAN;
  }
  mesh->n_node += m;
  return OK;
}

/* Nodes of one line alone, but for the root. */
static int32_t list_ends(const Cable *cable, int32_t before, int32_t *degree, int32_t *node) {
  int32_t n = 0;
  for (int32_t i = 0; i < cable->n_line; ++i)
    for (int a = 0; a < 2; ++a) ++degree[cable->line[i][a]];
  for (int32_t i = 0; i < cable->n_node; ++i)
    if (degree[i] == 1 && i != cable->root) node[n++] = before + i;
  return n;
}

static Status add_points(Mesh *mesh, const char *name, const Cable *cable, int32_t before) {
  const ElementType *point = element_by_name("point1");
  const int32_t root = before + cable->root;
  int32_t *degree = NULL, *node = NULL, first, n;
  Status status = OK;
  ALLOC_DONE(degree, cable->n_node, WHAT);
  ALLOC_DONE(node, cable->n_node, WHAT);
  TRY_DONE(add_elements(mesh, point, 1, &root, 0, &first));
  TRY_DONE(add_group(mesh, name, "-root", 0, first, 1));
  n = list_ends(cable, before, degree, node);
  TRY_DONE(add_elements(mesh, point, n, node, 0, &first));
  status = add_group(mesh, name, "-ends", 0, first, n);
done:
  FREE(degree);
  FREE(node);
  return status;
}

Status mesh_attach(Mesh *mesh, const char *name, const Cable *cable) {
  static const char *const part[] = {"", "-root", "-ends", "-junctions"};
  const int32_t before = mesh->n_node;
  char taken[256];
  int32_t(*line)[2] = NULL, first;
  for (int k = 0; k < 4; ++k) {
    snprintf(taken, sizeof taken, "%s%s", name, part[k]);
    CHECK(!mesh_group(mesh, taken), ERR_MESH,
          "%s: has a group '%s' already, which a tree '%s' would make\n  remedy: another name of the tree", mesh->path,
          taken, name);
  }
  TRY(add_nodes(mesh, cable));
  ALLOC(line, cable->n_line, WHAT);
  for (int32_t i = 0; i < cable->n_line; ++i)
    for (int a = 0; a < 2; ++a) line[i][a] = before + cable->line[i][a];
  Status status = add_elements(mesh, element_by_name("line2"), cable->n_line, line[0], 0, &first);
  FREE(line);
  TRY(status);
  if (!mesh->n_cable) mesh->first_cable = first;
  mesh->n_cable += cable->n_line;
  TRY(add_group(mesh, name, "", 1, first, cable->n_line));
  return add_points(mesh, name, cable, before);
}

Status mesh_attach_junctions(Mesh *mesh, const char *name, int32_t n, const int32_t (*pair)[2]) {
  int32_t first;
  if (n == 0) return OK;
  TRY(add_elements(mesh, element_by_name("line2"), n, pair[0], mesh->first_cable, &first));
  return add_group(mesh, name, "-junctions", 1, first, n);
}
