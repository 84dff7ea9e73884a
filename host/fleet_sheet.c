#include "host/fleet_sheet.h"

#include <string.h>

#define COLUMNS_MAX 12
/* A model needs so many machines before one of them can be unusual. */
#define ROWS_MAX 10000

struct query {
    const char *heading;
    const char *sql;
};

static const char *text_of(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);

    return text == NULL ? "" : (const char *)text;
}

static void run(const struct sheet *sheet, struct fleet_db *db, const struct query *query)
{
    const char *columns[COLUMNS_MAX];
    sqlite3_stmt *statement = NULL;
    json_t *rows = json_array();
    int count;

    if (sqlite3_prepare_v2(db->db, query->sql, -1, &statement, NULL) != SQLITE_OK) {
        sheet_line(sheet, "%s: %s", query->heading, sqlite3_errmsg(db->db));
        json_decref(rows);
        return;
    }
    count = sqlite3_column_count(statement);
    count = count < COLUMNS_MAX ? count : COLUMNS_MAX;
    while (sqlite3_step(statement) == SQLITE_ROW && json_array_size(rows) < ROWS_MAX) {
        json_t *row = sheet_row(rows);

        for (int i = 0; i < count; i++) {
            sheet_cell(row, "%s", text_of(statement, i));
        }
    }
    for (int i = 0; i < count; i++) {
        columns[i] = sqlite3_column_name(statement, i);
    }
    sheet_heading(sheet, query->heading);
    if (json_array_size(rows) == 0) {
        sheet_line(sheet, "none");
    }
    sheet_table(sheet, columns, (size_t)count, rows);
    (void)sqlite3_finalize(statement);
    json_decref(rows);
}

/* At least three machines of a model, at least two thirds of which agree; at most a third differ the same way. */
static const struct query queries[] = {
    {"Machines",
     "SELECT path AS machine, model, ifnull(firmware_version,'') AS firmware, pass, fail, warn, "
     "info,"
     " skip, ifnull(worst_verdict||' '||worst_id||' ('||worst_severity||') '||worst_title,'none')"
     " AS \"worst finding\" FROM machines ORDER BY id"},
    {"Findings by number of machines",
     "SELECT count(DISTINCT machine) AS machines, id, verdict, severity, title FROM findings"
     " WHERE verdict IN ('FAIL','WARN') GROUP BY id, verdict"
     " ORDER BY machines DESC, verdict, id"},
    {"Unusual values within a model",
     "WITH c AS (SELECT m.model, v.name, v.value, count(*) AS n FROM vals v JOIN machines m"
     " ON m.id = v.machine WHERE m.model <> 'unknown' GROUP BY 1, 2, 3),"
     " t AS (SELECT model, name, sum(n) AS total, max(n) AS most FROM c GROUP BY 1, 2"
     " HAVING total >= 3 AND most < total AND most * 3 >= total * 2)"
     " SELECT m.model, m.path AS machine, o.name, o.value, u.value AS usual,"
     " t.most || ' of ' || t.total AS \"have it\" FROM t"
     " JOIN c AS u ON u.model = t.model AND u.name = t.name AND u.n = t.most"
     " JOIN c AS o ON o.model = t.model AND o.name = t.name AND o.value <> u.value"
     " JOIN machines m ON m.model = t.model"
     " JOIN vals v ON v.machine = m.id AND v.name = o.name AND v.value = o.value"
     " ORDER BY m.model, m.path, o.name LIMIT 500"},
    {"Unusual findings within a model",
     "WITH t AS (SELECT model, count(*) AS total FROM machines WHERE model <> 'unknown'"
     " GROUP BY 1 HAVING total >= 3),"
     " f AS (SELECT m.model, f.id, f.verdict, count(DISTINCT m.id) AS n FROM findings f"
     " JOIN machines m ON m.id = f.machine WHERE f.verdict IN ('FAIL','WARN') GROUP BY 1, 2, 3)"
     " SELECT DISTINCT f.model, m.path AS machine, f.verdict, f.id, g.title,"
     " f.n || ' of ' || t.total AS \"have it\" FROM f JOIN t ON t.model = f.model"
     " JOIN machines m ON m.model = f.model"
     " JOIN findings g ON g.machine = m.id AND g.id = f.id AND g.verdict = f.verdict"
     " WHERE f.n * 3 <= t.total ORDER BY f.model, machine, f.id LIMIT 500"},
};

void fleet_sheet(const struct sheet *sheet, struct fleet_db *db)
{
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        run(sheet, db, &queries[i]);
    }
}

/* RFC 4180: quotes are doubled, a field with a separator is quoted. */
static void csv_field(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        (void)fputs(text, out);
        return;
    }
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            (void)fputc('"', out);
        }
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

bool fleet_csv(FILE *out, struct fleet_db *db)
{
    static const char sql[] =
        "SELECT m.path, m.model, m.firmware_version, 'value', v.name, '', v.value, ''"
        " FROM vals v JOIN machines m ON m.id = v.machine UNION ALL"
        " SELECT m.path, m.model, m.firmware_version, 'finding', f.id, f.cpus, f.verdict, "
        "f.severity"
        " FROM findings f JOIN machines m ON m.id = f.machine";
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(db->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        return false;
    }
    (void)fputs("machine,model,firmware_version,kind,name,cpus,value,severity\r\n", out);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; i < 8; i++) {
            csv_field(out, text_of(statement, i));
            (void)fputs(i == 7 ? "\r\n" : ",", out);
        }
    }
    return sqlite3_finalize(statement) == SQLITE_OK && fflush(out) == 0 && ferror(out) == 0;
}
