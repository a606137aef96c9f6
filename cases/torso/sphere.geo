// A ball of heart in a ball of torso. Lengths in mm.
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 10};
Sphere(2) = {0, 0, 0, 25};
Coherence;
Physical Volume("heart", 1) = {1};
Physical Volume("torso", 2) = {2};
Mesh.MeshSizeMin = 2.5;
Mesh.MeshSizeMax = 2.5;
Mesh.Algorithm = 6;
