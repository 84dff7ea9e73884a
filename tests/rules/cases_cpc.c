#include "tests/rules/cases.h"

/* The clean _CPC in pieces, so that one element can be replaced. */
#define LEVELS "166 126 60 20 N "
#define DESIRED "{127 8 16 4 0xC00102B3} "
#define MIN "{127 8 8 4 0xC00102B3} "
#define MAX "{127 8 0 4 0xC00102B3} "
#define COUNTERS "{127 64 0 4 0xE7} {127 64 0 4 0xE8} "
#define LIMITED "{127 2 0 4 0xC00102B4} "
#define ENABLE "{127 1 0 4 0xC00102B1} "
#define EPP "{127 8 24 4 0xC00102B3} "
#define CONTROLS DESIRED MIN MAX "N N N " COUNTERS LIMITED ENABLE
#define TAIL "1 N " EPP "126 550 3500)"
#define WITH_LEVELS(levels) "cpc (23 3 " levels " N " CONTROLS TAIL
#define WITH_FREQUENCIES(three) "cpc (23 3 " LEVELS CONTROLS "1 N " EPP three ")"
#define WITH_DESIRED(reg) "cpc (23 3 " LEVELS reg MIN MAX "N N N " COUNTERS LIMITED ENABLE TAIL
#define WITH_COUNTERS(two) "cpc (23 3 " LEVELS DESIRED MIN MAX "N N N " two LIMITED ENABLE TAIL

static void no_flexible_addresses(struct fixture *fixture)
{
    fixture->platform.handshake.platform_reply &= ~(1U << 14);
}

static void no_pcct(struct fixture *fixture)
{
    fixture->platform.pcct.avail = AVAIL_ABSENT;
}

static void short_subspace(struct fixture *fixture)
{
    fixture->subspaces[0].length_bytes = 64;
}

static void no_latency(struct fixture *fixture)
{
    fixture->subspaces[0].latency_us = 0;
}

static void extended_subspace(struct fixture *fixture)
{
    fixture->subspaces[0].type = 3;
}

static void no_table_matches(struct fixture *fixture)
{
    fixture->platform.tsc_hz = 1000000000;
    fixture->platform.idle_count = 0;
}

static struct pcc_account account;

static void give_account(struct fixture *fixture, struct pcc_account commands)
{
    account = commands;
    fixture->platform.pcc = &account;
    fixture->platform.pcc_count = 1;
}

static void command_timed_out(struct fixture *fixture)
{
    give_account(fixture, (struct pcc_account){.commands = 3, .timeouts = 1});
}

static void command_ended_with_error(struct fixture *fixture)
{
    give_account(fixture, (struct pcc_account){.commands = 3, .errors = 2});
}

/* Nominal latency 100 us in the fixture, 201 us needed. */
static void slow_commands(struct fixture *fixture)
{
    uint64_t ns = (uint64_t)fixture->subspaces[0].latency_us * 1000;

    give_account(fixture, (struct pcc_account){.commands = 4,
                                               .timed = 4,
                                               .sum_ns = 4 * (2 * ns + 1000),
                                               .longest_ns = 3 * ns});
}

