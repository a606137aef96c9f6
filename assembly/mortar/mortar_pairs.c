/* Facets, the search and integrals as row kernels: what is counted first has its place then, so that the order of pairs, and with it of all
 * sums, is that of the facets. */
#include "assembly/mortar/mortar_pairs.h"
#include "assembly/mortar/rows.h"
#include "assembly/mortar/search_rows.h"
#include "core/memory.h"
#include "mesh/tie_reach.h"

static const char WHAT[] = "weights of a tie";

static Status tables_create(const MortarPairs *p, SegmentTables *t) {
  for (int s = 0; s < 2; ++s)
    for (int kind = 0; kind < FACET_KINDS; ++kind)
      if ((s ? &p->to : &p->on)->n_kind[kind])
        TRY(facet_terms_create(element_type((ElementKind)kind), p->params->axisymmetric, &t->facet[kind]));
  for (int32_t d = 0; d < SEGMENT_DEGREES; ++d) {
    TRY(quadrature_create(SHAPE_LINE, d, &t->line[d]));
    TRY(quadrature_create(SHAPE_TRIANGLE, d, &t->triangle[d]));
  }
  return quadrature_create(SHAPE_QUAD, 6, &t->quad);
}

static Status tables_upload(MortarPairs *p) {
  SegmentTables *t = NULL;
  ALLOC(t, 1, WHAT);
  Status status = tables_create(p, t);
  if (status == OK) status = exec_alloc_upload(p->exec, 1, sizeof *t, t, WHAT, (void **)&p->tables);
  FREE(t);
  return status;
}

/* Nodes and kinds of the facets of a group. */
static Status side_read(const Mesh *mesh, const Group *group, MortarSide *s) {
  FacetSide *side = &s->side;
  side->n = group->n;
  ALLOC(s->kind, group->n, WHAT);
#pragma omp parallel for schedule(static) if (group->n > 10000)
  for (int32_t i = 0; i < group->n; ++i) s->kind[i] = (uint8_t)mesh_block_of(mesh, group->element[i])->kind;
  for (int32_t i = 0; i < group->n; ++i) ++s->n_kind[s->kind[i]];
  for (int kind = 0; kind < FACET_KINDS; ++kind) {
    const int32_t n = element_type((ElementKind)kind)->n_node;
    if (s->n_kind[kind] && n > side->width) side->width = n;
  }
  ALLOC(s->node, (int64_t)group->n * side->width, WHAT);
#pragma omp parallel for schedule(static) if (group->n > 10000)
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[i]), n = element_type((ElementKind)s->kind[i])->n_node;
    for (int32_t a = 0; a < side->width; ++a) s->node[(int64_t)i * side->width + a] = a < n ? nodes[a] : -1;
  }
  return OK;
}

static Status side_lend(const MortarPairs *p, MortarSide *s) {
  FacetSide *side = &s->side;
  side->x = p->x;
  TRY(exec_lend(p->exec, (int64_t)side->n * side->width, sizeof *s->node, s->node, WHAT, (const void **)&side->node));
  return exec_lend(p->exec, side->n, sizeof *s->kind, s->kind, WHAT, (const void **)&side->kind);
}

static void side_release(const MortarPairs *p, MortarSide *s) {
  FacetSide *side = &s->side;
  if (side->node) exec_lend_end(p->exec, (int64_t)side->n * side->width, sizeof *s->node, (const void **)&side->node);
  if (side->kind) exec_lend_end(p->exec, side->n, sizeof *s->kind, (const void **)&side->kind);
  FREE(s->node);
  FREE(s->kind);
}

