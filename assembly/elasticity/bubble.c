/* The row kernels of incompatible modes for the CPU, their tables and their launches. */
#include "assembly/elasticity/bubble.h"
#include "core/memory.h"

#include <math.h>

/* bubble_condense of all nodes of an element, whose W lies together. */
HD void condense_element(const int n, const int dim, const BubbleArgs *args, const int64_t e) {
  const ElementArgs *s = &args->p.e;
  const int columns = n * dim;
  const double *W = args->W + e * args->W_e;
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < dim; ++i) {
      double row[BUBBLE_NODES * 3] = {0};
      for (int k = 0; k < dim * dim; ++k)
        for (int c = 0; c < columns; ++c) row[c] += W[k * columns + a * dim + i] * W[k * columns + c];
      for (int b = a; b < n; ++b) {
        const int64_t pair = point_pairs_before(n, a) + b - a;
        double *K = s->K + (s->pair_first + pair * s->pair_p + e * s->pair_e) * s->block_step;
        for (int j = 0; j < dim; ++j) K[(i * dim + j) * s->scalar_step] -= row[b * dim + j];
      }
    }
}

/* As nonlinear_pairs_range: all nodes of an element at once. */
#define BUBBLE_RANGES(dim, n)                                                                                          \
  static void bubble_couple_##dim##_range(const void *args, int64_t begin, int64_t end, double *sum) {                 \
    (void)sum;                                                                                                         \
    const BubbleArgs s = *(const BubbleArgs *)args;                                                                    \
    for (int64_t e = (begin + (n)-1) / (n); e * (n) < end; ++e) bubble_couple(n, dim, n, &s, e, 0);                    \
  }                                                                                                                    \
  static void bubble_condense_##dim##_range(const void *args, int64_t begin, int64_t end, double *sum) {               \
    (void)sum;                                                                                                         \
    const BubbleArgs s = *(const BubbleArgs *)args;                                                                    \
    for (int64_t e = (begin + (n)-1) / (n); e * (n) < end; ++e) {                                                      \
      if (s.W_k == 1) condense_element(n, dim, &s, e);                                                                 \
      for (int a = 0; a < (n) && s.W_k != 1; ++a) bubble_condense(n, dim, &s, e, a); /* a GPU's run, rehearsed */      \
    }                                                                                                                  \
  }
BUBBLE_RANGES(2, 4)
BUBBLE_RANGES(3, 8)

#include "core/rows.h"
#define ROWS_OWN_RANGE(NAME, ARGS) const RowKernel NAME##_kernel = {#NAME, 0, sizeof(ARGS), NAME##_range, 0};
#include "assembly/elasticity/bubble.def"
#include "core/rows_end.h"

/* Of W of an element. */
static int64_t couple_size(int32_t n_node, int32_t dim) { return (int64_t)dim * dim * n_node * dim; }
static int32_t slice_of(const Exec *exec, int64_t n_elem) {
  const double most = fmax(1, BUBBLE_SLICE / fmax(1, exec->stands_for));
  return (int32_t)fmin((double)n_elem, most);
}

/* [n_q][dim] derivatives of the bubbles, dM_m / dxi_m, then [n_node][dim] those of N at the centre. */
Status bubbles_table(Exec *exec, const ElementType *type, int64_t *n, double **out) {
  enum { MOST = ELEMENT_MAX_QUADRATURE * 3 + BUBBLE_NODES * 3 };
  const Quadrature centre = {.n = 1, .weight = {1}};
  Quadrature rule;
  double table[MOST] = {0};
  TRY(element_stiffness_quadrature(type, &rule));
  CHECK(type->n_node == bubble_nodes(type->dim), ERR_BUG, "%s has no kernels of incompatible modes", type->name);
  for (int32_t q = 0; q < rule.n; ++q)
    for (int m = 0; m < type->dim; ++m) table[q * type->dim + m] = -2 * rule.xi[q][m];
  element_tabulate(type, &centre, NULL, table + rule.n * type->dim);
  *n = (int64_t)(rule.n + type->n_node) * type->dim;
  return exec_alloc_upload(exec, *n, sizeof *table, table, "incompatible modes", (void **)out);
}

Status bubbles_upload(Exec *exec, const ElementSet *set, ElasticityPoints *out) {
  for (int32_t k = 0; k < set->n_solved_block; ++k) {
    if (!out->bubbles[k]) continue;
    const int64_t n = slice_of(exec, out->n_elem[k]) * couple_size(out->n_node[k], out->dim[k]);
    TRY(bubbles_table(exec, set->block[k].type, &out->n_bubble[k], &out->bubble[k]));
    if (n > out->n_slice) out->n_slice = n;
  }
  if (out->n_slice) EXEC_ALLOC(exec, out->slice, out->n_slice, "incompatible modes");
  return OK;
}

void bubbles_release(Exec *exec, ElasticityPoints *points) {
  for (int32_t k = 0; k < ELEMENT_SET_BLOCKS; ++k) EXEC_RELEASE(exec, points->bubble[k], points->n_bubble[k]);
  EXEC_RELEASE(exec, points->slice, points->n_slice);
}

static bool has_any(const PointArgs *args) { return args->bubble && args->nonlinear && args->law_row; }

Status bubbles_modes(Exec *exec, const PointArgs *args) {
  return has_any(args) ? exec_rows(exec, &bubble_modes_kernel, args, args->e.n_elem) : OK;
}

Status bubbles_pairs(Exec *exec, const ElasticityPoints *points, const PointArgs *all) {
  const int32_t n_node = all->n_node;
  const bool by_element = all->e.pair_e != 1;
  const int32_t most = slice_of(exec, all->e.n_elem);
  for (int32_t first = 0; first < all->e.n_elem; first += most) {
    BubbleArgs s = {.p = *all, .W = points->slice};
    s.p.e.n_elem = all->e.n_elem - first < most ? all->e.n_elem - first : most;
    s.p.e.nodes += first * all->e.node_e;
    s.p.e.material += first;
    s.p.e.pair_first += first * all->e.pair_e;
    if (s.p.law_row) s.p.law_row += first;
    s.W_k = by_element ? 1 : s.p.e.n_elem;
    s.W_e = by_element ? couple_size(n_node, all->dim) : 1;
    const int64_t rows = (int64_t)s.p.e.n_elem * n_node;
    const BubbleArgs any = {.p = *all, .W = s.W, .W_k = s.W_k, .W_e = s.W_e, .first = first};
    if (has_any(all)) TRY(exec_rows(exec, &bubble_couple_any_kernel, &any, s.p.e.n_elem));
    else TRY(exec_rows(exec, all->dim == 2 ? &bubble_couple_2_kernel : &bubble_couple_3_kernel, &s, rows));
    TRY(exec_rows(exec, all->dim == 2 ? &bubble_condense_2_kernel : &bubble_condense_3_kernel, &s, rows));
  }
  return OK;
}

Status bubbles_force(Exec *exec, const PointArgs *args) {
  return exec_rows(exec, args->dim == 2 ? &bubble_force_2_kernel : &bubble_force_3_kernel, args, args->e.n_elem);
}

Status bubbles_recover(Exec *exec, const RecoverArgs *args) {
  return exec_rows(exec, args->p.dim == 2 ? &bubble_recover_2_kernel : &bubble_recover_3_kernel, args,
                   args->p.e.n_elem);
}
