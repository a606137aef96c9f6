/* Axes of elements from fields, expressions or nodes, and the tensors that they make. */
#include "mesh/fibers/fibers.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "core/parts.h"
#include "mesh/fibers/axis.h"
#include "mesh/fibers/surface_axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 5, NAMES_MAX = 64 };
static const double ALONG = 0.999; /* |f . s| from which a sheet is taken to lie along its fibre */

/* The elements that are asked for, and what their axes come from. */
typedef struct Request {
  const Mesh *mesh;
  const FiberSource *source;
  const char *what;       /* "fibre" or "sheet" */
  const MeshField *field; /* NULL where the source is none */
  const int32_t *element_tissue;
  int32_t which;
} Request;

/* What went wrong, counted, with the first few told. */
typedef struct MeshProblem {
  int64_t n;
  Status status;
} MeshProblem;

bool fiber_given(const FiberSource *source) { return source->field || source->direction || source->node; }

static const MeshField *find_field(const Mesh *mesh, const char *name) {
  const MeshField *field = mesh_field(mesh, name, true);
  return field ? field : mesh_field(mesh, name, false);
}

static Status unknown_field(const Mesh *mesh, const char *name, const char *what) {
  char list[1024] = "";
  const char *names[NAMES_MAX] = {NULL};
  int n = 0;
  for (int32_t f = 0; f < mesh->n_field && n < NAMES_MAX; ++f) {
    const MeshField *field = &mesh->field[f];
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s (on %s, %d component%s)", n ? ", " : "", field->name,
             field->on_nodes ? "nodes" : "elements", (int)field->n_component, field->n_component == 1 ? "" : "s");
    names[n++] = field->name;
  }
  const char *near = nearest_name(name, n, names);
  return FAIL(ERR_INPUT, "the mesh has no field '%.100s' for the %s\n  fields in %s: %s%s%s%s", name, what, mesh->path,
              n ? list : "none", near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

Status fiber_field(const Mesh *mesh, const char *name, int32_t n_component, const char *what, const MeshField **out) {
  *out = find_field(mesh, name);
  if (!*out) return unknown_field(mesh, name, what);
  CHECK((*out)->n_component == n_component, ERR_INPUT, "field '%s' has %d component%s; a %s needs %d", name,
        (int)(*out)->n_component, (*out)->n_component == 1 ? "" : "s", what, (int)n_component);
  return OK;
}

static bool is_constant(const Expr *direction) {
  return expr_is_constant(&direction[0]) && expr_is_constant(&direction[1]) && expr_is_constant(&direction[2]);
}

static double fibers_evaluate(const Expr *direction, const double x[3], double v[3]) {
  for (int k = 0; k < 3; ++k) v[k] = expr_value(&direction[k], x, 0);
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static Status check_source(const Mesh *mesh, const FiberSource *source, const char *what) {
  const double origin[3] = {0};
  double v[3];
  if (source->field) {
    const MeshField *field;
    TRY(fiber_field(mesh, source->field, 3, what, &field));
  }
  if (source->direction && is_constant(source->direction)) {
    const double length = fibers_evaluate(source->direction, origin, v);
    CHECK(length > 0 && isfinite(length), ERR_INPUT, "the direction of the %s is (%g, %g, %g): it has no length", what,
          v[0], v[1], v[2]);
  }
  return OK;
}

static Status check_diffusivity(const char *name, double value) {
  CHECK(value > 0 && isfinite(value), ERR_INPUT, "diffusivity %s is %g, must be > 0 and finite", name, value);
  return OK;
}

Status fiber_tissue_check(const Mesh *mesh, const FiberTissue *tissue) {
  const bool fiber = fiber_given(&tissue->fiber), sheet = fiber_given(&tissue->sheet);
  TRY(check_diffusivity("along", tissue->along));
  if (tissue->across != 0) TRY(check_diffusivity("across", tissue->across));
  if (tissue->normal != 0) TRY(check_diffusivity("normal", tissue->normal));
  CHECK(!sheet || fiber, ERR_INPUT, "sheets without fibres: give the fibres too");
  const bool isotropic = (tissue->across == 0 || tissue->across == tissue->along) &&
                         (tissue->normal == 0 || tissue->normal == tissue->along);
  CHECK(fiber || isotropic, ERR_INPUT,
        "diffusivity differs along and across, but there are no fibres: give fibres, or one number");
  CHECK(
      sheet || tissue->normal == 0 || tissue->across == 0 || tissue->normal == tissue->across, ERR_INPUT,
      "diffusivity normal to the sheets is %g and across %g, but there are no sheets: give them, or leave 'normal' out",
      tissue->normal, tissue->across);
  CHECK(tissue->normal == 0 || tissue->across != 0 || isotropic, ERR_INPUT,
        "diffusivity has 'normal' but not 'across'");
  TRY(check_source(mesh, &tissue->fiber, "fibre"));
  return check_source(mesh, &tissue->sheet, "sheet");
}

/* ---- axes ---- */
static int32_t first_solved(const Mesh *mesh) {
  int32_t first = mesh->n_element;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim && mesh->block[b].first < first)
      first = mesh->block[b].first;
  return first;
}

static bool is_asked(const Request *r, int32_t e) { return !r->element_tissue || r->element_tissue[e] == r->which; }

static double fibers_square(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

/* "a fibre of length zero at node 12 (1, 2, 3)" */
static void fibers_tell(const Request *r, MeshProblem *trouble, Status status, const double v[3], const char *at,
                        int64_t tag, const double x[3]) {
  const char *why = isfinite(fibers_square(v)) ? "of length zero" : "that is not finite";
  trouble->status = status;
  if (++trouble->n == 1)
    (void)FAIL(status, "%s: a %s %s at %s %lld (%g, %g, %g)", r->mesh->path, r->what, why, at, (long long)tag, x[0],
               x[1], x[2]);
  else if (trouble->n <= SHOWN)
    (void)status_context(status, "also a %s %s at %s %lld (%g, %g, %g)", r->what, why, at, (long long)tag, x[0], x[1],
                         x[2]);
}

static Status fibers_conclude(const Request *r, const MeshProblem *trouble) {
  if (trouble->n == 0) return OK;
  if (trouble->n > SHOWN) (void)status_context(trouble->status, "and %lld more", (long long)(trouble->n - SHOWN));
  return status_context(
      trouble->status,
      trouble->status == ERR_MESH
          ? "%lld in all; every element of the group needs a %s direction: correct the data of the mesh"
          : "%lld in all; every element of the group needs a %s direction: correct the expression",
      (long long)trouble->n, r->what);
}

static bool has_direction(const double v[3]) { return fibers_square(v) > 0 && isfinite(fibers_square(v)); }

static void fibers_centre(const Mesh *mesh, const int32_t *nodes, int32_t n, double x[3]) {
  for (int k = 0; k < 3; ++k) {
    x[k] = 0;
    for (int32_t a = 0; a < n; ++a) x[k] += mesh->x[nodes[a]][k] / n;
  }
}

/* The axis of one element, not of length 1 yet; returns the gap of its dyad's eigenvalues. */
static double axis_of_element(const Request *r, const ElementBlock *block, int32_t i, const double (*at_node)[3],
                              double axis[3]) {
  const int32_t n = element_type(block->kind)->n_node;
  const int32_t *nodes = block->nodes + (int64_t)i * n;
  double dyad[3][3] = {{0}};
  if (!at_node) {
    double x[3];
    fibers_centre(r->mesh, nodes, n, x);
    if (r->field) memcpy(axis, r->field->value + 3 * (int64_t)(block->first + i), 3 * sizeof *axis);
    else fibers_evaluate(r->source->direction, x, axis);
    return 1;
  }
  for (int32_t a = 0; a < n; ++a) {
    const double *v = at_node[nodes[a]];
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) dyad[j][k] += v[j] * v[k] / (fibers_square(v) * n);
  }
  return axis_principal(dyad, axis);
}

/* All nodes of the elements asked for must have a direction. */
static Status check_nodes(const Request *r, const double (*at_node)[3]) {
  const Mesh *mesh = r->mesh;
  uint8_t *told = NULL;
  MeshProblem trouble = {0};
  int64_t n_bad = 0;
  const int32_t first = first_solved(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first)) reduction(+ : n_bad)
  for (int32_t e = first; e < mesh->n_element; ++e) {
    if (!is_asked(r, e)) continue;
    const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) n_bad += !has_direction(at_node[nodes[a]]);
  }
  if (n_bad == 0) return OK;
  ALLOC(told, mesh->n_node, "nodes with a fibre");
  for (int32_t e = first; e < mesh->n_element; ++e) {
    if (!is_asked(r, e)) continue;
    const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      const int32_t i = nodes[a];
      if (told[i] || has_direction(at_node[i])) continue;
      told[i] = 1;
      fibers_tell(r, &trouble, ERR_MESH, at_node[i], "node", mesh->node_tag[i], mesh->x[i]);
    }
  }
  FREE(told);
  return fibers_conclude(r, &trouble);
}

