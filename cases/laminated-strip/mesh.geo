// A quarter of a strip of seven plies, 0/90/0/90/0/90/0; x along it from the middle, y across, z through it; lengths in mm.
DefineConstant[ n = {1, Name "n"} ];  // finer by this
half = 25; span = 15; width = 5;
z[] = {-0.5, -0.4, -0.3, -0.2, 0.2, 0.3, 0.4, 0.5};
zero[] = {};
ninety[] = {};
Point(1) = {0, 0, -0.5};
Point(2) = {span, 0, -0.5};
Point(3) = {half, 0, -0.5};
Line(1) = {1, 2};
Line(2) = {2, 3};
Transfinite Curve{1} = 24*n + 1 Using Progression 1.08;
Transfinite Curve{2} = 6*n + 1;
side[] = Extrude {0, width, 0} { Line{1, 2}; Layers{3*n}; Recombine; };
bottom[] = {side[1], side[5]};
supports[] = {2};
For i In {0:6}
  layer[] = Extrude {0, 0, z[i + 1] - z[i]} { Surface{bottom[]}; Layers{i == 3 ? 4*n : n}; Recombine; };
  bottom[] = {layer[0], layer[6]};
  If (i % 2 == 0)
    zero[] += {layer[1], layer[7]};
  Else
    ninety[] += {layer[1], layer[7]};
  EndIf
EndFor
Physical Volume("zero") = {zero[]};
Physical Volume("ninety") = {ninety[]};
eps = 1e-6;
Physical Surface("middle") = Surface In BoundingBox {-eps, -1, -1, eps, 6, 1};
Physical Surface("centre") = Surface In BoundingBox {-1, -eps, -1, 30, eps, 1};
Physical Curve("load") = Curve In BoundingBox {-eps, -1, 0.5 - eps, eps, 6, 0.5 + eps};
Physical Curve("support") = Curve In BoundingBox {span - eps, -1, -0.5 - eps, span + eps, 6, -0.5 + eps};
