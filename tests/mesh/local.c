/* Shares of ranks: every node owned once, every element at an own node there with all it carries, neighbours that agree
 * on what they exchange. */
#include "mesh/local.h"
#include "mesh/order/order.h"
#include "core/exec.h"
#include "tests/mesh/derived_mesh.h"

static const int RANKS[] = {1, 2, 3, 5};
enum { N_RANKS = 4, MOST_RANKS = 5 };

/* A whole mesh in an order, and its shares. */
typedef struct Shares {
  Mesh *mesh;
  int32_t *number;
  int32_t (*pair)[2];
  LinkedNodes linked;
  int32_t *set; /* [n_node]: 1 + that of a node, 0: it is not linked */
  Partition partition;
  LocalMesh local[MOST_RANKS];
} Shares;

/* Sets of 2 to 9 nodes anywhere. */
static void link_nodes(Shares *s, int32_t n_set) {
  const int32_t n = s->mesh->n_node;
  s->set = testing_array(n, sizeof *s->set);
  s->linked = (LinkedNodes){.n = n_set};
  s->linked.start = testing_array((int64_t)n_set + 1, sizeof *s->linked.start);
  for (int32_t k = 0; k < n_set; ++k)
    for (int32_t a = 0; a < 2 + k % 8; ++a) {
      int32_t node = (int32_t)((7919ll * k + 104729ll * a) % n);
      while (s->set[node]) node = (node + 1) % n;
      s->set[node] = k + 1;
      ++s->linked.start[k + 1];
    }
  for (int32_t k = 0; k < n_set; ++k) s->linked.start[k + 1] += s->linked.start[k];
  s->linked.node = testing_array(s->linked.start[n_set], sizeof *s->linked.node);
  int64_t *at = testing_array((int64_t)n_set + 1, sizeof *at);
  for (int32_t i = 0; i < n; ++i)
    if (s->set[i]) s->linked.node[s->linked.start[s->set[i] - 1] + at[s->set[i] - 1]++] = i;
  FREE(at);
  s->partition.linked = &s->linked;
}

/* With n_pair nodes that belong to others far away, and n_set linked sets. */
static void cut(Shares *s, Mesh *mesh, MeshOrder order, int n_rank, int32_t n_pair, int32_t n_set) {
  *s = (Shares){.mesh = mesh, .number = testing_array(mesh->n_node, sizeof *s->number)};
  s->pair = testing_array(n_pair + 1, sizeof *s->pair);
  for (int32_t k = 0; k < n_pair; ++k)
    s->pair[k][0] = (int32_t)(37ll * k % mesh->n_node), s->pair[k][1] = (int32_t)((101ll * k + 5) % mesh->n_node);
  assert_ok(mesh_order(mesh, order, s->number));
  assert_ok(partition_create(mesh->n_node, n_rank, &s->partition));
  s->partition.n_pair = n_pair, s->partition.pair = (const int32_t(*)[2])s->pair;
  link_nodes(s, n_set);
  for (int r = 0; r < n_rank; ++r) assert_ok(local_mesh_create(mesh, &s->partition, s->number, r, &s->local[r]));
}

static void drop(Shares *s) {
  for (int r = 0; r < s->partition.n_rank; ++r) local_mesh_release(&s->local[r]);
  FREE(s->number);
  FREE(s->pair);
  FREE(s->set);
  linked_nodes_release(&s->linked);
}

/* With a group and fields that tell nodes and elements apart. */
static Mesh *marked(ElementKind kind, int n) {
  const BoxParams params = {.kind = kind, .n = {n, n + 1, n}, .size = {1.0, 2.0, 3.0}, .distort = 0.1};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&params, &mesh));
  MeshField *on_nodes = testing_add_field(mesh, "where", true, 3);
  memcpy(on_nodes->value, mesh->x, sizeof *mesh->x * (size_t)mesh->n_node);
  MeshField *on_elements = testing_add_field(mesh, "which", false, 1);
  for (int32_t e = 0; e < mesh->n_element; ++e) on_elements->value[e] = e;
  return mesh;
}

static void parts_are_fixed(void **state) {
  (void)state;
  for (int32_t n = 1; n < 300000; n = 2 * n + 17) {
    Partition one, p;
    assert_ok(partition_create(n, 1, &one));
    for (int r = 1; r <= one.n_part; r += 1 + r / 3) {
      assert_ok(partition_create(n, r, &p));
      assert_memory_equal(p.part, one.part, sizeof p.part);
      assert_int_equal(p.own[0], 0);
      assert_int_equal(p.own[r], n);
      for (int k = 0; k < r; ++k) {
        assert_true(p.own[k] < p.own[k + 1]);
        assert_int_equal(p.own[k] % ROW_CHUNK, 0);
        assert_int_equal(p.part[partition_part(&p, p.own[k])], p.own[k]);
        assert_int_equal(partition_owner(&p, p.own[k]), k);
        assert_int_equal(partition_owner(&p, p.own[k + 1] - 1), k);
      }
    }
    assert_fails(partition_create(n, one.n_part + 1, &p), ERR_INPUT, "start fewer");
  }
}

