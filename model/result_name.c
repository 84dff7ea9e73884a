#include "model/result_name.h"

#include "model/textbuf.h"

#include <stdbool.h>
#include <string.h>

#define PRODUCT_MAX ((size_t)40)
#define MINUTES_PER_DAY 1440

static bool is_leap(uint32_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static uint32_t month_days(uint32_t year, uint32_t month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month - 1] + (month == 2 && is_leap(year) ? 1U : 0U);
}

static bool is_valid(const struct wall_time *time)
{
    return time->year >= 1900 && time->year <= 9999 && time->month >= 1 && time->month <= 12 &&
           time->day >= 1 && time->day <= month_days(time->year, time->month) && time->hour < 24 &&
           time->minute < 60 && time->second < 60;
}

static void next_day(struct wall_time *time)
{
    if (++time->day > month_days(time->year, time->month)) {
        time->day = 1;
        if (++time->month > 12) {
            time->month = 1;
            time->year++;
        }
    }
}

static void previous_day(struct wall_time *time)
{
    if (--time->day == 0) {
        if (--time->month == 0) {
            time->month = 12;
            time->year--;
        }
        time->day = month_days(time->year, time->month);
    }
}

struct wall_time wall_time_shift(const struct wall_time *time, int32_t minutes)
{
    struct wall_time shifted = *time;
    int32_t of_day;

    /* UEFI 2.10, 8.3 GetTime: a time zone is within a day of UTC. */
    if (!is_valid(time) || minutes < -MINUTES_PER_DAY || minutes > MINUTES_PER_DAY) {
        return shifted;
    }
    of_day = (int32_t)(time->hour * 60 + time->minute) + minutes;
    if (of_day < 0) {
        previous_day(&shifted);
        of_day += MINUTES_PER_DAY;
    } else if (of_day >= MINUTES_PER_DAY) {
        next_day(&shifted);
        of_day -= MINUTES_PER_DAY;
    }
    shifted.hour = (uint32_t)of_day / 60;
    shifted.minute = (uint32_t)of_day % 60;
    return shifted;
}

static bool is_kept(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '.' || character == '_';
}

static size_t clean_product(const char *product, char *ret_clean)
{
    size_t length = 0;

    for (; product != NULL && *product != '\0' && length < PRODUCT_MAX; product++) {
        if (is_kept(*product)) {
            ret_clean[length++] = *product;
        } else if (length > 0 && ret_clean[length - 1] != '-') {
            ret_clean[length++] = '-';
        }
    }
    /* FAT drops dots at the end of a name, and two names would become one. */
    while (length > 0 && (ret_clean[length - 1] == '-' || ret_clean[length - 1] == '.')) {
        length--;
    }
    ret_clean[length] = '\0';
    return length;
}

void result_name_format(const struct wall_time *utc, const char *product, uint32_t attempt,
                        char ret_name[RESULT_NAME_BYTES])
{
    char clean[PRODUCT_MAX + 1];
    struct textbuf text;

    if (clean_product(product, clean) == 0) {
        memcpy(clean, "unknown", sizeof("unknown"));
    }
    textbuf_init(&text, ret_name, RESULT_NAME_BYTES, NULL, NULL);
    textbuf_printf(&text, "%04u%02u%02u-%02u%02u%02u-%s", utc->year, utc->month, utc->day,
                   utc->hour, utc->minute, utc->second, clean);
    if (attempt > 1) {
        textbuf_printf(&text, "-%u", attempt);
    }
}
