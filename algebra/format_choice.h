/* Which matrix format, without measuring: the ELL-WARP paper leaves it open (papers/ell-warp-heart-fem, section 9, "a
 * metric for determining good partitioning parameters a priori"). A model of one product, in the bytes that it moves
 * and the longest chain of reads that one thread must wait for, is evaluated for every format on the pattern's row
 * lengths; docs/formats.md explains it, `sinew bench spmv` reports what it costs against trying everything. */
#pragma once
#include "algebra/mat.h"

/* What the model knows about a machine. */
typedef struct FormatMachine {
  bool gpu;
  double bandwidth;                  /* bytes/s that a copy reaches in memory */
  double cache_bandwidth;            /* bytes/s out of the last cache, of what stays in it */
  double cache_stream, cache_gather; /* bytes/s through it: of the matrix, of sectors of x */
  double cache_bytes;                /* up to half of it all is taken from the cache, beyond all of it nothing */
  double latency;                    /* s of one read from memory */
  double cache_latency;              /* and from the last cache */
  double issue;                      /* instructions/s of warps, all processors together */
  double launch;                     /* s from one kernel to the next */
  int32_t resident;                  /* threads that run at a time */
} FormatMachine;
/* An H200, or one socket of a server. */
FormatMachine format_machine(bool gpu);

typedef enum SectorOrder { SECTOR_NATURAL, SECTOR_WINDOW, SECTOR_SORTED } SectorOrder;
/* What the model sees of a pattern: its row lengths, counted in blocks, and how near to each other columns lie. */
typedef struct RowProfile {
  int32_t n, block;
  int64_t entries; /* blocks */
  int32_t shortest, longest;
  int64_t *count;     /* owned, [longest + 1]: rows of each length */
  int64_t natural[3]; /* blocks stored, padding included, in slices of 32, 64 and 96 rows as they come */
  /* Sectors of 32 bytes of x that groups of rows read, per block: [SECTOR_NATURAL] rows as they come, of one length in
   * windows of 1024 rows and among all, as formats put them that sort; [][0] x in double, [][1] in float. A sample. */
  double sector[3][2];
} RowProfile;
/* Of rows that ranks share: of them all, collective. */
Status row_profile_create(const Pattern *pattern, RowProfile *out);
void row_profile_release(RowProfile *profile);
/* Of the rows of this rank to that of all rows, on every rank; collective. format_share.c. */
Status row_profile_share(Comm *comm, RowProfile *profile);

/* One product as the model sees it. */
typedef struct FormatCost {
  double slots;   /* values stored, padding included */
  double bytes;   /* values, columns, offsets, x and y once */
  double threads; /* that share the work */
  double chain;   /* entries that the busiest thread reads one after the other */
  double seconds;
} FormatCost;
/* false when the model does not know this format or variant, windows that were asked for among it. */
bool format_predict(const RowProfile *profile, const MatParams *params, const FormatMachine *machine, FormatCost *out);

/* Candidates of the choice, in the order in which ties are broken; NULL format past the end. Thresholds and segments
 * that depend on the rows are filled in. */
MatParams format_candidate(const RowProfile *profile, int32_t i);

/* The candidate with the least predicted time among the formats of the registry, in *out with `precision`. What
 * `format: auto` uses; of rows that ranks share the same on each, as of the whole. ERR_MEMORY. */
Status format_choose(const Pattern *pattern, Precision precision, bool gpu, MatParams *out);
Status format_choose_on(const Pattern *pattern, Precision precision, const FormatMachine *machine, MatParams *out);
