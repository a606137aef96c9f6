// A quarter through a hollow sphere, in the plane of its axis, radii 100 and 200.
DefineConstant[ n = {12, Name "n"} ];  // elements through the wall
Point(1) = {0, 0, 0};
Point(2) = {100, 0, 0};
Point(3) = {200, 0, 0};
Point(4) = {0, 200, 0};
Point(5) = {0, 100, 0};
Circle(1) = {2, 1, 5};
Circle(2) = {3, 1, 4};
Line(3) = {2, 3};
Line(4) = {5, 4};
Curve Loop(1) = {3, 2, -4, -1};
Plane Surface(1) = {1};
Transfinite Curve{3, 4} = n + 1 Using Progression 1.05;
Transfinite Curve{1, 2} = 2*n + 1;
Transfinite Surface{1};
Recombine Surface{1};
Physical Surface("wall") = {1};
Physical Curve("inner") = {1};
Physical Curve("outer") = {2};
Physical Curve("bottom") = {3};
Physical Curve("left") = {4};
