/* Reading, checks, orders, refinement: the same meshes, numbers and words for any number of threads. */
#include "core/fnv.h"
#include "core/memory.h"
#include "mesh/check/check.h"
#include "mesh/fibers/fibers.h"
#include "mesh/id_set.h"
#include "mesh/io/h5.h"
#include "mesh/order/order.h"
#include "mesh/same_nodes.h"
#include "mesh/tag_map.h"
#include "tests/mesh/derived_mesh.h"
#include "tests/mesh/msh_writer.h"

#include <endian.h>
#include <omp.h>
#include <stdio.h>

static const int threads[] = {1, 2, 3, 5};
enum { N_THREADS = sizeof threads / sizeof *threads };

/* Enough nodes and elements for five parts; a field of each kind. */
static Mesh *large_mesh(ElementKind kind, int n) {
  Mesh *mesh = testing_box(kind, n, 0.2);
  assert_ok(mem_alloc(2, sizeof *mesh->field, "fields", (void **)&mesh->field));
  for (int f = 0; f < 2; ++f) {
    const int32_t rows = f ? mesh->n_element : mesh->n_node, columns = f ? 1 : 3;
    MeshField *field = &mesh->field[mesh->n_field++];
    *field = (MeshField){.name = testing_text(f ? "stiffness" : "fiber"), .on_nodes = !f, .n_component = columns};
    field->value = testing_array((int64_t)rows * columns, sizeof(double));
    for (int32_t i = 0; i < rows * columns; ++i) field->value[i] = 1 + 0.37 * (i % 1013) / (1 + i % 7);
  }
  return mesh;
}

static uint64_t hash_with_tags(const Mesh *mesh) {
  uint64_t hash = mesh_hash(mesh);
  for (int32_t i = 0; i < mesh->n_node; ++i) hash = tag_map_mix(hash + (uint64_t)mesh->node_tag[i]);
  for (int32_t b = 0; b < mesh->n_block; ++b)
    for (int32_t i = 0; i < mesh->block[b].n; ++i) hash = tag_map_mix(hash + (uint64_t)mesh->block[b].tag[i]);
  return hash;
}

static Status read_file(const char *path, Mesh **out) {
  return strstr(path, ".h5") ? mesh_read_h5(path, out) : mesh_read_msh(path, out);
}

static uint64_t hash_of_file(const char *path) {
  Mesh *mesh = NULL;
  assert_ok(read_file(path, &mesh));
  const uint64_t hash = hash_with_tags(mesh);
  mesh_destroy(&mesh);
  return hash;
}

static void files_are_read(void **state) {
  (void)state;
  Mesh *mesh = large_mesh(ELEMENT_TET4, 14);
  testing_add_group(mesh, "again", 3, 3,
                    (const int32_t[]){mesh->n_element - 9, mesh->n_element - 5, mesh->n_element - 1});
  for (int v = 0; v < N_MSH_VARIANTS; ++v) {
    const MshWriterOptions options = {.tag_step = v % 2 ? 53 : 0, .parametric = v == 2};
    size_t size;
    char *bytes = msh_write(mesh, &msh_variants[v], &options, &size);
    const char *path = temporary_path("large.msh");
    put_file(path, bytes, size);
    free(bytes);
    omp_set_num_threads(1);
    const uint64_t want = hash_of_file(path);
    for (int t = 1; t < N_THREADS; ++t) {
      omp_set_num_threads(threads[t]);
      if (hash_of_file(path) != want) fail_msg("%s differs with %d threads", msh_variants[v].name, threads[t]);
    }
  }
  mesh_destroy(&mesh);
}

/* What is wrong with line `line` of a text file is told the same by all; *message [4096]. */
static void assert_same_message(const char *path, bool wrong) {
  char want[4096] = "";
  for (int t = 0; t < N_THREADS; ++t) {
    omp_set_num_threads(threads[t]);
    Mesh *mesh = NULL;
    status_clear();
    const Status status = read_file(path, &mesh);
    const uint64_t hash = mesh ? hash_with_tags(mesh) : 0;
    mesh_destroy(&mesh);
    char got[4096];
    snprintf(got, sizeof got, "%d %llx %.4000s", status, (unsigned long long)hash,
             status == OK ? "" : status_message());
    if ((status != OK) != wrong) fail_msg("%s", got);
    if (t == 0) snprintf(want, sizeof want, "%s", got);
    else assert_string_equal(got, want);
  }
}

