// The wall between two half ellipsoids of revolution, radii 25 and 90 inside, 35 and 97 outside, cut off where the cosines of
// their angles are 5/17 and 5/20; the apex is below, with a hole of 0.6 mm around the axis. Hexahedra of order 2.
DefineConstant[ along = {12, Name "along"}, through = {2, Name "through"}, around = {8, Name "around"} ];
s = 0.02;
Point(1) = {0, 0, 0};
Point(2) = {25 * Sin(s), 0, -90 * Cos(s)};
Point(3) = {35 * Sin(s), 0, -97 * Cos(s)};
Point(4) = {25 * Sqrt(1 - 25 / 289), 0, 90 * 5 / 17};
Point(5) = {35 * Sqrt(1 - 1 / 16), 0, 97 / 4};
Point(6) = {0, 0, -90};
Point(7) = {0, 0, -97};
Ellipse(1) = {2, 1, 6, 4};
Line(2) = {4, 5};
Ellipse(3) = {5, 1, 7, 3};
Line(4) = {3, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = along + 1;
Transfinite Curve {2, 4} = through + 1;
Transfinite Surface {1};
Recombine Surface {1};
wall[] = {}; endo[] = {}; base[] = {}; epi[] = {};
from = 1;
For q In {1:4}
  out[] = Extrude {{0, 0, 1}, {0, 0, 0}, Pi / 2} { Surface{from}; Layers{around / 4}; Recombine; };
  from = out[0];
  wall[] += out[1]; endo[] += out[2]; base[] += out[3]; epi[] += out[4];
EndFor
Physical Volume("wall") = {wall[]};
Physical Surface("endo") = {endo[]};
Physical Surface("base") = {base[]};
Physical Surface("epi") = {epi[]};
Mesh.ElementOrder = 2;
