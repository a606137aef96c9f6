// Two blocks, each with a mesh of its own, that meet in the plane z = 0.3 x.
Geometry.AutoCoherence = 0;
slope = 0.3;
Macro Column
  // corners p ... p + 7 from z = low(x) to high(x), n elements across and m along z
  Point(p + 1) = {0, 0, low0}; Point(p + 2) = {1, 0, low1}; Point(p + 3) = {1, 1, low1}; Point(p + 4) = {0, 1, low0};
  Point(p + 5) = {0, 0, high0}; Point(p + 6) = {1, 0, high1}; Point(p + 7) = {1, 1, high1}; Point(p + 8) = {0, 1, high0};
  For i In {1 : 4}
    j = i % 4 + 1;
    Line(p + i) = {p + i, p + j}; Line(p + 4 + i) = {p + 4 + i, p + 4 + j}; Line(p + 8 + i) = {p + i, p + 4 + i};
  EndFor
  Curve Loop(p + 1) = {p + 1, p + 2, p + 3, p + 4}; Plane Surface(p + 1) = {p + 1};
  Curve Loop(p + 2) = {p + 5, p + 6, p + 7, p + 8}; Plane Surface(p + 2) = {p + 2};
  For i In {1 : 4}
    j = i % 4 + 1;
    Curve Loop(p + 2 + i) = {p + i, p + 8 + j, -(p + 4 + i), -(p + 8 + i)}; Plane Surface(p + 2 + i) = {p + 2 + i};
  EndFor
  Surface Loop(p) = {p + 1 : p + 6}; Volume(p) = {p};
  Transfinite Curve{p + 1 : p + 8} = n + 1; Transfinite Curve{p + 9 : p + 12} = m + 1;
  Transfinite Surface{p + 1 : p + 6}; Recombine Surface{p + 1 : p + 6}; Transfinite Volume{p};
Return
p = 100; low0 = -1; low1 = -1; high0 = 0; high1 = slope; n = 3; m = 2;
Call Column;
p = 200; low0 = 0; low1 = slope; high0 = 1; high1 = 1; n = 5; m = 3;
Call Column;
Physical Volume("lower") = {100}; Physical Volume("upper") = {200};
Physical Surface("bottom") = {101}; Physical Surface("seat") = {102};
Physical Surface("face") = {201}; Physical Surface("top") = {202};
Physical Point("pin") = {101}; Physical Point("guide") = {102};
