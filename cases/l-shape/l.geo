// The square [-1, 1]^2 without its quarter x > 0, y < 0.
Mesh.MeshSizeMax = 0.5;
Point(1) = {-1, -1, 0}; Point(2) = {0, -1, 0}; Point(3) = {0, 0, 0};
Point(4) = {1, 0, 0}; Point(5) = {1, 1, 0}; Point(6) = {-1, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 1};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Plane Surface(1) = {1};
Physical Surface("body") = {1};
Physical Curve("bottom") = {1};
Physical Curve("right") = {4};