/* Own nodes come first in the order of the whole; halo nodes ascend behind them. */
static void check_numbers(const Shares *s, const LocalMesh *l) {
  const Mesh *m = l->mesh;
  const int32_t begin = s->partition.own[l->rank];
  int32_t *number = testing_array(m->n_node, sizeof *number), low = 0;
  memset(number, 0xff, sizeof *number * (size_t)m->n_node);
  for (int32_t i = 0; i < m->n_node; ++i) {
    assert_true(i == 0 || l->node[i] > l->node[i - 1]);
    assert_in_range(l->solver[i], 0, m->n_node - 1);
    assert_int_equal(number[l->solver[i]], -1);
    number[l->solver[i]] = s->number[l->node[i]];
    assert_memory_equal(m->x[i], s->mesh->x[l->node[i]], sizeof m->x[i]);
    assert_true(m->node_tag[i] == s->mesh->node_tag[l->node[i]]);
  }
  assert_int_equal(l->n_own, s->partition.own[l->rank + 1] - begin);
  for (int32_t k = 0; k < l->n_own; ++k) assert_int_equal(number[k], begin + k);
  for (int32_t k = l->n_own; k < m->n_node; ++k) {
    assert_int_not_equal(partition_owner(&s->partition, number[k]), l->rank);
    assert_true(k == l->n_own || number[k] > number[k - 1]);
    low += number[k] < begin;
  }
  assert_int_equal(low, l->n_low);
  FREE(number);
}

static bool is_own(const Shares *s, const LocalMesh *l, int32_t node) {
  return partition_owner(&s->partition, s->number[node]) == l->rank;
}

/* Its own, or linked with one of these. */
static bool is_inside(const Shares *s, const LocalMesh *l, int32_t node) {
  bool inside = is_own(s, l, node);
  const int32_t k = s->set[node] - 1;
  for (int64_t i = k < 0 ? 0 : s->linked.start[k]; k >= 0 && i < s->linked.start[k + 1]; ++i)
    inside |= is_own(s, l, s->linked.node[i]);
  return inside;
}

/* Each set with a node of an element here, or an own one, is here. */
static void check_sets(const Shares *s, const LocalMesh *l) {
  uint8_t *here = testing_array(s->mesh->n_node, 1);
  for (int32_t i = 0; i < l->mesh->n_node; ++i) here[l->node[i]] = 1;
  for (int32_t i = 0; i < s->mesh->n_node; ++i) {
    const int32_t k = s->set[i] - 1;
    for (int64_t j = k < 0 ? 0 : s->linked.start[k]; here[i] && k >= 0 && j < s->linked.start[k + 1]; ++j)
      assert_true(here[s->linked.node[j]]);
  }
  FREE(here);
}

/* Each element of the whole with an own node, in its order, is here, and with one that is linked with such; no other. */
static void check_elements(const Shares *s, const LocalMesh *l) {
  const Mesh *m = l->mesh;
  int32_t here = 0;
  for (int32_t e = 0; e < s->mesh->n_element; ++e) {
    const int n = element_type(mesh_block_of(s->mesh, e)->kind)->n_node;
    bool own = false;
    for (int a = 0; a < n; ++a) own |= is_inside(s, l, mesh_nodes_of(s->mesh, e)[a]);
    if (!own) continue;
    assert_int_equal(l->element[here], e);
    for (int a = 0; a < n; ++a) assert_int_equal(l->node[mesh_nodes_of(m, here)[a]], mesh_nodes_of(s->mesh, e)[a]);
    ++here;
  }
  assert_int_equal(here, m->n_element);
  assert_int_equal(m->n_group, s->mesh->n_group);
  for (int32_t g = 0, at = 0; g < m->n_group; ++g, at = 0) {
    assert_string_equal(m->group[g].name, s->mesh->group[g].name);
    for (int32_t k = 0; k < s->mesh->group[g].n; ++k)
      if (at < m->group[g].n && l->element[m->group[g].element[at]] == s->mesh->group[g].element[k]) ++at;
    assert_int_equal(at, m->group[g].n);
  }
  for (int32_t i = 0; i < m->n_node; ++i)
    assert_memory_equal(mesh_field(m, "where", true)->value + 3 * i, m->x[i], sizeof m->x[i]);
  for (int32_t e = 0; e < m->n_element; ++e) assert_true(mesh_field(m, "which", false)->value[e] == l->element[e]);
}

