/* mesh_check: what a mesh must be before anything is solved on it, in the order in which the answers make sense. */
#include "mesh/check/check.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/same_nodes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool group_holds(const Group *group, int32_t e) { return ascending_find(group->n, group->element, e) >= 0; }

void check_describe_element(const Mesh *mesh, int32_t e, char *text, int size) {
  const ElementBlock *block = mesh_block_of(mesh, e);
  const ElementType *type = element_type(block->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  const Group *group = NULL;
  for (int32_t g = 0; g < mesh->n_group && !group; ++g)
    if (mesh->group[g].dim == type->dim && group_holds(&mesh->group[g], e)) group = &mesh->group[g];
  double x[3] = {0};
  for (int32_t a = 0; a < type->n_vertex; ++a)
    for (int d = 0; d < 3; ++d) x[d] += mesh->x[nodes[a]][d] / type->n_vertex;
  snprintf(text, (size_t)size, "element %lld (%s)%s%.100s%s around (%g, %g, %g)",
           (long long)block->tag[e - block->first], type->name, group ? " of group '" : "", group ? group->name : "",
           group ? "'" : " of no group", x[0], x[1], x[2]);
}

static Status check_dimension(const Mesh *mesh) {
  CHECK(mesh->dim >= 2, ERR_MESH,
        "%s: there are no surface or volume elements, only %d of dimension %d\n"
        "  mesh in 2D or 3D (gmsh -2, gmsh -3); where a .geo has physical groups, only those are saved: add the "
        "surface or "
        "volume to one",
        mesh->path, mesh->n_element, mesh->dim);
  return OK;
}

static const char *check_counted(const Mesh *mesh) { return mesh->dim == 3 ? "volume" : "area"; }

static Status fail_mirrored(const Mesh *mesh, int64_t n) {
  char all[60] = "the only element is";
  if (n > 1) snprintf(all, sizeof all, "all %lld elements are", (long long)n);
  return FAIL(ERR_MESH,
              "%s: %s mirrored (negative %s): the nodes go round the wrong way\n"
              "  %s, or mirror the coordinates back",
              mesh->path, all, check_counted(mesh),
              mesh->dim == 3 ? "reverse the node order of every element"
                             : "turn the surface over, so that its normal is +z (in Gmsh: reverse its Curve Loop or "
                               "'ReverseMesh Surface{:};')");
}

Status check_shape_errors(const Mesh *mesh, const ShapeReport *report) {
  if (report->n_bad == 0) return OK;
  if (report->n_mirrored == report->n_solved) return fail_mirrored(mesh, report->n_solved);
  char worst[400], list[200] = "";
  check_describe_element(mesh, report->worst_element, worst, sizeof worst);
  const ElementBlock *block = mesh_block_of(mesh, report->worst_element);
  for (int64_t i = 0; i < report->n_bad && i < CHECK_SHOWN; ++i) {
    const ElementBlock *at = mesh_block_of(mesh, report->bad[i]);
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%lld", used ? ", " : "",
             (long long)at->tag[report->bad[i] - at->first]);
  }
  char more[48] = "";
  if (report->n_bad > CHECK_SHOWN)
    snprintf(more, sizeof more, " and %lld more", (long long)(report->n_bad - CHECK_SHOWN));
  return FAIL(ERR_MESH,
              "%s: %lld %s inverted or without %s (determinant of the Jacobian not above 0): worst %g in %s\n"
              "  elements %s%s\n"
              "  %s",
              mesh->path, (long long)report->n_bad, report->n_bad == 1 ? "element is" : "elements are",
              check_counted(mesh), report->worst, worst, list, more,
              element_type(block->kind)->order > 1
                  ? "curved elements that fold over: refine there, mesh again (gmsh -optimize_ho), or use order: 1"
                  : "mesh again or repair these: reverse their node order if they were numbered in reverse order");
}

