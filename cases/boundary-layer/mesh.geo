// A bar: layers of wedges that grow from the hot face x = 0, then tetrahedra, pyramids and a block of hexahedra.
h = 0.12;
Point(1) = {0, 0, 0, h}; Point(2) = {0, 0.4, 0, h}; Point(3) = {0, 0.4, 0.4, h}; Point(4) = {0, 0, 0.4, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
// 12 layers, each 1.25 times as thick as the one before: 0.2 in all
n = 12; q = 1.25; sum = 0;
For i In {0:n-1}
  sum += q^i; one[i] = 1; end[i] = sum;
EndFor
For i In {0:n-1}
  end[i] /= sum;
EndFor
layers[] = Extrude {0.2, 0, 0} { Surface{1}; Layers{one[], end[]}; Recombine; };
rest[] = Extrude {0.4, 0, 0} { Surface{layers[0]}; };
// the far end in hexahedra: its face to the tetrahedra is recombined, and Gmsh puts pyramids there
Transfinite Curve{ Boundary{ Surface{rest[0]}; } } = 4;
Transfinite Surface{rest[0]};
Recombine Surface{rest[0]};
far[] = Extrude {0.4, 0, 0} { Surface{rest[0]}; Layers{3}; Recombine; };
Physical Volume("bar") = {layers[1], rest[1], far[1]};
Physical Surface("hot") = {1};
Physical Surface("cold") = {far[0]};
