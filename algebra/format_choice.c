/* The choice of a matrix format from row lengths and a sample of the columns. The model of one product on a GPU:
 *   seconds = measured (launch + issue +
 *             factor overlap(bytes / rate, bytes / cache_stream + gathered / cache_gather, wait chain 2 latency / unroll))
 * rate is the memory's bandwidth, the cache's for the part that stays in it, and no more than what all threads together
 *   can have under way in one latency (Little's law): short matrices need several threads a row;
 * gathered is x, read through the cache in sectors, of which a sample of rows says how many there are for an entry;
 * chain is how many entries the busiest thread reads one after the other, `unroll` of them at a time: a row of
 * thousands given to one thread outlasts everything else; overlap is the root of the sum of their squares;
 * wait is the share of the chain that nothing else hides; factor stands for what the model does not see of a format's
 * kernel (docs/formats.md has the table). On the CPU only bytes and the factor count. */
#include "algebra/format_choice.h"
#include "core/halo.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum {
  WARP = 32,
  TILE = 128,
  TILE_LEAST = 128, /* of csr-balanced, as there */
  TILE_MOST = 512,
  TILE_ENOUGH = 2048,
  TILE_SPLIT = 512,
  INDEX_BYTES = 4,
  START_BYTES = 8,
  UNROLL_SCALAR = 4,
  UNROLL_BLOCK = 2,
  SHARED_BLOCKS = 12,
  SHARED_SCALARS = 36,
  SECTOR_GROUPS = 24,   /* of rows, spread evenly, of which */
  SECTOR_BLOCKS = 4096, /* so many blocks are looked at, */
  SECTOR_WALK = 16384,  /* in so many rows, */
  SECTOR_BITS = 14,
  SECTOR_PLACES = 1 << SECTOR_BITS,
  SECTOR_STAMPS = 256, /* more than there are groups of both kinds in both precisions */
  WINDOW = 1024        /* rows that are sorted among themselves */
};
FormatMachine format_machine(bool gpu) {
  if (gpu)
    return (FormatMachine){.gpu = true,
                           .bandwidth = 4.5e12,
                           .cache_bandwidth = 8.4e12,
                           .cache_stream = 10.5e12,
                           .cache_gather = 6.44e12,
                           .cache_bytes = 60e6,
                           .latency = 7e-7,
                           .cache_latency = 3e-7,
                           .issue = 0.9e12,
                           .launch = 2.78e-6,
                           .resident = 132 * 2048};
  return (FormatMachine){
      .bandwidth = 2e11, .cache_bandwidth = 4e11, .cache_bytes = 32e6, .latency = 1e-7, .launch = 5e-6, .resident = 64};
}

static int64_t length_of(const Pattern *p, int64_t i) { return p->start[i + 1] - p->start[i]; }

/* A set of sectors that is emptied by counting up. */
typedef struct SectorSet {
  int64_t *place; /* [SECTOR_PLACES], sector and stamp */
  int32_t stamp;
} SectorSet;

static bool sector_is_new(SectorSet *set, int64_t sector) {
  const int64_t key = sector * SECTOR_STAMPS + set->stamp;
  uint64_t at = (uint64_t)sector * 0x9e3779b97f4a7c15u >> (64 - SECTOR_BITS);
  for (; set->place[at] % SECTOR_STAMPS == set->stamp; at = (at + 1) % SECTOR_PLACES)
    if (set->place[at] == key) return false;
  set->place[at] = key;
  return true;
}

/* The first TILE rows from `first` on, of one length unless natural, and no more than SECTOR_BLOCKS blocks. */
static void sample_group(const Pattern *p, int64_t first, SectorOrder order, int64_t scalars, SectorSet *set,
                         int64_t count[2]) {
  const int64_t length = length_of(p, first), walk = order == SECTOR_WINDOW ? WINDOW : SECTOR_WALK;
  int32_t rows = 0, blocks = 0;
  set->stamp += 1;
  for (int64_t i = first; i < p->n && i < first + walk && rows < TILE; ++i) {
    if (order != SECTOR_NATURAL && length_of(p, i) != length) continue;
    ++rows;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      if (++blocks > SECTOR_BLOCKS) return;
      const int64_t from = (int64_t)p->column[k] * p->block, to = from + p->block - 1;
      count[0] += 1;
      for (int64_t at = from / scalars; at <= to / scalars; ++at) count[1] += sector_is_new(set, at);
    }
  }
}

