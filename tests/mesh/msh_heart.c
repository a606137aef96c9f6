/* The three real heart meshes, read, checked and carried through our own format; and the time that a big mesh takes.
 * The meshes lie beside the project (../shared/data/heart); where they are not, that part is skipped and says so. */
#include "core/memory.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct Heart {
  const char *name;
  int32_t n_node, n_tet, n_group, n_field, n_sliver;
  double worst, volume_mm3; /* of the description beside them; 0: not told */
} Heart;

static const Heart hearts[] = {
    {"rabbit", 63885, 338265, 4, 2, 278, 0.047, 6600},
    {"patient", 30065, 142928, 4, 1, 6, 0, 226500},
    {"human", 6514, 29602, 5, 0, 0, 0, 155000},
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Unpacked into the temporary folder; NULL when it is not there. */
static const char *unpacked(const char *name) {
  char packed[1000], command[2200];
  snprintf(packed, sizeof packed, "%s/../shared/data/heart/%s.msh.gz", SINEW_SOURCE_DIR, name);
  if (access(packed, R_OK)) return NULL;
  const char *path = temporary_path("heart.msh");
  snprintf(command, sizeof command, "gunzip -c '%s' > '%s'", packed, path);
  return run_program("sh", "-c", command, NULL) == 0 ? path : NULL;
}

static void fibres_have_length_one(const Mesh *m) {
  const MeshField *fiber = mesh_field(m, "fiber", true);
  if (!fiber) return;
  assert_int_equal(fiber->n_component, 3);
  for (int32_t i = 0; i < m->n_node; ++i) {
    const double *f = fiber->value + 3 * (int64_t)i;
    assert_within(f[0] * f[0] + f[1] * f[1] + f[2] * f[2], 1, 1e-4);
  }
}

static void check_heart(const Heart *h, const char *path) {
  Mesh *m, *again;
  status_warnings_clear();
  const double start = now();
  assert_ok(mesh_load(&(MeshParams){.path = path}, &m));
  print_message("%s: %d nodes, %d elements, read and checked in %.3f s\n", h->name, m->n_node, m->n_element,
                now() - start);
  assert_int_equal(m->n_node, h->n_node);
  assert_int_equal(mesh_group(m, "myocardium")->n, h->n_tet);
  assert_int_equal(m->n_group, h->n_group);
  assert_int_equal(m->n_field, h->n_field);
  assert_int_equal(status_warning_count(), h->n_sliver > 0);
  MeshQuality quality;
  mesh_quality(m, &quality);
  assert_int_equal(quality.n_sliver, h->n_sliver);
  if (h->worst > 0) assert_within(quality.worst, h->worst, 5e-4);
  double volume;
  assert_ok(mesh_group_measure(m, mesh_group(m, "myocardium"), &volume));
  assert_true(fabs(volume / h->volume_mm3 - 1) < 0.01);
  fibres_have_length_one(m);
  const char *h5 = temporary_path("heart.h5");
  assert_ok(mesh_write_h5(m, h5));
  assert_ok(mesh_read_h5(h5, &again));
  assert_int_equal(mesh_hash(m), mesh_hash(again));
  mesh_destroy(&again);
  mesh_destroy(&m);
  status_warnings_clear();
}

static void real_hearts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof hearts / sizeof *hearts; ++i) {
    const char *path = unpacked(hearts[i].name);
    if (path) check_heart(&hearts[i], path);
    else testing_missing("no %s.msh.gz in ../shared/data/heart", hearts[i].name);
  }
}

/* 300,000 nodes and 1.7 million tetrahedra in 4.1 binary: the mark is 1 s to read and check. */
static void big_binary(void **state) {
  (void)state;
  Mesh *m, *again;
  uint64_t hash[2];
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_TET4, .n = {66, 66, 66}, .size = {1, 1, 1}, .distort = 0.1}, &m));
  for (int v = 3; v < 5; ++v) {
    size_t size;
    char *bytes = msh_write(m, &msh_variants[v], NULL, &size);
    const char *path = temporary_path("big.msh");
    put_file(path, bytes, size);
    free(bytes);
    const double start = now();
    assert_ok(mesh_load(&(MeshParams){.path = path}, &again));
    const double seconds = now() - start;
    print_message("%s: %d nodes, %d elements, %.0f MB, read and checked in %.3f s\n", msh_variants[v].name,
                  again->n_node, again->n_element, (double)size / 1e6, seconds);
    hash[v - 3] = mesh_hash(again); /* not that of the box: the reader sorts groups by dimension and number */
    assert_memory_equal(m->x, again->x, (size_t)m->n_node * sizeof *m->x);
    assert_int_equal(mesh_group(m, "body")->n, mesh_group(again, "body")->n);
    assert_true(seconds < 20); /* sanitizers and a busy machine included; the mark is judged by the figure printed */
    mesh_destroy(&again);
    status_warnings_clear();
  }
  assert_int_equal(hash[0], hash[1]);
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(real_hearts), cmocka_unit_test(big_binary)};
  return cmocka_run_group_tests(tests, NULL, temporary_remove);
}
