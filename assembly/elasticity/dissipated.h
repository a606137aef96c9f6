/* What materials have taken of the work that was done to a body, from what its points remember. */
#pragma once
#include "assembly/elasticity/elasticity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Do points remember, on any rank, and does each material that remembers know what it has taken? */
bool elasticity_tells_dissipated(const ElasticityParams *params);
/* Has it materials that remember? */
bool elasticity_remembers(const Elasticity *elasticity);
/* each[n_solved], in mesh order: energy of the elements. On the host, not recordable. */
Status elasticity_dissipated(const Elasticity *elasticity, const ElasticityParams *params, double *each);
/* To `point-work` and `element-work` of a recovery that stays on the Exec, which hold the strain energy. Through the host. */
Status elasticity_add_dissipated(const Elasticity *elasticity, const ElasticityParams *params,
                                 const ElasticFields *fields);

#ifdef __cplusplus
}
#endif
