/* The element library: one header per element in mesh/elements/, one line in mesh/elements/elements.def; this is the
 * table that everything else works from. Node order is Gmsh's. Reference domains: line, quad, hex [-1,1]^d; triangle
 * and tetrahedron the unit simplex; wedge the unit triangle times [-1,1]; pyramid the base [-1,1]^2 at zeta = 0 and the
 * apex at zeta = 1. Solver and GPU code never calls the function pointers: it gets tables of values at quadrature
 * points from element_tabulate. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { ELEMENT_MAX_NODES = 27, ELEMENT_MAX_QUADRATURE = 64, ELEMENT_MAX_FACES = 6, ELEMENT_MAX_FACE_NODES = 10 };

typedef enum ElementKind {
#define ELEMENT(KIND, name, dim, n_node) ELEMENT_##KIND,
#include "mesh/elements/elements.def"
#undef ELEMENT
  N_ELEMENT_KINDS
} ElementKind;

typedef enum ElementShape {
  SHAPE_POINT,
  SHAPE_LINE,
  SHAPE_TRIANGLE,
  SHAPE_QUAD,
  SHAPE_TETRAHEDRON,
  SHAPE_HEXAHEDRON,
  SHAPE_WEDGE,
  SHAPE_PYRAMID,
  N_ELEMENT_SHAPES
} ElementShape;

/* Triangles and tetrahedra: linear elements of these have constant gradients. */
bool shape_is_simplex(ElementShape shape);
/* Whether xi lies in the reference domain, or outside by at most `slack`. */
bool shape_holds(ElementShape shape, const double xi[3], double slack);

typedef struct ElementFace {
  ElementKind kind;                      /* what the facet (edge of a 2D element, face of a 3D one) is itself */
  int32_t nodes[ELEMENT_MAX_FACE_NODES]; /* local nodes, ordered so that the facet's normal points outward */
} ElementFace;

typedef struct ElementType ElementType;
struct ElementType {
  const char *name;         /* "hex8" */
  const char *meaning;      /* one line for `sinew list elements` */
  ElementKind kind, linear; /* linear: the kind of its vertices alone (hex20 -> hex8) */
  ElementShape shape;
  int32_t dim, n_node, n_vertex, order;
  int32_t gmsh_type, vtk_type;
  int32_t
      xdmf_type; /* number in mixed topologies (XDMF: 1 and 2 are followed by a count of nodes); that of the vertices
                               where XDMF has no such cell */
  const char *xdmf_name;    /* TopologyType */
  const int32_t *vtk_order; /* [n_node]: VTK's node i is our node vtk_order[i] */
  const double (*node)[3];  /* [n_node] reference coordinates of the nodes */
  int32_t n_face;
  const ElementFace *face;  /* [n_face] */
  int32_t stiffness_degree; /* polynomial degree of the quadrature for stiffness on affine cells */
  int32_t mass_degree;
  int32_t load_degree; /* of loads and measures; 0: mass_degree */
  int32_t mean_modes;  /* of the volume's change in mean dilatation: 1 constant, 1 + dim linear, 0: not for it */
  bool bubbles;        /* has incompatible modes: one bubble along each of its axes */
  /* The same element with rules that are exact with the radius as one more factor on straight sides; NULL: its own rule for the stiffness
   * is, as in quadrilaterals and tri3. */
  const ElementType *of_revolution;
  void (*values)(const double xi[3], double *N);     /* N[n_node] */
  void (*gradients)(const double xi[3], double *dN); /* dN[n_node][dim], reference gradients */
};

const ElementType *element_type(ElementKind kind);
const ElementType *element_by_name(const char *name);  /* NULL when unknown */
const ElementType *element_by_gmsh(int32_t gmsh_type); /* NULL when unsupported */

/* The kind of order 2 on these vertices: hex8 gives hex27, or hex20 when `serendipity`. NULL when there is none. */
const ElementType *element_quadratic(ElementKind linear, bool serendipity);
/* The kind of this order on these vertices with most nodes, or with fewest when `serendipity`. NULL when there is
 * none. */
const ElementType *element_of_order(ElementKind linear, int32_t order, bool serendipity);

/* A quadrature rule exact for polynomials of at least `degree` on the reference domain. */
typedef struct Quadrature {
  int32_t n;
  double xi[ELEMENT_MAX_QUADRATURE][3];
  double weight[ELEMENT_MAX_QUADRATURE]; /* adds up to the reference measure */
} Quadrature;
/* ERR_BUG when no rule is that exact. Points lie inside, weights are positive. */
Status quadrature_create(ElementShape shape, int32_t degree, Quadrature *out);
/* The rules used for the element matrices: full integration (hex8 2x2x2, hex20 3x3x3, tet10 4 points, ...). */
Status element_stiffness_quadrature(const ElementType *type, Quadrature *out);
Status element_mass_quadrature(const ElementType *type, Quadrature *out);
Status element_load_quadrature(const ElementType *type, Quadrature *out);

/* N[n_q][n_node] and dN[n_q][n_node][dim] at the points of a rule; either may be NULL. */
void element_tabulate(const ElementType *type, const Quadrature *rule, double *N, double *dN);

/* J[i][k] = dx_i/dxi_k (3 x dim) at xi from node coordinates x[n_node][3]; returns the measure density: det J for
 * volume elements, |cross| for surfaces, |tangent| for lines, 1 for points. A 2D element in the xy plane counts as
 * area with the sign of det when `signed_2d`. */
double element_jacobian(const ElementType *type, const double (*x)[3], const double xi[3], double J[3][3],
                        bool signed_2d);
