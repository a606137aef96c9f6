/* Numbers of new nodes by all threads: a hash table says which points elements share and who comes upon them first; then
 * each part of the elements counts the nodes that it comes upon first, and numbers them from where the parts before it
 * end. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/check/point_map.h"
#include "mesh/make/derive.h"

/* An old block on its way. */
typedef struct Work {
  const ElementBlock *block;
  uint8_t *variant;   /* owned, [n], or NULL: all 0 */
  int32_t n_shared;   /* points of an element that others may have, at most */
  int32_t *record;    /* owned, [n][n_shared], of the PointMap */
  int parts, *before; /* owned, [parts + 1], new nodes before each part */
} Work;

typedef struct Numbering {
  DeriveMap *map;
  Mesh *out;
  PointMap points;
  Work work[N_ELEMENT_KINDS];
} Numbering;

static void derive_numbering_release(Numbering *n) {
  for (int32_t b = 0; b < n->map->old->n_block; b++) {
    FREE(n->work[b].variant);
    FREE(n->work[b].record);
    FREE(n->work[b].before);
  }
  point_map_release(&n->points);
}

/* No other element has the point. */
static bool point_is_inside(const Split *split, const SplitPoint *point, const Mesh *old) {
  return point->n_vertex == split->parent->n_vertex && split->parent->dim == old->dim;
}

static const Split *split_of(const Numbering *n, const Work *w, int32_t i) {
  return n->map->plan->split[w->block->kind][w->variant ? w->variant[i] : 0];
}

/* Who asks for point p: in the order of the elements, and in each of its points. */
static int64_t asker(const Work *w, int32_t i, int32_t p) {
  return ((int64_t)w->block->first + i) * SPLIT_MAX_POINTS + p;
}

/* The key of a point of an element: its vertices in ascending order with their shares. Curved parents add the highest
 * of the nodes that shape the edge or face. */
static PointKey point_key(const Split *split, const SplitPoint *point, const int32_t *nodes) {
  PointKey key = {.vertex = {-1, -1, -1, -1}};
  for (int32_t i = 0; i < point->n_vertex; i++) {
    const int32_t vertex = nodes[point->vertex[i]];
    int32_t at = i;
    for (; at > 0 && key.vertex[at - 1] > vertex; at--) {
      key.vertex[at] = key.vertex[at - 1];
      key.share[at] = key.share[at - 1];
    }
    key.vertex[at] = vertex;
    key.share[at] = point->share[i];
  }
  if (split->parent->order > 1) {
    for (int32_t i = 0; i < point->n_source; i++) {
      const int32_t node = nodes[point->source[i]];
      if (node > key.apart) key.apart = node;
    }
  }
  return key;
}

static int32_t count_shared(const Split *split, const Mesh *old, bool *faces) {
  int32_t n = 0;
  for (int32_t p = 0; p < split->n_point; p++) {
    const SplitPoint *point = &split->point[p];
    if (point->node >= 0 || point_is_inside(split, point, old)) continue;
    *faces = *faces && point->n_vertex <= POINT_MAP_VERTICES;
    n++;
  }
  return n;
}

static Status work_create(const Numbering *n, const ElementBlock *block, Work *w) {
  Split *const *split = n->map->plan->split[block->kind];
  *w = (Work){.block = block, .parts = parts_of(block->n)};
  for (int v = 0; v < DERIVE_VARIANTS && split[v]; v++) {
    bool faces = true;
    const int32_t shared = count_shared(split[v], n->map->old, &faces);
    CHECK(faces, ERR_BUG, "a face of %s has more than %d vertices", split[v]->parent->name, POINT_MAP_VERTICES);
    if (shared > w->n_shared) w->n_shared = shared;
  }
  if (split[1]) ALLOC(w->variant, block->n, "variants of elements");
  ALLOC(w->record, (int64_t)block->n * w->n_shared, "points of elements");
  ALLOC(w->before, w->parts + 1, "new nodes of elements");
  return OK;
}

