// Quarter of a pipe wall, radii 1 and 2.
DefineConstant[ h = {0.08, Name "h"} ];
Point(1) = {0, 0, 0, h}; Point(2) = {1, 0, 0, h}; Point(3) = {2, 0, 0, h}; Point(4) = {0, 2, 0, h}; Point(5) = {0, 1, 0, h};
Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {4, 5}; Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Physical Curve("bottom") = {1}; Physical Curve("outside") = {2}; Physical Curve("left") = {3}; Physical Curve("inside") = {4};
Physical Surface("wall") = {1};
