#pragma once

#include "model/status.h"

#include <jansson.h>
#include <sqlite3.h>
#include <stdint.h>

/*
 * Many machines in one SQLite file: tables machines, findings (all but PASS) and vals (tidy: machine, name,
 * value); docs/fleet.md describes them. With a NULL path the file is temporary and SQLite keeps it on disk, so
 * that memory stays flat.
 */
struct fleet_db {
    sqlite3 *db;
    sqlite3_stmt *machine;
    sqlite3_stmt *finding;
    sqlite3_stmt *value;
    sqlite3_int64 next_id;
};

/* Replaces what an older run left in the file; one line on standard error when it cannot. The first machine
 * added gets first_id. */
enum status fleet_db_open(const char *path, sqlite3_int64 first_id,
                          struct fleet_db *ret_db) MUST_CHECK;

/* Adds all that the finished database at `path` holds. */
enum status fleet_db_merge(struct fleet_db *db, const char *path) MUST_CHECK;

/* Adds a report that was loaded from `path`. */
enum status fleet_db_add(struct fleet_db *db, const char *path, const json_t *root) MUST_CHECK;

/* Ends the transaction of the additions; a part for fleet_db_merge needs no more. */
enum status fleet_db_commit(struct fleet_db *db) MUST_CHECK;

/* The same, and makes the indexes. */
enum status fleet_db_finish(struct fleet_db *db) MUST_CHECK;

void fleet_db_close(struct fleet_db *db);
