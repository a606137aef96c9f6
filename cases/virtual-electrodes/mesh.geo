// A quarter of a sheet of tissue of 120 mm, with the electrode at its middle: a disc of radius 1. Lengths in mm.
SetFactory("Built-in");

half = 60;
radius = 1;
h = 0.07;                                // size of the elements around the electrode

Point(1) = {0, 0, 0};
Point(2) = {radius, 0, 0};
Point(3) = {0, radius, 0};
Point(4) = {half, 0, 0};
Point(5) = {half, half, 0};
Point(6) = {0, half, 0};
Line(1) = {1, 2};
Circle(2) = {2, 1, 3};
Line(3) = {3, 1};
Line(4) = {2, 4};
Line(5) = {4, 5};
Line(6) = {5, 6};
Line(7) = {6, 3};
Curve Loop(1) = {1, 2, 3};
Plane Surface(1) = {1};
Curve Loop(2) = {4, 5, 6, 7, -2};
Plane Surface(2) = {2};
Physical Surface("disc", 1) = {1};
Physical Surface("sheet", 2) = {2};

Field[1] = MathEval;                     // finer towards the electrode
Field[1].F = Sprintf("%g*(0.6 + 0.04*Sqrt(x*x + y*y) + 0.01*(x*x + y*y))", h);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
