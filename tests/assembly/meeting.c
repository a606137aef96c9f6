/* Incidence, pattern and gather maps of arbitrary elements against plain loops: nodes of very many elements, elements
 * that name a node twice, nodes without elements, facets, two sets. All integers, equal on every Exec and for any
 * number of threads. */
#include "assembly/space/dof_map.h"
#include "assembly/space/gather.h"
#include "assembly/space/numbering.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <string.h>

static Exec *exec;
enum { NODES = 300, TETS = 500, HEXES = 150, QUADS = 40, HUB = 7, LONELY = 299 };

static uint32_t random_below(uint64_t *state, uint32_t n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % n;
}

/* Two solved blocks and one of facets. Every fifth element holds the hub, every ninth names a node twice. */
typedef struct Sample {
  ElementSet set;
  Incidence incidence;
  int32_t tet[TETS * 4], hex[HEXES * 8], quad[QUADS * 4];
} Sample;

static void sample_block(int32_t n, int32_t n_node, int32_t *nodes, uint64_t *seed) {
  for (int32_t e = 0; e < n; ++e) {
    int32_t *own = nodes + e * n_node;
    for (int32_t a = 0; a < n_node; ++a) {
      int32_t b = 0;
      do own[a] = (int32_t)random_below(seed, LONELY);
      while (own[a] == HUB);
      while (b < a && own[b] != own[a]) ++b;
      if (b < a) --a; /* again */
    }
    if (e % 5 == 0) own[e % n_node] = HUB;
    if (e % 9 == 3) own[0] = own[n_node - 1];
  }
}

static void sample_create(Exec *on, bool by_element, Sample *s) {
  uint64_t seed = 5;
  memset(s, 0, sizeof *s);
  s->set = (ElementSet){.n_node = NODES, .dim = 3};
  sample_block(TETS, 4, s->tet, &seed);
  sample_block(HEXES, 8, s->hex, &seed);
  sample_block(QUADS, 4, s->quad, &seed);
  element_set_add(&s->set, element_type(ELEMENT_TET4), TETS, s->tet, by_element);
  element_set_add(&s->set, element_type(ELEMENT_HEX8), HEXES, s->hex, by_element);
  s->set.n_solved_block = 2;
  element_set_add(&s->set, element_type(ELEMENT_QUAD4), QUADS, s->quad, by_element);
  assert_ok(incidence_create(on, &s->set, &s->incidence));
}

static void check_incidence(const Sample *s) {
  for (int32_t i = 0; i < NODES; ++i) {
    int64_t at = s->incidence.start[i];
    for (int32_t k = 0; k < s->set.n_block; ++k)
      for (int32_t e = 0; e < s->set.block[k].n; ++e)
        for (int32_t a = 0; a < s->set.block[k].type->n_node; ++a)
          if (s->set.block[k].nodes[e * s->set.block[k].type->n_node + a] == i) {
            const ElementRef touch = s->incidence.touch[at++];
            assert_true(touch.block == k && touch.element == e && touch.local == a);
          }
    assert_int_equal(at, s->incidence.start[i + 1]);
  }
  assert_true(s->incidence.start[HUB + 1] - s->incidence.start[HUB] > 100);
}

/* The columns of each row, found the long way. */
static void check_pattern(const Sample *s, const Pattern *p) {
  static bool coupled[NODES][NODES];
  memset(coupled, 0, sizeof coupled);
  for (int32_t i = 0; i < NODES; ++i) coupled[i][i] = true;
  for (int32_t k = 0; k < s->set.n_block; ++k) {
    const SetBlock *row = &s->set.block[k];
    const int32_t n = row->type->n_node;
    for (int32_t e = 0; e < row->n; ++e)
      for (int32_t ab = 0; ab < n * n; ++ab) coupled[row->nodes[e * n + ab / n]][row->nodes[e * n + ab % n]] = true;
  }
  for (int32_t i = 0; i < NODES; ++i) {
    int64_t at = p->start[i];
    for (int32_t j = 0; j < NODES; ++j)
      if (coupled[i][j]) assert_true(at < p->start[i + 1] && p->column[at++] == j);
    assert_int_equal(at, p->start[i + 1]);
  }
}

/* One gather row in a plain list. */
static int32_t row_entries(const Gather *g, const int64_t *start, const uint32_t *entry, int64_t row, uint32_t *out) {
  int32_t n = 0;
  for (int64_t k = start[row / 32] + row % 32; k < start[row / 32 + 1]; k += 32) {
    if (entry[k] == GATHER_NONE) continue;
    assert_int_equal(k, start[row / 32] + row % 32 + 32 * n); /* padding stands behind */
    out[n++] = entry[k];
  }
  assert_true(row < g->n_row);
  return n;
}

