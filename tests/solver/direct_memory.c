/* The memory of a sparse factorisation, which its structure tells before it is made, beside what the process has at most meanwhile. */
#include "algebra/graph/sparse_direct.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of /proc/self/status in bytes. */
static double status_bytes(const char *key) {
  char line[256];
  double bytes = -1;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0) bytes = 1024 * strtod(line + strlen(key), NULL);
  if (file) fclose(file);
  return bytes;
}

/* The largest so far becomes that of now. */
static bool forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  const bool good = file && fputs("5", file) >= 0;
  return file ? fclose(file) == 0 && good : false;
}

/* Nodes of a grid, each with those around it, also across corners. */
typedef struct Grid {
  int32_t nx, ny, nz, block;
} Grid;

/* Columns of the upper triangle, node by node. */
static int64_t grid_list(const Grid *g, int64_t *start, int64_t *row) {
  int64_t k = 0, column = 0;
  start[0] = 0;
  for (int64_t node = 0; node < (int64_t)g->nx * g->ny * g->nz; ++node)
    for (int32_t c = 0; c < g->block; ++c) {
      const int64_t x = node % g->nx, y = node / g->nx % g->ny, z = node / g->nx / g->ny;
      for (int64_t step = -13; step <= 0; ++step) { /* neighbours before it, by number */
        const int64_t dx = (step + 40) % 3 - 1, dy = (step + 40) / 3 % 3 - 1, dz = (step + 40) / 9 - 4;
        const bool there = x + dx >= 0 && x + dx < g->nx && y + dy >= 0 && y + dy < g->ny && z + dz >= 0;
        const int64_t first = (node + dx + g->nx * (dy + g->ny * dz)) * g->block;
        for (int32_t r = 0; there && r < g->block && first + r <= column; ++r) row[k++] = first + r;
      }
      start[++column] = k;
    }
  return column;
}

static Status grid_create(const Grid *g, SparseDirect **out) {
  const int64_t n = (int64_t)g->nx * g->ny * g->nz * g->block;
  int64_t *start = NULL, *row = NULL;
  TRY(mem_alloc(n + 1, sizeof *start, "columns", (void **)(void *)&start));
  TRY(mem_alloc(n * 14 * g->block, sizeof *row, "rows", (void **)(void *)&row));
  assert_int_equal(grid_list(g, start, row), n);
  const Status status = sparse_direct_create(n, g->block, start, row, out);
  for (int64_t j = 0; status == OK && j < n; ++j)
    for (int64_t i = start[j]; i < start[j + 1]; ++i)
      sparse_direct_values(*out)[i] = i + 1 == start[j + 1] ? 27. * g->block : -0.9;
  FREE(start);
  FREE(row);
  return status;
}

static void forecast_is_true(void **state) {
  (void)state;
  static const Grid of[] = {{150, 140, 1, 2}, {13, 15, 14, 3}, {25, 22, 24, 1}};
#ifdef __SANITIZE_ADDRESS__
  skip(); /* which keeps memory that was given back */
#endif
  if (!sparse_direct_there() || testing_checks() || !forget_peak()) skip();
  for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
    SparseDirect *direct = NULL;
    assert_ok(grid_create(&of[k], &direct));
    (void)malloc_trim(0); /* what is free is not there */
    assert_true(forget_peak());
    const double before = status_bytes("VmRSS:"), foreseen = sparse_direct_bytes(direct);
    assert_ok(sparse_direct_factor(direct));
    const double taken = status_bytes("VmHWM:") - before;
    print_message("%g entries: foreseen %.1f MB, taken %.1f MB\n", sparse_direct_entries(direct), 1e-6 * foreseen,
                  1e-6 * taken);
    assert_true(taken < 1.1 * foreseen + 2e6);
    assert_true(taken > 0.85 * foreseen - 2e6);
    sparse_direct_destroy(&direct);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forecast_is_true)};
  return cmocka_run_group_tests_name("solver/direct_memory", tests, NULL, NULL);
}
