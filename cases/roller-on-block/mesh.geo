// Half of a roller of steel (radius 50 mm, its lower half) on half of a block of aluminium, mm.
R = 50; B = 100; H = 100;
Point(1) = {0, 0, 0}; Point(2) = {R * Sin(0.3), R * (1 - Cos(0.3)), 0}; Point(3) = {R, R, 0}; Point(4) = {0, R, 0};
Circle(1) = {1, 4, 2}; Circle(2) = {2, 4, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Point(11) = {0, 0, 0}; Point(12) = {16, 0, 0}; Point(13) = {B, 0, 0}; Point(14) = {B, -H, 0}; Point(15) = {0, -H, 0};
Line(11) = {12, 11}; Line(12) = {13, 12}; Line(13) = {14, 13}; Line(14) = {15, 14}; Line(15) = {11, 15};
Curve Loop(2) = {11, 15, 14, 13, 12}; Plane Surface(2) = {2};
Physical Surface("roller") = {1}; Physical Surface("block") = {2};
Physical Curve("tread") = {1}; Physical Curve("seat") = {11};
Physical Curve("axis") = {4, 15}; Physical Curve("bottom") = {14}; Physical Curve("load") = {3};
Field[1] = Distance; Field[1].PointsList = {1, 11};
Field[2] = Threshold; Field[2].InField = 1; Field[2].SizeMin = 0.4; Field[2].SizeMax = 10; Field[2].DistMin = 9; Field[2].DistMax = 70;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;
