/* From integrals of dual functions over pairs of facets to the rows of weights of nodes, one row of a kernel for each. What a row may have
 * is counted first; it then merges that, ascending, in room of its own, and what is left is written behind what rows before it have left. */
#pragma once
#include "assembly/mortar/cover_rows.h"
#include "assembly/space/facet_share.h"

/* ---- nodes of facets ---- */

/* Rows are places [n][width] of nodes of facets; those of facets with fewer nodes get the number behind all nodes, `end`. */
typedef struct NodeKeyArgs {
  const int32_t *node;
  uint32_t end, *key, *order;
} NodeKeyArgs;
HD void node_key_body(const NodeKeyArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->key[i] = a->node[i] < 0 ? a->end : (uint32_t)a->node[i];
  a->order[i] = (uint32_t)i;
}

/* Rows are places as sorted by their nodes: those where a node is first, which then count nodes. */
typedef struct NodeRowArgs {
  int64_t n;
  const uint32_t *key, *order;
  uint32_t end;
  int32_t *is_first;
  const int64_t *before; /* [n + 1]: nodes before a place */
  int32_t *node;         /* [nodes], ascending */
  int64_t *start;        /* [nodes + 1]: places of a node */
  int32_t *row;          /* [n]: the number of the node at a place of a facet */
} NodeRowArgs;
HD void node_first_body(const NodeRowArgs *a, int64_t p, double sum[]) {
  (void)sum;
  a->is_first[p] = a->key[p] != a->end && (p == 0 || a->key[p] != a->key[p - 1]);
}
HD void node_row_body(const NodeRowArgs *a, int64_t p, double sum[]) { /* and a row behind the last place */
  const int ends = p == a->n || a->key[p] == a->end;
  (void)sum;
  if (ends && (p == 0 || a->key[p - 1] != a->end)) a->start[a->before[p]] = p;
  if (ends) return;
  if (a->before[p + 1] > a->before[p]) a->node[a->before[p]] = (int32_t)a->key[p], a->start[a->before[p]] = p;
  a->row[a->order[p]] = (int32_t)(a->before[p + 1] - 1);
}

/* ---- rows ---- */

typedef struct WeightArgs {
  const SegmentTables *tables;
  FacetSide on, to;
  const int64_t *first; /* pairs, as in CoverArgs */
  const int32_t *other;
  const uint8_t *state;
  const double *mixed;
  const Cover *cover;
  int32_t n_mixed, dual; /* dual: rows of N' */
  /* rows: nodes, where they are on facets, and the number of the row at each place of a facet */
  int32_t n;
  const int32_t *node, *row;
  const int64_t *touch_start;
  const uint32_t *touch;
  double *area, *full;  /* [n]: of dual functions, of N' over whole facets */
  int32_t *corner;      /* [n][2]: rows of the ends of an edge that the node is in the middle of, else -1 */
  int32_t *keeps;       /* [n]: it has a row, */
  const int64_t *place; /* [n + 1]: and which */
  /* entries of a row while they are merged: room from slot on, where `found` are in use; of rows as they come, and as mixed */
  int32_t *room, *found;
  const int64_t *slot;
  int32_t *column;
  double *value;
  const int32_t *raw_found, *raw_column;
  const int64_t *raw_slot;
  const double *raw_value;
} WeightArgs;

HD int weight_keeps(const WeightArgs *a, const int64_t j) { return a->place[j + 1] > a->place[j]; }

/* Adds v to the entry of column c among n that ascend; value NULL: there are none. How many there are then. */
HD int32_t weight_insert(const int32_t n, int32_t *column, double *value, const int32_t c, const double v) {
  int32_t low = 0, high = n;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (column[middle] < c) low = middle + 1;
    else high = middle;
  }
  if (low < n && column[low] == c) {
    if (value) value[low] += v;
    return n;
  }
  for (int32_t k = n; k > low; --k) {
    column[k] = column[k - 1];
    if (value) value[k] = value[k - 1];
  }
  column[low] = c;
  if (value) value[low] = v;
  return n + 1;
}