static const int32_t *nodes_of(const Work *w, int64_t i) {
  return w->block->nodes + i * element_type(w->block->kind)->n_node;
}

/* The records of the points of elements [begin, end); false where the map is full. */
static bool find_points(Numbering *n, const Work *w, int64_t begin, int64_t end) {
  const Mesh *old = n->map->old;
  PointRoom room = {0};
  for (int64_t i = begin; i < end; i++) {
    if (w->variant)
      w->variant[i] =
          (uint8_t)n->map->plan->choose(element_type(w->block->kind), (const double(*)[3])old->x, nodes_of(w, i));
    const Split *split = split_of(n, w, (int32_t)i);
    int32_t *to = w->record + i * w->n_shared;
    for (int32_t p = 0; p < split->n_point; p++) {
      const SplitPoint *point = &split->point[p];
      if (point->node >= 0 || point_is_inside(split, point, old)) continue;
      const PointKey key = point_key(split, point, nodes_of(w, i));
      *to = point_map_put(&n->points, &room, &key, asker(w, (int32_t)i, p));
      if (*to++ < 0) return false;
    }
  }
  return true;
}

/* How many different points are to be expected: each of a tetrahedron has five others or so, of a hexahedron three, in a
 * plane two. */
static int64_t expected_points(const Numbering *n) {
  int64_t expected = 64;
  for (int32_t b = 0; b < n->map->old->n_block; b++) {
    const Work *w = &n->work[b];
    const ElementType *type = element_type(w->block->kind);
    const int64_t asked = (int64_t)w->block->n * w->n_shared;
    if (type->dim == n->map->old->dim)
      expected += type->shape == SHAPE_TETRAHEDRON ? asked / 4 : type->dim == 3 ? asked / 3 : asked / 9 * 5;
  }
  return expected;
}

/* All points of all elements; the map is made anew, of twice the size, as long as it is too small. */
static Status find_all_points(Numbering *n) {
  for (int64_t capacity = expected_points(n);; capacity *= 2) {
    bool good = true;
    TRY(point_map_create(capacity, n->map->old->n_node, &n->points));
    for (int32_t b = 0; b < n->map->old->n_block && good; b++) {
      const Work *w = &n->work[b];
#pragma omp parallel for schedule(static) num_threads(w->parts) reduction(&& : good)
      for (int p = 0; p < w->parts; p++)
        good =
            good && find_points(n, w, part_begin(w->block->n, p, w->parts), part_begin(w->block->n, p + 1, w->parts));
    }
    if (good) return OK;
    CHECK(n->points.capacity < INT32_MAX, ERR_MESH, "the mesh would have more than %d nodes", INT32_MAX);
    point_map_release(&n->points);
  }
}

/* Numbers of the points of element i from its split's points in order; a new node that it comes upon first is *next. */
static void number_points(const Numbering *n, const Work *w, int32_t i, int32_t *next, int32_t *number) {
  const Split *split = split_of(n, w, i);
  const int32_t *record = w->record + (int64_t)i * w->n_shared, *nodes = nodes_of(w, i);
  for (int32_t p = 0; p < split->n_point; p++) {
    const SplitPoint *point = &split->point[p];
    if (point->node >= 0) {
      number[p] = nodes[point->node];
    } else if (point_is_inside(split, point, n->map->old)) {
      number[p] = (*next)++;
    } else {
      const PointRecord *found = &n->points.record[*record++];
      number[p] = found->first == asker(w, i, p) ? (*next)++ : found->number;
    }
  }
}

