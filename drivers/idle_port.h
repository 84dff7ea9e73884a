#pragma once

#include "model/platform.h"

/* The I/O port whose 8-bit read puts the boot CPU to sleep, and whether it may be tried. */
struct idle_port {
    uint16_t port;     /* 0: none */
    const char *state; /* "C2" or "C3" */
    const char *from;  /* "_CST" or "P_BLK" */
    bool has_declared_latency;
    uint64_t declared_latency_us;
};

/*
 * Chooses the port: the first _CST state of type 2 in SystemIO; else the deepest SystemIO state of type 3,
 * where entering it needs neither a cache flush nor bus-master arbitration; else P_LVL2 of the P_BLK when
 * P_LVL2_LAT says that C2 is there. NULL and *ret_port when there is one, else the reason.
 */
const char *idle_port_choose(const struct platform *platform, struct idle_port *ret_port);

/* Why the local APIC timer cannot be trusted to end a sleep in that port's state, or NULL when it can. */
const char *idle_port_wake_risk(const struct platform *platform);