static Status sample_sectors(const Pattern *p, RowProfile *out) {
  SectorSet set = {0};
  ALLOC(set.place, SECTOR_PLACES, "sectors of a vector");
  for (int order = SECTOR_NATURAL; order <= SECTOR_SORTED; ++order)
    for (int low = 0; low < 2; ++low) {
      int64_t count[2] = {0};
      for (int64_t g = 0; g < SECTOR_GROUPS && p->n > 0; ++g)
        sample_group(p, (2 * g + 1) * p->n / (2 * SECTOR_GROUPS), (SectorOrder)order, low ? 8 : 4, &set, count);
      out->sector[order][low] = count[0] ? (double)count[1] / (double)count[0] : 1;
    }
  FREE(set.place);
  return OK;
}

Status row_profile_create(const Pattern *pattern, RowProfile *out) {
  *out = (RowProfile){.n = pattern->n, .block = pattern->block, .entries = pattern->start[pattern->n]};
  int64_t shortest = pattern->n ? INT32_MAX : 0, longest = 0, widest[3] = {0};
  for (int64_t i = 0; i < pattern->n; ++i) {
    const int64_t length = length_of(pattern, i);
    if (length < shortest) shortest = length;
    if (length > longest) longest = length;
    for (int s = 0; s < 3; ++s) {
      const int64_t slice = WARP * (s + 1);
      if (length > widest[s]) widest[s] = length;
      if ((i + 1) % slice && i + 1 < pattern->n) continue;
      out->natural[s] += widest[s] * slice;
      widest[s] = 0;
    }
  }
  out->shortest = (int32_t)shortest;
  out->longest = (int32_t)longest;
  ALLOC(out->count, longest + 1, "row lengths");
  for (int64_t i = 0; i < pattern->n; ++i) out->count[length_of(pattern, i)] += 1;
  Status status = sample_sectors(pattern, out);
  if (status == OK && pattern->share.halo) status = row_profile_share(pattern->share.halo->exec->comm, out);
  if (status != OK) row_profile_release(out);
  return status;
}

void row_profile_release(RowProfile *profile) { FREE(profile->count); }

/* Entries stored when rows are sorted longest first and cut into slices, each as wide as its first row, rounded up to
 * `threads`. split > 1: scalar rows of a block pattern. */
static double sorted_slots(const RowProfile *p, int32_t split, int64_t slice, int64_t threads) {
  double slots = 0;
  int64_t at = 0;
  for (int64_t length = p->longest; length >= 0; --length) {
    const int64_t rows = p->count[length] * split, width = (length * split + threads - 1) / threads * threads;
    slots += (double)(((at + rows + slice - 1) / slice - (at + slice - 1) / slice) * slice * width);
    at += rows;
  }
  return slots;
}

/* A format as the model sees it; counts of scalars. */
typedef struct Shape {
  double slots;   /* values */
  double columns; /* column indices */
  double other;   /* bytes of starts, row order, sums that are written and read */
  double threads;
  double chain;      /* entries */
  double moved;      /* share of the entries whose rows do not lie beside their neighbours, */
  SectorOrder order; /* but so */
  double factor;     /* of the format's kernel on a GPU */
  double measured; /* what an H200 took over what the rest of the model says, and the weight of what x draws through */
  double gather;   /* the cache, by family */
  double wait;     /* share of the chain's latency that is not hidden by what else is under way */
  double host;     /* and on the CPU */
  double instructions; /* of a warp besides those of its entries */
  int32_t width;       /* scalars of x that one column index brings */
} Shape;

static double rows_of(const RowProfile *p) { return (double)p->n * p->block; }
static double mean_of(const RowProfile *p) { return p->n ? (double)p->entries / p->n : 0; }

/* SELL, SBELL (threads 0: four warps share 32 rows that are long, gpu/formats/sbell.cu, format_sell.cu) and Sliced
 * ELLR-T. Rows stay in natural order unless that pads more than 4 % (algebra/row_order.h). */
