// The idealised ventricles of cases/bi-ventricle in a torso: blood in them, lungs beside them. Lengths in mm; x to the left of the
// body, y to its back, z up.
SetFactory("OpenCASCADE");

lv_radius = 22;  lv_length = 48;  lv_wall = 9;             // cavity of the left ventricle, thickness of its wall
rv_depth = 24;  rv_radius = 38;  rv_length = 46;           // outside of the right one: along x, along y, along z
rv_wall = 5;  rv_centre = 26;                              // its middle lies on the x axis
top = 10;                                                  // height of the base
h = 3;                                                   // size of the elements of the heart
skin = 25;                                                 // and of those at the skin
turn[] = {93.3*Pi/180, 51.6*Pi/180, 140.2*Pi/180};         // about z, y, z: the apex to the left, front and below

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
BooleanDifference(11) = { Volume{8}; }{ Volume{9, 10}; };

// The body, turned to where the heart stands upright.
Cylinder(20) = {0, 0, -200, 0, 0, 390, 1};
Dilate {{0, 0, 0}, {165, 110, 1}} { Volume{20}; }
Sphere(21) = {0, 0, 0, 1};
Sphere(22) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {58, 80, 120}} { Volume{21, 22}; }
Translate {80, 0, 20} { Volume{21}; }
Translate {-80, 0, 20} { Volume{22}; }
Translate {-25, 25, 0} { Volume{20, 21, 22}; }
Rotate {{0, 0, 1}, {0, 0, 0}, -turn[2]} { Volume{20, 21, 22}; }
Rotate {{0, 1, 0}, {0, 0, 0}, -turn[1]} { Volume{20, 21, 22}; }
Rotate {{0, 0, 1}, {0, 0, 0}, -turn[0]} { Volume{20, 21, 22}; }
Dilate {{13, 0, -18}, {1.3, 1.3, 1.3}} { Volume{8}; }                 // lungs keep off the heart
BooleanDifference(31) = { Volume{21}; Delete; }{ Volume{8}; };
BooleanDifference(32) = { Volume{22}; Delete; }{ Volume{8}; Delete; };
all[] = BooleanFragments{ Volume{20}; Delete; }{ Volume{9, 10, 11, 31, 32}; Delete; };

face_0[] = {};  face_1[] = {};  face_2[] = {};  face_3[] = {};
// Which faces of the wall are which: they keep their order when all is turned back.
flat[] = Surface In BoundingBox {-100, -100, top - 0.1, 100, 100, top + 0.1};
lv[] = Boundary { Volume{9}; };
rv[] = Boundary { Volume{10}; };
wall[] = Boundary { Volume{11}; };
For i In {0 : #wall[] - 1}
  kind[i] = 0;
  For k In {0 : #flat[] - 1}
    If (flat[k] == wall[i]) kind[i] = 1; EndIf
  EndFor
  For k In {0 : #lv[] - 1}
    If (lv[k] == wall[i]) kind[i] = 2; EndIf
  EndFor
  For k In {0 : #rv[] - 1}
    If (rv[k] == wall[i]) kind[i] = 3; EndIf
  EndFor
EndFor
Rotate {{0, 0, 1}, {0, 0, 0}, turn[0]} { Volume{all[]}; }
Rotate {{0, 1, 0}, {0, 0, 0}, turn[1]} { Volume{all[]}; }
Rotate {{0, 0, 1}, {0, 0, 0}, turn[2]} { Volume{all[]}; }
wall[] = Boundary { Volume{11}; };
For i In {0 : #wall[] - 1}
  face~{kind[i]}[] += wall[i];
EndFor
around[] = all[];
around[] -= {9, 10, 11, 31, 32};

Physical Volume("myocardium", 1) = {11};
Physical Volume("blood", 2) = {9, 10};
Physical Volume("lungs", 3) = {31, 32};
Physical Volume("muscle", 4) = {around[]};
Physical Surface("epi", 10) = {face_0[]};
Physical Surface("lv_endo", 20) = {face_2[]};
Physical Surface("rv_endo", 30) = {face_3[]};
Physical Surface("base", 40) = {face_1[]};

MeshSize { PointsOf { Volume{31, 32, around[]}; } } = skin;
MeshSize { PointsOf { Volume{9, 10, 11}; } } = h;
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = skin;
Mesh.Algorithm = 6;
Mesh.Optimize = 1;
Mesh.OptimizeThreshold = 0.4;
