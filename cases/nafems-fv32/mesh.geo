// NAFEMS FV32: a tapered membrane, 10 m long, 5 m high at the clamp and 1 m at the tip.
n = 16;      // elements along it
m = 8;       // across

Point(1) = {0, -2.5, 0};
Point(2) = {10, -0.5, 0};
Point(3) = {10, 0.5, 0};
Point(4) = {0, 2.5, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = n + 1;
Transfinite Curve {2, 4} = m + 1;
Transfinite Surface {1};
Recombine Surface {1};

Physical Surface("membrane", 1) = {1};
Physical Curve("clamp", 2) = {4};

Mesh.ElementOrder = 2;
