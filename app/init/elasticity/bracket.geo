// A bracket of two legs with a round inner corner; lengths in mm. Groups are what the case file calls by name: every
// surface that is held or loaded, and the volume.
SetFactory("OpenCASCADE");
size = 5;          // of the elements
width = 40;

Point(1) = {0, 0, -20};
Point(2) = {10, 0, -20};
Point(3) = {10, 0, 32};
Point(4) = {18, 0, 40};
Point(5) = {60, 0, 40};
Point(6) = {60, 0, 50};
Point(7) = {0, 0, 50};
Point(8) = {18, 0, 32};       // centre of the fillet
Line(1) = {1, 2};
Line(2) = {2, 3};
Circle(3) = {3, 8, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 1};
Curve Loop(1) = {1:7};
Plane Surface(1) = {1};

// body[0] is the surface opposite, body[1] the volume, then the surfaces over the lines 1 to 7.
body[] = Extrude {0, width, 0} { Surface{1}; };
Physical Volume("bracket") = {body[1]};
Physical Surface("wall") = {body[8]};
Physical Surface("shelf") = {body[7]};

Mesh.MeshSizeMax = size;
Mesh.MeshSizeFromCurvature = 24;   // elements around a full circle: finer where the surface is round
