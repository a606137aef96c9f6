// Half of a strip of two metals, 50 x (1 + 1) mm; x = 0 is the plane of symmetry.
DefineConstant[ n = {4, Name "n"} ];  // elements through each metal
Point(1) = {0, 0, 0};
Point(2) = {50, 0, 0};
Point(3) = {50, 1, 0};
Point(4) = {0, 1, 0};
Point(5) = {50, 2, 0};
Point(6) = {0, 2, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Line(5) = {3, 5};
Line(6) = {5, 6};
Line(7) = {6, 4};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {-3, 5, 6, 7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Curve{1, 3, 6} = 25*n + 1;
Transfinite Curve{2, 4, 5, 7} = n + 1;
Transfinite Surface{1, 2};
Recombine Surface{1, 2};
Physical Surface("steel") = {1};
Physical Surface("brass") = {2};
Physical Curve("middle") = {4, 7};
Physical Point("foot") = {1};
