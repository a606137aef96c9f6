// A left atrium as a surface: a sphere with the openings of the mitral valve and of four pulmonary veins. Lengths in mm.
SetFactory("OpenCASCADE");

radius = 22;
valve = 13;                              // radius of the mitral opening, at the bottom
vein = 5;                                // radius of a vein
rim = -12;                               // height below which the wall is thick
h = 1;                                   // size of the elements

Sphere(1) = {0, 0, 0, radius};
Delete { Volume{1}; }                    // its surface stays
Cylinder(2) = {0, 0, 0, 0, 0, -40, valve};
Cylinder(3) = {0, 0, 0, 14, -35, 14, vein};
Cylinder(4) = {0, 0, 0, -14, -35, 14, vein};
Cylinder(5) = {0, 0, 0, 18, -35, -8, vein};
Cylinder(6) = {0, 0, 0, -18, -35, -8, vein};
skin[] = BooleanDifference{ Surface{1}; Delete; }{ Volume{2:6}; Delete; };
Disk(100) = {0, 0, rim, 2 * radius};
BooleanFragments{ Surface{skin[]}; Delete; }{ Surface{100}; Delete; }
all[] = Surface{:};
flat[] = Surface In BoundingBox {-50, -50, rim - 0.1, 50, 50, rim + 0.1};
low[] = Surface In BoundingBox {-50, -50, -50, 50, 50, rim + 0.1};
low[] -= flat[];
high[] = all[];
high[] -= low[];
high[] -= flat[];
Recursive Delete { Surface{flat[]}; }

Physical Surface("wall", 1) = {high[]};
Physical Surface("vestibule", 2) = {low[]};

Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.Algorithm = 6;

// Rims of the openings, for fibres by rule.
bottom[] = Curve In BoundingBox {-14, -14, -20, 14, 14, -16};
left[] = Curve In BoundingBox {4, -40, -16, 30, -1, 25};
right[] = Curve In BoundingBox {-30, -40, -16, -4, -1, 25};
Physical Curve("valve", 3) = {bottom[]};
Physical Curve("left_veins", 4) = {left[]};
Physical Curve("right_veins", 5) = {right[]};
