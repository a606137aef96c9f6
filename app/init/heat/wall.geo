// A section of a wall, 24 cm thick and 30 cm high, with a strip of metal in its middle; lengths in m. Groups are what the
// case file calls by name: every region, and every edge with a condition.
SetFactory("OpenCASCADE");
size = 0.01;       // of the elements

Rectangle(1) = {0, 0, 0, 0.24, 0.30};
Rectangle(2) = {0.11, 0.10, 0, 0.02, 0.10};
BooleanFragments{ Surface{1}; Delete; }{ Surface{2}; Delete; }    // one mesh where the two touch

e = 1e-4;
strip[] = Surface In BoundingBox {0.11 - e, 0.10 - e, -e, 0.13 + e, 0.20 + e, e};
all[] = Surface{:};
all[] -= strip[];
Physical Surface("strip") = {strip[]};
Physical Surface("brick") = {all[]};
Physical Curve("inside") = {Curve In BoundingBox {-e, -e, -e, e, 0.30 + e, e}};
Physical Curve("outside") = {Curve In BoundingBox {0.24 - e, -e, -e, 0.24 + e, 0.30 + e, e}};

Mesh.MeshSizeMax = size;