static Shape sliced_shape(const RowProfile *p, int32_t slice, int32_t threads, bool blocks) {
  const int32_t split = blocks ? 1 : p->block, square = p->block * p->block, own = threads ? threads : 1;
  const double exact = sorted_slots(p, split, slice, own), plain = sorted_slots(p, split, slice, 1);
  const int s = slice / WARP - 1;
  const double natural = s >= 0 && s < 3 ? (double)p->natural[s] * (blocks ? 1 : square) : plain;
  const bool moved = natural > 1.04 * plain;
  const double entries = (moved ? 1.005 : natural / (plain > 0 ? plain : 1)) * exact;
  const double lanes = (double)p->n * split, longest = (double)p->longest * split;
  const bool shared = !threads && mean_of(p) * split >= (blocks ? SHARED_BLOCKS : SHARED_SCALARS);
  Shape a = {.slots = entries * (blocks ? square : 1), .columns = entries, .width = blocks ? p->block : 1, .factor = 1};
  a.other =
      lanes / slice * START_BYTES + (moved ? (double)p->n * INDEX_BYTES : 0) + (threads ? lanes * INDEX_BYTES : 0);
  a.threads = lanes * (shared ? 4 : own);
  a.chain = ceil(longest / (shared ? 4 : own));
  a.moved = moved;
  a.order = SECTOR_WINDOW;
  a.host = blocks && p->block > 1 ? 1 : 1.4;
  return a;
}

static Shape ell_shape(const RowProfile *p, bool blocks, bool lengths) {
  const int32_t square = p->block * p->block;
  const double entries = (double)p->n * p->longest * (blocks ? 1 : square);
  const double lanes = (double)p->n * (blocks ? 1 : p->block), read = lengths ? (double)p->entries * square : entries;
  return (Shape){.slots = (blocks ? square : 1) * read,
                 .columns = read,
                 .other = lengths ? lanes * INDEX_BYTES : 0,
                 .threads = lanes,
                 .chain = (double)p->longest * (blocks ? 1 : p->block),
                 .factor = 1,
                 .host = 1.8,
                 .width = blocks ? p->block : 1};
}

/* K1 (threshold 0) and K2: a row of more than `threshold` entries is halved over 2, 4 .. 32 lanes. */
static Shape warp_shape(const RowProfile *p, int32_t threshold) {
  Shape a = {.factor = 1, .width = 1};
  double shared = 0; /* slots of rows with several lanes, which read x side by side */
  int64_t at = 0, rows_before = 0;
  int32_t lanes_before = 0;
  for (int64_t length = p->longest; length >= 0; --length) {
    const int64_t rows = p->count[length] * p->block, entries = length * p->block;
    if (!rows) continue;
    int32_t lanes = 1;
    while (threshold && lanes < WARP && (entries + lanes - 1) / lanes > threshold) lanes *= 2;
    if (lanes != lanes_before) at = 0; /* a warp holds rows of one kind */
    lanes_before = lanes;
    const int64_t each = WARP / lanes, depth = (entries + lanes - 1) / lanes;
    const double slots = (double)(((at + rows + each - 1) / each - (at + each - 1) / each) * WARP * depth);
    a.slots += slots;
    shared += lanes > 1 && entries >= 8 ? slots : 0;
    if ((double)depth > a.chain) a.chain = (double)depth;
    a.threads += (double)(rows * lanes);
    at += rows;
    rows_before += rows;
  }
  a.columns = a.slots;
  const double share = a.slots > 0 ? shared / a.slots : 0;
  a.moved = 1 - share;
  a.order = SECTOR_SORTED;
  a.host = 1.4 - 0.4 * share;
  a.other = a.threads / WARP * (START_BYTES + INDEX_BYTES) + (double)rows_before * INDEX_BYTES;
  return a;
}

/* What the format takes when it is not told (algebra/formats/csr.c). */
static int32_t csr_threads(const RowProfile *p) {
  int32_t threads = 1;
  while (threads < WARP && 2.0 * threads * threads <= mean_of(p) * p->block) threads *= 2;
  return threads;
}

