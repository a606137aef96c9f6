// NAFEMS LE10: a quarter of a thick elliptic plate; lengths in m. Two layers, so that the outer face has an edge in its middle.
DefineConstant[ n = {7, Name "n"} ];  // elements through the width
Mesh.SecondOrderIncomplete = 1;       // hex20
Point(1) = {0, 0, 0};
Point(2) = {2, 0, 0};
Point(3) = {3.25, 0, 0};
Point(4) = {0, 2.75, 0};
Point(5) = {0, 1, 0};
Ellipse(1) = {2, 1, 2, 5};
Ellipse(2) = {3, 1, 3, 4};
Line(3) = {2, 3};
Line(4) = {5, 4};
Curve Loop(1) = {3, 2, -4, -1};
Plane Surface(1) = {1};
Transfinite Curve{3, 4} = n + 1 Using Progression 1.3;
Transfinite Curve{1, 2} = 2*n + 1 Using Progression 1.05;
Transfinite Surface{1};
Recombine Surface{1};
lower[] = Extrude {0, 0, 0.3} { Surface{1}; Layers{2}; Recombine; };
upper[] = Extrude {0, 0, 0.3} { Surface{lower[0]}; Layers{ {1, 1, 1, 1}, {0.42, 0.74, 0.92, 1} }; Recombine; };  // thin at the top
Physical Volume("plate") = {lower[1], upper[1]};
Physical Surface("top") = {upper[0]};
Physical Surface("face-y") = {lower[2], upper[2]};   // the face y = 0
Physical Surface("outer") = {lower[3], upper[3]};
Physical Surface("face-x") = {lower[4], upper[4]};     // the face x = 0
edge[] = Boundary{ Surface{lower[0]}; };               // in the order of the curve loop above
Physical Curve("outer-middle") = {edge[1]};
