// A square arm 200 mm long that sticks out of a wall; lengths in m. The case file names its groups.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 0.2, 0.05, 0.05};
Physical Volume("body") = {1};
Physical Surface("left") = {1};
Physical Surface("right") = {2};
Mesh.MeshSizeMax = 0.02;
