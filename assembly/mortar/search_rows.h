/* Which facets may lie opposite to each other: boxes of the one side in a tree, in which each facet of the other looks for those that its box
 * touches. Boxes lie in the order of a Morton curve through their middles; four neighbours of a level have one box around them on the next. */
#pragma once
#include "assembly/mortar/segment_rows.h"

enum { BOX_LEVELS = 17, BOX_FAN = 4 };

/* Box i of level l, [6] low and high, is box start[l] + i, and lies around BOX_FAN * i and the following of the level below. */
typedef struct BoxTree {
  int32_t n_level, start[BOX_LEVELS], n[BOX_LEVELS];
  double *box;
} BoxTree;

/* Rows are the boxes of a level above the first. */
typedef struct BoxUpArgs {
  BoxTree tree;
  int32_t level;
} BoxUpArgs;
HD void box_up_body(const BoxUpArgs *a, int64_t i, double sum[]) {
  const int32_t below = a->level - 1, n = a->tree.n[below];
  double *to = a->tree.box + 6 * (a->tree.start[a->level] + i);
  const double *from = a->tree.box + 6 * (a->tree.start[below] + BOX_FAN * i);
  (void)sum;
  for (int k = 0; k < 6; ++k) to[k] = from[k];
  for (int64_t c = 1; c < BOX_FAN && BOX_FAN * i + c < n; ++c)
    for (int k = 0; k < 3; ++k) {
      to[k] = fmin(to[k], from[6 * c + k]);
      to[3 + k] = fmax(to[3 + k], from[6 * c + 3 + k]);
    }
}

HD uint32_t box_spread(uint32_t v) { /* its 10 bits, two places between any two of them */
  v = (v | v << 16) & 0x030000FF, v = (v | v << 8) & 0x0300F00F;
  v = (v | v << 4) & 0x030C30C3, v = (v | v << 2) & 0x09249249;
  return v;
}

/* Rows are boxes: their places along the curve. */
typedef struct BoxKeyArgs {
  const double *box, *around; /* [n][6]; [6]: of all */
  uint32_t *key, *order;
} BoxKeyArgs;
HD void box_key_body(const BoxKeyArgs *a, int64_t i, double sum[]) {
  double extent = 0;
  uint32_t key = 0;
  (void)sum;
  for (int k = 0; k < 3; ++k) extent = fmax(extent, a->around[3 + k] - a->around[k]);
  for (int k = 0; k < 3; ++k) {
    const double at = 0.5 * (a->box[6 * i + k] + a->box[6 * i + 3 + k]) - a->around[k];
    const double cell = extent > 0 ? 1023 * at / extent : 0;
    key |= box_spread((uint32_t)fmin(fmax(cell, 0.0), 1023.0)) << k;
  }
  a->key[i] = key, a->order[i] = (uint32_t)i;
}

/* Rows are places along the curve: their boxes become the first level. */
typedef struct BoxTakeArgs {
  const double *box;
  const uint32_t *order;
  double *to;
} BoxTakeArgs;
HD void box_take_body(const BoxTakeArgs *a, int64_t i, double sum[]) {
  (void)sum;
  for (int k = 0; k < 6; ++k) a->to[6 * i + k] = a->box[6 * (int64_t)a->order[i] + k];
}

/* Rows are the facets that look. */
typedef struct SearchArgs {
  BoxTree tree;
  const uint32_t *order;                 /* [n of the first level] */
  const double *box;                     /* [rows][6] */
  const double *normal, *other_normal;   /* [][3] */
  const double *outward, *other_outward; /* NULL: all may be opposite */
  int32_t *count;                        /* first: how many they find */
  const int64_t *first;                  /* then where theirs begin, */
  int32_t *of, *other;                   /* the facet itself, and those, ascending */
} SearchArgs;

/* Whether the facets look at each other. */
HD int search_faces(const SearchArgs *a, const int64_t i, const int64_t k) {
  const double FACING = 0.2; /* cosine of the angle between facets that see each other */
  const double cosine = segment_dot(a->normal + 3 * i, a->other_normal + 3 * k);
  return fabs(cosine) >= FACING && (!a->outward || a->outward[i] * a->other_outward[k] * cosine < 0);
}

HD int search_touches(const double *a, const double *b) {
  for (int k = 0; k < 3; ++k)
    if (a[k] > b[3 + k] || b[k] > a[3 + k]) return 0;
  return 1;
}

/* From box i of the level to the next one that is not below it; 0: there is none. */
HD int search_next(const BoxTree *t, int32_t *level, int32_t *i) {
  for (;;) {
    if (*level == t->n_level - 1) return 0;
    ++*i;
    if (*i % BOX_FAN && *i < t->n[*level]) return 1;
    *i = (*i - 1) / BOX_FAN, ++*level;
  }
}

HD int32_t search_find(const SearchArgs *a, const int64_t row, int32_t *found) {
  const BoxTree *t = &a->tree;
  int32_t level = t->n_level - 1, i = 0, n = 0;
  for (int more = t->n[0] > 0; more;) {
    if (search_touches(t->box + 6 * ((int64_t)t->start[level] + i), a->box + 6 * row)) {
      if (level > 0) {
        --level, i *= BOX_FAN;
        continue;
      }
      const int32_t other = (int32_t)a->order[i];
      if (search_faces(a, row, other)) {
        int32_t at = n++;
        for (; found && at > 0 && found[at - 1] > other; --at) found[at] = found[at - 1];
        if (found) found[at] = other;
      }
    }
    more = search_next(t, &level, &i);
  }
  return n;
}

HD void search_count_body(const SearchArgs *a, int64_t i, double sum[]) {
  (void)sum;
  a->count[i] = search_find(a, i, NULL);
}

HD void search_fill_body(const SearchArgs *a, int64_t i, double sum[]) {
  (void)sum;
  search_find(a, i, a->other + a->first[i]);
  for (int64_t p = a->first[i]; p < a->first[i + 1]; ++p) a->of[p] = (int32_t)i;
}