/* Puts `with` in the place of the first `what` behind byte `at` of the text, and reads that. */
static void damage(const char *text, size_t at, const char *what, const char *with, bool wrong) {
  const char *here = strstr(text + at, what), *path = temporary_path("damaged.msh");
  assert_non_null(here);
  const size_t before = (size_t)(here - text), rest = strlen(here + strlen(what)), size = before + strlen(with) + rest;
  char *bytes = testing_array((int64_t)size, 1);
  memcpy(bytes, text, before);
  memcpy(bytes + before, with, strlen(with));
  memcpy(bytes + before + strlen(with), here + strlen(what), rest);
  put_file(path, bytes, size);
  FREE(bytes);
  assert_same_message(path, wrong);
}

static void damage_is_told(void **state) {
  (void)state;
  Mesh *mesh = large_mesh(ELEMENT_TET4, 14);
  for (int v = 0; v < N_MSH_VARIANTS; ++v) {
    size_t size;
    const MshWriterOptions options = {0};
    if (msh_variants[v].binary) continue;
    char *bytes = msh_write(mesh, &msh_variants[v], &options, &size), *text = testing_array((int64_t)size + 1, 1);
    memcpy(text, bytes, size);
    free(bytes);
    const size_t nodes = (size_t)(strstr(text, "$Nodes") - text), elements = (size_t)(strstr(text, "$Elements") - text);
    const size_t in_nodes = nodes + (elements - nodes) * 4 / 5, in_elements = elements + (size - elements) / 2;
    damage(text, in_nodes, "\n", "\n\n", false); /* an empty line shifts all behind it */
    damage(text, in_nodes, " ", "\n", false);    /* an item on two lines */
    damage(text, in_elements, " ", " \n ", false);
    damage(text, in_nodes, ".", "?", true);
    damage(text, in_nodes, ".", "e999 ", true);
    damage(text, in_elements, "\n", "\nabc ", true);
    damage(text, in_elements, "\n", " 4 9\n", true);
    damage(text, in_elements, "\n", "9999\n", true); /* a node that is not there */
    FREE(text);
  }
  mesh_destroy(&mesh);
}

static void binary_damage_is_told(void **state) {
  (void)state;
  Mesh *mesh = large_mesh(ELEMENT_TET4, 14);
  for (int v = 0; v < N_MSH_VARIANTS; ++v) {
    size_t size;
    const MshWriterOptions options = {0};
    if (!msh_variants[v].binary) continue;
    char *bytes = msh_write(mesh, &msh_variants[v], &options, &size);
    const char *path = temporary_path("damaged.msh");
    put_file(path, bytes, size * 2 / 3);
    assert_same_message(path, true);
    char *elements = memmem(bytes, size, "$Elements", 9), *end = memmem(bytes, size, "$EndElements", 12);
    memset(elements + (end - elements) / 2, 0x5a, 8); /* a number of a node in all likelihood, or of an element */
    memset(elements + (end - elements) / 4 * 3, 0x5a, 64);
    put_file(path, bytes, size);
    assert_same_message(path, true);
    free(bytes);
  }
  mesh_destroy(&mesh);
}

/* The chain of hashes that earlier versions put behind files of any size. */
static void seal_as_before(unsigned char *bytes, size_t size) {
  const uint64_t trailer[2] = {htole64(size), htole64(fnv_words(FNV_BASIS, bytes, size))};
  memcpy(bytes + size, "SINEWSUM", 8);
  memcpy(bytes + size + 8, trailer, sizeof trailer);
}

/* Written by Sinew, by an earlier one, and without checksum, where a child reads it first. */
static void hdf5_is_read(void **state) {
  (void)state;
  const char *path = temporary_path("large.h5"), *other = temporary_path("other.h5");
  Mesh *mesh = large_mesh(ELEMENT_TET4, 20);
  const uint64_t want = hash_with_tags(mesh);
  size_t size;
  assert_ok(mesh_write_h5(mesh, path));
  unsigned char *bytes = (unsigned char *)get_file(path, &size);
  assert_true(size > 4 * FNV_BLOCK && mesh->n_element * 16 > 1 << 18 &&
              !memcmp(bytes + size - H5_TRAILER, "SINEWSM2", 8));
  for (int kind = 0; kind < 3; ++kind) {
    if (kind == 1) seal_as_before(bytes, size - H5_TRAILER);
    put_file(other, bytes, kind == 2 ? size - H5_TRAILER : size);
    for (int t = 0; t < N_THREADS; ++t) {
      omp_set_num_threads(threads[t]);
      assert_true(hash_of_file(other) == want);
    }
  }
  bytes[size / 2] ^= 1; /* told by either sum */
  for (int t = 0; t < N_THREADS; ++t) {
    memcpy(bytes + size - H5_TRAILER, t % 2 ? "SINEWSUM" : "SINEWSM2", 8);
    Mesh *read = NULL;
    omp_set_num_threads(threads[t]);
    put_file(other, bytes, size);
    assert_fails(mesh_read_h5(other, &read), ERR_MESH, "its checksum is wrong");
  }
  free(bytes);
  ElementBlock *body = &mesh->block[mesh->n_block - 1];
  body->nodes[4 * (body->n / 2) + 1] = body->nodes[4 * (body->n / 2) + 3];
  body->nodes[4 * (body->n / 3) + 1] = body->nodes[4 * (body->n / 3) + 3];
  assert_ok(mesh_write_h5(mesh, path));
  assert_same_message(path, true);
  body->nodes[4 * (body->n / 4)] = mesh->n_node;
  assert_ok(mesh_write_h5(mesh, path));
  assert_same_message(path, true);
  mesh->x[mesh->n_node / 2][1] = mesh->x[mesh->n_node - 1][0] = (double)INFINITY;
  assert_ok(mesh_write_h5(mesh, path));
  assert_same_message(path, true);
  mesh_destroy(&mesh);
}