/* The mesh node of the whole that a solver's number is. */
static int32_t *whole_of(const LocalMesh *l) {
  int32_t *node = testing_array(l->mesh->n_node, sizeof *node);
  for (int32_t i = 0; i < l->mesh->n_node; ++i) node[l->solver[i]] = l->node[i];
  return node;
}

/* What a peer sends is the halo that waits for it, node by node. */
static void check_peers(const Shares *s) {
  for (int r = 0; r < s->partition.n_rank; ++r) {
    const LocalMesh *to = &s->local[r];
    int32_t *mine = whole_of(to);
    assert_int_equal(to->recv_start[to->n_peer], to->mesh->n_node - to->n_own);
    for (int32_t k = 0; k < to->n_peer; ++k) {
      const LocalMesh *from = &s->local[to->peer[k]];
      int32_t *its = whole_of(from), j = 0;
      while (j < from->n_peer && from->peer[j] != r) ++j;
      assert_true(j < from->n_peer);
      const int64_t n = to->recv_start[k + 1] - to->recv_start[k];
      assert_int_equal(from->send_start[j + 1] - from->send_start[j], n);
      for (int64_t i = 0; i < n; ++i)
        assert_int_equal(its[from->send[from->send_start[j] + i]], mine[to->n_own + to->recv_start[k] + i]);
      FREE(its);
    }
    FREE(mine);
  }
}

/* Of pairs with an own node both are here. */
static void check_pairs(const Shares *s, const LocalMesh *l) {
  uint8_t *here = testing_array(s->mesh->n_node, 1);
  for (int32_t i = 0; i < l->mesh->n_node; ++i) here[l->node[i]] = 1;
  for (int32_t k = 0; k < s->partition.n_pair; ++k)
    for (int a = 0; a < 2; ++a)
      if (partition_owner(&s->partition, s->number[s->pair[k][a]]) == l->rank) assert_true(here[s->pair[k][1 - a]]);
  FREE(here);
}

static void check_shares(const Shares *s) {
  PartitionShare share[MOST_RANKS];
  int64_t own = 0;
  assert_ok(partition_shares(&s->partition, s->mesh, s->number, share));
  for (int r = 0; r < s->partition.n_rank; ++r) {
    const LocalMesh *l = &s->local[r];
    int32_t solved = 0;
    check_numbers(s, l);
    check_elements(s, l);
    check_pairs(s, l);
    check_sets(s, l);
    for (int32_t b = 0; b < l->mesh->n_block; ++b)
      if (element_type(l->mesh->block[b].kind)->dim == l->mesh->dim) solved += l->mesh->block[b].n;
    assert_int_equal(share[r].n_own, l->n_own);
    assert_int_equal(share[r].n_halo, l->mesh->n_node - l->n_own);
    assert_int_equal(share[r].n_element, solved);
    assert_int_equal(share[r].n_peer, l->n_peer);
    own += l->n_own;
  }
  assert_int_equal(own, s->mesh->n_node);
  check_peers(s);
}

static void shares_are_whole(void **state) {
  (void)state;
  static const struct {
    ElementKind kind;
    int n;
  } mesh_of[] = {{ELEMENT_TET4, 18}, {ELEMENT_HEX20, 11}, {ELEMENT_TRI3, 77}};
  for (int k = 0; k < 3; ++k)
    for (int r = 0; r < N_RANKS; ++r)
      for (int order = 0; order < 2; ++order) {
        Shares s;
        Mesh *mesh = marked(mesh_of[k].kind, mesh_of[k].n);
        cut(&s, mesh, order ? ORDER_HILBERT : ORDER_NATURAL, RANKS[r], k == 1 ? 0 : 400, order ? 0 : 60);
        check_shares(&s);
        drop(&s);
        mesh_destroy(&mesh);
      }
}

static Status cut_one(void *context) {
  const Shares *s = context;
  LocalMesh local;
  const Status status = local_mesh_create(s->mesh, &s->partition, s->number, 1, &local);
  local_mesh_release(&local);
  return status;
}

static void memory_runs_out(void **state) {
  (void)state;
  Shares s;
  Exec *exec = NULL;
  Mesh *mesh = marked(ELEMENT_TRI3, 50);
  assert_ok(exec_create_cpu(1, &exec));
  cut(&s, mesh, ORDER_HILBERT, 2, 30, 5);
  assert_true(testing_fail_each(exec, cut_one, &s) > 20);
  exec_destroy(&exec);
  drop(&s);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_fixed), cmocka_unit_test(shares_are_whole),
                                     cmocka_unit_test(memory_runs_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
