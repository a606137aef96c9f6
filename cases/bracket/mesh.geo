// A bracket of two materials: a steel base with two bolt holes and an aluminium upright with an eye and a rib; lengths in mm.
SetFactory("OpenCASCADE");
DefineConstant[ h = {5, Name "h"} ];

Box(1) = {0, 0, 0, 80, 60, 10};
Cylinder(2) = {60, 15, 0, 0, 0, 10, 5};
Cylinder(3) = {60, 45, 0, 0, 0, 10, 5};
BooleanDifference(10) = { Volume{1}; Delete; }{ Volume{2, 3}; Delete; };

Box(4) = {0, 0, 10, 10, 60, 60};
Point(101) = {10, 26, 10};
Point(102) = {45, 26, 10};
Point(103) = {10, 26, 42};
Line(101) = {101, 102};
Line(102) = {102, 103};
Line(103) = {103, 101};
Curve Loop(101) = {101, 102, 103};
Plane Surface(101) = {101};
rib[] = Extrude {0, 8, 0} { Surface{101}; };
Cylinder(6) = {0, 30, 54, 10, 0, 0, 9};
BooleanUnion(30) = { Volume{4}; Delete; }{ Volume{rib[1]}; Delete; };
BooleanDifference(40) = { Volume{30}; Delete; }{ Volume{6}; Delete; };
BooleanFragments{ Volume{10}; Delete; }{ Volume{40}; Delete; }   // one mesh where the two touch

e = 0.1;
base[] = Volume In BoundingBox {-e, -e, -e, 80+e, 60+e, 10+e};
upright[] = Volume In BoundingBox {-e, -e, 10-e, 45+e, 60+e, 70+e};
bolts[] = Surface In BoundingBox {55-e, 10-e, -e, 65+e, 20+e, 10+e};
bolts[] += Surface In BoundingBox {55-e, 40-e, -e, 65+e, 50+e, 10+e};
eye[] = Surface In BoundingBox {-e, 21-e, 45-e, 10+e, 39+e, 63+e};
under[] = Surface In BoundingBox {-e, -e, -e, 80+e, 60+e, e};
Physical Volume("base") = {base[]};
Physical Volume("upright") = {upright[]};
Physical Surface("bolts") = {bolts[]};
Physical Surface("eye") = {eye[]};
Physical Surface("under") = {under[]};

Mesh.CharacteristicLengthMax = h;
Mesh.CharacteristicLengthMin = h/4;
Mesh.CharacteristicLengthFromCurvature = 1;
Mesh.MinimumElementsPerTwoPi = 20;
