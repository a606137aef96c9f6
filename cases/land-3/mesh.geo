// Half an ellipsoid of revolution, radii 7 and 17 inside, 10 and 20 outside, cut off at z = 5; the apex is below.
SetFactory("OpenCASCADE");
DefineConstant[ h = {3.2, Name "h"}, fine = {1.2, Name "fine"} ];  // size of elements
Sphere(1) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {10, 10, 20}} { Volume{1}; }
Sphere(2) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {7, 7, 17}} { Volume{2}; }
Box(3) = {-50, -50, 5, 100, 100, 100};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{3}; };
BooleanDifference(5) = { Volume{2}; Delete; }{ Volume{3}; Delete; };
BooleanDifference(6) = { Volume{4}; Delete; }{ Volume{5}; };
Coherence;                               // wall (6) and cavity (5) share the endocardium
flat[] = Surface In BoundingBox {-50, -50, 4.9, 50, 50, 5.1};
endo[] = Boundary { Volume{5}; };
cap[] = endo[];
endo[] -= flat[];
cap[] -= endo[];
base[] = flat[];
base[] -= cap[];
epi[] = Boundary { Volume{6}; };
epi[] -= base[];
epi[] -= endo[];
Delete { Volume{5}; Surface{cap[]}; }
Physical Volume("wall") = {6};
Physical Surface("endo") = {endo[]};
Physical Surface("epi") = {epi[]};
Physical Surface("base") = {base[]};
Field[1] = Ball;                         // finer at the apex, where fibres turn fast
Field[1].ZCenter = -18.5;
Field[1].Radius = 2;
Field[1].Thickness = 4;
Field[1].VIn = fine;
Field[1].VOut = h;
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.ElementOrder = 3;
