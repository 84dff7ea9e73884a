#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel release: "5.11-rc4", "6.12", "6.12.117", or a distribution's "6.8.0-45-generic". */
struct linux_version {
    uint16_t major;
    uint16_t minor;
    uint16_t sublevel; /* the stable release; 0 for the release itself and for candidates */
    uint8_t rc;        /* 0: the release; n: release candidate n, which comes before the release */
    bool
        has_suffix; /* a distribution's build, whose own backports are not known; no part of the order */
};

/* The newest kernel whose rules are known here. */
extern const struct linux_version LINUX_NEWEST;

/* The releases that reports show unless asked otherwise, oldest first. */
uint32_t linux_profiles_count(void);
struct linux_version linux_profile_at(uint32_t index);

/*
 * Reads "[v]MAJOR.MINOR[.SUBLEVEL][-rcN]", with whatever a distribution appends behind a "-", "+", "_" or "~"
 * ("-45-generic", "-503.el9.x86_64"), which is taken note of and not interpreted. False (and *ret_version
 * untouched) for anything else.
 */
bool linux_version_parse(const char *text, struct linux_version *ret_version);

/* Below 0, 0 or above 0 as a is older than, equal to or newer than b. */
int linux_version_compare(struct linux_version a, struct linux_version b);

/* Whether version is `since` or newer. */
bool linux_version_since(struct linux_version version, struct linux_version since);

/* Writes "6.12" or "5.11-rc4" or "6.12.117", without a suffix; always NUL-terminated. */
void linux_version_format(struct linux_version version, char *text, size_t text_bytes);
