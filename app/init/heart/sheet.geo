// A sheet of heart muscle, 20 x 10 mm, in squares. Groups are what the case file calls by name.
size = 0.25;       // of the elements, mm

Point(1) = {0, 0, 0};
Point(2) = {20, 0, 0};
Point(3) = {20, 10, 0};
Point(4) = {0, 10, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1:4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 20 / size + 1;
Transfinite Curve {2, 4} = 10 / size + 1;
Transfinite Surface {1};
Recombine Surface {1};

Physical Surface("muscle") = {1};
Physical Curve("left") = {4};
