/* States first on the CPU: cells of one model and its parameters go on side by side (physics/ionic_lanes.h). Fewer cells are filled up with copies of the last one: all
 * go the same way, which bits depend on. */
#pragma once
#include "assembly/monodomain/monodomain_rows.h"
#include "physics/ionic_lanes.h"

#define IONIC(name, text, n)                                                                                           \
  static void monodomain_first_##name##_some(const MonodomainFirstArgs *s, const int64_t begin, const int m) {         \
    enum { L = IONIC_ABREAST };                                                                                        \
    double V[L], current[L], from[n * L], to[n * L], f[L], by_V[L];                                                    \
    const MonodomainCells *cells = &s->cells;                                                                          \
    const int64_t other = *cells->turn ? 0 : cells->size;                                                              \
    const double *old = cells->state + begin + (cells->size - other);                                                  \
    const double theta = cells->numbers[0];                                                                            \
    double *now = cells->state + begin + other;                                                                        \
    for (int l = 0; l < L; ++l) {                                                                                      \
      const int64_t k = begin + (l < m ? l : m - 1), i = s->node ? s->node[k] : k;                                     \
      V[l] = s->V[i], current[l] = s->current[i];                                                                      \
    }                                                                                                                  \
    for (int j = 0; j < n; ++j)                                                                                        \
      for (int l = 0; l < L; ++l) from[j * L + l] = old[j * cells->stride + (l < m ? l : m - 1)];                      \
    name##_abreast(monodomain_constants(cells, begin), cells->numbers[3], V, current, from, to, f, by_V);              \
    for (int j = 0; j < n; ++j)                                                                                        \
      for (int l = 0; l < m; ++l) now[j * cells->stride + l] = to[j * L + l];                                          \
    for (int l = 0; l < m; ++l) {                                                                                      \
      s->gradient[begin + l] = by_V[l];                                                                                \
      s->force[begin + l] = f[l] - theta * by_V[l] * V[l];                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  static void monodomain_first_##name##_span(const MonodomainFirstArgs *s, const int64_t begin, const int64_t end) {   \
    const uint16_t *kind = s->cells.kind;                                                                              \
    if (monodomain_idle(s->cells.when)) return;                                                                        \
    for (int64_t k = begin, next; k < end; k = next) {                                                                 \
      for (next = k + 1; next < end && next < k + IONIC_ABREAST && (!kind || kind[next] == kind[k]);) ++next;          \
      if (monodomain_constants(&s->cells, k)->kind == IONIC_KIND_##name)                                               \
        monodomain_first_##name##_some(s, k, (int)(next - k));                                                         \
    }                                                                                                                  \
  }
#include "physics/ionics.def"
#undef IONIC