static void *download(Exec *on, const void *from, int64_t n, size_t size) {
  void *to = NULL;
  assert_ok(mem_alloc(n, size, "a test", &to));
  assert_ok(exec_download(on, to, from, (size_t)n * size));
  return to;
}

/* Slots in a scrambled order. */
static void slots_of(const Pattern *p, int form, SlotMap *out) {
  const int64_t n = p->start[p->n], square = (int64_t)p->block * p->block, items = form == 0 ? n * square : n;
  *out = (SlotMap){.n_value = 3 * items, .per_scalar = form == 0, .same_step = form == 1, .column_step = 1};
  assert_ok(mem_alloc(items, sizeof *out->slot, "a test", (void **)&out->slot));
  for (int64_t k = 0; k < items; ++k) out->slot[k] = 3 * (k * 7919 % items);
  if (form == 0) return;
  assert_ok(mem_alloc(p->n, sizeof *out->row_step, "a test", (void **)&out->row_step));
  for (int32_t i = 0; i < p->n; ++i) out->row_step[i] = 2 + (form == 2 ? i % 3 : 0);
}

/* Entries of block k of row i, found the long way. */
static int32_t wanted_entries(const GatherParams *p, int32_t i, int32_t j, uint32_t *out) {
  int32_t n = 0;
  for (int64_t t = p->incidence->start[i]; t < p->incidence->start[i + 1]; ++t) {
    const ElementRef touch = p->incidence->touch[t];
    const SetBlock *block = &p->set->block[touch.block];
    const int32_t a = touch.local, m = block->type->n_node;
    for (int32_t b = 0; b < m; ++b) {
      if (block->nodes[touch.element * m + b] != j) continue;
      const int64_t pair = a <= b ? pair_number(m, a, b) : pair_number(m, b, a);
      out[n++] = (uint32_t)(block->pair_first + pair * block->pair_p + touch.element * block->pair_e) |
                 (a <= b ? 0 : GATHER_TRANSPOSED);
    }
  }
  return n;
}

/* The map against each block of the pattern, and rows in order: by count, then by place. */
static void check_blocks(Exec *on, const GatherParams *p, const Gather *g) {
  const Pattern *pattern = p->pattern;
  const SlotMap *slots = p->slots;
  const int64_t n = pattern->start[pattern->n],
                stride = slots->per_scalar ? (int64_t)pattern->block * pattern->block : 1;
  int64_t *start = download(on, g->start, g->n_warp + 1, sizeof *start);
  uint32_t *entry = download(on, g->entry, g->n_entry, sizeof *entry), got[512], wanted[512];
  int64_t *slot = download(on, g->slot, g->n_slot, sizeof *slot);
  int64_t *step = g->row_step ? download(on, g->row_step, g->n_row, sizeof *step) : NULL;
  int64_t *row_at = NULL;
  assert_ok(mem_alloc(slots->n_value, sizeof *row_at, "a test", (void **)&row_at));
  assert_int_equal(g->n_row, n);
  int32_t before = INT32_MAX;
  for (int64_t row = 0; row < n; ++row) {
    const int32_t count = row_entries(g, start, entry, row, got);
    assert_true(count < before || (count == before && slot[row] > slot[row - 1]));
    before = count;
    row_at[slot[row]] = row;
  }
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k) {
      const int64_t row = row_at[slots->slot[k * stride]];
      for (int64_t c = 0; c < stride; ++c) assert_int_equal(slot[c * n + row], slots->slot[k * stride + c]);
      if (step) assert_int_equal(step[row], slots->row_step[i]);
      const int32_t count = wanted_entries(p, i, pattern->column[k], wanted);
      assert_int_equal(row_entries(g, start, entry, row, got), count);
      assert_memory_equal(got, wanted, (size_t)count * sizeof *got);
    }
  FREE(start);
  FREE(entry);
  FREE(slot);
  FREE(step);
  FREE(row_at);
}

static void check_nodes(Exec *on, const Sample *s, const Gather *g) {
  int64_t *start = download(on, g->start, g->n_warp + 1, sizeof *start);
  uint32_t *entry = download(on, g->entry, g->n_entry, sizeof *entry), got[512];
  int32_t *node = download(on, g->node, g->n_row, sizeof *node), before = INT32_MAX;
  for (int64_t row = 0; row < NODES; ++row) {
    const int32_t i = node[row], count = row_entries(g, start, entry, row, got);
    assert_int_equal(count, s->incidence.start[i + 1] - s->incidence.start[i]);
    assert_true(count < before || (count == before && i > node[row - 1]));
    before = count;
    for (int32_t j = 0; j < count; ++j) {
      const ElementRef touch = s->incidence.touch[s->incidence.start[i] + j];
      const SetBlock *b = &s->set.block[touch.block];
      assert_int_equal(got[j], b->force_first + touch.local * b->force_a + touch.element * b->force_e);
    }
  }
  FREE(start);
  FREE(entry);
  FREE(node);
}

