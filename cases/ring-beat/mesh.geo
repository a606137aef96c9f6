// a quarter of a ring, linear hexahedra
r = 10; R = 16; h = 2;
Point(1) = {r, 0, 0}; Point(2) = {R, 0, 0}; Point(3) = {0, R, 0}; Point(4) = {0, r, 0}; Point(5) = {0, 0, 0};
Line(1) = {1, 2}; Circle(2) = {2, 5, 3}; Line(3) = {3, 4}; Circle(4) = {4, 5, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 5; Transfinite Curve {2, 4} = 13; Transfinite Surface {1}; Recombine Surface {1};
o[] = Extrude {0, 0, h} { Surface{1}; Layers{2}; Recombine; };
Physical Volume("wall") = {o[1]};
Physical Surface("z0") = {1}; Physical Surface("z1") = {o[0]};
Physical Surface("y0") = {o[2]}; Physical Surface("epi") = {o[3]}; Physical Surface("x0") = {o[4]}; Physical Surface("endo") = {o[5]};