/* What a row may have, its areas and corners. */
HD void weight_count_body(const WeightArgs *a, int64_t j, double sum[]) {
  int32_t room = 0, corner[2] = {-1, -1};
  double area = 0, full = 0;
  (void)sum;
  for (int64_t t = a->touch_start[j]; t < a->touch_start[j + 1]; ++t) {
    const int32_t i = (int32_t)(a->touch[t] / (uint32_t)a->on.width),
                  b = (int32_t)(a->touch[t] % (uint32_t)a->on.width);
    const FacetTerms *terms = &a->tables->facet[a->on.kind[i]];
    area += a->cover[i].share[b], full += a->cover[i].full[b];
    for (int32_t e = 0; e < terms->n_share; ++e)
      for (int c = 0; c < 2 && terms->share[e][2] == b; ++c)
        corner[c] = a->row[(int64_t)i * a->on.width + terms->share[e][c]];
    for (int64_t p = a->first[i]; p < a->first[i + 1]; ++p)
      if (a->state[p] & SEGMENT_FOUND) room += a->tables->facet[a->to.kind[a->other[p]]].n_node;
  }
  a->area[j] = area, a->full[j] = full, a->room[j] = room;
  a->corner[2 * j] = corner[0], a->corner[2 * j + 1] = corner[1];
}

/* Its entries, with a sum of 1; nodes with too little opposite have no row. */
HD void weight_merge_body(const WeightArgs *a, int64_t j, double sum[]) {
  const double LEAST = 1e-3; /* of its area: what a node must have opposite */
  const double LARGEST = 50; /* of weights */
  int32_t *column = a->column + a->slot[j], n = 0;
  double *value = a->value + a->slot[j], all = 0, most = 0;
  (void)sum;
  for (int64_t t = a->touch_start[j]; t < a->touch_start[j + 1]; ++t) {
    const int32_t i = (int32_t)(a->touch[t] / (uint32_t)a->on.width),
                  b = (int32_t)(a->touch[t] % (uint32_t)a->on.width);
    for (int64_t p = a->first[i]; p < a->first[i + 1]; ++p) {
      const int32_t m = a->tables->facet[a->to.kind[a->other[p]]].n_node;
      const int32_t *node = a->to.node + (int64_t)a->other[p] * a->to.width;
      const double *v = a->mixed + p * a->n_mixed + b * m;
      if (!(a->state[p] & SEGMENT_FOUND)) continue;
      for (int32_t k = 0; k < m; ++k)
        if (v[k] != 0) n = weight_insert(n, column, value, node[k], v[k]);
    }
  }
  for (int32_t k = 0; k < n; ++k) all += value[k], most = fmax(most, fabs(value[k]));
  for (int32_t k = 0; k < n; ++k) value[k] = all > 0 ? value[k] / all : 0;
  a->found[j] = n;
  a->keeps[j] = a->area[j] > LEAST * a->full[j] && most <= LARGEST * all;
}

/* ---- rows of nodes in place of those of N' ---- */

HD void mix_count_body(const WeightArgs *a, int64_t j, double sum[]) {
  int32_t room = a->raw_found[j];
  (void)sum;
  for (int e = 0; e < 2 && a->corner[2 * j] >= 0; ++e) {
    const int32_t c = a->corner[2 * j + e];
    room += weight_keeps(a, c) ? a->raw_found[c] : 1;
  }
  a->room[j] = weight_keeps(a, j) ? room : 0;
}

