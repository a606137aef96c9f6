// NAFEMS LE1: a quarter of a plate between two ellipses; lengths in m.
DefineConstant[ n = {24, Name "n"} ];  // elements through the width
Point(1) = {0, 0, 0};
Point(2) = {2, 0, 0};
Point(3) = {3.25, 0, 0};
Point(4) = {0, 2.75, 0};
Point(5) = {0, 1, 0};
Ellipse(1) = {2, 1, 2, 5};
Ellipse(2) = {3, 1, 3, 4};
Line(3) = {2, 3};
Line(4) = {5, 4};
Curve Loop(1) = {3, 2, -4, -1};
Plane Surface(1) = {1};
Transfinite Curve{3, 4} = n + 1 Using Progression 1.04;
Transfinite Curve{1, 2} = 2*n + 1;
Transfinite Surface{1};
Recombine Surface{1};
Physical Surface("plate") = {1};
Physical Curve("inner") = {1};
Physical Curve("outer") = {2};
Physical Curve("bottom") = {3};
Physical Curve("left") = {4};
