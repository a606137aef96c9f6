// A hook of plastic, a cantilever with a head, before the catch that it is pushed over, mm. The hook moves to the right.
If (!Exists(fine)) fine = 0.12; EndIf // size of elements where the two meet
long = 20; thick = 2;                // of the cantilever
deep = 1.2;                          // how far the head reaches down
ramp = Pi / 6; back = Pi / 4;        // of its two faces
land = 0.4;                          // its flat part in between
turn = 0.3;                          // radius of edges
// the head, from the root of its back to the tip of its ramp
bx = long + deep / Tan(back);        // where the back has come down
fx = bx + land;
tip = fx + deep / Tan(ramp);
nose = 0.4;                          // height of the tip's end below the beam's top
d1 = turn * Tan(back / 2);
d2 = turn * Tan(ramp / 2);
rise = 0.3;                          // the ramp goes on above the underside
Point(1) = {0, 0, 0}; Point(2) = {long, 0, 0};
Point(3) = {bx - d1 * Cos(back), -deep + d1 * Sin(back), 0};
Point(4) = {bx + d1, -deep, 0};
Point(5) = {bx + d1, -deep + turn, 0};
Point(6) = {fx - d2, -deep, 0};
Point(7) = {fx + d2 * Cos(ramp), -deep + d2 * Sin(ramp), 0};
Point(8) = {fx - d2, -deep + turn, 0};
Point(9) = {tip + rise / Tan(ramp), rise, 0};
Point(10) = {tip + rise / Tan(ramp), thick, 0};
Point(11) = {0, thick, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Circle(3) = {3, 5, 4}; Line(4) = {4, 6}; Circle(5) = {6, 8, 7}; Line(6) = {7, 9};
Line(7) = {9, 10}; Line(8) = {10, 11}; Line(9) = {11, 1};
Curve Loop(1) = {1 : 9}; Plane Surface(1) = {1};
// the catch: its top is at the underside of the cantilever
cx = tip + 0.1; wide = 1.4; low = 3;
Point(21) = {cx, -low, 0}; Point(22) = {cx + wide, -low, 0};
Point(23) = {cx + wide, -turn, 0}; Point(24) = {cx + wide - turn, -turn, 0}; Point(25) = {cx + wide - turn, 0, 0};
Point(26) = {cx + turn, 0, 0}; Point(27) = {cx + turn, -turn, 0}; Point(28) = {cx, -turn, 0};
Line(21) = {21, 22}; Line(22) = {22, 23}; Circle(23) = {23, 24, 25}; Line(24) = {25, 26}; Circle(25) = {26, 27, 28}; Line(26) = {28, 21};
Curve Loop(2) = {21 : 26}; Plane Surface(2) = {2};
Physical Surface("hook") = {1}; Physical Surface("catch") = {2};
Physical Curve("root") = {9}; Physical Curve("foot") = {21};
Physical Curve("head") = {2 : 6}; Physical Curve("edge") = {22 : 26};
Field[1] = Distance; Field[1].CurvesList = {2 : 6, 23 : 25}; Field[1].NNodesByEdge = 100;
Field[2] = Threshold; Field[2].InField = 1; Field[2].SizeMin = fine; Field[2].SizeMax = 6 * fine; Field[2].DistMin = fine; Field[2].DistMax = 2;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0;