static Shape csr_shape(const RowProfile *p, int32_t threads) {
  const double entries = (double)p->entries * p->block * p->block;
  Shape a = {.slots = entries, .columns = entries, .other = rows_of(p) * START_BYTES, .width = 1, .host = 2.5};
  a.threads = rows_of(p) * threads;
  a.chain = ceil((double)p->longest * p->block / threads);
  /* one thread per row: a warp's reads lie in 32 lines, which the cache's ports take one by one; teams read together,
   * but idle in what a row leaves of their last turn */
  double turns = 0;
  for (int64_t l = 0; l <= p->longest; ++l)
    turns += (double)(p->count[l] * p->block * ((l * p->block + threads - 1) / threads * threads));
  a.factor = threads == 1 ? 2.5 : 1.1 + 0.2 * (entries > 0 ? turns / entries - 1 : 0);
  return a;
}

/* What segspmv takes when it is not told: a power of two just above the mean, and in "r" 4 entries a thread. */
static int32_t segment_length(const RowProfile *p) {
  int32_t length = 1;
  while (length < mean_of(p) * p->block) length *= 2;
  return length;
}
static int32_t segment_team(int32_t length) {
  const int32_t team = length < 8 ? 2 : length / 4;
  return team > WARP ? WARP : team > length ? length : team;
}

/* Segments of `length` entries, each with `team` threads. Tiles of at most 128 segments begin at whole warps. */
static Shape segment_shape(const RowProfile *p, int32_t length, int32_t team) {
  Shape a = {.factor = 1, .host = 1.8, .width = 1};
  const double rows = rows_of(p), side = (double)WARP / team;
  double segments = 0, squares = 0;
  for (int64_t l = 0; l <= p->longest; ++l) {
    const double each = (double)((l * p->block + length - 1) / length);
    segments += (double)(p->count[l] * p->block) * each;
    squares += (double)(p->count[l] * p->block) * each * each;
  }
  /* a tile ends where the next row does not fit, half a row too early on average, and is rounded up to whole warps */
  const double early = segments > 0 ? fmin(0.5 * (squares / segments - 1), 0.5 * TILE) : 0;
  const double tiles = ceil(fmax(segments / (TILE - early), rows / TILE));
  segments += tiles * (early < side ? early : 0.5 * (side - 1));
  a.slots = a.columns = segments * length;
  a.other = rows * START_BYTES + tiles * INDEX_BYTES;
  a.threads = segments * team;
  a.chain = ceil((double)length / team) + fmin(ceil((double)p->longest * p->block / length), TILE) / UNROLL_SCALAR;
  a.chain = fmax(a.chain, ceil((double)p->longest * p->block / TILE)); /* a row alone in its tile */
  return a;
}

/* Tiles of at most `most` entries and half as many rows, a GPU block for each (algebra/formats/csr_balanced.c). */
static Shape balanced_shape(const RowProfile *p, double most) {
  Shape a = {.factor = 1, .host = 2.5, .width = 1};
  const double rows = rows_of(p), part = fmax(most, (double)p->entries * p->block * p->block / TILE_SPLIT);
  double whole = 0, entries = 0, squares = 0; /* tiles of long rows; entries of the others */
  for (int64_t l = 0; l <= p->longest; ++l) {
    const double length = (double)l * p->block, count = (double)p->count[l] * p->block;
    a.slots += count * length;
    if (length > most) whole += count * ceil(length / part);
    else entries += count * length, squares += count * length * length;
  }
  /* a tile ends where the next row does not fit, half a row too early on average */
  const double early = entries > 0 ? fmin(0.5 * squares / entries, 0.5 * most) : 0;
  const double tiles = whole + fmax(entries / (most - early), 2 * rows / most);
  a.columns = a.slots;
  a.other = 2 * rows + tiles * 20;
  a.threads = tiles * TILE;
  a.chain = ceil(fmin((double)p->longest * p->block, part) / TILE);
  return a;
}

static double balanced_most(const RowProfile *p) {
  double most = TILE_LEAST;
  while (most < TILE_MOST && most * TILE_ENOUGH < (double)p->entries * p->block * p->block) most *= 2;
  return most;
}

static bool format_choice_is(const char *a, const char *b) { return a && !strcmp(a, b); }

/* Fitted on an H200, to the matrices that are for that (docs/formats.md): one line for each kernel. A variant or window of its own stands
 * behind the format's line. */
