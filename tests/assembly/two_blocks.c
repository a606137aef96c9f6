#include "tests/assembly/two_blocks.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static void *take(int64_t n, size_t size) {
  void *out = NULL;
  assert_ok(mem_alloc(n, size, "a test", &out));
  return out;
}

void two_blocks_turn(double angle, int32_t dim, double x[3]) {
  const double c = cos(angle), s = sin(angle), d = cos(0.7 * angle), e = sin(0.7 * angle);
  const double a = d * x[0] - e * x[1], b = e * x[0] + d * x[1];
  if (dim == 2) {
    x[0] = a, x[1] = b;
    return;
  }
  const double z = x[2];
  x[0] = c * a + s * z, x[1] = b, x[2] = c * z - s * a;
}

/* A node of block k, whose height from 0 to 1 becomes that from -1 to 0, or stays. */
static void place(const TwoBlocks *q, int k, int32_t dim, double x[3]) {
  const int up = dim - 1;
  double *u = &x[0], v = dim == 3 ? x[1] : 0.5;
  x[up] -= k ? 0 : 1;
  const double inside = fabs(x[up]) < 1e-12 ? 16 * *u * (1 - *u) * (dim == 3 ? v * (1 - v) : 0.25) * q->wave : 0;
  const double from = *u, wave = 1 - x[up] * x[up];
  *u += q->shear * v + inside * sin(7 * from + 3 * v + 1.3 * k);
  x[up] += (1 - fabs(x[up])) * q->tilt * (*u - 0.5) + q->bulge * wave * cos(3 * *u);
  *u += k ? q->shift : 0;
  x[up] += k ? q->gap : 0;
  if (dim == 3) x[1] += inside * cos(5 * v + 2 * from + 2.6 * k);
  two_blocks_turn(q->angle, dim, x);
}

/* What moves a node in the middle of an edge of the plane, of which u and w are the ends before they are placed. */
static void bend_edge(const TwoBlocks *q, int k, int32_t dim, const double u[3], const double w[3], double x[3]) {
  double from[3], to[3], across[2] = {w[1] - u[1], u[0] - w[0]};
  for (int c = 0; c < 3; ++c) from[c] = to[c] = 0.5 * (u[c] + w[c]);
  for (int c = 0; c < 2; ++c)
    if (from[c] < 1e-9 || from[c] > 1 - 1e-9) return;
  const double side = fmin(1.0 / q->n[k][0], 1.0 / q->n[k][1]);
  const double other = q->bend * side / hypot(across[0], across[1]) * sin(9 * from[0] + 5 * from[1] + 1.3 * k);
  for (int c = 0; c < 2; ++c) to[c] += other * across[c] + 0.3 * other * (w[c] - u[c]);
  place(q, k, dim, from);
  place(q, k, dim, to);
  for (int c = 0; c < dim; ++c) x[c] += to[c] - from[c];
}

static void bend_edges(const TwoBlocks *q, int k, const double (*u)[3], Mesh *mesh) {
  const double height = k ? 0 : 1;
  const Group *side = mesh_group(mesh, k ? "z0" : "z1");
  uint8_t *moved = take(mesh->n_node, 1);
  for (int32_t i = 0; side && i < side->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(mesh, side->element[i]);
    const ElementType *type = element_type(mesh_block_of(mesh, side->element[i])->kind);
    for (int32_t e = 0; e < type->n_face; ++e) {
      const int32_t *edge = type->face[e].nodes, m = nodes[edge[2]];
      const double *a = u[nodes[edge[0]]], *b = u[nodes[edge[1]]];
      assert_true(fabs(a[2] - height) < 1e-9);
      if (!moved[m])
        bend_edge(q, k, mesh->dim, nodes[edge[0]] < nodes[edge[1]] ? a : b, nodes[edge[0]] < nodes[edge[1]] ? b : a,
                  mesh->x[m]);
      moved[m] = 1;
    }
  }
  mem_free((void **)(void *)&moved);
}

