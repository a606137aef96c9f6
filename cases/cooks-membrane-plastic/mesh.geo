// Cook's membrane: a tapered panel in a regular net of quadrilaterals.
DefineConstant[ n = {16, Name "n"} ];  // elements along each side
Point(1) = {0, 0, 0};
Point(2) = {48, 44, 0};
Point(3) = {48, 60, 0};
Point(4) = {0, 44, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 2, 3, 4} = n + 1;
Transfinite Surface {1};
Recombine Surface {1};
Physical Surface("panel") = {1};
Physical Curve("left") = {4};
Physical Curve("right") = {2};
