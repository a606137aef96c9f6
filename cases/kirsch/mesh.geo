// A square cut out of an infinite plate around a quarter of a hole of radius 1.
DefineConstant[ n = {16, Name "n"} ];  // elements on an eighth of the circle
a = 1;
w = 4;

Point(1) = {0, 0, 0};
Point(2) = {a, 0, 0};
Point(3) = {a*Cos(Pi/4), a*Sin(Pi/4), 0};
Point(4) = {0, a, 0};
Point(5) = {w, 0, 0};
Point(6) = {w, w, 0};
Point(7) = {0, w, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Line(3) = {2, 5};
Line(4) = {3, 6};
Line(5) = {4, 7};
Line(6) = {5, 6};
Line(7) = {6, 7};
Curve Loop(1) = {3, 6, -4, -1};
Plane Surface(1) = {1};
Curve Loop(2) = {4, 7, -5, -2};
Plane Surface(2) = {2};

Transfinite Curve{1, 2, 6, 7} = n + 1;
Transfinite Curve{3, 4, 5} = 2*n + 1 Using Progression 1.07;
Transfinite Surface{1, 2};
Recombine Surface{1, 2};

Physical Surface("plate") = {1, 2};
Physical Curve("hole") = {1, 2};
Physical Curve("bottom") = {3};
Physical Curve("left") = {5};
Physical Curve("right") = {6};
Physical Curve("top") = {7};
