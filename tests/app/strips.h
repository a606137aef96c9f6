/* Two strips of a plane, one on the other, as folder/strips.msh: groups `low` of quadrilaterals and `high` of triangles, whose edges
 * `below` and `above` lie on each other and share no node; edges `bottom` and `top`. */
#pragma once

void strips_write(const char *folder);
/* With so much between them. */
void strips_write_apart(const char *folder, double gap);
