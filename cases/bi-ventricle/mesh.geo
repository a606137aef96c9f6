// Idealised ventricles: a left one between two half-ellipsoids, a right one that lies around it, cut off flat at the base.
// Lengths in mm.
SetFactory("OpenCASCADE");

lv_radius = 22;  lv_length = 48;  lv_wall = 9;             // cavity of the left ventricle, thickness of its wall
rv_depth = 24;  rv_radius = 38;  rv_length = 46;           // outside of the right one: along x, along y, along z
rv_wall = 5;  rv_centre = 26;                              // its middle lies on the x axis
top = 10;                                                  // height of the base
DefineConstant[ h = {2.5, Name "h"} ];                     // size of the elements

Sphere(1) = {0, 0, 0, 1};                                  // the left ventricle's outside, twice
Dilate {{0, 0, 0}, {lv_radius + lv_wall, lv_radius + lv_wall, lv_length + lv_wall}} { Volume{1}; }
Sphere(2) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {lv_radius + lv_wall, lv_radius + lv_wall, lv_length + lv_wall}} { Volume{2}; }
Sphere(3) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {lv_radius, lv_radius, lv_length}} { Volume{3}; }
Sphere(4) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {rv_depth, rv_radius, rv_length}} { Volume{4}; }
Translate {rv_centre, 0, 0} { Volume{4}; }
Sphere(5) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {rv_depth - rv_wall, rv_radius - rv_wall, rv_length - rv_wall}} { Volume{5}; }
Translate {rv_centre, 0, 0} { Volume{5}; }
Box(6) = {-100, -100, top, 200, 200, 200};

BooleanUnion(7) = { Volume{1}; Delete; }{ Volume{4}; Delete; };
BooleanDifference(8) = { Volume{7}; Delete; }{ Volume{6}; };             // both, filled
BooleanDifference(9) = { Volume{3}; Delete; }{ Volume{6}; };             // the left cavity
BooleanDifference(10) = { Volume{5}; Delete; }{ Volume{2, 6}; Delete; }; // the right one, beside the left wall
BooleanDifference(11) = { Volume{8}; Delete; }{ Volume{9, 10}; };
Coherence;                                                 // walls and cavities share the endocardia

flat[] = Surface In BoundingBox {-100, -100, top - 0.1, 100, 100, top + 0.1};
lv[] = Boundary { Volume{9}; };
rv[] = Boundary { Volume{10}; };
cap[] = {lv[], rv[]};
lv[] -= flat[];
rv[] -= flat[];
cap[] -= lv[];
cap[] -= rv[];
base[] = flat[];
base[] -= cap[];
epi[] = Boundary { Volume{11}; };
epi[] -= base[];
epi[] -= lv[];
epi[] -= rv[];
Delete { Volume{9, 10}; Surface{cap[]}; }

Physical Volume("myocardium", 1) = {11};
Physical Surface("epi", 10) = {epi[]};
Physical Surface("lv_endo", 20) = {lv[]};
Physical Surface("rv_endo", 30) = {rv[]};
Physical Surface("base", 40) = {base[]};

Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.Algorithm = 6;
Mesh.Optimize = 1;
