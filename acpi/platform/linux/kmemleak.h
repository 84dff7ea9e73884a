/*
 * ACPICA's utobject.c, as the Linux source package carries it, includes <linux/kmemleak.h> for one
 * call that tells the kernel's leak detector about an object. There is no such detector here.
 */
#pragma once

static inline void kmemleak_not_leak(const void *object)
{
    (void)object;
}
