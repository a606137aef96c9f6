// The meridian of a half ellipsoid, radii 7 and 17 inside, 10 and 20 outside, cut off at y = 5; x is the radius.
DefineConstant[ n = {8, Name "n"} ];  // elements through the wall
y = 5;
xi = 7*Sqrt(1 - (y/17)^2); xe = 10*Sqrt(1 - (y/20)^2);
Point(1) = {0, 0, 0};
Point(2) = {0, -17, 0};
Point(3) = {0, -20, 0};
Point(4) = {xe, y, 0};
Point(5) = {xi, y, 0};
Ellipse(1) = {2, 1, 2, 5};
Ellipse(2) = {3, 1, 3, 4};
Line(3) = {2, 3};
Line(4) = {5, 4};
Curve Loop(1) = {3, 2, -4, -1};
Plane Surface(1) = {1};
Transfinite Curve{3, 4} = n + 1;
Transfinite Curve{1} = 8*n + 1 Using Progression 1;
Transfinite Curve{2} = 8*n + 1 Using Progression 1;
Transfinite Surface{1};
Recombine Surface{1};
Physical Surface("wall") = {1};
Physical Curve("endo") = {1};
Physical Curve("epi") = {2};
Physical Curve("base") = {4};
