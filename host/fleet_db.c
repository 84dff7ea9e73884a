#include "host/fleet_db.h"

#include "host/flatten.h"
#include "host/json_text.h"

#include <stdio.h>
#include <string.h>

#define TEXT_BYTES 512

static const char schema[] =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16384;"
    "DROP TABLE IF EXISTS vals; DROP TABLE IF EXISTS findings; DROP TABLE IF EXISTS machines;"
    "CREATE TABLE machines(id INTEGER PRIMARY KEY, path TEXT NOT NULL, model TEXT NOT NULL,"
    " source TEXT, vendor TEXT, product TEXT, firmware_version TEXT, firmware_date TEXT,"
    " cpu_vendor TEXT, cpu_family INTEGER, cpu_model INTEGER, cpu_stepping INTEGER,"
    " cpu_brand TEXT, microcode TEXT, cpus INTEGER, assay_version TEXT,"
    " pass INTEGER, fail INTEGER, warn INTEGER, info INTEGER, skip INTEGER,"
    " worst_id TEXT, worst_verdict TEXT, worst_severity TEXT, worst_title TEXT);"
    "CREATE TABLE findings(machine INTEGER NOT NULL REFERENCES machines(id), id TEXT NOT NULL,"
    " verdict TEXT NOT NULL, severity TEXT, title TEXT, cpus TEXT, object TEXT, expected TEXT,"
    " actual TEXT);"
    "CREATE TABLE vals(machine INTEGER NOT NULL REFERENCES machines(id), name TEXT NOT NULL,"
    " value TEXT);"
    "BEGIN;";

static enum status complain(struct fleet_db *db, const char *what)
{
    (void)fprintf(stderr, "assay: fleet: %s: %s\n", what,
                  db->db == NULL ? "out of memory" : sqlite3_errmsg(db->db));
    return STATUS_IO;
}

static bool prepare(struct fleet_db *db, const char *sql, sqlite3_stmt **ret_statement)
{
    return sqlite3_prepare_v2(db->db, sql, -1, ret_statement, NULL) == SQLITE_OK;
}

