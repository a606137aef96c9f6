/* Right-handed orthonormal frames in the wall of a ventricle, and mixing them by quaternions (Bayer et al. 2012). The
 * axes of a frame have no sign as far as tissue is concerned. */
#pragma once
#include <stdbool.h>

/* axis[0] around the ventricle (later the fibre), axis[1] from apex to base (later the normal of the sheets), axis[2]
 * across the wall, outward (later the direction of the sheet). */
typedef struct Frame {
  double axis[3][3];
} Frame;

/* axis[1] along `apicobasal`, axis[2] along the part of `transmural` at right angles to it, axis[0] = axis[1] x
 * axis[2]: counter-clockwise seen from the base where `transmural` points outward. False, and *out untouched, where the
 * two do not span a plane (zero, not finite, or within a millionth of parallel). */
bool frame_of(const double apicobasal[3], const double transmural[3], Frame *out);
/* Some frame with axis[1] along `apicobasal` (x where that is zero). */
Frame frame_any(const double apicobasal[3]);
/* Turned by alpha about its third axis, then by beta about its new first one (degrees; `orient` of the paper). */
Frame frame_turn(const Frame *frame, double alpha, double beta);
/* From a (t = 0) to b (t = 1) at constant angular speed along the shortest way that signs of axes allow (`bislerp`). */
Frame frame_blend(const Frame *a, const Frame *b, double t);
