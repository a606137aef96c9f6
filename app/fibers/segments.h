/* Where a node is in a left ventricle: the angle about its long axis, and the segment of the American Heart Association (Cerqueira et al.,
 * Circulation 105 (2002) 539-542). With the depth and the way from apex to base, which the rule of fibres solves for, these are
 * coordinates of ventricles (Bayer et al., Medical Image Analysis 45 (2018) 83-93). */
#pragma once
#include "app/fibers/ldrb_surfaces.h"

/* 1 to 17. height: along the long axis, 0 where the cavity begins at the apex, 1 at the base; angle: radians, 0 in the middle of the
 * septum, growing counter-clockwise as seen from the apex, towards the inferior wall. */
int32_t aha_segment(double height, double angle);

/* out->rotational and out->segment, [n_node]: of the left ventricle with the septum, 0 elsewhere the latter. The long axis goes from the node of its
 * endocardium that is farthest from the middle of its rim at the base to that middle. to_lv, to_rv: gradients of the solutions
 * from the endocardia; NULL the latter: one ventricle. Nothing where neither params->septum nor `rv` says where the septum is. */
Status segments_create(const LdrbParams *params, const LdrbSurfaces *surfaces, const double *apicobasal,
                       const double (*to_lv)[3], const double (*to_rv)[3], LdrbFields *out);