/* What the axes of the elements asked for are like. */
typedef struct AxesFound {
  int64_t n_asked, n_without, n_scattered;
  int32_t scattered; /* the first one */
} AxesFound;

static void warn_scattered(const Request *r, const AxesFound *found) {
  if (found->n_scattered == 0) return;
  const ElementBlock *block = mesh_block_of(r->mesh, found->scattered);
  double x[3];
  fibers_centre(r->mesh, mesh_nodes_of(r->mesh, found->scattered), element_type(block->kind)->n_node, x);
  status_warn("%s: the %s axes at the nodes of %lld of %lld elements point in all directions, so that their mean means "
              "little; the "
              "first is element %lld near (%g, %g, %g)",
              r->mesh->path, r->what, (long long)found->n_scattered, (long long)found->n_asked,
              (long long)block->tag[found->scattered - block->first], x[0], x[1], x[2]);
}

/* Axes of a block's elements: of length 1, or as they are where they have none. */
static AxesFound axes_of_block(const Request *r, const ElementBlock *block, const double (*at_node)[3],
                               double (*axis)[3]) {
  const int32_t shift = block->first - first_solved(r->mesh);
  int64_t n_asked = 0, n_without = 0, n_scattered = 0;
  int32_t first = INT32_MAX;
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n)) reduction(+ : n_asked, n_without, n_scattered) reduction(min : first)
  for (int32_t i = 0; i < block->n; ++i) {
    if (!is_asked(r, block->first + i)) continue;
    double *f = axis[shift + i];
    const double gap = axis_of_element(r, block, i, at_node, f), length = sqrt(fibers_square(f));
    const bool has = has_direction(f);
    for (int k = 0; k < 3 && has; ++k) f[k] /= length;
    ++n_asked;
    n_without += !has;
    if (gap >= FIBER_GAP) continue;
    ++n_scattered;
    if (block->first + i < first) first = block->first + i;
  }
  return (AxesFound){n_asked, n_without, n_scattered, first};
}

