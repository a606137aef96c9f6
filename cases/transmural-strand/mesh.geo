// A strand across the wall, 12 mm x 0.1 mm, in three layers of 40 squares each.
length = 4;
Point(1) = {0, 0, 0};
Point(2) = {0, 0.1, 0};
Line(1) = {2, 1};
Transfinite Curve {1} = 2;
a[] = Extrude {length, 0, 0} { Curve{1}; Layers{40}; Recombine; };
b[] = Extrude {length, 0, 0} { Curve{a[0]}; Layers{40}; Recombine; };
c[] = Extrude {length, 0, 0} { Curve{b[0]}; Layers{40}; Recombine; };
Physical Surface("endo") = {a[1]};
Physical Surface("mid") = {b[1]};
Physical Surface("epi") = {c[1]};
