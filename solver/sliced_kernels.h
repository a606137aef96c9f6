/* The row kernels of a format of sliced.h in both precisions, one block size for formats of scalars, three where OF_BLOCKS
 * is defined. Included once by the format's file with FORMAT and RANGE set, the header of its CPU product. */
typedef double Lanes __attribute__((vector_size(64), aligned(8), may_alias));

#define REAL double
#define NAMED(name) name##_d
#define P d
#include "solver/sbell_visit.h"
#include RANGE
#define BLOCK 1
#include "solver/mat_kernels.h"
#ifdef OF_BLOCKS
#define BLOCK 2
#include "solver/mat_kernels.h"
#define BLOCK 3
#include "solver/mat_kernels.h"
#endif
#undef REAL
#undef NAMED
#undef P
#define REAL float
#define NAMED(name) name##_f
#define P f
#include "solver/sbell_visit.h"
#include RANGE
#define BLOCK 1
#include "solver/mat_kernels.h"
#ifdef OF_BLOCKS
#define BLOCK 2
#include "solver/mat_kernels.h"
#define BLOCK 3
#include "solver/mat_kernels.h"
#endif
