#pragma once

#include <stddef.h>
#include <stdint.h>

/* A moment as a firmware clock gives it. */
struct wall_time {
    uint32_t year; /* 1900..9999 */
    uint32_t month;
    uint32_t day;
    uint32_t hour;
    uint32_t minute;
    uint32_t second;
};

/* The same moment `minutes` later (or earlier, when negative), by the Gregorian calendar: turns local time
 * into UTC. A time whose fields are out of range is returned unchanged. */
struct wall_time wall_time_shift(const struct wall_time *time, int32_t minutes);

/*
 * The name of a results folder: "yyyymmdd-hhmmss-product", then "-n" for attempt n from 2 up, so that a
 * second run in the same second has its own. The product keeps letters, digits, '.' and '_'; runs of
 * anything else become one '-', and it is cut at 40 characters; NULL or nothing left gives "unknown".
 */
#define RESULT_NAME_BYTES 80
void result_name_format(const struct wall_time *utc, const char *product, uint32_t attempt,
                        char ret_name[RESULT_NAME_BYTES]);
