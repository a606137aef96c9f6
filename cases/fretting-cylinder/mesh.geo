// A cylinder of radius 10 on a block: both graded away from a strip of even elements around the line of contact.
n = 72;       // elements across the strip
m = 14;       // beside it, and in depth
half = 0.288; // of the strip
side = 5;
R = 10;
q = 1.45;
For b In {0:1}
  s = b == 0 ? -1 : 1;
  x[] = {-side, -half, half, side};
  For i In {0:3}
    Point(10 * b + i + 1) = {x[i], b * (R - Sqrt(R * R - x[i] * x[i])), 0};
    Point(10 * b + i + 5) = {x[i], s * side, 0};
    Line(20 * b + i + 11) = {10 * b + i + 1, 10 * b + i + 5};
    Transfinite Curve {20 * b + i + 11} = m + 1 Using Progression q;
  EndFor
  Point(10 * b + 9) = {0, b * R, 0};
  For i In {0:2}
    If (b == 0)
      Line(20 * b + i + 1) = {10 * b + i + 1, 10 * b + i + 2};
    Else
      Circle(20 * b + i + 1) = {10 * b + i + 1, 10 * b + 9, 10 * b + i + 2};
    EndIf
    Line(20 * b + i + 5) = {10 * b + i + 5, 10 * b + i + 6};
    Curve Loop(10 * b + i + 1) = {20 * b + i + (b == 0 ? 11 : 1), 20 * b + i + (b == 0 ? 5 : 12), -(20 * b + i + (b == 0 ? 12 : 5)), -(20 * b + i + (b == 0 ? 1 : 11))};
    Plane Surface(10 * b + i + 1) = {10 * b + i + 1};
  EndFor
  Transfinite Curve {20 * b + 1, 20 * b + 5} = m + 1 Using Progression 1 / q;
  Transfinite Curve {20 * b + 3, 20 * b + 7} = m + 1 Using Progression q;
  Transfinite Curve {20 * b + 2, 20 * b + 6} = n + 1;
  Transfinite Surface {10 * b + 1, 10 * b + 2, 10 * b + 3};
  Recombine Surface {10 * b + 1, 10 * b + 2, 10 * b + 3};
EndFor
Physical Surface("block") = {1, 2, 3};
Physical Surface("cylinder") = {11, 12, 13};
Physical Curve("seat") = {1, 2, 3};
Physical Curve("bottom") = {5, 6, 7};
Physical Curve("tread") = {21, 22, 23};
Physical Curve("top") = {25, 26, 27};