/* u(middle) is its share of both corners and 1 - 2 SHARE of what its row says; corners that are tied are what theirs say. */
HD void mix_merge_body(const WeightArgs *a, int64_t j, double sum[]) {
  const double CUT = 1e-14; /* of weights */
  int32_t *column = a->column + a->slot[j], n = 0;
  double *value = a->value + a->slot[j];
  (void)sum;
  const int middle = a->corner[2 * j] >= 0;
  for (int e = -1; e < (middle ? 2 : 0) && weight_keeps(a, j); ++e) {
    const int64_t c = e < 0 ? j : a->corner[2 * j + e];
    const double by = e >= 0 ? FACET_SHARE : middle ? 1 - 2 * FACET_SHARE : 1;
    if (!weight_keeps(a, c)) {
      n = weight_insert(n, column, value, a->node[c], by);
      continue;
    }
    for (int64_t k = a->raw_slot[c]; k < a->raw_slot[c] + a->raw_found[c]; ++k)
      if (fabs(a->raw_value[k]) > CUT) n = weight_insert(n, column, value, a->raw_column[k], by * a->raw_value[k]);
  }
  a->found[j] = n;
}

/* Of an edge the facet that its middle is on first, so that it counts once. */
HD int mix_owns(const WeightArgs *a, const int32_t facet, const int32_t middle) {
  return a->touch[a->touch_start[middle]] / (uint32_t)a->on.width == (uint32_t)facet;
}

/* Its area: a middle has more by what its corners have less. */
HD double mix_area(const WeightArgs *a, const int64_t j) {
  double area = a->area[j];
  if (a->dual) return area;
  if (a->corner[2 * j] >= 0) return area / (1 - 2 * FACET_SHARE);
  for (int64_t t = a->touch_start[j]; t < a->touch_start[j + 1]; ++t) {
    const int32_t i = (int32_t)(a->touch[t] / (uint32_t)a->on.width),
                  b = (int32_t)(a->touch[t] % (uint32_t)a->on.width);
    const FacetTerms *terms = &a->tables->facet[a->on.kind[i]];
    for (int32_t e = 0; e < terms->n_share; ++e) {
      const int32_t middle = a->row[(int64_t)i * a->on.width + terms->share[e][2]];
      if (terms->share[e][0] != b && terms->share[e][1] != b) continue;
      if (weight_keeps(a, middle) && mix_owns(a, i, middle))
        area -= FACET_SHARE * (a->area[middle] / (1 - 2 * FACET_SHARE));
    }
  }
  return area;
}

/* ---- what is left ---- */

/* Round-off goes, sums of weights become 1 to the last digit. */
typedef struct WeightOutArgs {
  WeightArgs rows;
  int32_t *length;       /* [rows]: entries, of near ones */
  const int64_t *before; /* [rows + 1] of these */
  const uint32_t *key;   /* nodes of the other side, ascending, */
  int64_t n_key;         /* and how many */
  int32_t *node;         /* as in MortarTie from here */
  double *area, *offset;
  uint8_t *shared;
  int64_t *start;
  int32_t *master;
  double *weight;
  int32_t *corner;
} WeightOutArgs;

HD int weight_counts(const double v) { return fabs(v) >= 1e-13; }

HD void weight_length_body(const WeightOutArgs *a, int64_t j, double sum[]) {
  const WeightArgs *r = &a->rows;
  int32_t n = 0;
  (void)sum;
  for (int32_t k = 0; k < r->found[j] && weight_keeps(r, j); ++k) n += weight_counts(r->value[r->slot[j] + k]);
  a->length[j] = n;
}

HD int node_is_among(const uint32_t *key, const int64_t n, const uint32_t node) {
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (key[middle] < node) low = middle + 1;
    else high = middle;
  }
  return low < n && key[low] == node;
}

