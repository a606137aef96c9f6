/* The load of a pin on a bore, or of a bore on a pin: a traction along the radius on the half that is pressed, which falls off as the
 * cosine of the angle from its middle to nothing at 90 degrees,
 *   t = max(0, a . d) d,  d = x - c across the axis (of a pin c - x),
 * with the a for which its integral is the force: the middle of the pressed half lies along the force where all of the bore is there.
 * a is the zero of the gradient of a convex function that is quadratic in pieces, by Newton's method. */
#include "app/elasticity/elastic.h"
#include "app/elasticity/setup_traps.h"
#include "assembly/space/small_matrix.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How far normals of a cylinder may lean out of the plane across it, how far they must spread in it, how much radii may differ. */
static const double LEAN = 0.05, SPREAD = 0.02, ROUND = 0.1;
enum { STEPS = 100 };

typedef struct BearingPoint {
  double x[3], normal[3], area; /* normal: with either sign; area is of a flat model times its thickness */
} BearingPoint;

typedef struct Bore {
  BearingPoint *point; /* owned */
  int32_t n;
  int dim;
  double axis[3], center[3], sign; /* sign 1: the body is outside of the cylinder, -1: inside */
} Bore;

static Status facet_add(const Mesh *mesh, int32_t e, double thickness, Bore *bore) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3], N[ELEMENT_MAX_NODES], J[3][3];
  Quadrature rule;
  TRY(element_load_quadrature(type, &rule));
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  for (int32_t q = 0; q < rule.n; ++q) {
    BearingPoint *p = &bore->point[bore->n++];
    const double size = fabs(element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false));
    const double one[3] = {J[0][0], J[1][0], J[2][0]};
    const double two[3] = {bore->dim == 3 ? J[0][1] : 0, bore->dim == 3 ? J[1][1] : 0, bore->dim == 3 ? J[2][1] : 1};
    vec3_cross(one, two, p->normal);
    type->values(rule.xi[q], N);
    p->x[0] = p->x[1] = p->x[2] = 0;
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int k = 0; k < 3; ++k) p->x[k] += N[a] * x[a][k];
    const double scale = 1 / sqrt(vec3_dot(p->normal, p->normal));
    for (int k = 0; k < 3; ++k) p->normal[k] *= scale;
    p->area = thickness * rule.weight[q] * size;
  }
  return OK;
}

static Status points_find(const Case *c, const Mesh *mesh, const Setup *setup, const Group *on, Bore *bore) {
  Status status = OK;
  double *thickness = NULL;
  Quadrature rule;
  int64_t n = 0;
  for (int32_t k = 0; k < on->n; ++k) {
    TRY(element_load_quadrature(element_type(mesh_block_of(mesh, on->element[k])->kind), &rule));
    n += rule.n;
  }
  TRY(elastic_facet_thickness(c, mesh, setup, &thickness));
  ALLOC_DONE(bore->point, n, "points of a bearing load");
  for (int32_t k = 0; k < on->n; ++k)
    TRY_DONE(facet_add(mesh, on->element[k], thickness ? thickness[on->element[k]] : 1, bore));
done:
  FREE(thickness);
  return status;
}

/* Singular values, largest first, and directions (columns of V) of the mean of v v^T. */
static void mean_square(const Bore *bore, double (*v)[3], double value[3], double V[6][6]) {
  double a[6][6] = {{0}}, s[6], area = 0;
  for (int32_t q = 0; q < bore->n; ++q) area += bore->point[q].area;
  for (int32_t q = 0; q < bore->n; ++q)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a[i][j] += bore->point[q].area / area * v[q][i] * v[q][j];
  jacobi_svd(3, a, s, V);
  for (int i = 0; i < 3; ++i) value[i] = s[i];
}

