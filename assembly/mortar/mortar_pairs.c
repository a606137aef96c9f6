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
  TRY(exec_lend(p->exec, side->n, sizeof *s->kind, s->kind, WHAT, (const void **)&side->kind));
  EXEC_ALLOC(p->exec, side->size, side->n, WHAT);
  EXEC_ALLOC(p->exec, side->normal, 3 * (int64_t)side->n, WHAT);
  return OK;
}

static void side_release(const MortarPairs *p, MortarSide *s) {
  FacetSide *side = &s->side;
  if (side->node) exec_lend_end(p->exec, (int64_t)side->n * side->width, sizeof *s->node, (const void **)&side->node);
  if (side->kind) exec_lend_end(p->exec, side->n, sizeof *s->kind, (const void **)&side->kind);
  EXEC_RELEASE(p->exec, side->size, side->n);
  EXEC_RELEASE(p->exec, side->normal, 3 * (int64_t)side->n);
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
  EXEC_ALLOC(exec, p->plane, p->on.side.n, WHAT);
  return OK;
}

static int64_t tree_boxes(const BoxTree *t) { return t->start[t->n_level - 1] + t->n[t->n_level - 1]; }

static Status tree_fill(Exec *exec, const BoxTree *t) {
  for (int32_t l = 1; l < t->n_level; ++l) TRY(exec_rows(exec, &box_up_kernel, &(BoxUpArgs){*t, l}, t->n[l]));
  return OK;
}

/* Boxes become those of the tree, in the order that is returned. The same tree over boxes as they come says how large all is. */
static Status tree_create(Exec *exec, int32_t n, const double *box, BoxTree *t, uint32_t **order) {
  uint32_t *key = NULL;
  Status status = OK;
  *t = (BoxTree){.n_level = 1, .n[0] = n};
  for (int32_t m = n; m > 1; ++t->n_level) {
    t->start[t->n_level] = t->start[t->n_level - 1] + m;
    t->n[t->n_level] = m = (m + BOX_FAN - 1) / BOX_FAN;
  }
  EXEC_ALLOC(exec, t->box, 6 * tree_boxes(t), WHAT);
  EXEC_ALLOC(exec, *order, n, WHAT);
  EXEC_ALLOC(exec, key, n, WHAT);
  TRY_DONE(exec_copy(exec, t->box, box, 6 * (size_t)n * sizeof *box));
  TRY_DONE(tree_fill(exec, t));
  const double *around = t->box + 6 * (int64_t)t->start[t->n_level - 1];
  TRY_DONE(exec_rows(exec, &box_key_kernel, &(BoxKeyArgs){box, around, key, *order}, n));
  TRY_DONE(exec_sort(exec, n, key, sizeof *key, 30, *order));
  TRY_DONE(exec_rows(exec, &box_take_kernel, &(BoxTakeArgs){box, *order, t->box}, n));
  status = tree_fill(exec, t);
done:
  EXEC_RELEASE(exec, key, n);
  return status;
}

/* Pairs are counted, then listed. */
static Status segments_list(MortarPairs *p, SearchArgs *a) {
  Exec *exec = p->exec;
  const int32_t n = p->on.side.n;
  int32_t *count = NULL;
  Status status;
  TRY_DONE(exec_alloc(exec, n, sizeof *count, WHAT, (void **)&count));
  TRY_DONE(exec_alloc(exec, (int64_t)n + 1, sizeof *p->first, WHAT, (void **)&p->first));
  a->count = count, a->first = p->first;
  TRY_DONE(exec_rows(exec, &search_count_kernel, a, n));
  TRY_DONE(exec_scan(exec, count, sizeof *count, n, p->first, &p->n));
  TRY_DONE(exec_alloc(exec, p->n, sizeof *p->of, WHAT, (void **)&p->of));
  TRY_DONE(exec_alloc(exec, p->n, sizeof *p->other, WHAT, (void **)&p->other));
  a->of = p->of, a->other = p->other;
  status = exec_rows(exec, &search_fill_kernel, a, n);
done:
  EXEC_RELEASE(exec, count, n);
  return status;
}

Status mortar_pairs_search(MortarPairs *p) {
  Exec *exec = p->exec;
  const int32_t n = p->on.side.n, m = p->to.side.n;
  double *box = NULL, *other = NULL;
  SearchArgs a = {.normal = p->on.side.normal,
                  .other_normal = p->to.side.normal,
                  .outward = p->outward[0],
                  .other_outward = p->outward[1]};
  Status status;
  uint32_t *order = NULL;
  TRY_DONE(exec_alloc(exec, 6 * (int64_t)n, sizeof *box, WHAT, (void **)&box));
  TRY_DONE(exec_alloc(exec, 6 * (int64_t)m, sizeof *other, WHAT, (void **)&other));
  const FacetExtentArgs extent[2] = {{p->tables, p->on.side, p->plane, box, p->params->reach, 1},
                                     {p->tables, p->to.side, NULL, other, 0, 0}};
  TRY_DONE(exec_rows(exec, &facet_extent_kernel, &extent[0], n));
  TRY_DONE(exec_rows(exec, &facet_extent_kernel, &extent[1], m));
  TRY_DONE(tree_create(exec, m, other, &a.tree, &order));
  a.order = order, a.box = box;
  status = segments_list(p, &a);
done:
  if (a.tree.n_level) EXEC_RELEASE(exec, a.tree.box, 6 * tree_boxes(&a.tree));
  EXEC_RELEASE(exec, order, m);
  EXEC_RELEASE(exec, box, 6 * (int64_t)n);
  EXEC_RELEASE(exec, other, 6 * (int64_t)m);
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
  const int32_t n = p->on.side.width, m = p->to.side.width;
  p->n_square = n * (n + 1) / 2, p->n_mixed = n * m;
  EXEC_ALLOC(exec, p->area, p->n, WHAT);
  EXEC_ALLOC(exec, p->gap, p->n, WHAT);
  EXEC_ALLOC(exec, p->state, p->n, WHAT);
  EXEC_ALLOC(exec, p->square, p->n * p->n_square, WHAT);
  EXEC_ALLOC(exec, p->mixed, p->n * p->n_mixed, WHAT);
  EXEC_ALLOC(exec, p->cover, p->on.side.n, WHAT);
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
  TRY(exec_rows(exec, &cover_kernel, &a, p->on.side.n));
  EXEC_RELEASE(exec, p->square, p->n * p->n_square);
  return OK;
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
  EXEC_RELEASE(exec, p->plane, n[0]);
  EXEC_RELEASE(exec, p->first, (int64_t)n[0] + 1);
  EXEC_RELEASE(exec, p->of, p->n);
  EXEC_RELEASE(exec, p->other, p->n);
  EXEC_RELEASE(exec, p->area, p->n);
  EXEC_RELEASE(exec, p->gap, p->n);
  EXEC_RELEASE(exec, p->square, p->n * p->n_square);
  EXEC_RELEASE(exec, p->mixed, p->n * p->n_mixed);
  EXEC_RELEASE(exec, p->state, p->n);
  EXEC_RELEASE(exec, p->cover, n[0]);
  *p = (MortarPairs){0};
}
