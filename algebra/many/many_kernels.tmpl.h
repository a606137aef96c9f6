/* Row kernels of a format's products with K vectors for one block size: included with FORMAT, BLOCK and K set (after
 * FORMAT_many_range_P(args, begin, end, sum, block, op, k) in both precisions), makes
 * FORMAT_many_kernels_BLOCK_K[2][MAT_N_OP], double and float, named FORMAT_many_OP_BP_K, and forgets BLOCK and K. No
 * guard on purpose. */
#define MANY_RANGE_(FORMAT, B, P, K, OP, NAME, SUMS) MANY_KERNEL_RANGE(FORMAT, B, P, K, OP, NAME, SUMS)
#define MANY_ROW_(FORMAT, B, P, K, OP, NAME, SUMS) MANY_KERNEL_ROW(FORMAT, B, P, K, OP, NAME, SUMS)
#define MANY_TABLE__(FORMAT, B, K) FORMAT##_many_kernels_##B##_##K
#define MANY_TABLE_(FORMAT, B, K) MANY_TABLE__(FORMAT, B, K)
#define MANY_RANGE_D(OP, NAME, SUMS) MANY_RANGE_(FORMAT, BLOCK, d, K, OP, NAME, SUMS)
#define MANY_RANGE_F(OP, NAME, SUMS) MANY_RANGE_(FORMAT, BLOCK, f, K, OP, NAME, SUMS)
#define MANY_ROW_D(OP, NAME, SUMS) MANY_ROW_(FORMAT, BLOCK, d, K, OP, NAME, SUMS)
#define MANY_ROW_F(OP, NAME, SUMS) MANY_ROW_(FORMAT, BLOCK, f, K, OP, NAME, SUMS)
MANY_OPS_DOUBLE(MANY_RANGE_D)
MANY_OPS_BOTH(MANY_RANGE_D)
MANY_OPS_BOTH(MANY_RANGE_F)
static const RowKernel MANY_TABLE_(FORMAT, BLOCK, K)[2][MAT_N_OP] = {
    {MANY_OPS_DOUBLE(MANY_ROW_D) MANY_OPS_BOTH(MANY_ROW_D)}, {MANY_OPS_BOTH(MANY_ROW_F)}};
#undef MANY_RANGE_
#undef MANY_ROW_
#undef MANY_TABLE__
#undef MANY_TABLE_
#undef MANY_RANGE_D
#undef MANY_RANGE_F
#undef MANY_ROW_D
#undef MANY_ROW_F
#undef BLOCK
#undef K
