// A quarter of two T-shaped flanges that are bolted together, mm: the other flange is below z = 0, the web is cut at x = 0 and the bolt
// at y = 0. The head of the bolt is one with the flange; its shank stands free in the hole.
SetFactory("OpenCASCADE");
thick = 10; at = 18; shank = 4; hole = 4.5; head = 7; cut = 4;

Box(1) = {0, 0, 0, 30, 12, thick};
Box(2) = {0, 0, thick, 3, 12, 20};
Cylinder(3) = {at, 0, -1, 0, 0, thick + 1, hole};
BooleanUnion(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };
Cylinder(6) = {at, 0, 0, 0, 0, cut, shank, Pi};
Cylinder(7) = {at, 0, cut, 0, 0, thick - cut, shank, Pi};
Cylinder(8) = {at, 0, thick, 0, 0, 6, head, Pi};
all() = BooleanFragments{ Volume{5}; Delete; }{ Volume{6, 7, 8}; Delete; };

e = 1e-3;
Physical Volume("flange") = {5};
Physical Volume("bolt") = {6, 7, 8};
low() = Surface In BoundingBox{-e, -e, -e, 30 + e, 12 + e, e};
foot() = Surface In BoundingBox{at - shank - e, -e, -e, at + shank + e, shank + e, e};
low() -= foot();
Physical Surface("joint") = {low()};
Physical Surface("foot") = {foot()};
Physical Surface("shank-cut") = Surface In BoundingBox{at - shank - e, -e, cut - e, at + shank + e, shank + e, cut + e};
Physical Surface("web-plane") = Surface In BoundingBox{-e, -e, -e, e, 12 + e, thick + 20 + e};
Physical Surface("bolt-plane") = Surface In BoundingBox{-e, -e, -e, 30 + e, e, thick + 20 + e};
Physical Surface("top") = Surface In BoundingBox{-e, -e, thick + 20 - e, 3 + e, 12 + e, thick + 20 + e};
Mesh.MeshSizeMax = 3;
Mesh.MeshSizeFromCurvature = 14;
Mesh.HighOrderOptimize = 2;
