// A quarter of a round bar in the plane of its axis: x is the radius, y the axis, the middle of the bar at y = 0.
DefineConstant[ n = {8, Name "n"} ];  // elements along the radius
Point(1) = {0, 0, 0};
Point(2) = {0.982*6.413, 0, 0};
Point(3) = {6.413, 26.667, 0};
Point(4) = {0, 26.667, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = n + 1;
Transfinite Curve {2, 4} = 2*n + 5 Using Progression 1.15;
Transfinite Surface {1};
Recombine Surface {1};
Physical Surface("bar") = {1};
Physical Curve("middle") = {1};
Physical Curve("side") = {2};
Physical Curve("end") = {3};
