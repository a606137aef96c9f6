/* Sums and sorting on the CPU. Each thread has a part of the array; integers add up to the same, and a stable sort has
 * one result, for any number of parts. */
#include "core/exec_cpu.h"
#include "core/memory.h"
#include "core/parts.h"

#include <string.h>

enum {
  PART = 1 << 15, /* items for which another thread is worth waking */
  DIGIT = 11,     /* most bits that a pass sorts by */
  BUCKETS = 1 << DIGIT
};

/* All threads or one, as parts_of. */
static int parts_on(const Exec *exec, int64_t n) { return n < PART ? 1 : ((const CpuExec *)exec)->threads; }

static int64_t size_at(const void *count, size_t size, int64_t i) {
  const int64_t value = size == 4 ? ((const int32_t *)count)[i] : ((const int64_t *)count)[i];
  return value < 0 ? -value : value;
}

Status cpu_scan(Exec *exec, const void *count, size_t size, int64_t n, int64_t *start) {
  const int parts = parts_on(exec, n);
  int64_t *before = NULL;
  ALLOC(before, parts + 1, "sums of sizes");
#pragma omp parallel for schedule(static) num_threads(parts) if (parts > 1)
  for (int p = 0; p < parts; ++p) {
    int64_t sum = 0;
    for (int64_t i = part_begin(n, p, parts); i < part_begin(n, p + 1, parts); ++i) sum += size_at(count, size, i);
    before[p + 1] = sum;
  }
  for (int p = 0; p < parts; ++p) before[p + 1] += before[p];
#pragma omp parallel for schedule(static) num_threads(parts) if (parts > 1)
  for (int p = 0; p < parts; ++p) {
    int64_t sum = before[p];
    for (int64_t i = part_begin(n, p, parts); i < part_begin(n, p + 1, parts); ++i) {
      start[i] = sum;
      sum += size_at(count, size, i);
    }
  }
  start[n] = before[parts];
  FREE(before);
  return OK;
}

/* A pass by the bits from `shift` on; count [parts][BUCKETS] says where each part puts the next of each bucket. */
typedef struct SortPass {
  int64_t n, *count;
  int parts, shift;
  unsigned mask;
  const void *key;
  void *to_key;
  const uint32_t *payload;
  uint32_t *to_payload;
} SortPass;

static inline __attribute__((always_inline)) uint64_t key_at(const void *key, const size_t size, int64_t i) {
  return size == 4 ? ((const uint32_t *)key)[i] : ((const uint64_t *)key)[i];
}

static inline __attribute__((always_inline)) void pass_count(const SortPass *p, const size_t size) {
#pragma omp parallel for schedule(static) num_threads(p->parts) if (p->parts > 1)
  for (int part = 0; part < p->parts; ++part) {
    int64_t *count = p->count + (int64_t)part * BUCKETS;
    memset(count, 0, BUCKETS * sizeof *count);
    for (int64_t i = part_begin(p->n, part, p->parts); i < part_begin(p->n, part + 1, p->parts); ++i)
      ++count[key_at(p->key, size, i) >> p->shift & p->mask];
  }
}

static inline __attribute__((always_inline)) void pass_move(const SortPass *p, const size_t size) {
#pragma omp parallel for schedule(static) num_threads(p->parts) if (p->parts > 1)
  for (int part = 0; part < p->parts; ++part) {
    int64_t *count = p->count + (int64_t)part * BUCKETS;
    for (int64_t i = part_begin(p->n, part, p->parts); i < part_begin(p->n, part + 1, p->parts); ++i) {
      const uint64_t key = key_at(p->key, size, i);
      const int64_t to = count[key >> p->shift & p->mask]++;
      if (size == 4) ((uint32_t *)p->to_key)[to] = (uint32_t)key;
      else ((uint64_t *)p->to_key)[to] = key;
      p->to_payload[to] = p->payload[i];
    }
  }
}

/* Counts become places: bucket by bucket, in each part by part. False: all are in one bucket. */
static bool pass_place(const SortPass *p) {
  int64_t sum = 0;
  for (int64_t b = 0; b <= p->mask; ++b) {
    const int64_t first = sum;
    for (int part = 0; part < p->parts; ++part) {
      const int64_t here = p->count[(int64_t)part * BUCKETS + b];
      p->count[(int64_t)part * BUCKETS + b] = sum;
      sum += here;
    }
    if (sum - first == p->n) return false;
  }
  return true;
}

static bool keys_ascend(const ExecSort *s, int parts) {
  bool ascend = true;
#pragma omp parallel for schedule(static) num_threads(parts) if (parts > 1) reduction(&& : ascend)
  for (int part = 0; part < parts; ++part)
    for (int64_t i = part_begin(s->n, part, parts); ascend && i < part_begin(s->n, part + 1, parts); ++i)
      ascend = i == 0 || key_at(s->key, s->key_size, i - 1) <= key_at(s->key, s->key_size, i);
  return ascend;
}

Status cpu_sort(Exec *exec, ExecSort *s) {
  const int parts = parts_on(exec, s->n), passes = (s->bits + DIGIT - 1) / DIGIT;
  s->in_other = false;
  if (passes == 0 || keys_ascend(s, parts)) return OK;
  const int digit = (s->bits + passes - 1) / passes;
  SortPass p = {.n = s->n, .parts = parts, .mask = (1u << digit) - 1};
  ALLOC(p.count, (int64_t)parts * BUCKETS, "places of a sort");
  for (p.shift = 0; p.shift < s->bits; p.shift += digit) {
    p.key = s->in_other ? s->other_key : s->key;
    p.payload = s->in_other ? s->other_payload : s->payload;
    p.to_key = s->in_other ? s->key : s->other_key;
    p.to_payload = s->in_other ? s->payload : s->other_payload;
    if (s->key_size == 4) pass_count(&p, 4);
    else pass_count(&p, 8);
    if (!pass_place(&p)) continue;
    if (s->key_size == 4) pass_move(&p, 4);
    else pass_move(&p, 8);
    s->in_other = !s->in_other;
  }
  FREE(p.count);
  return OK;
}