/* All that mesh_check and what belongs to it says, as text. */
static void check_all(const Mesh *mesh, char text[8192]) {
  ShapeReport r;
  status_clear();
  status_warnings_clear();
  const Status repeated = check_repeated_elements(mesh);
  int n = snprintf(text, 8192, "%d %s\n", repeated, repeated == OK ? "" : status_message());
  check_shapes(mesh, &r);
  const Status shape = check_shape_errors(mesh, &r);
  n += snprintf(text + n, (size_t)(8192 - n), "%d %s\n%lld %lld %lld %a %d %a %a %d %lld\n", shape,
                shape == OK ? "" : status_message(), (long long)r.n_solved, (long long)r.n_bad, (long long)r.n_mirrored,
                r.worst, r.worst_element, r.quality.worst, r.quality.mean, r.quality.worst_element,
                (long long)r.quality.n_sliver);
  const Status parts = check_parts(mesh), all = mesh_check(mesh);
  snprintf(text + n, (size_t)(8192 - n), "%d %d %s\n%s", parts, all, all == OK ? "" : status_message(),
           status_warning_count() ? status_warning(0) : "");
}

static void assert_same_checks(const Mesh *mesh, const char *part) {
  char want[8192], got[8192];
  for (int t = 0; t < N_THREADS; ++t) {
    omp_set_num_threads(threads[t]);
    check_all(mesh, t ? got : want);
    if (t) assert_string_equal(got, want);
  }
  if (!strstr(want, part)) fail_msg("'%s' is not in %s", part, want);
}

static void checks_say_the_same(void **state) {
  (void)state;
  Mesh *mesh = large_mesh(ELEMENT_TET4, 20);
  ElementBlock *body = &mesh->block[mesh->n_block - 1];
  assert_same_checks(mesh, "");
  for (int k = 1; k <= 7; ++k) /* of seven slivers one is the worst */
    memcpy(mesh->x[body->nodes[4 * (k * body->n / 9) + 3]], mesh->x[body->nodes[4 * (k * body->n / 9) + 2]],
           sizeof mesh->x[0]);
  assert_same_checks(mesh, "elements are inverted");
  for (int k = 1; k <= 8; ++k) /* copies from both ends */
    memcpy(body->nodes + 4 * (int64_t)(k * 4999), body->nodes + 4 * (int64_t)(body->n - 1 - k * 13),
           4 * sizeof(int32_t));
  assert_same_checks(mesh, "8 elements lie on the same nodes as another one");
  mesh_destroy(&mesh);
}

/* The box a second time, on nodes of its own: shifted by half of it, so that the planes between share places. */
static void parts_say_the_same(void **state) {
  (void)state;
  Mesh *mesh = testing_box(ELEMENT_HEX8, 24, 0);
  ElementBlock *body = &mesh->block[mesh->n_block - 1];
  const int32_t n = mesh->n_node, n_element = body->n;
  assert_ok(mem_resize(2 * (int64_t)n, sizeof *mesh->x, "nodes", (void **)&mesh->x));
  assert_ok(mem_resize(2 * (int64_t)n, sizeof *mesh->node_tag, "nodes", (void **)&mesh->node_tag));
  assert_ok(mem_resize(16 * (int64_t)n_element, sizeof *body->nodes, "elements", (void **)&body->nodes));
  assert_ok(mem_resize(2 * (int64_t)n_element, sizeof *body->tag, "elements", (void **)&body->tag));
  for (int32_t i = 0; i < n; ++i) {
    memcpy(mesh->x[n + i], mesh->x[i], sizeof mesh->x[i]);
    mesh->x[n + i][0] += 0.5;
    mesh->node_tag[n + i] = n + i + 1;
  }
  for (int32_t i = 0; i < 8 * n_element; ++i) body->nodes[8 * n_element + i] = n + body->nodes[i];
  for (int32_t i = 0; i < n_element; ++i) body->tag[n_element + i] = body->tag[n_element - 1] + 1 + i;
  mesh->n_node *= 2;
  body->n *= 2;
  mesh->n_element += n_element;
  assert_same_checks(mesh, "of the 2 parts of the mesh some only touch through duplicate nodes, 8450 pairs");
  mesh_destroy(&mesh);
}