static Status tell_without(const Request *r, const double (*axis)[3]) {
  const Mesh *mesh = r->mesh;
  const int32_t first = first_solved(mesh);
  MeshProblem trouble = {0};
  for (int32_t e = first; e < mesh->n_element; ++e) {
    if (!is_asked(r, e) || has_direction(axis[e - first])) continue;
    const ElementBlock *block = mesh_block_of(mesh, e);
    double x[3];
    fibers_centre(mesh, mesh_nodes_of(mesh, e), element_type(block->kind)->n_node, x);
    fibers_tell(r, &trouble, r->field ? ERR_MESH : ERR_INPUT, axis[e - first], "element", block->tag[e - block->first],
                x);
  }
  return fibers_conclude(r, &trouble);
}

static Status find_axes(const Request *r, double (*axis)[3]) {
  const Mesh *mesh = r->mesh;
  const double(*at_node)[3] = r->source->node;
  if (r->field && r->field->on_nodes) at_node = (const double(*)[3])(const void *)r->field->value;
  if (at_node) TRY(check_nodes(r, at_node));
  AxesFound all = {.scattered = INT32_MAX};
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (element_type(block->kind)->dim != mesh->dim) continue;
    const AxesFound found = axes_of_block(r, block, at_node, axis);
    all.n_asked += found.n_asked;
    all.n_without += found.n_without;
    all.n_scattered += found.n_scattered;
    if (found.scattered < all.scattered) all.scattered = found.scattered;
  }
  if (all.n_without) TRY(tell_without(r, (const double(*)[3])axis));
  warn_scattered(r, &all);
  return OK;
}

static Request fibers_request(const Mesh *mesh, const FiberSource *source, const char *what,
                              const int32_t *element_tissue, int32_t which) {
  return (Request){mesh, source, what, source->field ? find_field(mesh, source->field) : NULL, element_tissue, which};
}

