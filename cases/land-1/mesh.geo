// Half of a beam of 10 x 1 x 1: y from 0, the plane of symmetry, to 0.5; shorter elements at the clamped end.
DefineConstant[ n = {12, Name "n"} ];  // elements along the beam
Point(1) = {0, 0, 0};
Point(2) = {0, 0.5, 0};
Line(1) = {1, 2};
Transfinite Curve{1} = 2;
out[] = Extrude{0, 0, 1}{Curve{1}; Layers{{1, 1, 1, 1}, {0.12, 0.5, 0.88, 1}}; Recombine;};
left = out[1];
Transfinite Curve{1} = 2;
len = 10; r = 1.2; s = (r^n - 1)/(r - 1);
cnt[] = {}; at[] = {};
For k In {1:n}
  cnt[] += 1;
  at[] += (r^k - 1)/(r - 1)/s;
EndFor
v[] = Extrude{10, 0, 0}{Surface{left}; Layers{cnt[], at[]}; Recombine;};
Physical Volume("muscle") = {v[1]};
Physical Surface("clamped") = {left};
Physical Surface("below") = {v[2]};
Physical Surface("plane") = {v[5]};