static void tags_and_sets(void **state) {
  (void)state;
  enum { N = 60000 };
  int64_t *tag = testing_array(N, sizeof *tag);
  int32_t *nodes = testing_array(3 * N, sizeof *nodes), *first = testing_array(N, sizeof *first);
  for (int sparse = 0; sparse < 2; ++sparse) {
    for (int32_t i = 0; i < N; ++i) tag[i] = (int64_t)(i * 7 % 50021 + 1) * (sparse ? 1000003 : 1);
    for (int t = 0; t < N_THREADS; ++t) {
      TagMap map;
      TagDuplicates twice;
      omp_set_num_threads(threads[t]);
      assert_ok(tag_map_create(tag, N, "tags", &map, &twice));
      assert_int_equal(twice.n, N - 50021);
      for (int k = 0; k < TAG_MAP_DUPLICATES; ++k) {
        assert_int_equal(twice.index[k], 50021 + k);
        assert_int_equal(twice.first[k], k);
      }
      for (int32_t i = 0; i < N; ++i) assert_int_equal(tag_map_find(&map, tag[i]), i < 50021 ? i : i - 50021);
      assert_int_equal(tag_map_find(&map, sparse ? 7 : 50022), -1);
      tag_map_destroy(&map);
    }
  }
  for (int32_t i = 0; i < N; ++i)
    for (int a = 0; a < 3; ++a) nodes[3 * i + a] = 3 * (i % 40009) + (a + i) % 3;
  for (int t = 0; t < N_THREADS; ++t) {
    omp_set_num_threads(threads[t]);
    assert_ok(same_nodes_find(nodes, N, 3, first));
    for (int32_t i = 0; i < N; ++i) assert_int_equal(first[i], i % 40009);
  }
  for (int t = 0; t < N_THREADS; ++t) { /* every third, from 5 on, twice and in disorder */
    omp_set_num_threads(threads[t]);
    for (int32_t i = 0; i < N; ++i) first[i] = 5 + 3 * (int32_t)((int64_t)i * 7919 % (N / 2));
    int32_t n = N;
    assert_ok(id_set_make(first, &n));
    assert_int_equal(n, N / 2);
    for (int32_t i = 0; i < n; ++i) assert_int_equal(first[i], 5 + 3 * i);
    assert_ok(id_set_make(first, &n));
    assert_int_equal(n, N / 2);
  }
  FREE(tag);
  FREE(nodes);
  FREE(first);
}

static void numbers_are_the_same(void **state) {
  (void)state;
  Mesh *mesh = large_mesh(ELEMENT_TET4, 20);
  int32_t *want = testing_array(mesh->n_node, sizeof *want), *rank = testing_array(mesh->n_node, sizeof *rank);
  double distance[2] = {0}, measure[2] = {0};
  uint64_t hash[3] = {0};
  for (int t = 0; t < N_THREADS; ++t) {
    const int now = t > 0;
    omp_set_num_threads(threads[t]);
    assert_ok(mesh_order(mesh, ORDER_HILBERT, now ? rank : want));
    if (now) assert_memory_equal(rank, want, (size_t)mesh->n_node * sizeof *rank);
    distance[now] = mesh_mean_distance(mesh, want) + mesh_size(mesh);
    assert_ok(mesh_group_measure(mesh, mesh_group(mesh, "body"), &measure[now]));
    hash[now] = mesh_hash(mesh);
    if (now) assert_true(distance[0] == distance[1] && measure[0] == measure[1] && hash[0] == hash[1]);
    Mesh *other = large_mesh(ELEMENT_TET4, 20);
    assert_true(mesh_hash(other) == hash[0]);
    assert_ok(mesh_renumber(other, want));
    if (now) assert_true(hash_with_tags(other) == hash[2]);
    hash[2] = hash_with_tags(other);
    other->field[0].value[3 * mesh->n_node - 1] += 1e-15 * 4; /* the last block of a large array counts */
    assert_true(hash_with_tags(other) != hash[2]);
    mesh_destroy(&other);
  }
  FREE(want);
  FREE(rank);
  mesh_destroy(&mesh);
}