/* The axis is across all normals, and the centre where lines along them meet: sum ((x - c) . t)^2 is least, t = axis x normal. */
static Status axis_find(Bore *bore, bool *is_one) {
  Status status = OK;
  double(*v)[3] = NULL, value[3], V[6][6], low = (double)INFINITY, high = 0;
  ALLOC_DONE(v, bore->n, "points of a bearing load");
  for (int32_t q = 0; q < bore->n; ++q) memcpy(v[q], bore->point[q].normal, sizeof v[q]);
  mean_square(bore, v, value, V);
  for (int i = 0; i < 3; ++i) bore->axis[i] = bore->dim == 2 ? i == 2 : V[i][2];
  *is_one = value[2] < LEAN && value[1] > SPREAD;
  for (int32_t q = 0; q < bore->n; ++q) vec3_cross(bore->axis, bore->point[q].normal, v[q]);
  mean_square(bore, v, value, V);
  for (int32_t k = 0; k < 2 && *is_one; ++k) {
    double along = 0, weight = 0;
    for (int32_t q = 0; q < bore->n; ++q) {
      const double t = v[q][0] * V[0][k] + v[q][1] * V[1][k] + v[q][2] * V[2][k];
      along += bore->point[q].area * t * vec3_dot(v[q], bore->point[q].x), weight += bore->point[q].area * t * t;
    }
    for (int i = 0; i < 3; ++i) bore->center[i] += along / weight * V[i][k];
  }
  for (int32_t q = 0; q < bore->n && *is_one; ++q) {
    double d[3], r = 0;
    for (int i = 0; i < 3; ++i) d[i] = bore->point[q].x[i] - bore->center[i];
    const double along = vec3_dot(d, bore->axis);
    for (int i = 0; i < 3; ++i) r += pow(d[i] - along * bore->axis[i], 2);
    low = fmin(low, sqrt(r)), high = fmax(high, sqrt(r));
  }
  *is_one = *is_one && low > (1 - 2 * ROUND) * high;
done:
  FREE(v);
  return status;
}

/* d of a point. */
static void arm_of(const Bore *bore, const double x[3], double d[3]) {
  for (int i = 0; i < 3; ++i) d[i] = bore->sign * (x[i] - bore->center[i]);
  const double along = vec3_dot(d, bore->axis);
  for (int i = 0; i < 3; ++i) d[i] -= along * bore->axis[i];
}

/* The integral of t, that of max(0, a . d), and the derivative of the first by a. */
static void integrate(const Bore *bore, const double a[3], double t[3], double *pressed, double J[3][3]) {
  *pressed = 0;
  memset(t, 0, 3 * sizeof *t), memset(J, 0, 3 * sizeof *J);
  for (int32_t q = 0; q < bore->n; ++q) {
    double d[3];
    arm_of(bore, bore->point[q].x, d);
    const double p = vec3_dot(a, d), w = bore->point[q].area;
    if (!(p > 0)) continue;
    *pressed += w * p;
    for (int i = 0; i < 3; ++i) t[i] += w * p * d[i];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J[i][j] += w * d[i] * d[j];
  }
}

/* The a of this force across the axis, of none 0; false: what is there of the surface cannot bear it. */
static bool solve(const Bore *bore, const double F[3], double a[3], double *pressed) {
  const double size = sqrt(vec3_dot(F, F));
  for (int i = 0; i < 3; ++i) a[i] = F[i];
  *pressed = 1;
  if (size == 0) return true;
  for (int step = 0; step < STEPS; ++step) {
    double t[3], J[3][3], m[6][6] = {{0}}, value[6], V[6][6], left[3], d[3] = {0};
    integrate(bore, a, t, pressed, J);
    for (int i = 0; i < 3; ++i) left[i] = F[i] - t[i];
    if (step && sqrt(vec3_dot(left, left)) <= 1e-13 * size) return true;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] = J[i][j];
    jacobi_svd(3, m, value, V);
    if (!(value[1] > 1e-6 * value[0])) return false;
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 3; ++i)
        d[i] += (left[0] * V[0][k] + left[1] * V[1][k] + left[2] * V[2][k]) / value[k] * V[i][k];
    for (int i = 0; i < 3; ++i) a[i] += d[i];
  }
  return false;
}

