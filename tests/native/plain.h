/* A slow and plain finite-element program, which shares no code with the product: dense matrices, shape functions from
 * the monomials of an element, far more points than needed. Random cases are held against it (native.c). */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { PLAIN_NODES = 27, PLAIN_MOST = 700, PLAIN_ELEMENTS = 400, PLAIN_FACETS = 600 };
typedef enum Shape { LINE, TRI, QUAD, TET, HEX, WEDGE } Shape;
typedef enum Model { PLANE_STRESS, PLANE_STRAIN, AXISYMMETRIC, SPACE } Model;
typedef enum Side { X0, X1, Y0, Y1, Z0, Z1, TIE_A, TIE_B, N_SIDE } Side; /* groups of facets */

/* Coordinates in [0, 1] of triangles and tetrahedra, in [-1, 1] else; nodes in the order of Gmsh. */
typedef struct Kind {
  const char *name, *middle[20]; /* a node behind the corners: the corners it lies between */
  Shape shape;
  int order, n, gmsh,
      facet[2]; /* numbers of the kinds of its triangles and quadrilaterals (of a flat one: its edges) */
  bool full;    /* all products of the powers, else serendipity */
} Kind;
enum { N_KIND = 14 };
extern const Kind plain_kind[N_KIND];
int plain_kind_named(const char *name);
int plain_dim(Shape shape);
int plain_corners(Shape shape);
/* Reference coordinates of node a. */
void plain_node(const Kind *kind, int a, double xi[3]);
/* Values and gradients of all shape functions. */
void plain_shape(const Kind *kind, const double xi[3], double *N, double (*dN)[3]);
/* Points and weights of a rule with m points a direction; returns their number. */
int plain_rule(Shape shape, int m, double (*xi)[3], double *weight);

typedef struct PlainMaterial {
  double C[6][6], expansion[6], density, thickness; /* in x, y, z; xx yy zz xy yz xz, engineering shear strains */
} PlainMaterial;
typedef struct PlainElement {
  int kind, node[PLAIN_NODES], material;
} PlainElement;
typedef struct PlainFacet {
  int kind, node[9], element;
  Side side;
} PlainFacet;

typedef struct PlainLoad { /* what acts on a side; traction and pressure grow with the place: value + slope . x */
  bool on[N_SIDE];
  double traction[N_SIDE][3], slope[N_SIDE][3][3], pressure[N_SIDE], pressure_slope[N_SIDE][3];
  double spread[N_SIDE][2][3], spread_at[N_SIDE][3]; /* `distribute`: force and moment about a point */
  bool spreads[N_SIDE];
  double gravity[3], speed, turning_at[3], turning_axis[3];
  bool heated;
  double heat, heat_slope[3]; /* temperature above the reference */
} PlainLoad;

typedef struct PlainRow { /* sum of factor u = value; an unknown is dim node + direction, or one of a rigid group */
  int n, unknown[64];
  double factor[64], value;
} PlainRow;

typedef struct Plain {
  Model model;
  bool incompatible;                                   /* four-sided elements of first order have incompatible modes */
  int dim, n_node, n_element, n_facet, n_row, n_rigid; /* n_rigid: unknowns behind those of the nodes */
  double x[PLAIN_MOST][3];
  PlainElement element[PLAIN_ELEMENTS];
  PlainFacet facet[PLAIN_FACETS];
  PlainMaterial material[2];
  double spring[N_SIDE][3], dashpot[N_SIDE][3]; /* per area */
  PlainRow *row;                                /* owned */
  double *push;                                 /* [n_rigid] owned: force at the unknowns of rigid groups */
} Plain;

typedef struct PlainResult {
  double u[PLAIN_MOST][3], reaction[PLAIN_MOST][3], energy[PLAIN_ELEMENTS], stress[PLAIN_ELEMENTS][6];
  double load[3]; /* all that acts, which reactions balance */
} PlainResult;

/* Before constraints, dense [n][n]: K with the springs S, mass, dashpots, force. Owned. */
typedef struct PlainSystem {
  int n;
  double *K, *S, *M, *C, *f;
} PlainSystem;
PlainSystem plain_assemble(const Plain *p, const PlainLoad *load);
void plain_system_release(PlainSystem *s);
/* Energy and mean stress of an element. */
void plain_element_results(const Plain *p, int number, const PlainLoad *l, const double *u, PlainResult *out);
/* Adds the geometric stiffness of the stress of u under the load, and of its spin. */
void plain_stress_stiffness(const Plain *p, const PlainLoad *l, const double *u, int n, double *K);
/* Area of a side: of flat models times the thickness, of bodies of revolution of the whole turn. */
double plain_area(const Plain *p, Side side);
double *plain_room(size_t n);

/* Statics of one load. */
void plain_static(const Plain *p, const PlainLoad *load, PlainResult *out);
/* The n lowest frequencies above zero, under the stress of a load (NULL: none); of buckling the n lowest positive factors of
 * the load. 0 where there are no more. */
void plain_modes(const Plain *p, const PlainLoad *load, bool buckling, int n, double *value);
/* n steps of the generalised-alpha method from rest at velocity `start`, the load growing as time / end. */
void plain_motion(const Plain *p, const PlainLoad *load, double rho, double alpha, double beta, const double start[3],
                  double end, int n, PlainResult *out);
/* Response to the load as an amplitude, with the stiffness times 1 + i loss: real and imaginary parts. */
void plain_harmonic(const Plain *p, const PlainLoad *load, double frequency, double loss, PlainResult *real,
                    PlainResult *imaginary);
void plain_release(Plain *p);

/* Dense: A [n][n] X = B [n][m] by elimination with pivots; A and B are overwritten, B holds X. */
void plain_solve(double *A, double *B, int n, int m);
