// The wall between two half ellipsoids of revolution, radii 25 and 90 inside, 35 and 97 outside, cut off where the cosines of
// their angles are 5/17 and 5/20; the apex is below, with a hole of 0.6 mm around the axis. Hexahedra of order 2: one layer, a
// sector of so many around the axis.
DefineConstant[ along = {24, Name "along"}, through = {4, Name "through"}, around = {16, Name "around"} ];
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
out[] = Extrude {{0, 0, 1}, {0, 0, 0}, 2 * Pi / around} { Surface{1}; Layers{1}; Recombine; };
Physical Volume("wall") = {out[1]};
Physical Surface("cut") = {1};
Physical Surface("turned") = {out[0]};
Physical Surface("endo") = {out[2]};
Physical Surface("base") = {out[3]};
Physical Surface("epi") = {out[4]};
Mesh.ElementOrder = 2;
