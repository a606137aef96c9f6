// A quarter of the wall of a cylinder, radii 20 and 30.
DefineConstant[ n = {3, Name "n"} ];  // elements through the wall
Point(1) = {0, 0, 0};
Point(2) = {20, 0, 0};
Point(3) = {30, 0, 0};
Point(4) = {0, 30, 0};
Point(5) = {0, 20, 0};
Circle(1) = {2, 1, 5};
Circle(2) = {3, 1, 4};
Line(3) = {2, 3};
Line(4) = {4, 5};
Curve Loop(1) = {3, 2, 4, -1};
Plane Surface(1) = {1};
Transfinite Curve{3, 4} = n + 1;
Transfinite Curve{1, 2} = 8 + 1;
Transfinite Surface{1};
Recombine Surface{1};
Physical Surface("wall") = {1};
Physical Curve("x0") = {4};
Physical Curve("y0") = {3};
Physical Curve("endo") = {1};