enum status fleet_db_open(const char *path, sqlite3_int64 first_id, struct fleet_db *ret_db)
{
    memset(ret_db, 0, sizeof(*ret_db));
    ret_db->next_id = first_id;
    if (sqlite3_open(path == NULL ? "" : path, &ret_db->db) != SQLITE_OK ||
        sqlite3_exec(ret_db->db, schema, NULL, NULL, NULL) != SQLITE_OK ||
        !prepare(ret_db,
                 "INSERT INTO machines VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                 &ret_db->machine) ||
        !prepare(ret_db, "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?)", &ret_db->finding) ||
        !prepare(ret_db, "INSERT INTO vals VALUES(?,?,?)", &ret_db->value)) {
        enum status status = complain(ret_db, path == NULL ? "temporary database" : path);

        fleet_db_close(ret_db);
        return status;
    }
    return STATUS_OK;
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    /* Bound texts live in the report until the step below is done. */
    (void)sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

static void bind_member(sqlite3_stmt *statement, int index, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (json_is_integer(value)) {
        (void)sqlite3_bind_int64(statement, index, json_integer_value(value));
    } else {
        bind_text(statement, index, json_string_value(value));
    }
}

static bool step(sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);

    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
    return result == SQLITE_DONE;
}

/* The names that a firmware's maker gave its DSDT: ACPI 6.5, 5.2.6 OEMID and OEM Table ID. */
static void model_of_tables(const json_t *tables, char *ret_model, size_t bytes)
{
    const json_t *table;
    size_t index;

    (void)snprintf(ret_model, bytes, "unknown");
    json_array_foreach(tables, index, table)
    {
        const char *signature = json_text_string(table, "signature");
        const char *oem = json_text_string(table, "oem_id");
        const char *id = json_text_string(table, "oem_table_id");

        if (signature != NULL && strcmp(signature, "DSDT") == 0 && oem != NULL && id != NULL) {
            (void)snprintf(ret_model, bytes, "DSDT of %s %s", oem, id);
            return;
        }
    }
}

/* What machines of one kind have in common: the product, else the CPU, else the DSDT's names. */
static void model_of(const json_t *root, char *ret_model, size_t bytes)
{
    const json_t *machine = json_object_get(root, "machine");
    const json_t *cpu = json_object_get(machine, "cpu");
    const char *vendor = json_text_string(machine, "vendor");
    const char *product = json_text_string(machine, "product");
    const char *cpu_vendor = json_text_string(cpu, "vendor");

    if (product != NULL) {
        (void)snprintf(ret_model, bytes, "%s%s%s", vendor == NULL ? "" : vendor,
                       vendor == NULL ? "" : " ", product);
    } else if (cpu_vendor != NULL) {
        (void)snprintf(ret_model, bytes, "%s family %llu model %llu", cpu_vendor,
                       (unsigned long long)json_text_number(cpu, "family", 0),
                       (unsigned long long)json_text_number(cpu, "model", 0));
    } else {
        model_of_tables(json_object_get(machine, "tables"), ret_model, bytes);
    }
}

static unsigned rank_of(const json_t *finding)
{
    static const char *const severities[] = {"critical", "high", "medium", "low"};
    const char *severity = json_text_string(finding, "severity");
    const char *verdict = json_text_string(finding, "verdict");
    unsigned rank = 0;

    if (verdict == NULL || (strcmp(verdict, "FAIL") != 0 && strcmp(verdict, "WARN") != 0)) {
        return 100;
    }
    while (rank < 4 && (severity == NULL || strcmp(severity, severities[rank]) != 0)) {
        rank++;
    }
    return rank + (strcmp(verdict, "FAIL") == 0 ? 0 : 10);
}

/* A FAIL before a WARN, then by severity. NULL when there is neither. */
static const json_t *worst_of(const json_t *findings)
{
    const json_t *worst = NULL;
    const json_t *finding;
    unsigned best = 100;
    size_t index;

    json_array_foreach(findings, index, finding)
    {
        if (rank_of(finding) < best) {
            best = rank_of(finding);
            worst = finding;
        }
    }
    return worst;
}

static bool add_machine(struct fleet_db *db, const char *path, const json_t *root)
{
    static const char *const machine_keys[] = {"source", "vendor", "product", "firmware_version",
                                               "firmware_date"};
    static const char *const cpu_keys[] = {"vendor", "family",    "model", "stepping",
                                           "brand",  "microcode", "count"};
    static const char *const total_keys[] = {"pass", "fail", "warn", "info", "skip"};
    static const char *const worst_keys[] = {"id", "verdict", "severity", "title"};
    const json_t *machine = json_object_get(root, "machine");
    const json_t *worst = worst_of(json_object_get(root, "findings"));
    char model[TEXT_BYTES];
    int index = 4;

    model_of(root, model, sizeof(model));
    (void)sqlite3_bind_int64(db->machine, 1, db->next_id);
    bind_text(db->machine, 2, path);
    bind_text(db->machine, 3, model);
    for (size_t i = 0; i < sizeof(machine_keys) / sizeof(machine_keys[0]); i++) {
        bind_member(db->machine, index++, machine, machine_keys[i]);
    }
    for (size_t i = 0; i < sizeof(cpu_keys) / sizeof(cpu_keys[0]); i++) {
        bind_member(db->machine, index++, json_object_get(machine, "cpu"), cpu_keys[i]);
    }
    bind_member(db->machine, index++, json_object_get(root, "assay"), "version");
    for (size_t i = 0; i < sizeof(total_keys) / sizeof(total_keys[0]); i++) {
        bind_member(db->machine, index++, json_object_get(root, "totals"), total_keys[i]);
    }
    for (size_t i = 0; i < sizeof(worst_keys) / sizeof(worst_keys[0]); i++) {
        bind_member(db->machine, index++, worst, worst_keys[i]);
    }
    return step(db->machine);
}

static bool add_findings(struct fleet_db *db, sqlite3_int64 machine, const json_t *findings)
{
    static const char *const keys[] = {"id",   "verdict", "severity", "title",
                                       "cpus", "object",  "expected", "actual"};
    const json_t *finding;
    size_t index;

    json_array_foreach(findings, index, finding)
    {
        const char *verdict = json_text_string(finding, "verdict");

        if (verdict == NULL || json_text_string(finding, "id") == NULL ||
            strcmp(verdict, "PASS") == 0) {
            continue;
        }
        (void)sqlite3_bind_int64(db->finding, 1, machine);
        for (int i = 0; i < (int)(sizeof(keys) / sizeof(keys[0])); i++) {
            bind_member(db->finding, i + 2, finding, keys[i]);
        }
        if (!step(db->finding)) {
            return false;
        }
    }
    return true;
}

static const json_t *first_enabled(const json_t *root)
{
    const json_t *processors = json_object_get(root, "processors");
    const json_t *processor;
    size_t index;

    json_array_foreach(processors, index, processor)
    {
        if (json_is_true(json_object_get(processor, "enabled"))) {
            return processor;
        }
    }
    return json_array_get(processors, 0);
}

/* What machines of one model should agree in: FADT, frequencies, and the objects of the first processor. */
static bool add_values(struct fleet_db *db, sqlite3_int64 machine, const json_t *root)
{
    static const char *const objects[] = {"pss", "pct", "ppc", "psd", "cpc", "cst", "csd", "lpi"};
    json_t *values = json_object();
    const json_t *text;
    const char *name;
    bool is_added = values != NULL;

    flatten("fadt", json_object_get(root, "fadt"), values);
    flatten("frequency", json_object_get(root, "frequency"), values);
    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        flatten_object(root, first_enabled(root), objects[i], values);
    }
    json_object_foreach(values, name, text)
    {
        (void)sqlite3_bind_int64(db->value, 1, machine);
        bind_text(db->value, 2, name);
        bind_text(db->value, 3, json_string_value(text));
        is_added = is_added && step(db->value);
    }
    json_decref(values);
    return is_added;
}

