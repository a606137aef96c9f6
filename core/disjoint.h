/* Disjoint sets that all threads join at once: parent[i] of a root is i itself, of others a lower member. Roots are joined to
 * lower ones by compare-and-swap (Anderson and Woll, Wait-free parallel algorithms for the union-find problem, STOC 1991),
 * so that the root of a set is its lowest member whatever the order. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

static inline int32_t disjoint_parent(const int32_t *parent, int32_t i) {
  return __atomic_load_n(&parent[i], __ATOMIC_RELAXED);
}

/* Paths are halved on the way. */
static inline int32_t disjoint_root(int32_t *parent, int32_t i) {
  for (int32_t up = disjoint_parent(parent, i); up != i; up = disjoint_parent(parent, i)) {
    const int32_t beyond = disjoint_parent(parent, up);
    if (beyond == up) return up;
    __atomic_compare_exchange_n(&parent[i], &up, beyond, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    i = beyond;
  }
  return i;
}

/* The sets of a and b become one; its root, unless others join it meanwhile. */
static inline int32_t disjoint_join(int32_t *parent, int32_t a, int32_t b) {
  for (;;) {
    const int32_t p = disjoint_root(parent, a), q = disjoint_root(parent, b), low = p < q ? p : q;
    int32_t high = p < q ? q : p;
    if (p == q || __atomic_compare_exchange_n(&parent[high], &high, low, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return low;
  }
}
