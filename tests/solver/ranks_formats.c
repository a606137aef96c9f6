/* Formats of a matrix that several ranks share: sorted rows have the products of one rank to the bit, and `auto` is on
 * each rank what it is alone. */
#include "algebra/format_choice.h"
#include "algebra/formats/tiled.h"
#include "assembly/diffusion/diffusion.h"
#include "core/memory.h"
#include "tests/solver/rank_work.h"

#include <stdlib.h>
#include <string.h>

static const char *const FORMATS[] = {"sbell", "sell", "csr", "auto"};
enum { N_FORMATS = sizeof FORMATS / sizeof *FORMATS, ROOM = 40000, LENGTHS = 200 };

/* What all ranks of a run fill in. */
typedef struct Found {
  char format[N_FORMATS][16];
  double y[N_FORMATS][ROOM]; /* in the solver's order of the whole */
  RowProfile profile;        /* of rank 0, but for its counts */
  int64_t count[LENGTHS];
} Found;

static Status profile_keep(Comm *comm, const RankWork *w, Found *found) {
  RowProfile p;
  TRY(row_profile_create(elasticity_pattern(w->e), &p));
  if (comm->rank == 0) {
    found->profile = p;
    for (int32_t l = 0; l <= p.longest && l < LENGTHS; ++l) found->count[l] = p.count[l];
  }
  row_profile_release(&p);
  return OK;
}

static Status one_format(Comm *comm, int f, Found *found) {
  RankWork w = {0};
  const MatParams format = {.format = FORMATS[f]};
  Status status = rank_work_deal_out(comm, ELEMENT_TET4, 15, &w);
  if (status == OK) status = rank_work_assemble(comm, &format, &w);
  if (status == OK) status = mat_apply(w.a, w.u, w.x);
  if (status == OK) memcpy(found->y[f] + mat_first(w.a), w.x, (size_t)mat_rows(w.a) * sizeof *w.x);
  if (status == OK && comm->rank == comm->n_rank - 1) strcpy(found->format[f], mat_format(w.a));
  if (status == OK && f == 0) status = profile_keep(comm, &w, found);
  rank_work_release(&w);
  return status;
}

static Status all_formats(Comm *comm, void *context) {
  for (int f = 0; f < N_FORMATS; ++f) TRY(one_format(comm, f, context));
  return OK;
}

static void same_profile(const Found *a, const Found *b) {
  const RowProfile *p = &a->profile, *q = &b->profile;
  assert_int_equal(p->n, q->n);
  assert_int_equal(p->entries, q->entries);
  assert_int_equal(p->shortest, q->shortest);
  assert_int_equal(p->longest, q->longest);
  assert_memory_equal(p->natural, q->natural, sizeof p->natural);
  assert_memory_equal(a->count, b->count, sizeof a->count);
}

static void formats_are_those_of_one_rank(void **state) {
  (void)state;
  Found *alone = calloc(1, sizeof *alone), *shared = calloc(1, sizeof *shared);
  assert_ok(comm_threads_run(1, all_formats, alone));
  assert_true(alone->profile.longest > alone->profile.shortest);
  for (int r = 2; r < 4; ++r) {
    memset(shared, 0, sizeof *shared);
    assert_ok(comm_threads_run(r, all_formats, shared));
    for (int f = 0; f < N_FORMATS; ++f) assert_string_equal(shared->format[f], alone->format[f]);
    assert_memory_equal(shared->y, alone->y, sizeof alone->y);
    same_profile(shared, alone);
  }
  free(alone);
  free(shared);
}

/* ---- the tiled copy of a heart's matrix, whose tiles see columns of other ranks ---- */

static Status tiled_product(RankWork *w, Diffusion *d, Mat *a, double *y) {
  Status status = OK;
  Mat *tiled = NULL;
  double *ones = NULL;
  float *v = NULL, *product = NULL;
  const int64_t n = mat_columns(a), first = mat_first(a);
  TRY_DONE(diffusion_bind(d, mat_slots(a)));
  TRY_DONE(diffusion_operators(d, mat_values(a), NULL));
  TRY_DONE(exec_alloc(w->exec, n, sizeof *ones, "a scaling", (void **)&ones));
  TRY_DONE(exec_alloc(w->exec, n, sizeof *v, "a vector", (void **)&v));
  TRY_DONE(exec_alloc(w->exec, n, sizeof *product, "a vector", (void **)&product));
  for (int64_t i = 0; i < mat_rows(a); ++i)
    ones[i] = 0.5 + 0.001 * (double)((first + i) % 97), v[i] = (float)((first + i) % 31) - 15;
  TRY_DONE(tiled_create(a, &tiled));
  TRY_DONE(mat_scale(a, ones, tiled));
  TRY_DONE(mat_apply(tiled, v, product));
  for (int64_t i = 0; i < mat_rows(a); ++i) y[first + i] = (double)product[i];
done:
  EXEC_RELEASE(w->exec, product, n);
  EXEC_RELEASE(w->exec, v, n);
  EXEC_RELEASE(w->exec, ones, n);
  mat_destroy(&tiled);
  return status;
}

static Status tiled_on_ranks(Comm *comm, void *y) {
  RankWork w = {0};
  Diffusion *d = NULL;
  Mat *a = NULL;
  double(*tensor)[6] = NULL;
  const MatParams format = {.format = "sbell", .window = 1};
  Status status = rank_work_deal_out(comm, ELEMENT_TET4, 17, &w);
  const Mesh *mesh = comm->n_rank == 1 ? w.mesh : w.local.mesh;
  if (status == OK) status = mem_alloc(mesh->n_element, sizeof *tensor, "tensors", (void **)(void *)&tensor);
  for (int32_t e = 0; status == OK && e < mesh->n_element; ++e) tensor[e][0] = tensor[e][1] = 0.2, tensor[e][2] = 0.3;
  const DiffusionParams params = {.mesh = mesh,
                                  .tensor = (const double(*)[6])tensor,
                                  .node_rank = w.number,
                                  .share = comm->n_rank == 1 ? NULL : &w.share};
  if (status == OK) status = diffusion_create(w.exec, &params, &d);
  if (status == OK) status = mat_create(w.exec, &format, diffusion_pattern(d), &a);
  if (status == OK) status = tiled_product(&w, d, a, y);
  mat_destroy(&a);
  diffusion_destroy(&d);
  FREE(tensor);
  rank_work_release(&w);
  return status;
}

static void tiles_are_those_of_one_rank(void **state) {
  (void)state;
  double *alone = calloc(ROOM, sizeof *alone), *shared = calloc(ROOM, sizeof *shared);
  assert_ok(comm_threads_run(1, tiled_on_ranks, alone));
  for (int r = 2; r < 5; ++r) {
    memset(shared, 0, ROOM * sizeof *shared);
    assert_ok(comm_threads_run(r, tiled_on_ranks, shared));
    assert_memory_equal(shared, alone, ROOM * sizeof *alone);
  }
  free(alone);
  free(shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(formats_are_those_of_one_rank),
                                     cmocka_unit_test(tiles_are_those_of_one_rank)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