enum status fleet_db_add(struct fleet_db *db, const char *path, const json_t *root)
{
    sqlite3_int64 machine = db->next_id;

    if (!add_machine(db, path, root)) {
        return complain(db, path);
    }
    db->next_id++;
    if (!add_findings(db, machine, json_object_get(root, "findings")) ||
        !add_values(db, machine, root)) {
        return complain(db, path);
    }
    return STATUS_OK;
}

enum status fleet_db_merge(struct fleet_db *db, const char *path)
{
    static const char copy[] =
        "INSERT INTO main.machines SELECT * FROM part.machines;"
        "INSERT INTO main.findings SELECT * FROM part.findings;"
        "INSERT INTO main.vals SELECT * FROM part.vals; COMMIT; DETACH part; BEGIN;";
    char *attach = sqlite3_mprintf("COMMIT; ATTACH %Q AS part; BEGIN;", path);
    bool is_merged = attach != NULL &&
                     sqlite3_exec(db->db, attach, NULL, NULL, NULL) == SQLITE_OK &&
                     sqlite3_exec(db->db, copy, NULL, NULL, NULL) == SQLITE_OK;

    sqlite3_free(attach);
    return is_merged ? STATUS_OK : complain(db, path);
}

enum status fleet_db_commit(struct fleet_db *db)
{
    return sqlite3_exec(db->db, "COMMIT;", NULL, NULL, NULL) == SQLITE_OK
               ? STATUS_OK
               : complain(db, "cannot be finished");
}

enum status fleet_db_finish(struct fleet_db *db)
{
    if (sqlite3_exec(db->db,
                     "COMMIT; CREATE INDEX findings_id ON findings(id, verdict);"
                     "CREATE INDEX vals_machine ON vals(machine, name);",
                     NULL, NULL, NULL) != SQLITE_OK) {
        return complain(db, "cannot be finished");
    }
    return STATUS_OK;
}

void fleet_db_close(struct fleet_db *db)
{
    (void)sqlite3_finalize(db->machine);
    (void)sqlite3_finalize(db->finding);
    (void)sqlite3_finalize(db->value);
    (void)sqlite3_close(db->db);
    memset(db, 0, sizeof(*db));
}
