/* Sums, sorting and lists of integers on an Exec against a plain loop, and equal for any number of threads. */
#include "tests/testing.h"

#include <string.h>

#include "core/memory.h"

static Exec *exec;
static const int64_t sizes[] = {0, 1, 2, 31, 127, 128, 129, 5000, 100003, 300000};
enum { N_SIZES = sizeof sizes / sizeof *sizes, MOST = 300000 };

static uint64_t random_next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 16 ^ *state >> 45;
}

static void *array_of(int64_t n, size_t size) {
  void *p = NULL;
  assert_ok(mem_alloc(n, size, "a test", &p));
  return p;
}

static void scan_once(Exec *on, int64_t n, const int64_t *count) {
  int64_t total = -1;
  int32_t *narrow = array_of(n, sizeof *narrow);
  int64_t *got = array_of(n + 1, sizeof *got);
  for (int64_t i = 0; i < n; ++i) narrow[i] = (int32_t)count[i];
  for (size_t size = 4; size <= 8; size += 4) {
    void *from = NULL;
    int64_t *start = NULL, sum = 0;
    assert_ok(exec_alloc_upload(on, n, size, size == 4 ? (const void *)narrow : count, "counts", &from));
    assert_ok(exec_alloc(on, n + 1, sizeof *start, "sums", (void **)&start));
    assert_ok(exec_scan(on, from, size, n, start, &total));
    assert_ok(exec_download(on, got, start, (size_t)(n + 1) * sizeof *got));
    for (int64_t i = 0; i <= n; ++i) {
      if (got[i] != sum) fail_msg("start[%lld] of %lld is %lld", (long long)i, (long long)n, (long long)got[i]);
      if (i < n) sum += llabs(size == 4 ? narrow[i] : count[i]);
    }
    assert_int_equal(total, sum);
    exec_release(on, n, size, &from);
    EXEC_RELEASE(on, start, n + 1);
  }
  FREE(narrow);
  FREE(got);
}

/* Negative numbers stand for their size; sums go beyond 32 bits. */
static void scans(void **state) {
  (void)state;
  uint64_t seed = 7;
  int64_t *count = array_of(MOST, sizeof *count);
  for (int64_t i = 0; i < MOST; ++i) count[i] = (int64_t)(random_next(&seed) % 2000003) - 1000001;
  for (int k = 0; k < N_SIZES; ++k) scan_once(exec, sizes[k], count);
  for (int64_t i = 0; i < MOST; ++i) count[i] = INT32_MAX;
  scan_once(exec, 5000, count);
  for (int threads = 1; exec_is_host(exec) && threads <= 5; ++threads) {
    Exec *own = NULL;
    assert_ok(exec_create_cpu(threads, &own));
    scan_once(own, MOST, count);
    exec_destroy(&own);
  }
  FREE(count);
  assert_fails(exec_scan(exec, NULL, 2, 5, NULL, NULL), ERR_BUG, "5 sizes of 2 bytes");
}

typedef struct Pair {
  uint64_t key;
  uint32_t payload;
} Pair;

static int by_key(const void *a, const void *b) {
  const Pair *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return p->payload < q->payload ? -1 : p->payload > q->payload; /* payloads ascend before */
}

static void sort_once(Exec *on, int64_t n, size_t size, int bits, const uint64_t *random) {
  const uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  Pair *wanted = array_of(n, sizeof *wanted);
  uint64_t *wide = array_of(n, sizeof *wide);
  uint32_t *narrow = array_of(n, sizeof *narrow), *payload = array_of(n, sizeof *payload), *order = NULL;
  void *key = NULL, *host = size == 4 ? (void *)narrow : wide;
  for (int64_t i = 0; i < n; ++i) {
    wide[i] = random[i] & mask;
    narrow[i] = (uint32_t)wide[i];
    payload[i] = (uint32_t)(3 * i + 1);
    wanted[i] = (Pair){size == 4 ? narrow[i] : wide[i], payload[i]};
  }
  qsort(wanted, (size_t)n, sizeof *wanted, by_key);
  const size_t before = on->in_use;
  assert_ok(exec_alloc_upload(on, n, size, host, "keys", &key));
  assert_ok(exec_alloc_upload(on, n, sizeof *order, payload, "order", (void **)&order));
  assert_ok(exec_sort(on, n, key, size, bits, order));
  assert_ok(exec_download(on, host, key, (size_t)n * size));
  assert_ok(exec_download(on, payload, order, (size_t)n * sizeof *order));
  for (int64_t i = 0; i < n; ++i)
    if ((size == 4 ? narrow[i] : wide[i]) != wanted[i].key || payload[i] != wanted[i].payload)
      fail_msg("pair %lld of %lld differs (%zu bytes, %d bits)", (long long)i, (long long)n, size, bits);
  exec_release(on, n, size, &key);
  EXEC_RELEASE(on, order, n);
  assert_int_equal(on->in_use, before);
  FREE(wanted);
  FREE(wide);
  FREE(narrow);
  FREE(payload);
}

