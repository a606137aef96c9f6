// The wall between two half ellipsoids of revolution, radii 25 and 90 inside, 35 and 97 outside, cut off where the cosines of
// their angles are 5/17 and 5/20; the apex is below.
SetFactory("OpenCASCADE");
DefineConstant[ h = {14, Name "h"} ];  // size of elements
Point(1) = {0, 0, 0};
Point(2) = {0, 0, -90};
Point(3) = {0, 0, -97};
Point(4) = {25 * Sqrt(1 - 25 / 289), 0, 90 * 5 / 17};
Point(5) = {35 * Sqrt(1 - 1 / 16), 0, 97 / 4};
Ellipse(1) = {2, 1, 2, 4};
Line(2) = {4, 5};
Ellipse(3) = {5, 1, 3, 3};
Line(4) = {3, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
out[] = Extrude {{0, 0, 1}, {0, 0, 0}, 2 * Pi} { Surface{1}; };
endo[] = Surface In BoundingBox {-25.1, -25.1, -90.1, 25.1, 25.1, 26.6};
base[] = Surface In BoundingBox {-34, -34, 24.1, 34, 34, 26.6};
epi[] = Boundary { Volume{out[1]}; };
epi[] -= endo[];
epi[] -= base[];
Physical Volume("wall") = {out[1]};
Physical Surface("endo") = {endo[]};
Physical Surface("epi") = {epi[]};
Physical Surface("base") = {base[]};
Field[1] = Ball;                         // finer at the apex, whose radius is small
Field[1].ZCenter = -93;
Field[1].Radius = 5;
Field[1].Thickness = 25;
Field[1].VIn = h / 2;
Field[1].VOut = h;
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.ElementOrder = 2;
Mesh.HighOrderOptimize = 1;
