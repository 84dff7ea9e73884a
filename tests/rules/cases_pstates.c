#include "tests/rules/cases.h"

#define ROW_A "(3500 4500 0 0 0 0)"
#define ROW_B "(2800 3000 0 0 1 1)"
#define ROW_C "(1700 1500 0 0 2 2)"
#define PCT_B "{127 64 0 0 0xC0010063}"

static void no_handshake_bit(struct fixture *fixture)
{
    fixture->platform.handshake.platform_reply &= ~(1U << 10);
}

const struct rule_case cases_of_pstates[] = {
    {"PSS-001", MACHINE_BARE, "pss 5", "PSS-022", NULL},
    {"PSS-002", MACHINE_BARE, "pss ()", NULL, NULL},
    {"PSS-003", MACHINE_BARE, "pss (" ROW_A "(2800 3000 0 0 1)" ROW_C ")", NULL, NULL},
    {"PSS-003", MACHINE_BARE, "pss (" ROW_A "7" ROW_C ")", NULL, NULL},
    {"PSS-004", MACHINE_BARE, "pss (" ROW_A ROW_B "(1700 1500 0 0 2 2 9))", NULL, NULL},
    {"PSS-005", MACHINE_BARE, "pss ((\"3500\" 4500 0 0 0 0)" ROW_B ROW_C ")", NULL, NULL},
    {"PSS-005", MACHINE_BARE, "pss (" ROW_A "(2800 3000 0 0 ~ 1)" ROW_C ")", NULL, NULL},
    {"PSS-006", MACHINE_INTEL,
     "pss ((3600 9000 9 9 0x2400 0x2400)(3500 9000 9 9 0x2300 0x2300)(3400 9000 9 9 0x2200 0x2200)"
     "(3300 9000 9 9 0x2100 0x2100)(3200 9000 9 9 0x2000 0x2000)(3100 9000 9 9 0x1F00 0x1F00)"
     "(3000 9000 9 9 0x1E00 0x1E00)(2900 9000 9 9 0x1D00 0x1D00)(2800 9000 9 9 0x1C00 0x1C00)"
     "(2700 9000 9 9 0x1B00 0x1B00)(2600 9000 9 9 0x1A00 0x1A00)(2500 9000 9 9 0x1900 0x1900)"
     "(2400 9000 9 9 0x1800 0x1800)(2300 9000 9 9 0x1700 0x1700)(2200 9000 9 9 0x1600 0x1600)"
     "(2100 9000 9 9 0x1500 0x1500)(2000 9000 9 9 0x1400 0x1400))",
     NULL, no_handshake_bit},
    {"PSS-007", MACHINE_BARE, "pss ((1700 4500 0 0 0 0) (2800 3000 0 0 1 1) (3500 1500 0 0 2 2))",
     NULL, NULL},
    {"PSS-007", MACHINE_BARE, "pss (" ROW_A "(1700 1500 0 0 2 2)(2800 1400 0 0 1 1))", NULL, NULL},
    {"PSS-008", MACHINE_BARE, "pss (" ROW_A ROW_B "(2800 3000 0 0 2 2))", NULL, NULL},
    {"PSS-009", MACHINE_BARE, "pss (" ROW_A ROW_B ROW_B ")", NULL, NULL},
    {"PSS-010", MACHINE_BARE, "pss (" ROW_A ROW_B "(1700 1500 0 0 1 2))", "PSS-032", NULL},
    {"PSS-011", MACHINE_BARE, "pss (" ROW_A ROW_B "(1700 1500 0 0 2 1))", "PSS-032", NULL},
    {"PSS-012", MACHINE_BARE, "pss (" ROW_A ")", NULL, NULL},
    {"PSS-013", MACHINE_INTEL,
     "pss ((3601 91000 10 10 0x2A00 0x2A00) (3600 91000 10 10 0x2400 0x2400) "
     "(2400 50000 10 10 0x1800 0x1800) (800 12000 10 10 0x2000 0x2000))",
     NULL, NULL},
    {"PSS-014", MACHINE_BARE, "pss ((3500 4500 0 0 2 2) (2800 3000 0 0 1 1) (1700 1500 0 0 0 0))",
     NULL, NULL},
    {"PSS-020", MACHINE_BARE, "pss (" ROW_A ROW_B "(0 1500 0 0 2 2))", NULL, NULL},
    {"PSS-021", MACHINE_BARE, "pss (" ROW_A ROW_B "(0x80000000 1500 0 0 2 2))", NULL, NULL},
    {"PSS-021", MACHINE_BARE, "pss (" ROW_A ROW_B "(0xFFFF 0xFFFFFFFF 255 255 0xFFFF 0xFFFF))",
     NULL, NULL},
    {"PSS-022", MACHINE_BARE, "pss ((0x80000000 0 0 0 0 0)(0x80000000 0 0 0 1 1))", "PSS-021",
     NULL},
    {"PSS-023", MACHINE_BARE, "pss ((3500000 4500 0 0 0 0)" ROW_B ROW_C ")", NULL, NULL},
    {"PSS-024", MACHINE_BARE, "pss ((900 4500 0 0 0 0)(800 3000 0 0 1 1)(700 1500 0 0 2 2))",
     "XOB-001", NULL},
    {"PSS-025", MACHINE_BARE, "pss (" ROW_A ROW_B "(17 1500 0 0 2 2))", NULL, NULL},
    {"PSS-026", MACHINE_BARE, "pss ((3500 1500 0 0 0 0)(2800 3000 0 0 1 1)(1700 4500 0 0 2 2))",
     NULL, NULL},
    {"PSS-027", MACHINE_BARE, "pss (" ROW_A ROW_B "(1700 0 0 0 2 2))", NULL, NULL},
    {"PSS-028", MACHINE_BARE, "pss ((3500 45 0 0 0 0)(2800 30 0 0 1 1)(1700 15 0 0 2 2))", NULL,
     NULL},
    {"PSS-028", MACHINE_BARE, "pss ((3500 4500000 0 0 0 0)" ROW_B ROW_C ")", NULL, NULL},
    {"PSS-029", MACHINE_BARE, "pss (" ROW_A "(2800 3000 100000 0 1 1)" ROW_C ")", NULL, NULL},
    {"PSS-030", MACHINE_BARE, "pss (" ROW_A "(2800 3000 0 100000 1 1)" ROW_C ")", NULL, NULL},
    {"PSS-031", MACHINE_BARE, "pss (" ROW_A ROW_B "(1700 1500 0 0 9 9))", NULL, NULL},
    {"PSS-032", MACHINE_BARE, "pss (" ROW_A "(2800 3000 0 0 1 5)" ROW_C ")", NULL, NULL},
    {"PSS-040", MACHINE_BARE, "pss@1 absent", NULL, NULL},
    {"PSS-041", MACHINE_BARE, "pss@1 ((3600 4500 0 0 0 0)" ROW_B ROW_C ")", "XOB-001", NULL},
    {"PSS-041", MACHINE_INTEL,
     "pss@3 ((3601 91000 10 10 0x2A00 0x2A00) (3600 91000 10 10 0x2400 0x2400))", "PSD-012", NULL},
    {"PSS-042", MACHINE_BARE, "pss absent", NULL, NULL},
    {"PSS-043", MACHINE_BARE, "pct absent", NULL, NULL},

    {"PCT-001", MACHINE_BARE, "pct 1", NULL, NULL},
    {"PCT-002", MACHINE_BARE, "pct ({127 64 0 0 0xC0010062})", NULL, NULL},
    {"PCT-002", MACHINE_BARE, "pct ({127 64 0 0 0xC0010062}" PCT_B PCT_B ")", NULL, NULL},
    {"PCT-003", MACHINE_BARE,
     "pct ([47 01 80 08 80 08 01 02 79 00] [47 01 82 08 82 08 01 02 79 00])", NULL, NULL},
    {"PCT-003", MACHINE_BARE, "pct (0x199 0x198)", NULL, NULL},
    {"PCT-004", MACHINE_BARE, "pct ({0 64 0 0 0x1000} {0 64 0 0 0x1008})", NULL, NULL},
    {"PCT-004", MACHINE_BARE, "pct (N N)", "PCT-008", NULL},
    {"PCT-005", MACHINE_BARE, "pct ({127 64 0 0 0xC0010062} {1 16 0 0 0x882})", NULL, NULL},
    {"PCT-006", MACHINE_BARE, "pct ({1 16 0 0 0} {1 16 0 0 0x882})", NULL, NULL},
    {"PCT-006", MACHINE_BARE, "pct ({1 64 0 0 0x880} {1 16 0 0 0x882})", NULL, NULL},
    {"PCT-007", MACHINE_BARE, "pct ({127 64 0 0 0xC0010063} {127 64 0 0 0xC0010062})", NULL, NULL},
    {"PCT-007", MACHINE_BARE, "pct (" PCT_B PCT_B ")", NULL, NULL},
    {"PCT-007", MACHINE_INTEL, "pct ({127 64 0 0 0xC0010062}" PCT_B ")", "PSS-031 XOB-008", NULL},
    {"PCT-008", MACHINE_BARE, "pct ({127 12 0 0 0xC0010062}" PCT_B ")", NULL, NULL},
    {"PCT-008", MACHINE_BARE, "pct ({127 8 0 0 0xC0010062}" PCT_B ")", NULL, NULL},
    {"PCT-009", MACHINE_BARE, "pct ({1 16 0 1 0x880} {1 16 0 0 0x882})", NULL, NULL},
    {"PCT-010", MACHINE_BARE, "pct@1 absent", "PSS-043", NULL},
    {"PCT-011", MACHINE_BARE, "pct@1 ({127 64 0 0 0} {127 64 0 0 0})", NULL, NULL},

    {"PPC-001", MACHINE_BARE, "ppc \"0\"", NULL, NULL},
    {"PPC-002", MACHINE_BARE, "ppc 3", NULL, NULL},
    {"PPC-002", MACHINE_BARE, "ppc 0xFF", NULL, NULL},
    {"PPC-003", MACHINE_BARE, "ppc 2", NULL, NULL},
    {"PPC-003", MACHINE_BARE, "ppc 1", NULL, NULL},
    {"PPC-004", MACHINE_BARE, "ppc@1 1", NULL, NULL},
    {"PPC-005", MACHINE_BARE, "ppc absent", NULL, NULL},

    {"PSD-001", MACHINE_BARE, "psd 0", NULL, NULL},
    {"PSD-001", MACHINE_BARE, "psd@0 (5 0 0 0xFC 1)", NULL, NULL},
    {"PSD-002", MACHINE_BARE, "psd@0 ((5 0 0 0xFC 1)(5 0 0 0xFC 1))", NULL, NULL},
    {"PSD-002", MACHINE_BARE, "psd@0 ()", NULL, NULL},
    {"PSD-003", MACHINE_BARE, "psd@0 ((5 0 0 0xFC))", NULL, NULL},
    {"PSD-004", MACHINE_BARE, "psd@0 ((4 0 0 0xFC 1))", NULL, NULL},
    {"PSD-005", MACHINE_BARE, "psd@0 ((5 0 \"0\" 0xFC 1))", NULL, NULL},
    {"PSD-006", MACHINE_BARE, "psd@0 ((5 1 0 0xFC 1))", NULL, NULL},
    {"PSD-007", MACHINE_BARE, "psd@0 ((5 0 0 0x11 1))", NULL, NULL},
    {"PSD-007", MACHINE_BARE, "psd@0 ((5 0 0 0xFB 1))", NULL, NULL},
    {"PSD-008", MACHINE_BARE, "psd@0 ((5 0 0 0xFC 0))", NULL, NULL},
    {"PSD-009", MACHINE_AMD, "psd@1 ((5 0 0 0xFD 2))", NULL, NULL},
    {"PSD-010", MACHINE_AMD, "psd ((5 0 0 0xFE 16))", NULL, NULL},
    {"PSD-010", MACHINE_AMD, "psd ((5 0 0 0xFE 2))", NULL, NULL},
    {"PSD-010", MACHINE_BARE, "psd@0 ((5 0 0 0xFC 2))", NULL, NULL},
    {"PSD-011", MACHINE_BARE, "psd@1 absent", NULL, NULL},
    {"PSD-012", MACHINE_AMD, "pss@1 ((3400 4500 0 0 0 0) (2800 3000 0 0 1 1))", "PSS-041", NULL},
    {"PSD-013", MACHINE_PCC, "psd ((5 0 0 0xFC 4))", NULL, NULL},

    {"PSD-014", MACHINE_BARE, "psd@1 ((5 0 1 0xFE 1))", NULL, NULL},

    {"XOB-001", MACHINE_BARE, "pss ((3700 4500 0 0 0 0)" ROW_B ROW_C ")", NULL, NULL},
    {"XOB-008", MACHINE_BARE, "pct ({127 64 0 0 0x199} {127 64 0 0 0x198})", NULL, NULL},
    {"XOB-002", MACHINE_BARE, "pss (" ROW_A ROW_B "(500 1500 0 0 2 2))", NULL, NULL},
    {"XOB-003", MACHINE_INTEL, "cpuid 0x16 eax 2400", NULL, NULL},
    {"XOB-004", MACHINE_BARE, "pss absent;pct absent;ppc absent;cpc absent", NULL, NULL},
    {NULL, MACHINE_BARE, NULL, NULL, NULL},
};
