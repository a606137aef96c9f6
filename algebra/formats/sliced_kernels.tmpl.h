/* The row kernels of a format of sliced.h. Included once by the format's file with FORMAT and RANGE set, the header of
 * its CPU product, and OF_BLOCKS where it has blocks. */
typedef double Lanes __attribute__((vector_size(64), aligned(8), may_alias));

#define VISIT "algebra/formats/sbell_visit.tmpl.h"
#include "algebra/format_kernels.tmpl.h"
