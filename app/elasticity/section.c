/* Force and moment through a cut of a group of elements. The nodes ahead of the plane (or on it) are those of one part, the others those
 * of the other part, and the forces of the elements between them are
 *   F = sum over nodes a ahead of f_a,  M = sum over them of (x_a - at) x f_a,  f_a = int (grad N_a) . stress dV.
 * Elements that lie on one side add nothing: their f_a add up to 0 and have no moment. So F and M are in balance with the loads and
 * reactions of either part to the accuracy of the solve, on any mesh; the mean of stress over the plane is so only in the limit. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/setup/point_shape.h"

#include <math.h>
#include <string.h>

typedef struct Cut {
  double at[3], normal[3]; /* of length 1 */
  double edge;             /* as far behind the plane a node counts as on it */
} Cut;

static Cut cut_of(const Mesh *mesh, const CaseCut *given) {
  Cut cut = {.edge = 1e-9 * mesh_size(mesh)};
  double square = 0;
  memcpy(cut.at, given->at.value, sizeof cut.at);
  for (int32_t k = 0; k < given->normal.n; ++k) square += given->normal.value[k] * given->normal.value[k];
  for (int32_t k = 0; k < given->normal.n; ++k) cut.normal[k] = given->normal.value[k] / sqrt(square);
  return cut;
}

/* How far ahead of the plane. */
static double distance(const Cut *cut, const double x[3]) {
  double d = 0;
  for (int k = 0; k < 3; ++k) d += cut->normal[k] * (x[k] - cut->at[k]);
  return d;
}

/* Has element e nodes on both sides? ahead[a]: node a is one of those ahead. */
static bool crosses(const Mesh *mesh, const Cut *cut, int32_t e, bool ahead[ELEMENT_MAX_NODES]) {
  const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
  int32_t n_ahead = 0;
  for (int32_t a = 0; a < n; ++a) n_ahead += ahead[a] = distance(cut, mesh->x[nodes[a]]) >= -cut->edge;
  return n_ahead > 0 && n_ahead < n;
}

/* f += the force of a point's stress at a node, grad N dV given. */
static void force_add(const double stress[6], const double dN[3], double dV, double f[3]) {
  static const int pair[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}; /* of xx yy zz xy yz xz */
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) f[i] += dV * stress[pair[i][k]] * dN[k];
}

/* F and M of element e. */
static Status element_section(const Case *c, const Mesh *mesh, const Setup *setup, const Cut *cut, int32_t e,
                              const bool ahead[], const double (*stress)[6], double sum[6]) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  const double thickness = element_thickness(mesh, setup, e);
  double x[ELEMENT_MAX_NODES][3], f[ELEMENT_MAX_NODES][3] = {{0}}, ring[ELEMENT_MAX_NODES];
  PointShape p;
  Quadrature rule;
  TRY(element_stiffness_quadrature(type, &rule));
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  for (int32_t q = 0; q < rule.n; ++q) {
    point_shape(type, (const double(*)[3])x, rule.xi[q], rule.weight[q], &p);
    const double dV =
        p.dV *
        (case_axisymmetric(c) ? 2 * M_PI * point_ring(type, (const double(*)[3])x, rule.xi[q], ring) : thickness);
    for (int32_t a = 0; a < type->n_node; ++a) force_add(stress[q], p.dN[a], dV, f[a]);
  }
  for (int32_t a = 0; a < type->n_node; ++a) {
    double arm[3];
    for (int k = 0; k < 3; ++k) arm[k] = x[a][k] - cut->at[k];
    for (int k = 0; k < 3 && ahead[a]; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      sum[k] += f[a][k];
      sum[3 + k] += arm[i] * f[a][j] - arm[j] * f[a][i];
    }
  }
  return OK;
}

Status section_sum(const Case *c, const Mesh *mesh, const Setup *setup, const CaseSum *sum, const Group *on,
                   const ElasticFields *fields, double value[3]) {
  const Cut cut = cut_of(mesh, &sum->cut);
  const bool moment = sum->field.value == SUM_SECTION_MOMENT;
  bool ahead[ELEMENT_MAX_NODES];
  double all[6] = {0};
  for (int32_t i = 0; i < on->n; ++i) {
    const int32_t e = on->element[i];
    const int64_t first = fields->point_start[e - setup_first_solved(mesh)];
    if (crosses(mesh, &cut, e, ahead))
      TRY(element_section(c, mesh, setup, &cut, e, ahead, (const double(*)[6])fields->point_stress + first, all));
  }
  memcpy(value, all + (moment ? 3 : 0), 3 * sizeof *value);
  if (moment && case_dim(c) == 2) value[0] = value[2];
  if (!moment && case_axisymmetric(c)) value[0] = value[1];
  return OK;
}

static void check_cut(const Mesh *mesh, const CaseSum *sum, const Group *on, Diagnostics *diagnostics) {
  const Cut cut = cut_of(mesh, &sum->cut);
  double least = INFINITY, most = -INFINITY;
  bool ahead[ELEMENT_MAX_NODES];
  for (int32_t i = 0; i < on->n; ++i) {
    const int32_t e = on->element[i], *nodes = mesh_nodes_of(mesh, e);
    if (crosses(mesh, &cut, e, ahead)) return;
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_node; ++a) {
      const double d = distance(&cut, mesh->x[nodes[a]]);
      least = fmin(least, d), most = fmax(most, d);
    }
  }
  report_error(diagnostics, sum->cut.place,
               "the cut goes through no element of '%s', whose nodes lie from %g to %g ahead of it\n"
               "  remedy: a plane with nodes of the group on both sides; on its end, the normal that points out of it",
               sum->on.n ? sum->on.item[0].text : "", least, most);
}

void setup_sections(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  Diagnostics told = {.path = c->path}; /* unknown groups are told of with all other sums */
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *sum = case_sum(c, i);
    const Group *on =
        case_is_section(sum) ? setup_group(setup, mesh, &sum->on, ON_CELLS, sum->field.text, &told) : NULL;
    if (on) check_cut(mesh, sum, on, diagnostics);
  }
  diagnostics_release(&told);
}
