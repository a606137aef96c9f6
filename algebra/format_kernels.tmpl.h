/* The row kernels of a format in both precisions: of scalars, and of blocks of 2 and 3 too where OF_BLOCKS is defined.
 * Included once by the format's file with FORMAT set to its identifier, RANGE to the header of its CPU product, and
 * VISIT, where defined, to that of what is done once per matrix; ENDS where RANGE has FORMAT_end too; LANES, where defined, is one that they share. */
#define REAL double
#define NAMED(name) name##_d
#define P d
#ifdef LANES
#include LANES
#endif
#ifdef VISIT
#include VISIT
#endif
#include RANGE
#define BLOCK 1
#include "algebra/mat_kernels.tmpl.h"
#ifdef OF_BLOCKS
#define BLOCK 2
#include "algebra/mat_kernels.tmpl.h"
#define BLOCK 3
#include "algebra/mat_kernels.tmpl.h"
#endif
#undef REAL
#undef NAMED
#undef P
#define REAL float
#define NAMED(name) name##_f
#define P f
#ifdef LANES
#include LANES
#endif
#ifdef VISIT
#include VISIT
#endif
#include RANGE
#define BLOCK 1
#include "algebra/mat_kernels.tmpl.h"
#ifdef OF_BLOCKS
#define BLOCK 2
#include "algebra/mat_kernels.tmpl.h"
#define BLOCK 3
#include "algebra/mat_kernels.tmpl.h"
#endif