const struct rule_case cases_of_cpc[] = {
    {"CPC-001", MACHINE_BARE, "cpc 5", NULL, NULL},
    {"CPC-002", MACHINE_BARE, "cpc (\"23\" 3 " LEVELS CONTROLS TAIL, NULL, NULL},
    {"CPC-003", MACHINE_BARE, "cpc (23 \"3\" " LEVELS CONTROLS TAIL, NULL, NULL},
    {"CPC-004", MACHINE_BARE, "cpc (23 9 " LEVELS CONTROLS TAIL, NULL, NULL},
    {"CPC-004", MACHINE_BARE, "cpc (23 0 " LEVELS CONTROLS TAIL, NULL, NULL},
    {"CPC-005", MACHINE_BARE, "cpc (21 3 " LEVELS CONTROLS "1 N " EPP "126)", NULL, NULL},
    {"CPC-005", MACHINE_BARE, "cpc (23 2 " LEVELS CONTROLS TAIL, NULL, NULL},
    {"CPC-006", MACHINE_BARE, "cpc (23 3 " LEVELS CONTROLS "1 N " EPP "126)", NULL, NULL},
    {"CPC-006", MACHINE_BARE, "cpc (21 2 " LEVELS CONTROLS TAIL, NULL, NULL},
    {"CPC-007", MACHINE_BARE, "cpc (17 1 " LEVELS CONTROLS ")", NULL, NULL},
    {"CPC-008", MACHINE_BARE, WITH_LEVELS("\"166\" 126 60 20"), NULL, NULL},
    {"CPC-008", MACHINE_BARE, WITH_LEVELS("166 (126) 60 20"), NULL, NULL},
    {"CPC-009", MACHINE_BARE, WITH_DESIRED("126 "), NULL, NULL},
    {"CPC-009", MACHINE_BARE, WITH_COUNTERS("0 {127 64 0 4 0xE8} "), NULL, NULL},
    {"CPC-010", MACHINE_BARE, "cpc (23 3 166 126 60 20 ~ " CONTROLS TAIL, NULL, NULL},
    {"CPC-011", MACHINE_BARE, WITH_LEVELS("166 N 60 20"), NULL, NULL},
    {"CPC-011", MACHINE_BARE, WITH_COUNTERS("{127 64 0 4 0xE7} N "), NULL, NULL},
    {"CPC-012", MACHINE_BARE, WITH_DESIRED("[82 0C 00 7F 08] "), NULL, NULL},

    {"CPC-020", MACHINE_BARE, WITH_DESIRED("{3 8 0 1 0x40} "), NULL, NULL},
    {"CPC-021", MACHINE_BARE, WITH_DESIRED("{127 0 16 4 0xC00102B3} "), "CPC-027", NULL},
    {"CPC-021", MACHINE_BARE, WITH_DESIRED("{127 8 60 4 0xC00102B3} "), "CPC-027 CPC-022", NULL},
    {"CPC-022", MACHINE_BARE, WITH_DESIRED("{127 8 16 1 0xC00102B3} "), NULL, NULL},
    {"CPC-022", MACHINE_BARE, WITH_DESIRED("{127 8 16 9 0xC00102B3} "), NULL, NULL},
    {"CPC-023", MACHINE_BARE, WITH_DESIRED("{1 8 0 0 0x480} "), NULL, NULL},
    {"CPC-023", MACHINE_BARE, WITH_DESIRED("{1 8 0 1 0x10480} "), NULL, NULL},
    {"CPC-024", MACHINE_BARE, WITH_DESIRED("{0 32 0 3 0} "), NULL, NULL},
    {"CPC-024", MACHINE_BARE, WITH_DESIRED("{0 32 0 3 0xFED00002} "), NULL, NULL},
    {"CPC-025", MACHINE_BARE, WITH_DESIRED("{10 12 0 0 0x20} "), NULL, NULL},
    {"CPC-026", MACHINE_PCC,
     "cpc (23 3 {10 32 0 0 0} {10 32 0 0 4} {10 32 0 0 8} {10 32 0 1 12} N {10 32 0 0 20} "
     "{10 32 0 0 24} {10 32 0 0 28} N N N {127 64 0 4 0xE7} {127 64 0 4 0xE8} {10 32 0 0 52} "
     "{10 32 0 0 56} {10 32 0 0 60} N {10 32 0 0 68} N 560 3400)",
     NULL, NULL},
    {"CPC-027", MACHINE_BARE, WITH_DESIRED("{127 8 32 4 0xC00102B3} "), NULL, NULL},
    {"CPC-027", MACHINE_BARE, WITH_DESIRED("{127 8 16 4 0xC00102B5} "), NULL, NULL},
    {"CPC-028", MACHINE_INTEL, "cpc (23 3 42 36 12 1 N " CONTROLS "1 N " EPP "36 100 3600)",
     "AMC-007 XOB-008", NULL},
    {"CPC-029", MACHINE_BARE, WITH_COUNTERS("{127 64 0 4 0xE8} {127 64 0 4 0xE7} "), NULL, NULL},
    {"CPC-029", MACHINE_BARE, WITH_COUNTERS("{127 64 0 4 0xE7} {127 64 0 4 0xE7} "), "CPC-032",
     NULL},
    {"CPC-030", MACHINE_BARE, WITH_COUNTERS("{127 64 0 4 0xE7} {127 16 0 4 0xE8} "), NULL, NULL},
    {"CPC-031", MACHINE_BARE,
     "cpc (23 3 " LEVELS DESIRED MAX MAX "N N N " COUNTERS LIMITED ENABLE TAIL, "CPC-027", NULL},
    {"CPC-032", MACHINE_INTEL,
     "cpc (23 3 {127 8 0 4 0x771} {127 8 8 4 0xCE} {127 8 24 4 0x771} {127 8 24 4 0x771} "
     "{127 8 8 4 0x771} {127 8 16 4 0x774} {127 8 0 4 0x774} {127 8 8 4 0x774} N N N "
     "{127 64 0 4 0xE7} {127 64 0 4 0xE8} {127 2 1 4 0x777} {127 1 0 4 0x770} 1 "
     "{127 10 32 4 0x774} {127 8 24 4 0x774} 36 100 3600)",
     "CPC-027", NULL},
    {"CPC-033", MACHINE_BARE,
     "cpc (23 3 " LEVELS DESIRED MIN "N N N N " COUNTERS LIMITED ENABLE TAIL, NULL, NULL},
    {"CPC-034", MACHINE_BARE, WITH_LEVELS("300 126 60 20"), NULL, NULL},
    {"CPC-035", MACHINE_INTEL,
     "cpc (23 3 {1 8 0 1 0x25D} {127 8 8 4 0xCE} {127 8 16 4 0x771} {127 8 24 4 0x771} "
     "{127 8 8 4 0x771} {127 8 16 4 0x774} {127 8 0 4 0x774} {127 8 8 4 0x774} N N N "
     "{127 64 0 4 0xE7} {127 64 0 4 0xE8} {127 2 1 4 0x777} {127 1 0 4 0x770} 1 "
     "{127 10 32 4 0x774} {127 8 24 4 0x774} 36 100 3600)",
     NULL, no_flexible_addresses},

    {"CPC-036", MACHINE_BARE, WITH_DESIRED("N "), NULL, NULL},
    {"CPC-037", MACHINE_BARE,
     "cpc (23 3 " LEVELS DESIRED MIN "{127 8 8 4 0x774} N N N " COUNTERS LIMITED ENABLE TAIL, NULL,
     NULL},

    {"CPC-038", MACHINE_BARE, WITH_DESIRED("{0 24 0 0 0xFED00000} "), NULL, NULL},

    {"CPC-040", MACHINE_BARE, WITH_LEVELS("166 126 60 0"), NULL, NULL},
    {"CPC-040", MACHINE_BARE, WITH_LEVELS("0 0 0 0"), NULL, NULL},
    {"CPC-041", MACHINE_BARE, WITH_LEVELS("100 126 60 20"), NULL, NULL},
    {"CPC-042", MACHINE_BARE, WITH_LEVELS("166 126 140 20"), NULL, NULL},
    {"CPC-043", MACHINE_BARE, WITH_LEVELS("166 126 10 20"), NULL, NULL},
    {"CPC-044", MACHINE_BARE, WITH_LEVELS("126 126 126 126"), "CPC-053", NULL},
    {"CPC-045", MACHINE_BARE, WITH_LEVELS("255 50 30 8"), "CPC-048", NULL},
    {"CPC-046", MACHINE_BARE, WITH_LEVELS("0x1000000A6 126 60 20"), "CPC-034 CPC-045", NULL},
    {"CPC-047", MACHINE_INTEL, "value@0 4 99", NULL, NULL},
    {"CPC-048", MACHINE_BARE, WITH_FREQUENCIES("63 550 3500"), NULL, NULL},
    {"CPC-049", MACHINE_BARE, WITH_FREQUENCIES("126 550 0"), NULL, NULL},
    {"CPC-050", MACHINE_BARE, WITH_FREQUENCIES("126 550000 3500000"), NULL, NULL},
    {"CPC-050", MACHINE_BARE, WITH_FREQUENCIES("126 1 4"), NULL, NULL},
    {"CPC-051", MACHINE_BARE, WITH_FREQUENCIES("126 5000 3500"), NULL, NULL},
    {"CPC-052", MACHINE_BARE, WITH_FREQUENCIES("126 0 3500"), NULL, NULL},
    {"CPC-052", MACHINE_INTEL,
     "cpc (23 3 {127 8 0 4 0x771} {127 8 8 4 0xCE} {127 8 16 4 0x771} {127 8 24 4 0x771} "
     "{127 8 8 4 0x771} {127 8 16 4 0x774} {127 8 0 4 0x774} {127 8 8 4 0x774} N N N "
     "{127 64 0 4 0xE7} {127 64 0 4 0xE8} {127 2 1 4 0x777} {127 1 0 4 0x770} 1 "
     "{127 10 32 4 0x774} {127 8 24 4 0x774} 36 0 3600)",
     NULL, NULL},
    {"CPC-053", MACHINE_BARE, WITH_LEVELS("166 126 126 126"), NULL, NULL},
    {"CPC-053", MACHINE_BARE, WITH_FREQUENCIES("126 3500 3500"), "CPC-054 XOB-002", NULL},
    {"CPC-054", MACHINE_BARE, WITH_FREQUENCIES("126 55 3500"), NULL, NULL},
    {"CPC-055", MACHINE_BARE, "cpc (23 3 " LEVELS CONTROLS "2 N " EPP "126 550 3500)", NULL, NULL},
    {"CPC-056", MACHINE_BARE,
     "cpc (23 3 " LEVELS DESIRED MIN MAX "N N 5 " COUNTERS LIMITED ENABLE TAIL, NULL, NULL},

    {"CPC-060", MACHINE_BARE, "cpc@1 absent", NULL, NULL},
    {"CPC-061", MACHINE_AMD, "cpc@2 (23 3 166 119 60 20 N " CONTROLS "1 N " EPP "119 570 4700)",
     "XOB-001 CPC-048 CPC-054", NULL},
    {"CPC-062", MACHINE_AMD, "cpc@2 (23 3 166 119 60 20 N " CONTROLS "1 N " EPP "119 600 3400)",
     NULL, NULL},
    {"CPC-063", MACHINE_AMD, "cpc@2 (21 2 166 119 60 20 N " CONTROLS "1 N " EPP "119)",
     "AMC-005 CPC-061 CPC-062", NULL},
    {"CPC-064", MACHINE_HYBRID, "cpc absent", NULL, NULL},

    {"PCC-001", MACHINE_PCC, NULL, NULL, no_pcct},
    {"PCC-002", MACHINE_PCC, NULL, NULL, short_subspace},
    {"PCC-003", MACHINE_PCC, NULL, NULL, no_latency},
    {"PCC-004", MACHINE_PCC, NULL, NULL, extended_subspace},
    {"PCC-005", MACHINE_PCC, NULL, NULL, command_timed_out},
    {"PCC-005", MACHINE_PCC, NULL, NULL, command_ended_with_error},
    {"PCC-006", MACHINE_PCC, NULL, NULL, slow_commands},

    {"XOB-005", MACHINE_BARE, "cpc (23 3 127 126 60 20 N " CONTROLS "1 N " EPP "126 480 3000)",
     "XOB-001", NULL},
    {"XOB-006", MACHINE_AMD, "cpc (23 3 119 119 60 20 N " CONTROLS "1 N " EPP "119 570 3400)", NULL,
     NULL},
    {"XOB-007", MACHINE_BARE, WITH_LEVELS("255 126 60 20"), NULL, NULL},
    {"CPC-048", MACHINE_AMD, NULL, "FRQ-003 FRQ-013", no_table_matches},
    {NULL, MACHINE_BARE, NULL, NULL, NULL},
};
