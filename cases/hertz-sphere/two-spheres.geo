// Two equal spheres around their axis: each graded away from a strip of even elements at the point of contact.
n = 24;      // elements across the strip
m = 16;      // beside it, and in depth
strip = 0.4;
side = 5;
R = 10;
q = 1.4;
For b In {0:1}
  s = b == 0 ? -1 : 1;
  x[] = {0, strip, side};
  For i In {0:2}
    Point(10 * b + i + 1) = {x[i], s * (R - Sqrt(R * R - x[i] * x[i])), 0};
    Point(10 * b + i + 5) = {x[i], s * side, 0};
    Line(20 * b + i + 11) = {10 * b + i + 1, 10 * b + i + 5};
    Transfinite Curve {20 * b + i + 11} = m + 1 Using Progression q;
  EndFor
  Point(10 * b + 9) = {0, s * R, 0};
  For i In {0:1}
    Circle(20 * b + i + 1) = {10 * b + i + 1, 10 * b + 9, 10 * b + i + 2};
    Line(20 * b + i + 5) = {10 * b + i + 5, 10 * b + i + 6};
    Curve Loop(10 * b + i + 1) = {20 * b + i + (b == 0 ? 11 : 1), 20 * b + i + (b == 0 ? 5 : 12), -(20 * b + i + (b == 0 ? 12 : 5)), -(20 * b + i + (b == 0 ? 1 : 11))};
    Plane Surface(10 * b + i + 1) = {10 * b + i + 1};
  EndFor
  Transfinite Curve {20 * b + 1, 20 * b + 5} = n + 1;
  Transfinite Curve {20 * b + 2, 20 * b + 6} = m + 1 Using Progression q;
  Transfinite Surface {10 * b + 1, 10 * b + 2};
  Recombine Surface {10 * b + 1, 10 * b + 2};
EndFor
Physical Surface("lower") = {1, 2};
Physical Surface("upper") = {11, 12};
Physical Curve("seat") = {1, 2};
Physical Curve("bottom") = {5, 6};
Physical Curve("tread") = {21, 22};
Physical Curve("top") = {25, 26};
