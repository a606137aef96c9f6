// A quarter of a square plate with a hole in its middle; lengths in mm.
DefineConstant[ h = {4, Name "h"} ];  // element size far from the hole
a = 10;    // radius of the hole
w = 100;   // half the side of the plate
fine = h/8;  // on the edge of the hole

Point(1) = {0, 0, 0};
Point(2) = {a, 0, 0, fine};
Point(3) = {w, 0, 0, h};
Point(4) = {w, w, 0, h};
Point(5) = {0, w, 0, h};
Point(6) = {0, a, 0, fine};
Line(1) = {2, 3};
Line(2) = {3, 4};
Line(3) = {4, 5};
Line(4) = {5, 6};
Circle(5) = {6, 1, 2};
Curve Loop(1) = {1, 2, 3, 4, 5};
Plane Surface(1) = {1};

Physical Surface("plate") = {1};
Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("left") = {4};
Physical Curve("hole") = {5};
