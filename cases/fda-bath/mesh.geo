// A strip in three parts of length 1: a bath, tissue, a bath; elements of 1/40.
cells = 40;
For i In {0:3}
  Point(1 + i) = {i - 1, 0, 0};
  Point(11 + i) = {i - 1, 1.0 / cells, 0};
  Line(21 + i) = {1 + i, 11 + i};
EndFor
For i In {0:2}
  Line(31 + i) = {1 + i, 2 + i};
  Line(41 + i) = {11 + i, 12 + i};
  Curve Loop(51 + i) = {31 + i, 22 + i, -(41 + i), -(21 + i)};
  Plane Surface(61 + i) = {51 + i};
  Transfinite Curve {31 + i, 41 + i} = cells + 1;
EndFor
Transfinite Curve {21:24} = 2;
Transfinite Surface {61:63};
Recombine Surface {61:63};
Physical Surface("left") = {61};
Physical Surface("heart") = {62};
Physical Surface("right") = {63};
Physical Curve("out") = {21};
Physical Curve("in") = {24};
