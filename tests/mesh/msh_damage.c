/* Damaged .msh files: cut off at every byte, and with every byte changed. Never a crash, never a leak; an answer that
 * is OK or an error with a message. A file cut off before its last section must not be taken for a whole one. */
#include "core/memory.h"
#include "mesh/io/msh_read.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static Status read_bytes(const char *bytes, size_t size) {
  const size_t before = mem_in_use();
  Mesh *mesh;
  const Status status = msh_read_bytes(bytes, (int64_t)size, "damaged.msh", &mesh);
  if (status == OK) {
    assert_non_null(mesh);
    (void)mesh_hash(mesh); /* touches all of it */
    if (mesh_check(mesh) != OK) assert_true(status_message()[0]);
    status_warnings_clear();
  } else {
    assert_int_equal(status, ERR_MESH);
    assert_null(mesh);
    assert_true(strstr(status_message(), "damaged.msh") != NULL);
  }
  mesh_destroy(&mesh);
  assert_int_equal(mem_in_use(), before);
  return status;
}

static void cut_off_anywhere(void **state) {
  (void)state;
  Mesh *m = mesh_of(square_text);
  for (int v = 0; v < N_MSH_VARIANTS; ++v) {
    size_t size;
    char *bytes = msh_write(m, &msh_variants[v], NULL, &size);
    size_t whole = 0; /* where the mesh proper ends: $EndElements */
    for (size_t i = 0; i + 12 <= size; ++i)
      if (!memcmp(bytes + i, "$EndElements", 12)) whole = i + 12;
    for (size_t n = 0; n < size; ++n) {
      const Status status = read_bytes(bytes, n);
      if (n < whole && status == OK)
        fail_msg("%s cut off at byte %zu of %zu passed for a whole mesh", msh_variants[v].name, n, size);
    }
    assert_int_equal(read_bytes(bytes, size), OK);
    free(bytes);
  }
  mesh_destroy(&m);
}

static void every_byte_changed(void **state) {
  (void)state;
  static const unsigned char change[] = {0x01, 0x80, 0xff, 0x10, 0x1d};
  Mesh *m = mesh_of(square_text);
  int survived = 0, n = 0;
  for (int v = 0; v < N_MSH_VARIANTS; ++v) {
    size_t size;
    char *bytes = msh_write(m, &msh_variants[v], NULL, &size);
    for (size_t i = 0; i < size; ++i)
      for (size_t c = 0; c < sizeof change; ++c, ++n) {
        const char kept = bytes[i];
        bytes[i] = (char)(bytes[i] ^ change[c]);
        survived += read_bytes(bytes, size) == OK;
        bytes[i] = kept;
      }
    free(bytes);
  }
  mesh_destroy(&m);
  assert_true(survived > 0 && survived < n); /* names and coordinates may change without a trace, counts may not */
}

/* Pieces removed and doubled. */
static void pieces_moved(void **state) {
  (void)state;
  Mesh *m = mesh_of(square_text);
  uint64_t random = 88172645463325252u;
  for (int v = 0; v < N_MSH_VARIANTS; ++v) {
    size_t size;
    char *bytes = msh_write(m, &msh_variants[v], NULL, &size), *other = malloc(2 * size);
    for (int k = 0; k < 400; ++k) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      const size_t from = random % size, n = (random >> 32) % (size - from) % 60;
      memcpy(other, bytes, from + n);
      const size_t again = k % 2 ? from : from + n;
      const size_t to = k % 2 ? from + n : from;
      memcpy(other + to, bytes + again, size - again);
      (void)read_bytes(other, to + size - again);
    }
    free(bytes), free(other);
  }
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cut_off_anywhere), cmocka_unit_test(every_byte_changed),
                                     cmocka_unit_test(pieces_moved)};
  return cmocka_run_group_tests(tests, NULL, temporary_remove);
}