HD void weight_write_body(const WeightOutArgs *a, int64_t j, double sum[]) { /* and a row behind the last */
  const WeightArgs *r = &a->rows;
  const int64_t i = r->place[j], begin = a->before[j];
  double all = 0;
  (void)sum;
  if (j == r->n) a->start[i] = begin;
  if (j == r->n || !weight_keeps(r, j)) return;
  int64_t at = begin;
  for (int64_t k = r->slot[j]; k < r->slot[j] + r->found[j]; ++k) {
    if (!weight_counts(r->value[k])) continue;
    all += r->value[k];
    a->master[at] = r->column[k], a->weight[at++] = r->value[k];
  }
  for (int c = 0; c < 3; ++c) a->offset[3 * i + c] = r->on.x[3 * (int64_t)r->node[j] + c];
  for (int64_t k = begin; k < at; ++k) {
    a->weight[k] /= all;
    for (int c = 0; c < 3; ++c) a->offset[3 * i + c] -= a->weight[k] * r->on.x[3 * (int64_t)a->master[k] + c];
  }
  a->start[i] = begin, a->node[i] = r->node[j], a->area[i] = mix_area(r, j);
  a->shared[i] = (uint8_t)node_is_among(a->key, a->n_key, (uint32_t)r->node[j]);
  for (int e = 0; e < 2 && a->corner; ++e)
    a->corner[2 * i + e] = r->corner[2 * j + e] < 0 ? -1 : r->node[r->corner[2 * j + e]];
}

/* Rows on the same facets: what may be, and what is, with room, slot, found and column of these. */
HD void near_count_body(const WeightArgs *a, int64_t j, double sum[]) {
  int32_t room = 0;
  (void)sum;
  for (int64_t t = a->touch_start[j]; t < a->touch_start[j + 1]; ++t)
    room += a->tables->facet[a->on.kind[a->touch[t] / (uint32_t)a->on.width]].n_node - 1;
  a->room[j] = room;
}

HD void near_merge_body(const WeightArgs *a, int64_t j, double sum[]) {
  int32_t n = 0;
  (void)sum;
  for (int64_t t = a->touch_start[j]; t < a->touch_start[j + 1] && weight_keeps(a, j); ++t) {
    const int64_t i = a->touch[t] / (uint32_t)a->on.width;
    const int32_t *row = a->row + i * a->on.width, m = a->tables->facet[a->on.kind[i]].n_node;
    for (int32_t b = 0; b < m; ++b)
      if (row[b] != j && weight_keeps(a, row[b]))
        n = weight_insert(n, a->column + a->slot[j], NULL, (int32_t)a->place[row[b]], 0);
  }
  a->found[j] = n;
}

typedef struct NearArgs {
  WeightArgs rows;
  const int64_t *before; /* [rows + 1]: entries of rows before */
  int64_t *start;
  int32_t *near;
} NearArgs;

HD void near_write_body(const NearArgs *a, int64_t j, double sum[]) { /* and a row behind the last */
  const WeightArgs *r = &a->rows;
  (void)sum;
  if (j == r->n || weight_keeps(r, j)) a->start[r->place[j]] = a->before[j];
  for (int32_t k = 0; j < r->n && k < r->found[j]; ++k) a->near[a->before[j] + k] = r->column[r->slot[j] + k];
}

/* ---- all facets ---- */

/* What is told of facets: sums, and whether something is wrong with one. */
typedef struct CoverTotals {
  double size, n_pair, n_fault;
} CoverTotals;

typedef struct CoverSumArgs {
  int32_t n;
  const double *size;
  const Cover *cover; /* NULL: sizes only */
  double *opposite;   /* [n]: part of its area */
  CoverTotals *totals;
} CoverSumArgs;

/* So much of a facet may be too far away, or opposite twice; a facet that bends may have a fifth more opposite than it is large. */
HD int cover_is_far(const Cover *c) { return c->far > 1e-3 * c->whole && c->part < (1 - 1e-3) * c->whole; }
HD int cover_is_folded(const Cover *c) { return c->part > (1 + 1e-3) * c->whole + c->far && c->part >= 1.2 * c->whole; }

HD void cover_sum_body(const CoverSumArgs *a, int64_t i, double sum[]) {
  const Cover *c = a->cover ? a->cover + i : NULL;
  sum[0] += a->size[i];
  if (!c) return;
  sum[1] += c->n_pair;
  sum[2] += c->warped || cover_is_far(c) || cover_is_folded(c);
  a->opposite[i] = c->part / c->whole;
}
HD void cover_sum_finish(const CoverSumArgs *a, const double sum[]) {
  a->totals->size = sum[0] / a->n, a->totals->n_pair = sum[1], a->totals->n_fault = sum[2];
}
