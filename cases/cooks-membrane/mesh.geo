// Cook's membrane: a tapered panel, finer towards the clamped corner at the top left, where the stress is singular.
DefineConstant[ h = {1.5, Name "h"} ];
Point(1) = {0, 0, 0, h/2};
Point(2) = {48, 44, 0, h};
Point(3) = {48, 60, 0, h};
Point(4) = {0, 44, 0, h/50};
Point(5) = {48, 52, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 5};
Line(3) = {5, 3};
Line(4) = {3, 4};
Line(5) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4, 5};
Plane Surface(1) = {1};
Physical Surface("panel") = {1};
Physical Curve("left") = {5};
Physical Curve("right") = {2, 3};
