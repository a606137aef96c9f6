// Stands for the reader's own bracket.geo in README.md: a small block with the groups that its template names.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 0.2, 0.05, 0.05};
Physical Volume("body") = {1};
Physical Surface("left") = {1};
Physical Surface("right") = {2};
Mesh.MeshSizeMax = 0.04;