/* How many new nodes each part comes upon first, then how many there are before it. */
static Status count_new(Numbering *n) {
  int64_t sum = 0;
  for (int32_t b = 0; b < n->map->old->n_block; b++) {
    Work *w = &n->work[b];
#pragma omp parallel for schedule(static) num_threads(w->parts)
    for (int p = 0; p < w->parts; p++) {
      int32_t count = 0, number[SPLIT_MAX_POINTS];
      for (int64_t i = part_begin(w->block->n, p, w->parts); i < part_begin(w->block->n, p + 1, w->parts); i++)
        number_points(n, w, (int32_t)i, &count, number);
      w->before[p + 1] = count;
    }
    w->before[0] = (int32_t)sum;
    for (int p = 0; p < w->parts; p++) {
      sum += w->before[p + 1];
      CHECK(sum < INT32_MAX - n->map->old->n_node, ERR_MESH, "the mesh would have more than %d nodes", INT32_MAX);
      w->before[p + 1] = (int32_t)sum;
    }
  }
  n->map->n_new = (int32_t)sum;
  return OK;
}

/* The new nodes that elements [begin, end) come upon first, from `next` on. */
static void name_new(Numbering *n, const Work *w, int64_t begin, int64_t end, int32_t next) {
  const int32_t n_old = n->map->old->n_node;
  for (int64_t i = begin; i < end; i++) {
    const int32_t variant = w->variant ? w->variant[i] : 0, *record = w->record + i * w->n_shared;
    const Split *split = split_of(n, w, (int32_t)i);
    for (int32_t p = 0; p < split->n_point; p++) {
      const SplitPoint *point = &split->point[p];
      if (point->node >= 0) continue;
      if (!point_is_inside(split, point, n->map->old)) {
        PointRecord *found = &n->points.record[*record++];
        if (found->first != asker(w, (int32_t)i, p)) continue;
        found->number = n_old + next;
      }
      n->map->new_node[next++] = (NewNode){w->block->first + (int32_t)i, variant * SPLIT_MAX_POINTS + p};
    }
  }
}

/* The nodes of all children of elements [begin, end) of old block b. */
static void fill_children(const Numbering *n, int32_t b, int64_t begin, int64_t end, int32_t next) {
  const Work *w = &n->work[b];
  int32_t *to[N_ELEMENT_KINDS] = {0};
  for (int k = 0; k < N_ELEMENT_KINDS; k++) {
    if (n->map->n_child[b][k] == 0) continue;
    const int64_t id = n->map->first_child[b][k] + begin * n->map->n_child[b][k];
    const ElementBlock *block = mesh_block_of(n->out, n->map->first_child[b][k]);
    if (block) to[k] = block->nodes + (id - block->first) * element_type(block->kind)->n_node;
  }
  for (int64_t i = begin; i < end; i++) {
    const Split *split = split_of(n, w, (int32_t)i);
    int32_t number[SPLIT_MAX_POINTS];
    number_points(n, w, (int32_t)i, &next, number);
    for (int32_t c = 0; c < split->n_child; c++) {
      int32_t **here = &to[split->child[c]->kind];
      for (int32_t a = 0; a < split->child[c]->n_node; a++) *(*here)++ = number[split->child_node[c][a]];
    }
  }
}

static Status number_all(Numbering *n) {
  const Mesh *old = n->map->old;
  for (int32_t b = 0; b < old->n_block; b++) TRY(work_create(n, &old->block[b], &n->work[b]));
  TRY(find_all_points(n));
  TRY(count_new(n));
  ALLOC(n->map->new_node, n->map->n_new, "new nodes");
  for (int fill = 0; fill < 2; fill++)
    for (int32_t b = 0; b < old->n_block; b++) {
      const Work *w = &n->work[b];
#pragma omp parallel for schedule(static) num_threads(w->parts)
      for (int p = 0; p < w->parts; p++) {
        const int64_t begin = part_begin(w->block->n, p, w->parts), end = part_begin(w->block->n, p + 1, w->parts);
        if (fill) fill_children(n, b, begin, end, old->n_node + w->before[p]);
        else name_new(n, w, begin, end, w->before[p]);
      }
    }
  return OK;
}

Status derive_number(DeriveMap *map, Mesh *out) {
  Numbering n = {.map = map, .out = out};
  const Status status = number_all(&n);
  derive_numbering_release(&n);
  return status;
}