static Status fail_repeated(const Mesh *mesh, const int32_t (*pair)[2], int64_t n, const char *where) {
  char text[400] = "", more[48] = "", place[400];
  for (int64_t i = 0; i < n && i < CHECK_SHOWN; ++i) {
    const ElementBlock *block = mesh_block_of(mesh, pair[i][0]);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%lld and %lld", used ? ", " : "",
             (long long)block->tag[pair[i][0] - block->first], (long long)block->tag[pair[i][1] - block->first]);
  }
  if (n > CHECK_SHOWN) snprintf(more, sizeof more, " and %lld more", (long long)(n - CHECK_SHOWN));
  check_describe_element(mesh, pair[0][0], place, sizeof place);
  return FAIL(ERR_MESH,
              "%s: %lld element%s %s on the same nodes as another one%s: %s%s\n"
              "  the first is %s\n"
              "  remove the duplicates (in Gmsh: 'Coherence Mesh;', or mesh again without overlapping volumes)",
              mesh->path, (long long)n, n == 1 ? "" : "s", n == 1 ? "lies" : "lie", where, text, more, place);
}

static bool share_group(const Mesh *mesh, int32_t dim, int32_t e, int32_t f) {
  for (int32_t g = 0; g < mesh->n_group; ++g)
    if (mesh->group[g].dim == dim && group_holds(&mesh->group[g], e) && group_holds(&mesh->group[g], f)) return true;
  return false;
}

Status check_repeated_elements(const Mesh *mesh) {
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    int32_t *first, pair[CHECK_SHOWN][2];
    int64_t n = 0, n_same = 0;
    ALLOC(first, block->n, "elements by their nodes");
    const Status status = same_nodes_find(block->nodes, block->n, type->n_node, first);
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n)) reduction(+ : n_same)
    for (int32_t i = 0; i < block->n; ++i) n_same += first[i] != i;
    for (int32_t i = 0; i < block->n && status == OK && n_same; ++i) {
      const int32_t e = block->first + first[i], f = block->first + i;
      if (e == f || (type->dim < mesh->dim && !share_group(mesh, type->dim, e, f))) continue;
      if (n < CHECK_SHOWN) pair[n][0] = e, pair[n][1] = f;
      ++n;
    }
    FREE(first);
    TRY(status);
    if (n) return fail_repeated(mesh, (const int32_t(*)[2])pair, n, type->dim < mesh->dim ? " of its group" : "");
  }
  return OK;
}

Status check_extent(const Mesh *mesh, double scale) {
  const double least = 1e-30, most = 1e30, size = mesh_size(mesh);
  CHECK(isfinite(size), ERR_MESH, "%s: with scale %g the coordinates exceed the range of double precision", mesh->path,
        scale);
  if (size == 0 || (size >= least && size <= most)) return OK;
  char scaled[64] = "";
  if (scale != 1) snprintf(scaled, sizeof scaled, " with scale %g", scale);
  return FAIL(ERR_MESH, "%s: the mesh is %g long%s; %g to %g are supported\n  use another unit of length", mesh->path,
              size, scaled, least, most);
}

Status mesh_check_report(const Mesh *mesh, bool touch, ShapeReport *report) {
  TRY(check_dimension(mesh));
  TRY(check_repeated_elements(mesh));
  check_shapes(mesh, report);
  TRY(check_shape_errors(mesh, report));
  if (mesh->in_space) TRY(check_edges(mesh));
  if (!touch) TRY(check_parts(mesh));
  if (report->quality.n_sliver) {
    char worst[400];
    check_describe_element(mesh, report->quality.worst_element, worst, sizeof worst);
    status_warn(
        "%s: %lld sliver%s among %lld elements (quality below 0.1 of 1): worst %.3g in %s; results near %s may be "
        "poor and the solver slow: optimise the mesh (gmsh -optimize) or refine there",
        mesh->path, (long long)report->quality.n_sliver, report->quality.n_sliver == 1 ? "" : "s",
        (long long)report->n_solved, report->quality.worst, worst, report->quality.n_sliver == 1 ? "it" : "them");
  }
  return OK;
}

Status mesh_check(const Mesh *mesh) {
  ShapeReport report;
  return mesh_check_report(mesh, false, &report);
}