Status mortar_pairs_create(const MortarParams *params, Exec *exec, MortarPairs *p) {
  const Mesh *mesh = params->mesh;
  *p = (MortarPairs){.params = params, .exec = exec};
  TRY(side_read(mesh, params->on, &p->on));
  TRY(side_read(mesh, params->to, &p->to));
  TRY(tables_upload(p));
  TRY(exec_lend(exec, 3 * (int64_t)mesh->n_node, sizeof *p->x, mesh->x, WHAT, (const void **)&p->x));
  TRY(side_lend(p, &p->on));
  TRY(side_lend(p, &p->to));
  const int32_t n[2] = {params->on->n, params->to->n};
  for (int s = 0; s < 2 && params->outward[0] && params->outward[1]; ++s)
    TRY(exec_lend(exec, n[s], sizeof *p->outward[s], params->outward[s], WHAT, (const void **)&p->outward[s]));
  const ExecArray array[] = {EXEC_ARRAY(p->on.side.size, n[0]), EXEC_ARRAY(p->on.side.normal, 3 * (int64_t)n[0]),
                             EXEC_ARRAY(p->to.side.size, n[1]), EXEC_ARRAY(p->to.side.normal, 3 * (int64_t)n[1]),
                             EXEC_ARRAY(p->plane, n[0]),        EXEC_ARRAY(p->first, (int64_t)n[0] + 1)};
  return exec_pack_create(exec, 6, array, WHAT, &p->of_facets);
}

static int64_t tree_boxes(const BoxTree *t) { return t->start[t->n_level - 1] + t->n[t->n_level - 1]; }

static Status tree_fill(Exec *exec, const BoxTree *t) {
  for (int32_t l = 1; l < t->n_level; ++l) TRY(exec_rows(exec, &box_up_kernel, &(BoxUpArgs){*t, l}, t->n[l]));
  return OK;
}

static void tree_levels(int32_t n, BoxTree *t) {
  *t = (BoxTree){.n_level = 1, .n[0] = n};
  for (int32_t m = n; m > 1; ++t->n_level) {
    t->start[t->n_level] = t->start[t->n_level - 1] + m;
    t->n[t->n_level] = m = (m + BOX_FAN - 1) / BOX_FAN;
  }
}

/* What is needed while facets look for others. */
typedef struct Search {
  ExecPack arrays;
  double *box, *other_box;
  uint32_t *order, *key;
  int32_t *count;
  SearchArgs a;
} Search;

/* Boxes become those of the tree, in their order along the curve. The same tree over boxes as they come says how large all is. */
static Status tree_create(Exec *exec, Search *s) {
  const BoxTree *t = &s->a.tree;
  const int32_t n = t->n[0];
  const double *box = s->other_box, *around = t->box + 6 * (int64_t)t->start[t->n_level - 1];
  TRY(exec_copy(exec, t->box, box, 6 * (size_t)n * sizeof *box));
  TRY(tree_fill(exec, t));
  TRY(exec_rows(exec, &box_key_kernel, &(BoxKeyArgs){box, around, s->key, s->order}, n));
  TRY(exec_sort(exec, n, s->key, sizeof *s->key, 30, s->order));
  TRY(exec_rows(exec, &box_take_kernel, &(BoxTakeArgs){box, s->order, t->box}, n));
  return tree_fill(exec, t);
}

/* Pairs are counted, then listed. */
static Status segments_list(MortarPairs *p, Search *s) {
  Exec *exec = p->exec;
  const int32_t n = p->on.side.n, w = p->on.side.width;
  s->a.order = s->order, s->a.box = s->box, s->a.count = s->count, s->a.first = p->first;
  TRY(exec_rows(exec, &search_count_kernel, &s->a, n));
  TRY(exec_scan(exec, s->count, sizeof *s->count, n, p->first, &p->n));
  p->n_square = w * (w + 1) / 2, p->n_mixed = w * p->to.side.width;
  const ExecArray array[] = {EXEC_ARRAY(p->of, p->n),    EXEC_ARRAY(p->other, p->n),
                             EXEC_ARRAY(p->area, p->n),  EXEC_ARRAY(p->gap, p->n),
                             EXEC_ARRAY(p->state, p->n), EXEC_ARRAY(p->square, p->n * p->n_square),
                             EXEC_ARRAY(p->cover, n),    EXEC_ARRAY(p->mixed, p->n * p->n_mixed)};
  TRY(exec_pack_create(exec, 8, array, WHAT, &p->of_pairs));
  s->a.of = p->of, s->a.other = p->other;
  return exec_rows(exec, &search_fill_kernel, &s->a, n);
}

