// NAFEMS LE11: a quarter of a body of revolution about z, a sphere, a taper and a cylinder; lengths in m.
DefineConstant[ n = {8, Name "n"}, m = {6, Name "m"} ];  // elements through the wall, around
s = Sqrt(0.5);
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1.4, 0, 0};
Point(4) = {Cos(Pi/8), 0, Sin(Pi/8)};
Point(5) = {1.4*Cos(Pi/6), 0, 1.4*Sin(Pi/6)};
Point(6) = {s, 0, s};
Point(7) = {(1 + 1.4*Cos(Pi/6))/2, 0, 1.045};
Point(8) = {s, 0, (s + 1.79)/2};
Point(9) = {1, 0, 1.39};
Point(10) = {s, 0, 1.79};
Point(11) = {1, 0, 1.79};
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
Transfinite Curve{1, 3, 6, 9, 12} = n + 1;
Transfinite Curve{2, 4, 5, 7, 8, 10, 11, 13} = n + 1;
Transfinite Surface{1, 2, 3, 4};
Recombine Surface{1, 2, 3, 4};
For i In {1:4}
  part~{i}[] = Extrude { {0, 0, 1}, {0, 0, 0}, Pi/2 } { Surface{i}; Layers{m}; Recombine; };
EndFor
Physical Volume("body") = {part_1[1], part_2[1], part_3[1], part_4[1]};
Physical Surface("y0") = {1, 2, 3, 4};
Physical Surface("x0") = {part_1[0], part_2[0], part_3[0], part_4[0]};
Physical Surface("bottom") = {part_1[2]};
Physical Surface("top") = {part_4[4]};
