// A cantilever of length 48 and depth 12, its axis on y = 0.
DefineConstant[ n = {6, Name "n"} ];  // elements over half the depth
L = 48;
D = 12;
Point(1) = {0, -D/2, 0};
Point(2) = {L, -D/2, 0};
Point(3) = {L, 0, 0};
Point(4) = {L, D/2, 0};
Point(5) = {0, D/2, 0};
Point(6) = {0, 0, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {6, 3};
Curve Loop(1) = {1, 2, -7, 6};
Plane Surface(1) = {1};
Curve Loop(2) = {7, 3, 4, 5};
Plane Surface(2) = {2};
Transfinite Curve{1, 4, 7} = 8*n + 1;
Transfinite Curve{2, 3, 5, 6} = n + 1;
Transfinite Surface{1, 2};
Recombine Surface{1, 2};
Physical Surface("beam") = {1, 2};
Physical Curve("root") = {5, 6};
Physical Curve("end") = {2, 3};
