/* The element registry, by iteration: shape functions, faces, node orders, and what adding an element touches. */
#include "tests/testing.h"

#include "mesh/elements/element.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FOR_ALL_TYPES(type)                                                                                            \
  for (int k_##type = 0; k_##type < N_ELEMENT_KINDS; k_##type++)                                                       \
    for (const ElementType *type = element_type((ElementKind)k_##type); type != NULL; type = NULL)

static uint64_t random_state = 88172645463325252u;
static double uniform(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) / 9007199254740992.0;
}

/* A random point of the reference domain, a little away from its boundary. */
static void random_point(const ElementType *type, double xi[3]) {
  do {
    for (int k = 0; k < 3; k++) xi[k] = k >= type->dim ? 0.0 : 2.0 * uniform() - 1.0;
  } while (!shape_holds(type->shape, xi, -0.02));
}

static void registry_agrees_with_the_list(void **state) {
  (void)state;
#define ELEMENT(KIND, NAME, DIM, NODES)                                                                                \
  assert_string_equal(element_type(ELEMENT_##KIND)->name, #NAME);                                                      \
  assert_int_equal(element_type(ELEMENT_##KIND)->kind, ELEMENT_##KIND);                                                \
  assert_int_equal(element_type(ELEMENT_##KIND)->dim, DIM);                                                            \
  assert_int_equal(element_type(ELEMENT_##KIND)->n_node, NODES);
#include "mesh/elements/elements.def"
#undef ELEMENT
  FOR_ALL_TYPES(type) {
    assert_ptr_equal(element_by_name(type->name), type);
    if (type->gmsh_type) assert_ptr_equal(element_by_gmsh(type->gmsh_type), type); /* 0: Gmsh has no such */
    const ElementType *linear = element_type(type->linear);
    assert_int_equal(linear->order, 1);
    assert_int_equal(linear->n_node, type->n_vertex);
    assert_int_equal(linear->shape, type->shape);
    for (int v = 0; v < type->n_vertex; v++) assert_memory_equal(linear->node[v], type->node[v], sizeof type->node[v]);
  }
  assert_null(element_by_name("hex9"));
  assert_null(element_by_gmsh(99));
  assert_null(element_type(N_ELEMENT_KINDS));
  assert_ptr_equal(element_quadratic(ELEMENT_HEX8, false), element_type(ELEMENT_HEX27));
  assert_ptr_equal(element_quadratic(ELEMENT_HEX8, true), element_type(ELEMENT_HEX20));
  assert_ptr_equal(element_quadratic(ELEMENT_TET4, true), element_type(ELEMENT_TET10));
  assert_null(element_quadratic(ELEMENT_POINT1, false));
}

static void partition_of_unity_and_coordinates(void **state) {
  (void)state;
  FOR_ALL_TYPES(type) {
    for (int trial = 0; trial < 50; trial++) {
      double xi[3], N[ELEMENT_MAX_NODES], dN[ELEMENT_MAX_NODES * 3] = {0}, sum = 0.0, x[3] = {0};
      random_point(type, xi);
      type->values(xi, N);
      type->gradients(xi, dN);
      for (int a = 0; a < type->n_node; a++) {
        sum += N[a];
        for (int k = 0; k < 3; k++) x[k] += N[a] * type->node[a][k];
      }
      assert_near(sum, 1.0, 1e-14);
      for (int k = 0; k < 3; k++) assert_near(x[k], xi[k], 1e-14);
      for (int d = 0; d < type->dim; d++) {
        double slope = 0.0;
        for (int a = 0; a < type->n_node; a++) slope += dN[a * type->dim + d];
        assert_near(slope, 0.0, 1e-14);
      }
    }
  }
}

static void delta_at_the_nodes(void **state) {
  (void)state;
  FOR_ALL_TYPES(type) {
    for (int b = 0; b < type->n_node; b++) {
      double N[ELEMENT_MAX_NODES];
      type->values(type->node[b], N);
      for (int a = 0; a < type->n_node; a++) assert_near(N[a], a == b ? 1.0 : 0.0, 1e-15);
    }
  }
}

static void gradient_against_difference(void **state) {
  (void)state;
  const double h = 1e-5;
  FOR_ALL_TYPES(type) {
    for (int trial = 0; trial < 20; trial++) {
      double xi[3], dN[ELEMENT_MAX_NODES * 3] = {0};
      random_point(type, xi);
      type->gradients(xi, dN);
      for (int d = 0; d < type->dim; d++) {
        double up[3], down[3], N_up[ELEMENT_MAX_NODES], N_down[ELEMENT_MAX_NODES];
        memcpy(up, xi, sizeof up);
        memcpy(down, xi, sizeof down);
        up[d] += h;
        down[d] -= h;
        type->values(up, N_up);
        type->values(down, N_down);
        for (int a = 0; a < type->n_node; a++) {
          assert_near(dN[a * type->dim + d], (N_up[a] - N_down[a]) / (2.0 * h), 1e-8);
        }
      }
    }
  }
}

/* All polynomials of the order (and tensor products where the element has them) are in the space: the count of nodes
 * with the delta property leaves no other choice, so it is enough to reproduce the monomials that must be there. */
static void reproduces_polynomials_of_its_order(void **state) {
  (void)state;
  FOR_ALL_TYPES(type) {
    for (int i = 0; i <= type->order; i++) {
      for (int j = 0; j <= (type->dim > 1 ? type->order - i : 0); j++) {
        const int k = type->dim > 2 ? type->order - i - j : 0;
        double xi[3], N[ELEMENT_MAX_NODES], sum = 0.0;
        random_point(type, xi);
        if (type->dim == 0) continue;
        type->values(xi, N);
        for (int a = 0; a < type->n_node; a++) {
          sum += N[a] * pow(type->node[a][0], i) * pow(type->node[a][1], j) * pow(type->node[a][2], k);
        }
        assert_near(sum, pow(xi[0], i) * pow(xi[1], j) * pow(xi[2], k), 1e-14);
      }
    }
  }
}

/* Each face's own shape functions, at its own nodes, run over exactly the element's nodes that lie on one side. */
static void faces_lie_on_the_boundary(void **state) {
  (void)state;
  FOR_ALL_TYPES(type) {
    for (int f = 0; f < type->n_face; f++) {
      const ElementFace *face = &type->face[f];
      const ElementType *facet = element_type(face->kind);
      assert_int_equal(facet->dim, type->dim - 1);
      assert_int_equal(facet->order, facet->dim == 0 ? 1 : type->order);
      double x[ELEMENT_MAX_NODES][3];
      for (int a = 0; a < facet->n_node; a++) memcpy(x[a], type->node[face->nodes[a]], sizeof x[a]);
      for (int trial = 0; trial < 5; trial++) {
        double s[3], M[ELEMENT_MAX_NODES], N[ELEMENT_MAX_NODES], xi[3] = {0};
        random_point(facet, s);
        facet->values(s, M);
        for (int a = 0; a < facet->n_node; a++) {
          for (int k = 0; k < 3; k++) xi[k] += M[a] * x[a][k];
        }
        type->values(xi, N); /* the trace of the element's functions is the facet's functions */
        for (int a = 0; a < type->n_node; a++) {
          double wanted = 0.0;
          for (int b = 0; b < facet->n_node; b++) {
            if (face->nodes[b] == a) wanted = M[b];
          }
          assert_near(N[a], wanted, 1e-14);
        }
      }
    }
  }
}

static void face_normals_point_outward(void **state) {
  (void)state;
  FOR_ALL_TYPES(type) {
    if (type->dim < 2) continue;
    double middle[3] = {0};
    for (int a = 0; a < type->n_vertex; a++) {
      for (int k = 0; k < 3; k++) middle[k] += type->node[a][k] / type->n_vertex;
    }
    double flux = 0.0; /* int x.n over the boundary is dim times the measure: every face there, once, outward */
    for (int f = 0; f < type->n_face; f++) {
      const ElementType *facet = element_type(type->face[f].kind);
      double x[ELEMENT_MAX_NODES][3];
      for (int a = 0; a < facet->n_node; a++) memcpy(x[a], type->node[type->face[f].nodes[a]], sizeof x[a]);
      Quadrature rule;
      assert_ok(element_mass_quadrature(facet, &rule));
      for (int q = 0; q < rule.n; q++) {
        double J[3][3], N[ELEMENT_MAX_NODES], at[3] = {0}, normal[3];
        element_jacobian(facet, (const double(*)[3])x, rule.xi[q], J, false);
        facet->values(rule.xi[q], N);
        for (int a = 0; a < facet->n_node; a++) {
          for (int k = 0; k < 3; k++) at[k] += N[a] * x[a][k];
        }
        if (facet->dim == 1) { /* the tangent turned to the right */
          normal[0] = J[1][0], normal[1] = -J[0][0], normal[2] = 0.0;
        } else {
          for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            normal[k] = J[i][0] * J[j][1] - J[j][0] * J[i][1];
          }
        }
        double outward = 0.0;
        for (int k = 0; k < 3; k++) {
          outward += normal[k] * (at[k] - middle[k]);
          flux += rule.weight[q] * normal[k] * at[k];
        }
        assert_true(outward > 0.0);
      }
    }
    Quadrature rule;
    double measure = 0.0;
    assert_ok(element_mass_quadrature(type, &rule));
    for (int q = 0; q < rule.n; q++) measure += rule.weight[q];
    assert_near(flux, type->dim * measure, 1e-13);
  }
}

/* VTK's node positions, on [0,1]^3, the points where its own interpolation functions (ParaView 5.11) are 1. */
static const double vtk_tet10[10][3] = {{0, 0, 0},   {1, 0, 0},  {0, 1, 0},  {0, 0, 1},   {.5, 0, 0},
                                        {.5, .5, 0}, {0, .5, 0}, {0, 0, .5}, {.5, 0, .5}, {0, .5, .5}};
static const double vtk_hex27[27][3] = {
    {0, 0, 0},  {1, 0, 0},  {1, 1, 0},   {0, 1, 0},   {0, 0, 1},   {1, 0, 1},   {1, 1, 1},   {0, 1, 1},   {.5, 0, 0},
    {1, .5, 0}, {.5, 1, 0}, {0, .5, 0},  {.5, 0, 1},  {1, .5, 1},  {.5, 1, 1},  {0, .5, 1},  {0, 0, .5},  {1, 0, .5},
    {1, 1, .5}, {0, 1, .5}, {0, .5, .5}, {1, .5, .5}, {.5, 0, .5}, {.5, 1, .5}, {.5, .5, 0}, {.5, .5, 1}, {.5, .5, .5}};
static const double vtk_quad9[9][3] = {{0, 0, 0},  {1, 0, 0},  {1, 1, 0},  {0, 1, 0},  {.5, 0, 0},
                                       {1, .5, 0}, {.5, 1, 0}, {0, .5, 0}, {.5, .5, 0}};
static const double vtk_tri6[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.5, 0, 0}, {.5, .5, 0}, {0, .5, 0}};
static const double vtk_tet20[20][3] = {{0, 0, 0},           {1, 0, 0},           {0, 1, 0},
                                        {0, 0, 1},           {1. / 3, 0, 0},      {2. / 3, 0, 0},
                                        {2. / 3, 1. / 3, 0}, {1. / 3, 2. / 3, 0}, {0, 2. / 3, 0},
                                        {0, 1. / 3, 0},      {0, 0, 1. / 3},      {0, 0, 2. / 3},
                                        {2. / 3, 0, 1. / 3}, {1. / 3, 0, 2. / 3}, {0, 2. / 3, 1. / 3},
                                        {0, 1. / 3, 2. / 3}, {1. / 3, 0, 1. / 3}, {1. / 3, 1. / 3, 1. / 3},
                                        {0, 1. / 3, 1. / 3}, {1. / 3, 1. / 3, 0}};
static const double vtk_tri10[10][3] = {{0, 0, 0},      {1, 0, 0},           {0, 1, 0},           {1. / 3, 0, 0},
                                        {2. / 3, 0, 0}, {2. / 3, 1. / 3, 0}, {1. / 3, 2. / 3, 0}, {0, 2. / 3, 0},
                                        {0, 1. / 3, 0}, {1. / 3, 1. / 3, 0}};
/* VTK's own first coordinate is our second one: else its tables of faces look inward. */
static const double vtk_wedge15[15][3] = {{0, 0, 0},   {0, 1, 0},  {1, 0, 0},   {0, 0, 1},  {0, 1, 1},
                                          {1, 0, 1},   {0, .5, 0}, {.5, .5, 0}, {.5, 0, 0}, {0, .5, 1},
                                          {.5, .5, 1}, {.5, 0, 1}, {0, 0, .5},  {0, 1, .5}, {1, 0, .5}};
static const double vtk_pyramid13[13][3] = {{0, 0, 0},      {1, 0, 0},      {1, 1, 0},     {0, 1, 0},  {.5, .5, 1},
                                            {.5, 0, 0},     {1, .5, 0},     {.5, 1, 0},    {0, .5, 0}, {.25, .25, .5},
                                            {.75, .25, .5}, {.75, .75, .5}, {.25, .75, .5}};
static const double vtk_line4[4][3] = {{0, 0, 0}, {1, 0, 0}, {1. / 3, 0, 0}, {2. / 3, 0, 0}};
static const double vtk_line3[3][3] = {{0, 0, 0}, {1, 0, 0}, {.5, 0, 0}};

static void vtk_order_of_the_nodes(void **state) {
  (void)state;
  const struct {
    int vtk_type;
    const double (*at)[3];
  } cells[] = {{3, vtk_line3},    {21, vtk_line3},   {5, vtk_tri6},       {22, vtk_tri6},     {9, vtk_quad9},
               {23, vtk_quad9},   {28, vtk_quad9},   {10, vtk_tet10},     {24, vtk_tet10},    {12, vtk_hex27},
               {25, vtk_hex27},   {29, vtk_hex27},   {68, vtk_line4},     {69, vtk_tri10},    {71, vtk_tet20},
               {13, vtk_wedge15}, {26, vtk_wedge15}, {14, vtk_pyramid13}, {27, vtk_pyramid13}};
  int checked = 0;
  FOR_ALL_TYPES(type) {
    bool seen[ELEMENT_MAX_NODES] = {false};
    for (int i = 0; i < type->n_node; i++) {
      assert_in_range(type->vtk_order[i], 0, type->n_node - 1);
      assert_false(seen[type->vtk_order[i]]);
      seen[type->vtk_order[i]] = true;
    }
    for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++) {
      if (cells[c].vtk_type != type->vtk_type) continue;
      checked++;
      for (int i = 0; i < type->n_node; i++) {
        for (int k = 0; k < type->dim; k++) {
          const double ours = type->node[type->vtk_order[i]][k];
          const bool unit = shape_is_simplex(type->shape) || (type->shape == SHAPE_WEDGE && k < 2) ||
                            (type->shape == SHAPE_PYRAMID && k == 2);
          assert_near(unit ? ours : 0.5 * (ours + 1.0), cells[c].at[i][k], 1e-15);
        }
      }
    }
  }
  assert_true(checked >= 19); /* all kinds of today but the point; a new one may have no cell in VTK */
}

static void jacobian_of_known_maps(void **state) {
  (void)state;
  FOR_ALL_TYPES(type) {
    double x[ELEMENT_MAX_NODES][3], xi[3], J[3][3];
    const double A[3][3] = {{2, 0.5, 0.25}, {-0.25, 3, 0.5}, {0, 0, 1.5}}; /* det 9.1875 */
    for (int a = 0; a < type->n_node; a++) {
      for (int i = 0; i < 3; i++) {
        x[a][i] = 7.0;
        for (int k = 0; k < 3; k++) x[a][i] += A[i][k] * type->node[a][k];
      }
    }
    const double wanted[] = {1.0, sqrt(4.0 + 0.0625), 6.125, 9.1875};
    random_point(type, xi);
    assert_near(element_jacobian(type, (const double(*)[3])x, xi, J, false), wanted[type->dim], 1e-13);
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < type->dim; k++) assert_near(J[i][k], A[i][k], 1e-13);
    }
    if (type->dim != 2) continue;
    for (int a = 0; a < type->n_node; a++) x[a][0] = -x[a][0]; /* mirrored */
    assert_near(element_jacobian(type, (const double(*)[3])x, xi, J, true), -6.125, 1e-13);
    assert_near(element_jacobian(type, (const double(*)[3])x, xi, J, false), 6.125, 1e-13);
  }
}

static void tables_hold_values_and_gradients(void **state) {
  (void)state;
  FOR_ALL_TYPES(type) {
    Quadrature rule;
    double N[27 * 27], dN[27 * 27 * 3], one[27], slope[27 * 3];
    assert_ok(element_stiffness_quadrature(type, &rule));
    element_tabulate(type, &rule, N, dN);
    const int q = rule.n - 1, n = type->n_node, dim = type->dim;
    type->values(rule.xi[q], one);
    assert_memory_equal(N + q * n, one, sizeof(double) * (size_t)n);
    type->gradients(rule.xi[q], slope);
    if (dim > 0) assert_memory_equal(dN + q * n * dim, slope, sizeof(double) * (size_t)(n * dim));
    element_tabulate(type, &rule, NULL, NULL);
  }
}

/* What Gmsh 4.8.4 wrote with -order 2 (coordinates times 2) for a unit cube of one hexahedron and the unit tetrahedron:
 * each node lies where the linear element on the written vertices has our node's reference coordinates. The first 20 of
 * the hex27 are what it writes for a hex20 (Mesh.SecondOrderIncomplete = 1). */
static void gmsh_order_of_the_nodes(void **state) {
  (void)state;
  static const double hex[27][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                    {0, 2, 2}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0},
                                    {2, 2, 1}, {0, 2, 1}, {1, 0, 2}, {0, 1, 2}, {2, 1, 2}, {1, 2, 2}, {1, 1, 0},
                                    {1, 0, 1}, {0, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1, 1, 1}};
  static const double tet[10][3] = {{0, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 0}, {0, 1, 0},
                                    {0, 1, 1}, {0, 0, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}};
  /* With -order 3, coordinates times 3. */
  static const double tet_3[20][3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                      {1, 2, 0}, {0, 2, 0}, {0, 1, 0}, {0, 0, 2}, {0, 0, 1}, {0, 1, 2}, {0, 2, 1},
                                      {1, 0, 2}, {2, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  static const double tri_3[10][3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 0, 0}, {2, 0, 0},
                                      {2, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}, {1, 1, 0}};
  /* Mesh.SecondOrderIncomplete = 1: what Gmsh 4.8.4 makes of a wedge and of a pyramid. */
  static const double wedge[15][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2},
                                      {0, 2, 2}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0},
                                      {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {0, 1, 2}, {1, 1, 2}};
  static const double pyramid[13][3] = {{0, 0, 0}, {2, 0, 0},     {2, 2, 0},   {0, 2, 0}, {1, 1, 2},
                                        {1, 0, 0}, {0, 1, 0},     {.5, .5, 1}, {2, 1, 0}, {1.5, .5, 1},
                                        {1, 2, 0}, {1.5, 1.5, 1}, {.5, 1.5, 1}};
  const struct {
    ElementKind kind;
    const double (*x)[3];
  } written[] = {{ELEMENT_HEX27, hex},        {ELEMENT_HEX20, hex},        {ELEMENT_HEX8, hex},
                 {ELEMENT_TET10, tet},        {ELEMENT_TET4, tet},         {ELEMENT_TET20, tet_3},
                 {ELEMENT_TRI10, tri_3},      {ELEMENT_WEDGE6, wedge},     {ELEMENT_WEDGE15, wedge},
                 {ELEMENT_PYRAMID5, pyramid}, {ELEMENT_PYRAMID13, pyramid}};
  for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
    const ElementType *type = element_type(written[i].kind), *linear = element_type(type->linear);
    for (int a = 0; a < type->n_node; a++) {
      double N[ELEMENT_MAX_NODES], x[3] = {0};
      linear->values(type->node[a], N);
      for (int v = 0; v < linear->n_node; v++) {
        for (int k = 0; k < 3; k++) x[k] += N[v] * written[i].x[v][k];
      }
      for (int k = 0; k < 3; k++) assert_near(written[i].x[a][k], x[k], type->order > 2 ? 1e-14 : 1e-15);
    }
  }
}

/* How many files of these folders hold the extended regular expression. */
static int files_with(const char *expression, const char *folders) {
  char command[1024], line[512];
  int n = 0;
  snprintf(command, sizeof command,
           "cd '%s' && grep -rlE '%s' --include=*.c --include=*.h --include=*.cu --include=*.cuh --include=*.def "
           "--include=CMakeLists.txt %s 2>/dev/null",
           SINEW_SOURCE_DIR, expression, folders);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  while (fgets(line, sizeof line, pipe) != NULL) n++;
  pclose(pipe);
  return n;
}

/* The promise "a new element touches 2 files": its kind, its table and its header are named in its own header (and the
 * headers of elements whose vertices or faces it makes) and in elements.def; no other source knows it. */
static void adding_an_element_touches_two_files(void **state) {
  (void)state;
  FOR_ALL_TYPES(type) {
    char expression[256], upper[16];
    for (size_t i = 0; i <= strlen(type->name); i++) upper[i] = (char)toupper(type->name[i]);
    snprintf(expression, sizeof expression, "ELEMENT_TYPE_%s|elements/%s\\.h", type->name, type->name);
    char reduced[20]; /* the same with another rule takes the rest of it */
    snprintf(reduced, sizeof reduced, "%sr", type->name);
    assert_int_equal(files_with(expression, "mesh"), element_by_name(reduced) ? 2 : 1);
    snprintf(expression, sizeof expression, "ELEMENT\\(%s,", upper);
    assert_int_equal(files_with(expression, "mesh"), 1);
    snprintf(expression, sizeof expression, "ELEMENT_%s\\b", upper);
    assert_true(files_with(expression, "mesh/elements") >= 1);
    assert_int_equal(files_with(expression, "mesh/*.c mesh/*.h core physics assembly solver gpu app"), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registry_agrees_with_the_list),
      cmocka_unit_test(partition_of_unity_and_coordinates),
      cmocka_unit_test(delta_at_the_nodes),
      cmocka_unit_test(gradient_against_difference),
      cmocka_unit_test(reproduces_polynomials_of_its_order),
      cmocka_unit_test(faces_lie_on_the_boundary),
      cmocka_unit_test(face_normals_point_outward),
      cmocka_unit_test(vtk_order_of_the_nodes),
      cmocka_unit_test(gmsh_order_of_the_nodes),
      cmocka_unit_test(jacobian_of_known_maps),
      cmocka_unit_test(tables_hold_values_and_gradients),
      cmocka_unit_test(adding_an_element_touches_two_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