static Mesh *one_block(const TwoBlocks *q, int k) {
  Mesh *mesh = NULL, *higher = NULL;
  BoxParams box = {.kind = q->kind[k], .size = {1, 1, 1}};
  memcpy(box.n, q->n[k], sizeof box.n);
  assert_ok(mesh_box(&box, &mesh));
  double(*u)[3] = take(mesh->n_node, sizeof *u);
  memcpy(u, mesh->x, (size_t)mesh->n_node * sizeof *u);
  for (int32_t i = 0; i < mesh->n_node; ++i) place(q, k, mesh->dim, mesh->x[i]);
  if (q->order == 2) {
    assert_ok(mesh_elevate(mesh, true, &higher));
    mesh_destroy(&mesh);
    mesh = higher;
    if (q->bend > 0) bend_edges(q, k, (const double(*)[3])u, mesh);
  }
  mem_free((void **)(void *)&u);
  return mesh;
}

/* Appends an element to the block of its kind. */
static int32_t new_id(const Mesh *out, const Mesh *const part[2], int k, int32_t id) {
  const ElementBlock *from = mesh_block_of(part[k], id);
  int32_t before = 0;
  for (int b = 0; b < part[0]->n_block && k; ++b)
    if (part[0]->block[b].kind == from->kind) before = part[0]->block[b].n;
  for (int b = 0; b < out->n_block; ++b)
    if (out->block[b].kind == from->kind) return out->block[b].first + before + id - from->first;
  return -1;
}

static void join_elements(Mesh *out, const Mesh *const part[2]) {
  out->block = take(N_ELEMENT_KINDS, sizeof *out->block);
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    ElementBlock *to = &out->block[out->n_block];
    const int32_t m = element_type((ElementKind)kind)->n_node;
    int32_t n = 0;
    for (int k = 0; k < 2; ++k)
      for (int b = 0; b < part[k]->n_block; ++b)
        if ((int)part[k]->block[b].kind == kind) n += part[k]->block[b].n;
    if (!n) continue;
    *to = (ElementBlock){.kind = (ElementKind)kind, .first = out->n_element};
    to->nodes = take((int64_t)n * m, sizeof *to->nodes), to->tag = take(n, sizeof *to->tag);
    for (int k = 0; k < 2; ++k)
      for (int b = 0; b < part[k]->n_block; ++b) {
        const ElementBlock *from = &part[k]->block[b];
        if ((int)from->kind != kind) continue;
        for (int32_t i = 0; i < from->n * m; ++i)
          to->nodes[(int64_t)to->n * m + i] = from->nodes[i] + (k ? part[0]->n_node : 0);
        to->n += from->n;
      }
    for (int32_t i = 0; i < n; ++i) to->tag[i] = out->n_element + i + 1;
    out->n_element += n;
    ++out->n_block;
  }
}

