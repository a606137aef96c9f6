// An idealised left ventricle: between two half-ellipsoids of revolution, cut off above the equator. Lengths in mm.
SetFactory("OpenCASCADE");

inner_radius = 23;  inner_length = 50;   // semi-axes of the cavity
outer_radius = 32;  outer_length = 58;   // semi-axes of the outside
top = 12;                                // height of the base above the equator
h = 2.4;                                 // size of the elements

Sphere(1) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {outer_radius, outer_radius, outer_length}} { Volume{1}; }
Sphere(2) = {0, 0, 0, 1};
Dilate {{0, 0, 0}, {inner_radius, inner_radius, inner_length}} { Volume{2}; }
Box(3) = {-100, -100, top, 200, 200, 200};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{3}; };
BooleanDifference(5) = { Volume{2}; Delete; }{ Volume{3}; Delete; };
BooleanDifference(6) = { Volume{4}; Delete; }{ Volume{5}; };
Coherence;                               // wall (6) and cavity (5) share the endocardium

flat[] = Surface In BoundingBox {-100, -100, top - 0.1, 100, 100, top + 0.1};
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

Physical Volume("myocardium", 1) = {6};
Physical Surface("epi", 10) = {epi[]};
Physical Surface("lv_endo", 20) = {endo[]};
Physical Surface("base", 40) = {base[]};

Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.Algorithm = 6;
Mesh.Optimize = 1;
