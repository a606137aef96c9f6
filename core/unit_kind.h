/* What kind of quantity a number is, so that any room can name the unit of what it makes; app/input/units.h has the words of a
 * case. */
#pragma once

typedef enum UnitKind {
  UNIT_NONE,
  UNIT_LENGTH,
  UNIT_TIME,
  UNIT_MASS,
  UNIT_FORCE,
  UNIT_STRESS,
  UNIT_ENERGY,
  UNIT_POWER,
  UNIT_TEMPERATURE,
  UNIT_FLUX,
  UNIT_FREQUENCY,
  UNIT_ANGLE,
  UNIT_POTENTIAL,
  UNIT_VELOCITY,
  UNIT_ACCELERATION,
  UNIT_AREA,
  UNIT_VOLUME,
  UNIT_INERTIA, /* mass length^2 */
  UNIT_MOMENT,  /* force length */
  N_UNIT_KINDS
} UnitKind;
