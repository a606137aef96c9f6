// Half an ellipsoid of revolution, radii 22 and 58 inside, 32 and 68 outside, cut off at z = 18; the apex is below. Lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[ h = {7.5, Name "h"} ];    // size of elements
Sphere(1) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {32, 32, 68}} { Volume{1}; }
Sphere(2) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {22, 22, 58}} { Volume{2}; }
Box(3) = {-100, -100, 18, 200, 200, 200};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{3}; };
BooleanDifference(5) = { Volume{2}; Delete; }{ Volume{3}; Delete; };
BooleanDifference(6) = { Volume{4}; Delete; }{ Volume{5}; };
Coherence;                               // wall (6) and cavity (5) share the endocardium
flat[] = Surface In BoundingBox {-100, -100, 17.9, 100, 100, 18.1};
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
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.HighOrderOptimize = 2;  // of order 2