static void shape_measured(const MatParams *params, const char *format, Shape *out) {
  static const struct {
    const char *format, *variant;
    bool window;
    double measured, gather, wait, instructions;
  } all[] = {{"sbell", NULL, false, 0.86, 1, 0.76, 59},           {"sell", NULL, false, 0.9, 1.36, 0.66, 15},
             {"sliced-ellr-t", NULL, false, 1.03, 0.97, 0.5, 48}, {"ell-warp", "k1", false, 0.88, 0.95, 0.53, 43},
             {"ell-warp", "k1", true, 0.88, 1.39, 0.53, 43},      {"ell-warp", "k2", false, 0.9, 1.42, 0.7, 38},
             {"segspmv", NULL, false, 1.05, 0.72, 0.56, 98},      {"segspmv", "r", false, 1.05, 0.62, 0.56, 98},
             {"csr", NULL, false, 1.11, 0.95, 1.5, 24},           {"csr-balanced", NULL, false, 1.26, 0.93, 0.56, 99}};
  out->measured = out->gather = out->wait = 1;
  out->instructions = 48;
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    if (format_choice_is(format, all[k].format) &&
        (!all[k].variant || format_choice_is(params->variant, all[k].variant)) && (params->window || !all[k].window)) {
      out->measured = all[k].measured;
      out->gather = all[k].gather;
      out->wait = all[k].wait;
      out->instructions = all[k].instructions;
    }
}

static bool shape_of(const RowProfile *p, const MatParams *params, Shape *out) {
  const char *f = params->format ? params->format : "sbell", *v = params->variant;
  const int32_t slice = params->slice ? params->slice : WARP, threads = params->threads ? params->threads : 1;
  const int32_t segment = params->threshold ? params->threshold : segment_length(p);
  if (format_choice_is(f, "sbell")) *out = sliced_shape(p, slice, 0, true);
  else if (format_choice_is(f, "sell")) *out = sliced_shape(p, slice, 0, false);
  else if (format_choice_is(f, "sliced-ellr-t")) *out = sliced_shape(p, slice, threads, false);
  else if (format_choice_is(f, "ell") || format_choice_is(f, "ellr"))
    *out = ell_shape(p, false, format_choice_is(f, "ellr"));
  else if (format_choice_is(f, "bell")) *out = ell_shape(p, true, false);
  else if (format_choice_is(f, "csr"))
    *out = csr_shape(p, format_choice_is(v, "scalar") ? 1 : params->threads ? threads : csr_threads(p));
  else if (format_choice_is(f, "csr-balanced"))
    *out = balanced_shape(p, params->threshold ? params->threshold : balanced_most(p));
  else if (format_choice_is(f, "ell-warp") && format_choice_is(v, "k1")) *out = warp_shape(p, 0);
  else if (format_choice_is(f, "ell-warp") && format_choice_is(v, "k2") && (params->threshold || params->window))
    *out = warp_shape(p, segment); /* with a window the format chooses nearly that */
  else if (format_choice_is(f, "segspmv"))
    *out = segment_shape(p, segment, format_choice_is(v, "r") ? params->threads ? threads : segment_team(segment) : 1);
  else return false;
  shape_measured(params, f, out);
  if (params->window) out->order = SECTOR_WINDOW;
  return true;
}

/* The share of a working set that stays in the cache from one product to the next. */
static double cached_share(const FormatMachine *m, double bytes) {
  const double half = 0.5 * m->cache_bytes;
  return bytes <= half ? 1 : bytes >= m->cache_bytes ? 0 : (m->cache_bytes - bytes) / half;
}

/* Bytes of x that come through the cache: whole sectors, each once for a group of rows that share them. */
static double gathered_bytes(const RowProfile *p, const Shape *a, bool low) {
  const double sectors = (1 - a->moved) * p->sector[SECTOR_NATURAL][low] + a->moved * p->sector[a->order][low];
  return 32 * sectors * a->columns * a->width / p->block * a->gather;
}

/* Of three times that overlap in part. */
static double overlapped(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }

