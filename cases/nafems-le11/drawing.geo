// NAFEMS LE11 with heights counted from sin 45 degrees = 0.7071 in place of 0.7; finer towards A. x is the radius, y the axis; m.
DefineConstant[ n = {12, Name "n"} ];  // elements through the wall
s = Sqrt(0.5);
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1.4, 0, 0};
Point(4) = {Cos(Pi/8), Sin(Pi/8), 0};
Point(5) = {Sqrt(1.96 - 0.5), s, 0};
Point(6) = {s, s, 0};
Point(7) = {(1 + Sqrt(1.96 - 0.5))/2, s + 0.345, 0};
Point(8) = {s, (2*s + 1.09)/2, 0};
Point(9) = {1, s + 0.69, 0};
Point(10) = {s, s + 1.09, 0};
Point(11) = {1, s + 1.09, 0};
Line(1) = {2, 3};
Circle(2) = {3, 1, 5};
Line(3) = {4, 5};
Circle(4) = {2, 1, 4};
Line(5) = {5, 7};
Line(6) = {6, 7};
Circle(7) = {4, 1, 6};
Line(8) = {7, 9};
Line(9) = {8, 9};
Line(10) = {6, 8};
Line(11) = {9, 11};
Line(12) = {10, 11};
Line(13) = {8, 10};
Curve Loop(1) = {1, 2, -3, -4};
Curve Loop(2) = {3, 5, -6, -7};
Curve Loop(3) = {6, 8, -9, -10};
Curve Loop(4) = {9, 11, -12, -13};
For i In {1:4}
  Plane Surface(i) = {i};
EndFor
Transfinite Curve{1, 3, 6, 9, 12} = n + 1 Using Progression 1.2;
Transfinite Curve{2, 4} = n + 1 Using Progression 1.2;
Transfinite Curve{5, 7, 8, 10, 11, 13} = n + 1;
Transfinite Surface{1, 2, 3, 4};
Recombine Surface{1, 2, 3, 4};
Physical Surface("body") = {1, 2, 3, 4};
Physical Curve("bottom") = {1};
Physical Curve("top") = {12};