Status mortar_pairs_search(MortarPairs *p) {
  Exec *exec = p->exec;
  const int32_t n = p->on.side.n, m = p->to.side.n;
  Search s = {.a = {.normal = p->on.side.normal,
                    .other_normal = p->to.side.normal,
                    .outward = p->outward[0],
                    .other_outward = p->outward[1]}};
  Status status;
  tree_levels(m, &s.a.tree);
  const ExecArray array[] = {EXEC_ARRAY(s.box, 6 * (int64_t)n),
                             EXEC_ARRAY(s.other_box, 6 * (int64_t)m),
                             EXEC_ARRAY(s.a.tree.box, 6 * tree_boxes(&s.a.tree)),
                             EXEC_ARRAY(s.order, m),
                             EXEC_ARRAY(s.key, m),
                             EXEC_ARRAY(s.count, n)};
  TRY(exec_pack_create(exec, 6, array, WHAT, &s.arrays));
  const FacetExtentArgs extent[2] = {{p->tables, p->on.side, p->plane, s.box, p->params->reach, 1},
                                     {p->tables, p->to.side, NULL, s.other_box, 0, 0}};
  TRY_DONE(exec_rows(exec, &facet_extent_kernel, &extent[0], n));
  TRY_DONE(exec_rows(exec, &facet_extent_kernel, &extent[1], m));
  TRY_DONE(tree_create(exec, &s));
  status = segments_list(p, &s);
done:
  exec_pack_release(&s.arrays);
  return status;
}

static const RowKernel *kernel_of(int first, int second) {
  const int32_t n = element_type((ElementKind)first)->n_node;
  if (element_type((ElementKind)first)->dim == 1) return &segment_line_kernel;
  if (element_type((ElementKind)second)->n_node != n) return &segment_any_kernel;
  if (n == 3) return &segment_tri3_kernel;
  if (n == 4) return &segment_quad4_kernel;
  if (n == 6) return &segment_tri6_kernel;
  return n == 8 ? &segment_quad8_kernel : &segment_any_kernel;
}

static Status segments_find(MortarPairs *p, SegmentArgs *a) {
  for (int first = 0; first < FACET_KINDS; ++first)
    for (int second = 0; second < FACET_KINDS; ++second) {
      if (!p->on.n_kind[first] || !p->to.n_kind[second]) continue;
      a->first_kind = first, a->second_kind = second;
      TRY(exec_rows(p->exec, kernel_of(first, second), a, p->n));
    }
  return OK;
}

Status mortar_pairs_integrate(MortarPairs *p) {
  Exec *exec = p->exec;
  CoverArgs a = {.pairs = {.tables = p->tables,
                           .on = p->on.side,
                           .to = p->to.side,
                           .plane = p->plane,
                           .of = p->of,
                           .other = p->other,
                           .axisymmetric = p->params->axisymmetric,
                           .n_square = p->n_square,
                           .n_mixed = p->n_mixed,
                           .area = p->area,
                           .gap = p->gap,
                           .square = p->square,
                           .mixed = p->mixed,
                           .state = p->state},
                 .first = p->first,
                 .reach = p->params->reach,
                 .part = TIE_REACH,
                 .cover = p->cover};
  TRY(segments_find(p, &a.pairs));
  return exec_rows(exec, &cover_kernel, &a, p->on.side.n);
}

void mortar_pairs_release(MortarPairs *p) {
  Exec *exec = p->exec;
  const int32_t n[2] = {p->on.side.n, p->to.side.n};
  if (!exec) return;
  side_release(p, &p->on);
  side_release(p, &p->to);
  for (int s = 0; s < 2; ++s)
    if (p->outward[s]) exec_lend_end(exec, n[s], sizeof *p->outward[s], (const void **)&p->outward[s]);
  if (p->x) exec_lend_end(exec, 3 * (int64_t)p->params->mesh->n_node, sizeof *p->x, (const void **)&p->x);
  EXEC_RELEASE(exec, p->tables, 1);
  exec_pack_release(&p->of_facets);
  exec_pack_release(&p->of_pairs);
  *p = (MortarPairs){0};
}
