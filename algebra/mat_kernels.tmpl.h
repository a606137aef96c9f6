/* Row kernels of one format, block size and precision: included with FORMAT, BLOCK and P set (after the range
 * function), makes the table FORMAT_kernels_BP[MAT_N_OP] and forgets BLOCK. No guard on purpose. */
#define MAT_EXPAND_RANGE(FORMAT, B, P, OP, NAME) MAT_KERNEL_RANGE(FORMAT, B, P, OP, NAME)
#define MAT_EXPAND_END(FORMAT, B, P, OP, NAME, SUMS) MAT_KERNEL_END(FORMAT, B, P, OP, NAME, SUMS)
#ifdef ENDS
#define MAT_EXPAND_ROW(FORMAT, B, P, OP, NAME, SUMS) MAT_KERNEL_ROW_END(FORMAT, B, P, OP, NAME, SUMS)
#else
#define MAT_EXPAND_ROW(FORMAT, B, P, OP, NAME, SUMS) MAT_KERNEL_ROW(FORMAT, B, P, OP, NAME, SUMS)
#endif
#define MAT_PASTE(FORMAT, B, P) FORMAT##_kernels_##B##P
#define MAT_TABLE(FORMAT, B, P) MAT_PASTE(FORMAT, B, P)
#define MAT_X_RANGE(OP, NAME, SUMS) MAT_EXPAND_RANGE(FORMAT, BLOCK, P, OP, NAME)
#define MAT_X_END(OP, NAME, SUMS) MAT_EXPAND_END(FORMAT, BLOCK, P, OP, NAME, SUMS)
#define MAT_X_ROW(OP, NAME, SUMS) MAT_EXPAND_ROW(FORMAT, BLOCK, P, OP, NAME, SUMS)
MAT_OPS(MAT_X_RANGE)
#ifdef ENDS
MAT_OPS(MAT_X_END)
#endif
static const RowKernel MAT_TABLE(FORMAT, BLOCK, P)[MAT_N_OP] = {MAT_OPS(MAT_X_ROW)};
#undef MAT_EXPAND_RANGE
#undef MAT_EXPAND_END
#undef MAT_EXPAND_ROW
#undef MAT_PASTE
#undef MAT_TABLE
#undef MAT_X_RANGE
#undef MAT_X_END
#undef MAT_X_ROW
#undef BLOCK
