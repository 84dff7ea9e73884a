#pragma once

#include "host/fleet_db.h"
#include "host/sheet.h"

/* The machines, the findings by how many machines have them, and what is unusual within a model. */
void fleet_sheet(const struct sheet *sheet, struct fleet_db *db);

/* The tidy CSV of docs/fleet.md: one value or finding a line. false when it could not be written. */
bool fleet_csv(FILE *out, struct fleet_db *db);