/* Every way to make children: of all shapes, linear and curved. */
static void derived_meshes_are_the_same(void **state) {
  (void)state;
  static const struct {
    ElementKind kind;
    int n;
  } of[] = {{ELEMENT_TRI3, 50}, {ELEMENT_QUAD9, 46},  {ELEMENT_TET4, 9},    {ELEMENT_TET10, 7},
            {ELEMENT_HEX8, 13}, {ELEMENT_WEDGE6, 10}, {ELEMENT_PYRAMID5, 9}};
  for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
    Mesh *mesh = large_mesh(of[k].kind, of[k].n);
    uint64_t want[2] = {0};
    for (int t = 0; t < N_THREADS; ++t)
      for (int raise = 0; raise < (element_type(of[k].kind)->order == 1 ? 2 : 1); ++raise) {
        Mesh *made = NULL;
        omp_set_num_threads(threads[t]);
        assert_ok(raise ? mesh_elevate(mesh, false, &made) : mesh_refine(mesh, &made));
        const uint64_t hash = hash_with_tags(made);
        if (t == 0) want[raise] = hash;
        if (hash != want[raise]) fail_msg("%s differs with %d threads", element_type(of[k].kind)->name, threads[t]);
        mesh_destroy(&made);
      }
    mesh_destroy(&mesh);
  }
}

/* Tensors of fibres and sheets at nodes, and what is said where some nodes or elements have none. */
static void fibres_are_the_same(void **state) {
  (void)state;
  Mesh *mesh = large_mesh(ELEMENT_TET4, 14);
  double(*tensor)[6] = testing_array(2 * (int64_t)mesh->n_element, sizeof *tensor);
  double(*sheet)[3] = testing_array(mesh->n_node, sizeof *sheet), *fiber = mesh->field[0].value;
  const size_t bytes = (size_t)mesh->n_element * sizeof *tensor;
  for (int32_t i = 0; i < mesh->n_node; ++i) sheet[i][0] = -fiber[3 * i + 1], sheet[i][1] = fiber[3 * i];
  const FiberTissue tissue = {
      .fiber.field = "fiber", .sheet.node = (const double(*)[3])sheet, .along = 3, .across = 2, .normal = 1};
  for (int wrong = 0; wrong < 4; ++wrong) {
    char want[4096] = "", got[4096];
    for (int32_t k = 1; k <= 7 && wrong == 1; ++k) memset(fiber + 3 * (k * mesh->n_node / 8), 0, 3 * sizeof *fiber);
    for (int32_t i = 0; i < 3 * mesh->n_node && wrong == 2; ++i) fiber[i] = fiber[i] == 0 ? 1 : fiber[i];
    for (int32_t i = mesh->n_node / 2; i < mesh->n_node && wrong == 2; ++i) memcpy(sheet[i], fiber + 3 * i, 24);
    for (int32_t i = 0; i < mesh->n_node && wrong == 3; ++i)
      memcpy(sheet[i], (double[3]){i % 3 == 0, i % 3 == 1, i % 3 == 2}, 24);
    for (int t = 0; t < N_THREADS; ++t) {
      omp_set_num_threads(threads[t]);
      status_clear();
      status_warnings_clear();
      double(*to)[6] = tensor + (t > 0) * (int64_t)mesh->n_element;
      const Status status = fiber_tensors(mesh, &tissue, NULL, 0, to);
      snprintf(t ? got : want, sizeof got, "%d %.3000s %.500s", status, status == OK ? "" : status_message(),
               status_warning_count() ? status_warning(0) : "");
      if (t) assert_string_equal(got, want);
      if (t && status == OK) assert_memory_equal(to, tensor, bytes);
      if (wrong == 0) assert_ok(status);
      else if (wrong < 3) assert_int_equal(status, ERR_MESH);
    }
  }
  FREE(tensor);
  FREE(sheet);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_are_read),
      cmocka_unit_test(hdf5_is_read),
      cmocka_unit_test(damage_is_told),
      cmocka_unit_test(binary_damage_is_told),
      cmocka_unit_test(checks_say_the_same),
      cmocka_unit_test(parts_say_the_same),
      cmocka_unit_test(tags_and_sets),
      cmocka_unit_test(numbers_are_the_same),
      cmocka_unit_test(derived_meshes_are_the_same),
      cmocka_unit_test(fibres_are_the_same),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  temporary_remove(NULL);
  return failed;
}