static void sorts(void **state) {
  (void)state;
  uint64_t seed = 11, *random = array_of(MOST, sizeof *random);
  for (int64_t i = 0; i < MOST; ++i) random[i] = random_next(&seed) << 20 ^ random_next(&seed);
  for (int k = 0; k < N_SIZES - 1; ++k) {
    sort_once(exec, sizes[k], 4, 32, random);
    sort_once(exec, sizes[k], 8, 64, random);
  }
  const int bits[] = {0, 1, 3, 8, 11, 12, 17, 23, 31}; /* few keys: equal ones keep their order */
  for (size_t k = 0; k < sizeof bits / sizeof *bits; ++k) sort_once(exec, 70000, 4, bits[k], random);
  sort_once(exec, 70000, 8, 35, random);
  for (int threads = 1; exec_is_host(exec) && threads <= 5; ++threads) {
    Exec *own = NULL;
    assert_ok(exec_create_cpu(threads, &own));
    sort_once(own, 200000, 8, 27, random);
    sort_once(own, 200000, 4, 5, random);
    exec_destroy(&own);
  }
  for (int64_t i = 0; i < MOST; ++i) random[i] = (uint64_t)i / 7 << 12; /* sorted, and low bits all the same */
  sort_once(exec, 100003, 8, 40, random);
  for (int64_t i = 0; i < MOST; ++i) random[i] = (uint64_t)(MOST - i) / 7 << 12;
  sort_once(exec, 100003, 8, 40, random);
  FREE(random);
  assert_fails(exec_sort(exec, 9, NULL, 4, 33, NULL), ERR_BUG, "9 keys of 4 bytes were to be sorted by 33 bits");
}

static void compact_once(Exec *on, int64_t n, const uint8_t *flag) {
  uint8_t *given = NULL;
  int64_t *index = NULL, n_index = -1, *got, wanted = 0;
  assert_ok(exec_alloc_upload(on, n, 1, flag, "flags", (void **)&given));
  assert_ok(exec_compact(on, given, n, "flagged", &index, &n_index));
  got = array_of(n_index, sizeof *got);
  assert_ok(exec_download(on, got, index, (size_t)n_index * sizeof *got));
  for (int64_t i = 0; i < n; ++i)
    if (flag[i]) assert_true(wanted < n_index && got[wanted] == i), ++wanted;
  assert_int_equal(wanted, n_index);
  EXEC_RELEASE(on, index, n_index);
  exec_release(on, n, 1, (void **)&given);
  FREE(got);
}

static void compacts(void **state) {
  (void)state;
  uint64_t seed = 3;
  uint8_t *flag = array_of(MOST, 1);
  for (int every = 1; every <= 200; every = 14 * every + 1) {
    for (int64_t i = 0; i < MOST; ++i) flag[i] = random_next(&seed) % (unsigned)every == 0 ? (uint8_t)(1 + i % 255) : 0;
    for (int k = 0; k < N_SIZES; ++k) compact_once(exec, sizes[k], flag);
    for (int threads = 1; exec_is_host(exec) && threads <= 5; ++threads) {
      Exec *own = NULL;
      assert_ok(exec_create_cpu(threads, &own));
      compact_once(own, MOST, flag);
      exec_destroy(&own);
    }
  }
  FREE(flag);
}

/* All three; the result is put away. */
static Status take_all(void *context) {
  enum { N = 300 };
  Status status = OK;
  uint8_t *flag = NULL;
  uint32_t *key = NULL, *payload = NULL;
  int64_t *start = NULL, *index = NULL, n_index = 0;
  (void)context;
  TRY_DONE(exec_alloc(exec, N, 1, "flags", (void **)&flag));
  TRY_DONE(exec_alloc(exec, N, sizeof *key, "keys", (void **)&key));
  TRY_DONE(exec_alloc(exec, N, sizeof *payload, "payload", (void **)&payload));
  TRY_DONE(exec_alloc(exec, N + 1, sizeof *start, "sums", (void **)&start));
  TRY_DONE(exec_zero(exec, flag, N));
  TRY_DONE(exec_zero(exec, key, N * sizeof *key));
  TRY_DONE(exec_zero(exec, payload, N * sizeof *payload));
  const uint32_t last = 9, nothing = 0;
  TRY_DONE(exec_upload(exec, key, &last, sizeof last));
  TRY_DONE(exec_sort(exec, N, key, sizeof *key, 32, payload));
  TRY_DONE(exec_upload(exec, payload, &nothing, sizeof nothing));
  TRY_DONE(exec_scan(exec, key, sizeof *key, N, start, NULL));
  TRY_DONE(exec_compact(exec, flag, N, "flagged", &index, &n_index));
done:
  EXEC_RELEASE(exec, index, n_index);
  EXEC_RELEASE(exec, start, N + 1);
  EXEC_RELEASE(exec, payload, N);
  EXEC_RELEASE(exec, key, N);
  exec_release(exec, N, 1, (void **)&flag);
  return status;
}

static void every_allocation_fails_once(void **state) {
  (void)state;
  assert_true(testing_fail_each(exec, take_all, NULL) > 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scans), cmocka_unit_test(sorts), cmocka_unit_test(compacts),
                                     cmocka_unit_test(every_allocation_fails_once)};
  return testing_run("core/exec_sort", tests, exec);
}
