/*
 * ACPICA includes this after all of its own headers (acenvex.h), for a host that has to override
 * something. Nothing is overridden here; the file has to exist.
 */
#pragma once
