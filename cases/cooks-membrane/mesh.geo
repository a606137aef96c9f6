// Cook's membrane: a tapered panel, finer towards the two top corners: at the clamped one the stress is singular, at the
// loaded one the shear of the right edge meets the free top edge.
DefineConstant[ h = {2, Name "h"} ];  // element size away from the corners
Point(1) = {0, 0, 0};
Point(2) = {48, 44, 0};
Point(3) = {48, 60, 0};
Point(4) = {0, 44, 0};
Point(5) = {48, 52, 0};
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

Field[1] = MathEval;   // grows by a fifth of the distance from the nearer corner
Field[1].F = Sprintf("min(%g, %g + 0.2*min(sqrt((x-48)^2 + (y-60)^2), sqrt(x^2 + (y-44)^2)))", h, h/60);
Background Field = 1;
Mesh.CharacteristicLengthExtendFromBoundary = 0;
Mesh.CharacteristicLengthFromPoints = 0;