/* t as expressions: max(0, a . d) times the component of d, and of what the force has along the axis. */
static Status traction_text(const Bore *bore, const double a[3], const double along[3], ExprsValue *out) {
  const double *c = bore->center;
  out->n = bore->dim;
  for (int32_t i = 0; i < bore->dim; ++i) {
    char text[640];
    int n = snprintf(text, sizeof text, "max(0,(%.17g)*(x-(%.17g))+(%.17g)*(y-(%.17g))", bore->sign * a[0], c[0],
                     bore->sign * a[1], c[1]);
    if (bore->dim == 3)
      n += snprintf(text + n, sizeof text - (size_t)n, "+(%.17g)*(z-(%.17g))", bore->sign * a[2], c[2]);
    n += snprintf(text + n, sizeof text - (size_t)n, ")*((%.17g)", along[i]);
    for (int k = 0; k < bore->dim; ++k)
      n += snprintf(text + n, sizeof text - (size_t)n, "+(%.17g)*(%c-(%.17g))",
                    bore->sign * ((i == k) - bore->axis[i] * bore->axis[k]), "xyz"[k], c[k]);
    snprintf(text + n, sizeof text - (size_t)n, ")");
    TRY(expr_parse(text, &out->item[i].expr));
  }
  return OK;
}

static Status traction_find(const Mesh *mesh, const Group *on, const CaseBearing *b, Bore *bore, ExprsValue *out,
                            Diagnostics *diagnostics) {
  bool is_one, outside;
  double F[3] = {0}, a[3], along[3], pressed;
  TRY(axis_find(bore, &is_one));
  if (!is_one) {
    report_error(
        diagnostics, b->place,
        "bearing: '%s' is not part of one cylinder\n  allowed: the wall of a bore, or of a pin, or a part of it\n"
        "  remedy: a group of that wall alone, or 'force' or 'traction'",
        on->name);
    return OK;
  }
  TRY(traps_is_bore(mesh, on, bore->center, bore->axis, &outside));
  bore->sign = outside ? 1 : -1;
  for (int i = 0; i < bore->dim; ++i) F[i] = b->force.value[i];
  const double axial = vec3_dot(F, bore->axis), size = sqrt(vec3_dot(F, F));
  if (fabs(axial) > LEAN * size) {
    report_error(
        diagnostics, b->force.place,
        "bearing: the force on '%s' has a part of %g along the axis [%.3g, %.3g, %.3g] of the cylinder, which a pin "
        "does not bear\n  remedy: 'force' for that part, on the face that bears it",
        on->name, axial, bore->axis[0], bore->axis[1], bore->axis[2]);
    return OK;
  }
  for (int i = 0; i < 3; ++i) F[i] -= axial * bore->axis[i];
  if (!solve(bore, F, a, &pressed)) {
    report_error(
        diagnostics, b->force.place,
        "bearing: '%s' has no wall where the force would press on it\n  remedy: the other half too, or a force to "
        "this side",
        on->name);
    return OK;
  }
  for (int i = 0; i < 3; ++i) along[i] = axial / pressed * bore->axis[i];
  out->place = b->place;
  return traction_text(bore, a, along, out);
}

Status bearing_traction(const Case *c, const Mesh *mesh, const Setup *setup, const Group *on, const CaseBearing *b,
                        ExprsValue *out, Diagnostics *diagnostics) {
  Bore bore = {.dim = case_dim(c)};
  if (b->force.n != bore.dim) return OK; /* which has been told */
  Status status = points_find(c, mesh, setup, on, &bore);
  if (status == OK && bore.n) status = traction_find(mesh, on, b, &bore, out, diagnostics);
  FREE(bore.point);
  return status;
}