static void check_one(Exec *on, bool by_element) {
  Sample s;
  Gather g;
  sample_create(on, by_element, &s);
  check_incidence(&s);
  assert_ok(gather_create_nodes(on, &s.set, &s.incidence, &g));
  check_nodes(on, &s, &g);
  gather_release(on, &g);
  for (int form = 0; form < 3; ++form) {
    Pattern *pattern = NULL;
    SlotMap slots;
    MatrixLoan loan;
    assert_ok(pattern_create(on, &s.set, &s.incidence, 2, &pattern));
    assert_ok(pattern_fetch(pattern));
    if (form == 0) check_pattern(&s, pattern);
    slots_of(pattern, form, &slots);
    const GatherParams params = {
        .set = &s.set, .incidence = &s.incidence, .pattern = pattern, .slots = &slots, .loan = &loan};
    assert_ok(matrix_lend(on, pattern, &slots, &loan));
    assert_ok(gather_create_blocks(on, &params, &g));
    matrix_loan_end(on, &loan);
    check_blocks(on, &params, &g);
    gather_release(on, &g);
    slot_map_release(&slots);
    pattern_destroy(&pattern);
  }
  incidence_release(&s.incidence);
}

static void on_the_exec(void **state) {
  (void)state;
  const size_t host = mem_in_use(), device = exec->in_use;
  check_one(exec, true);
  check_one(exec, false);
  assert_int_equal(mem_in_use(), host);
  assert_int_equal(exec->in_use, device);
}

static void for_any_threads(void **state) {
  (void)state;
  for (int threads = 1; threads <= 5; ++threads) {
    Exec *own = NULL;
    assert_ok(exec_create_cpu(threads, &own));
    check_one(own, threads % 2);
    assert_int_equal(own->in_use, 0);
    exec_destroy(&own);
  }
}

/* The CPU in the guise of a GPU: what is lent, fetched and left is memory of its own, and none of it stays. */
static void apart_from_the_host(void **state) {
  (void)state;
  Exec *own = NULL;
  const size_t before = mem_in_use();
  assert_ok(exec_create_cpu(2, &own));
  const ExecTable *cpu = own->table;
  ExecTable other = *cpu;
  other.name = "other";
  own->table = &other;
  check_one(own, false);
  Sample s;
  Numbering numbering;
  Pattern *pattern = NULL;
  int32_t rank[NODES];
  for (int32_t i = 0; i < NODES; ++i) rank[i] = i * 7 % NODES;
  sample_create(own, false, &s);
  assert_ok(numbering_create(own, &s.set, rank, (HaloOrder){0}, true, &numbering));
  assert_ptr_equal(numbering.incidence.exec, own);
  assert_non_null(numbering.set.block[0].exec_nodes);
  assert_memory_equal(numbering.set.block[1].exec_nodes, numbering.nodes[1], sizeof(int32_t) * HEXES * 8);
  assert_ok(pattern_create(own, &numbering.set, &numbering.incidence, 3, &pattern));
  assert_null(pattern->column); /* nobody asked for it */
  assert_ok(pattern_fetch(pattern));
  assert_memory_equal(pattern->exec_column, pattern->column, sizeof(int32_t) * (size_t)pattern->start[NODES]);
  const size_t with = own->in_use;
  pattern_leave_exec(pattern);
  assert_true(own->in_use < with);
  numbering_leave_exec(&numbering);
  assert_null(numbering.set.block[0].exec_nodes);
  assert_null(numbering.incidence.touch); /* nobody asked for it: it stays where it is */
  assert_ok(incidence_fetch(&numbering.incidence));
  assert_memory_equal(numbering.incidence.touch, numbering.incidence.exec_touch,
                      sizeof(ElementRef) * (size_t)numbering.set.n_force);
  numbering_leave_exec(&numbering);
  incidence_leave_exec(&s.incidence);
  assert_int_equal(own->in_use, 0);
  pattern_destroy(&pattern);
  numbering_release(&numbering);
  incidence_release(&s.incidence);
  own->table = cpu;
  exec_destroy(&own);
  assert_int_equal(mem_in_use(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(on_the_exec), cmocka_unit_test(for_any_threads),
                                     cmocka_unit_test(apart_from_the_host)};
  return testing_run("assembly/meeting", tests, exec);
}
