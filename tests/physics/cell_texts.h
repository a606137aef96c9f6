/* Small models of CellML and EasyML as texts. */
#pragma once

#define CELLML2                                                                                                        \
  "<model xmlns=\"http://www.cellml.org/cellml/2.0#\" xmlns:cellml=\"http://www.cellml.org/cellml/2.0#\" "             \
  "name=\"m\">\n"
#define MATH "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">\n"
#define HEAD                                                                                                           \
  CELLML2 "<component name=\"c\">\n<variable name=\"t\" units=\"second\"/>\n"                                          \
          "<variable name=\"V\" units=\"dimensionless\" initial_value=\"-80\" interface=\"public\"/>\n"                \
          "<variable name=\"w\" units=\"dimensionless\" initial_value=\"0.5\"/>\n"                                     \
          "<variable name=\"x\" units=\"dimensionless\"/>\n" MATH
#define DIFF(x) "<apply><diff/><bvar><ci>t</ci></bvar><ci>" x "</ci></apply>"
#define EQ(left, right) "<apply><eq/>" left right "</apply>\n"
#define STATES EQ(DIFF("V"), "<ci>x</ci>") EQ(DIFF("w"), "<apply><minus/><ci>w</ci></apply>")
#define END "</math></component></model>\n"
#define CN(x) "<cn cellml:units=\"dimensionless\">" x "</cn>"
#define AP(op, x) "<apply><" op "/>" x "</apply>"

#define CELLML11                                                                                                       \
  "<model xmlns=\"http://www.cellml.org/cellml/1.1#\" xmlns:cellml=\"http://www.cellml.org/cellml/1.1#\" name=\"m\" "  \
  "xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n"
#define VARIABLE(name, units, more) "<variable name=\"" name "\" units=\"" units "\" " more "/>"
#define MAP(x) "<map_variables variable_1=\"" x "\" variable_2=\"" x "\"/>"

#define EASY "V; .external(Vm);\nIion; .external();\nV_init = -80;\nw_init = 0.5;\ndiff_w = -w;\nIion = -x;\n"
