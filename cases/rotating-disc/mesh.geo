// A quarter of a ring about z; lengths in m.
DefineConstant[ n = {30, Name "n"}, m = {24, Name "m"} ];  // elements along the radius, around
Point(1) = {0, 0, 0};
Point(2) = {0.1, 0, 0};
Point(3) = {0.5, 0, 0};
Point(4) = {0, 0.5, 0};
Point(5) = {0, 0.1, 0};
Line(1) = {2, 3};
Circle(2) = {3, 1, 4};
Line(3) = {5, 4};
Circle(4) = {2, 1, 5};
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};
Transfinite Curve{1, 3} = n + 1 Using Progression 1.06;
Transfinite Curve{2, 4} = m + 1;
Transfinite Surface{1};
Recombine Surface{1};
Physical Surface("disc") = {1};
Physical Curve("y0") = {1};
Physical Curve("x0") = {3};
