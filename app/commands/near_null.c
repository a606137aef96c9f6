#include "app/commands/near_null.h"
#include "assembly/elasticity/rigid_motions.h"
#include "core/memory.h"
#include "solver/precond/precond.h"

static Status check_options(const Options *o, int32_t block) {
  const char *name = o->coordinates ? "--coordinates" : "--near-null";
  CHECK(!o->coordinates || !o->near_null, ERR_USAGE,
        "sinew: --coordinates and --near-null are two ways to say the same; give one of them");
  const char *wanted = o->preconditioner ? o->preconditioner : "auto";
  const PrecondType *type = precond_named(wanted); /* one that needs no orders beside, which a matrix does not tell */
  CHECK(precond_is_auto(wanted) || (type && type->needs == PRECOND_NEAR_NULL), ERR_USAGE,
        "sinew: %s is for --preconditioner amg or auto, not for %s", name, wanted);
  CHECK(!o->coordinates || block > 1, ERR_USAGE,
        "sinew: --coordinates need --block 2 or 3: rigid motions are of nodes with as many unknowns as directions; a "
        "scalar "
        "problem needs none");
  return OK;
}

static Status from_coordinates(const char *path, const MarketArray *places, int32_t block, MarketArray *out) {
  double(*x)[3] = NULL;
  const int64_t n = places->rows;
  CHECK(places->columns == block, ERR_MESH, "%s: %lld columns; with --block %d there must be %d, one per direction",
        path, (long long)places->columns, block, block);
  out->rows = n * block;
  out->columns = rigid_motion_count(block);
  ALLOC(x, n, "places of the nodes");
  for (int64_t i = 0; i < n; ++i)
    for (int32_t k = 0; k < block; ++k) x[i][k] = places->value[k * n + i];
  const Status status = mem_alloc(out->rows * out->columns, sizeof *out->value, "rigid motions", (void **)&out->value);
  if (status == OK) rigid_motions((int32_t)n, block, (const double(*)[3])x, out->value);
  FREE(x);
  return status;
}

Status near_null_read(const Options *o, int64_t rows, int32_t block, MarketArray *out) {
  *out = (MarketArray){0};
  if (!o->coordinates && !o->near_null) return OK;
  TRY(check_options(o, block));
  if (o->near_null) {
    TRY_CONTEXT(market_array_read(o->near_null, rows, o->operand[0], out), "  as the vectors of --near-null");
    CHECK(out->columns <= RIGID_MOTIONS_MAX, ERR_MESH, "%s: %lld vectors, at most %d are possible", o->near_null,
          (long long)out->columns, RIGID_MOTIONS_MAX);
    return OK;
  }
  MarketArray places = {0};
  Status status = market_array_read(o->coordinates, rows / block, o->operand[0], &places);
  if (status == OK) status = from_coordinates(o->coordinates, &places, block, out);
  market_array_release(&places);
  return status == OK ? OK : status_context(status, "  as the places of --coordinates");
}
