/* Fronts of given velocities through trees too: along the lines by Bellman and Ford's relaxations, from an end to all tissue within
 * the radius of its junction and from the first of that back, each way after the junction's delay; tree and tissue in
 * turn until neither is earlier for the other. */
#include "app/monodomain/purkinje.h"
#include "assembly/eikonal/eikonal.h"
#include "core/memory.h"

#include <math.h>

typedef struct TreeFront {
  const Case *c;
  const Mesh *mesh;
  const HeartSetup *own;
  double *tree; /* owned, [n_node]: of nodes of trees, HUGE_VAL: not yet, and of others */
  double *from; /* owned, [n_node]: when fronts start in the tissue */
} TreeFront;

/* Two times are one. */
static const double SAME = 1e-12;

static bool earlier(double *time, double by) {
  const bool is = by < *time - SAME * (1 + fabs(by));
  if (is) *time = by;
  return is;
}

static const CasePurkinje *tree_of_link(const TreeFront *f, int32_t k) {
  return case_tree(f->c, f->own->link_region[k] - (f->own->n_region - f->c->purkinje.n));
}

/* Along a line, both ways. */
static bool pass_line(const TreeFront *f, int32_t k) {
  const DiffusionLink *link = &f->own->link[k];
  const double *a = f->mesh->x[link->node[0]], *b = f->mesh->x[link->node[1]];
  const double length =
      sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
  const double takes = length / tree_of_link(f, k)->velocity.value;
  double *t = f->tree;
  return earlier(&t[link->node[1]], t[link->node[0]] + takes) | earlier(&t[link->node[0]], t[link->node[1]] + takes);
}

static void pass_lines(const TreeFront *f) {
  bool any = true;
  while (any) {
    any = false;
    for (int32_t k = 0; k < f->own->n_link; ++k)
      if (f->own->link[k].mass > 0) any |= pass_line(f, k);
    for (int32_t k = f->own->n_link - 1; k >= 0 && any; --k)
      if (f->own->link[k].mass > 0) (void)pass_line(f, k);
  }
}

/* From the tissue, time -1: never, to the ends; or from the ends to the tissue. True: somewhere it is earlier. */
static bool enter_tree(const TreeFront *f, const double *time) {
  bool any = false;
  for (int32_t k = 0; k < f->own->n_link; ++k) {
    const DiffusionLink *link = &f->own->link[k];
    if (link->mass > 0 || time[link->node[1]] < 0) continue;
    any |= earlier(&f->tree[link->node[0]], time[link->node[1]] + tree_of_link(f, k)->junction.delay.value);
  }
  return any;
}

static bool leave_tree(const TreeFront *f) {
  bool any = false;
  for (int32_t k = 0; k < f->own->n_link; ++k) {
    const DiffusionLink *link = &f->own->link[k];
    if (link->mass == 0)
      any |= earlier(&f->from[link->node[1]], f->tree[link->node[0]] + tree_of_link(f, k)->junction.delay.value);
  }
  return any;
}

static Status solve_tissue(const TreeFront *f, Eikonal *eikonal, double *time, EikonalReport *report) {
  const int64_t before = report->sweeps;
  TRY(eikonal_solve(eikonal, f->from, time, report));
  report->sweeps += before;
  return OK;
}

/* Each round has every start of the one before, so that times only get earlier, and end as no front goes around faster than
 * it came. */
static Status solve_in_turn(TreeFront *f, Eikonal *eikonal, double *time, EikonalReport *report) {
  pass_lines(f);
  (void)leave_tree(f);
  TRY(solve_tissue(f, eikonal, time, report));
  while (enter_tree(f, time)) {
    pass_lines(f);
    if (!leave_tree(f)) break;
    TRY(solve_tissue(f, eikonal, time, report));
  }
  return OK;
}

Status setup_wave_trees(const Case *c, const Mesh *mesh, const Setup *setup, Eikonal *eikonal, const double *start,
                        double *time, EikonalReport *report) {
  TreeFront f = {.c = c, .mesh = mesh, .own = heart_setup(setup)};
  uint8_t *bits = NULL;
  Status status = OK;
  ALLOC_DONE(f.tree, mesh->n_node, "times of arrival");
  ALLOC_DONE(f.from, mesh->n_node, "times of start");
  ALLOC_DONE(bits, mesh->n_node, "nodes of trees");
  purkinje_nodes(mesh, bits);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    f.tree[i] = bits[i] & NODE_TREE ? start[i] : HUGE_VAL;
    f.from[i] = bits[i] & NODE_TREE ? HUGE_VAL : start[i];
  }
  TRY_DONE(solve_in_turn(&f, eikonal, time, report));
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (bits[i] & NODE_TREE) time[i] = f.tree[i] < HUGE_VAL ? f.tree[i] : -1;
done:
  FREE(f.tree);
  FREE(f.from);
  FREE(bits);
  return status;
}