static int id_order(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Sides by bits: x0 x1 y0 y1 z0 z1, of the lower block and of the upper one. */
static void add_group(Mesh *out, const Mesh *const part[2], const char *name, int lower, int upper, bool body) {
  static const char *const side[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};
  Group *g = &out->group[out->n_group];
  *g = (Group){.dim = body ? out->dim : out->dim - 1, .number = ++out->n_group};
  g->name = take((int64_t)strlen(name) + 1, 1);
  strcpy(g->name, name);
  g->element = take(out->n_element, sizeof *g->element);
  for (int k = 0; k < 2; ++k)
    for (int s = 0; s < (body ? 1 : 6); ++s) {
      const Group *from = mesh_group(part[k], body ? "body" : side[s]);
      for (int32_t i = 0; from && (body || (k ? upper : lower) >> s & 1) && i < from->n; ++i)
        g->element[g->n++] = new_id(out, part, k, from->element[i]);
    }
  qsort(g->element, (size_t)g->n, sizeof *g->element, id_order);
}

Mesh *two_blocks(const TwoBlocks *q) {
  Mesh *part[2] = {one_block(q, 0), one_block(q, 1)}, *out = take(1, sizeof *out);
  const Mesh *const parts[2] = {part[0], part[1]};
  out->dim = part[0]->dim;
  out->n_node = part[0]->n_node + part[1]->n_node;
  out->x = take(out->n_node, sizeof *out->x), out->node_tag = take(out->n_node, sizeof *out->node_tag);
  memcpy(out->x, part[0]->x, (size_t)part[0]->n_node * sizeof *out->x);
  memcpy(out->x + part[0]->n_node, part[1]->x, (size_t)part[1]->n_node * sizeof *out->x);
  for (int32_t i = 0; i < out->n_node; ++i) out->node_tag[i] = i + 1;
  out->path = take(4, 1);
  strcpy(out->path, "two");
  join_elements(out, parts);
  const int low = out->dim == 3 ? 1 << 4 : 1 << 2, high = 2 * low, all = 2 * high - 1;
  out->group = take(10, sizeof *out->group);
  add_group(out, parts, "body", 0, 0, true);
  add_group(out, parts, "a", high, 0, false);
  add_group(out, parts, "b", 0, low, false);
  add_group(out, parts, "bottom", low, 0, false);
  add_group(out, parts, "top", 0, high, false);
  add_group(out, parts, "x0", 1, 1, false);
  if (out->dim == 3) add_group(out, parts, "y0", 4, 4, false);
  add_group(out, parts, "x1", 2, 2, false);
  if (out->dim == 3) add_group(out, parts, "y1", 8, 8, false);
  add_group(out, parts, "outer", all & ~high, all & ~low, false);
  for (int k = 0; k < 2; ++k) mesh_destroy(&part[k]);
  return out;
}

Mesh *mixed_sheets(const int32_t n[2], double slope) {
  Mesh *m = NULL;
  int32_t cells = 0, nodes = 0, at[2] = {0}, first = 0;
  for (int s = 0; s < 2; ++s) cells += n[s] * n[s], nodes += (n[s] + 1) * (n[s] + 1);
  assert_ok(mem_alloc(1, sizeof *m, "a mesh", (void **)&m));
  *m = (Mesh){.n_node = nodes, .n_block = 2, .n_group = 2, .dim = 2, .in_space = true};
  assert_ok(mem_alloc(nodes, sizeof *m->x, "nodes", (void **)(void *)&m->x));
  assert_ok(mem_alloc(nodes, sizeof *m->node_tag, "nodes", (void **)&m->node_tag));
  assert_ok(mem_alloc(2, sizeof *m->block, "blocks", (void **)&m->block));
  assert_ok(mem_alloc(2, sizeof *m->group, "groups", (void **)&m->group));
  for (int k = 0; k < 2; ++k) {
    ElementBlock *b = &m->block[k];
    b->kind = k ? ELEMENT_QUAD4 : ELEMENT_TRI3;
    assert_ok(mem_alloc(8 * cells, sizeof *b->nodes, "elements", (void **)&b->nodes));
    assert_ok(mem_alloc(2 * cells, sizeof *b->tag, "elements", (void **)&b->tag));
    assert_ok(mem_text(k ? "b" : "a", "a group", &m->group[k].name));
    m->group[k].dim = 2, m->group[k].number = k + 1;
    assert_ok(mem_alloc(2 * cells, sizeof *m->group[k].element, "a group", (void **)&m->group[k].element));
  }
  for (int s = 0; s < 2; first += (n[s] + 1) * (n[s] + 1), ++s)
    for (int32_t c = 0; c < (n[s] + 1) * (n[s] + 1); ++c) {
      const int32_t i = c % (n[s] + 1), j = c / (n[s] + 1), o = first + c, w = n[s] + 1;
      const double x = (double)i / n[s], y = (double)j / n[s];
      m->x[o][0] = x, m->x[o][1] = y, m->x[o][2] = slope * x;
      m->node_tag[o] = o + 1;
      if (i == n[s] || j == n[s]) continue;
      const int32_t corner[6] = {o, o + 1, o + w + 1, o + w, o, o + w + 1};
      ElementBlock *b = &m->block[(i + j + s) % 2];
      memcpy(b->nodes + at[(i + j + s) % 2], corner, (b->kind == ELEMENT_TRI3 ? 3 : 4) * sizeof *corner);
      at[(i + j + s) % 2] += b->kind == ELEMENT_TRI3 ? 3 : 4;
      if (b->kind == ELEMENT_TRI3) memcpy(b->nodes + at[0], corner + 2, 3 * sizeof *corner), at[0] += 3;
    }
  m->block[0].n = at[0] / 3, m->block[1].n = at[1] / 4;
  m->block[1].first = m->block[0].n, m->n_element = m->block[0].n + m->block[1].n;
  for (int32_t e = 0; e < m->n_element; ++e) {
    Group *g = &m->group[mesh_nodes_of(m, e)[0] >= (n[0] + 1) * (n[0] + 1)];
    g->element[g->n++] = e;
  }
  return m;
}