Status fiber_axes(const Mesh *mesh, const FiberSource *source, const char *what, const int32_t *element_tissue,
                  int32_t which, double (*axis)[3]) {
  CHECK(fiber_given(source), ERR_BUG, "axes of no source");
  TRY(check_source(mesh, source, what));
  const Request r = fibers_request(mesh, source, what, element_tissue, which);
  return find_axes(&r, axis);
}

/* ---- tensors ---- */
static void tensor_of(const FiberTissue *tissue, const double *each, const double *f, const double *s, double D[6]) {
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2}; /* xx yy zz xy yz xz */
  const double along = each ? each[0] : tissue->along;
  const double across = tissue->across > 0 ? each ? each[1] : tissue->across : along;
  const double normal =
      tissue->normal > 0 ? each ? each[2] : tissue->normal : across; /* the part of every direction; others are added */
  for (int k = 0; k < 6; ++k) {
    const int i = row[k], j = column[k];
    D[k] = i == j ? normal : 0;
    if (f) D[k] += (along - normal) * f[i] * f[j];
    if (s) D[k] += (across - normal) * s[i] * s[j];
  }
}

/* Takes from each sheet its part along the fibre. */
static Status make_orthogonal(const Request *r, const double (*fiber)[3], double (*sheet)[3]) {
  const Mesh *mesh = r->mesh;
  const int32_t first = first_solved(mesh);
  int32_t worst = INT32_MAX;
  int64_t n = 0;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first)) reduction(+ : n) reduction(min : worst)
  for (int32_t e = first; e < mesh->n_element; ++e) {
    if (!is_asked(r, e)) continue;
    const double *f = fiber[e - first];
    double *s = sheet[e - first];
    const double fs = f[0] * s[0] + f[1] * s[1] + f[2] * s[2];
    for (int k = 0; k < 3; ++k) s[k] -= fs * f[k];
    const double length = sqrt(fibers_square(s));
    for (int k = 0; k < 3; ++k) s[k] /= length;
    if (fabs(fs) < ALONG) continue;
    ++n;
    worst = e < worst ? e : worst;
  }
  if (n == 0) return OK;
  const ElementBlock *block = mesh_block_of(mesh, worst);
  double x[3];
  fibers_centre(mesh, mesh_nodes_of(mesh, worst), element_type(block->kind)->n_node, x);
  (void)FAIL(ERR_MESH,
             "%s: the sheet lies along the fibre in element %lld near (%g, %g, %g); it must span a plane with it",
             mesh->path, (long long)block->tag[worst - block->first], x[0], x[1], x[2]);
  return status_context(ERR_MESH, "%lld elements in all", (long long)n);
}

static Status fibers_anisotropic(const Mesh *mesh, const FiberTissue *tissue, const int32_t *element_tissue,
                                 int32_t which, double (*fiber)[3], double (*sheet)[3]) {
  Request r = fibers_request(mesh, &tissue->fiber, "fibre", element_tissue, which);
  if (fiber) TRY(find_axes(&r, fiber));
  if (fiber && mesh->in_space) TRY(surface_axes(mesh, "fibre", element_tissue, which, fiber));
  if (!sheet) return OK;
  r = fibers_request(mesh, &tissue->sheet, "sheet", element_tissue, which);
  TRY(find_axes(&r, sheet));
  return make_orthogonal(&r, (const double(*)[3])fiber, sheet);
}

Status fiber_tensors(const Mesh *mesh, const FiberTissue *tissue, const int32_t *element_tissue, int32_t which,
                     double (*tensor)[6]) {
  Status status = OK;
  double(*fiber)[3] = NULL, (*sheet)[3] = NULL;
  TRY(fiber_tissue_check(mesh, tissue));
  const Request r = fibers_request(mesh, &tissue->fiber, "fibre", element_tissue, which);
  const int32_t first = first_solved(mesh), n = mesh->n_element - first;
  if (fiber_given(&tissue->fiber)) ALLOC_DONE(fiber, n, "fibres of the elements");
  if (fiber_given(&tissue->sheet)) ALLOC_DONE(sheet, n, "sheets of the elements");
  TRY_DONE(fibers_anisotropic(mesh, tissue, element_tissue, which, fiber, sheet));
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t e = 0; e < n; ++e)
    if (is_asked(&r, first + e))
      tensor_of(tissue, tissue->each ? tissue->each[e] : NULL, fiber ? fiber[e] : NULL, sheet ? sheet[e] : NULL,
                tensor[e]);
done:
  FREE(fiber);
  FREE(sheet);
  return status;
}