bool format_predict(const RowProfile *profile, const MatParams *params, const FormatMachine *m, FormatCost *out) {
  Shape a;
  if (params->window && params->window != WINDOW) return false; /* the profile knows nothing of other windows */
  if (!shape_of(profile, params, &a)) return false;
  const double value = (double)precision_bytes(params->precision), rows = rows_of(profile);
  const double entry = a.columns > 0 ? a.slots / a.columns : 1; /* scalars behind one index */
  out->slots = a.slots;
  out->threads = a.threads;
  out->chain = a.chain;
  out->bytes = a.slots * value + a.columns * INDEX_BYTES + a.other + 2 * rows * value;
  if (!m->gpu) {
    out->seconds = m->launch + out->bytes / m->bandwidth * a.host;
    return true;
  }
  const int32_t unroll = a.width > 1 ? UNROLL_BLOCK : UNROLL_SCALAR;
  const double cached = cached_share(m, out->bytes), latency = cached * m->cache_latency + (1 - cached) * m->latency;
  const double running = fmax(a.threads < m->resident ? a.threads : m->resident, 1);
  const double most = running * unroll * (entry * value + INDEX_BYTES) / latency;
  const double rate = fmin(1 / (cached / m->cache_bandwidth + (1 - cached) / m->bandwidth), most);
  const double cache =
      out->bytes / m->cache_stream + gathered_bytes(profile, &a, value < sizeof(double)) / m->cache_gather;
  const double wait = a.wait * a.chain * 2 * latency / unroll;
  const double issue = a.threads / WARP * a.instructions / m->issue;
  out->seconds = a.measured * (m->launch + overlapped(out->bytes / rate, cache, wait) * a.factor + issue);
  return true;
}

MatParams format_candidate(const RowProfile *p, int32_t i) {
  const int32_t segment = segment_length(p);
  const MatParams all[] = {
      {.format = "sbell", .slice = 32},
      {.format = "sell", .slice = 32},
      {.format = "sliced-ellr-t", .slice = 32, .threads = 2},
      {.format = "sliced-ellr-t", .slice = 32, .threads = 4},
      {.format = "sliced-ellr-t", .slice = 32, .threads = 8},
      {.format = "ell-warp", .variant = "k1"},
      {.format = "ell-warp", .variant = "k1", .window = WINDOW},
      {.format = "ell-warp", .variant = "k2", .window = WINDOW},
      {.format = "ell-warp", .variant = "k2", .threshold = segment > 2 ? segment / 2 : 1},
      {.format = "ell-warp", .variant = "k2", .threshold = segment},
      {.format = "ell-warp", .variant = "k2", .threshold = 2 * segment},
      {.format = "ell-warp", .variant = "k2", .threshold = 4 * segment},
      {.format = "segspmv", .threshold = segment},
      {.format = "segspmv", .threshold = segment > 8 ? segment / 2 : 4},
      {.format = "segspmv", .threshold = segment > 16 ? segment / 4 : 4},
      {.format = "segspmv", .variant = "r", .threshold = segment},
      {.format = "segspmv", .variant = "r", .threshold = segment > 8 ? segment / 2 : 4},
      {.format = "csr", .variant = "vector", .threads = 4},
      {.format = "csr", .variant = "vector", .threads = 8},
      {.format = "csr", .variant = "vector", .threads = 16},
      {.format = "csr", .variant = "vector", .threads = 32},
      {.format = "csr"},
      {.format = "csr-balanced", .threshold = 512},
  };
  return i >= 0 && i < (int32_t)(sizeof all / sizeof *all) ? all[i] : (MatParams){0};
}

static bool format_choice_registered(const char *format) {
  for (int32_t i = 0; i < mat_format_count(); ++i)
    if (!strcmp(mat_format_name(i), format)) return true;
  return false;
}

Status format_choose_on(const Pattern *pattern, Precision precision, const FormatMachine *machine, MatParams *out) {
  *out = (MatParams){.format = mat_format_name(0), .precision = precision};
  RowProfile profile;
  TRY(pattern_fetch(pattern));
  TRY(row_profile_create(pattern, &profile));
  double best = INFINITY;
  for (int32_t i = 0;; ++i) {
    MatParams params = format_candidate(&profile, i);
    if (!params.format) break;
    params.precision = precision;
    FormatCost cost;
    if (!format_choice_registered(params.format) || !format_predict(&profile, &params, machine, &cost)) continue;
    if (cost.seconds >= best * 0.999) continue;
    best = cost.seconds;
    *out = params;
  }
  row_profile_release(&profile);
  return OK;
}

Status format_choose(const Pattern *pattern, Precision precision, bool gpu, MatParams *out) {
  const FormatMachine machine = format_machine(gpu);
  return format_choose_on(pattern, precision, &machine, out);
}
