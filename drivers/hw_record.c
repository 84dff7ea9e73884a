#include "drivers/hw_record.h"

#include <string.h>

static struct hw_record *record_of(const struct hw *hw)
{
    return hw->context;
}

static const struct hw *inner_of(const struct hw *hw)
{
    return record_of(hw)->inner;
}

/* Whether this access goes into the trace: recording is on. */
static bool is_traced(struct hw_record *record)
{
    record->accesses++;
    return record->is_recording;
}

/* What was answered, or that nothing was there: the replay shall miss the same things. */
static void trace_answer(struct hw_record *record, enum status status, uint64_t value)
{
    if (status == STATUS_OK) {
        textbuf_printf(record->trace, " 0x%llx\n", (unsigned long long)value);
    } else {
        textbuf_string(record->trace, " absent\n");
    }
}

static void trace_plain(struct hw_record *record, const char *what, uint64_t address,
                        unsigned bytes)
{
    textbuf_printf(record->trace, "%s 0x%llx %u", what, (unsigned long long)address, bytes);
}

static void trace_pci(struct hw_record *record, const char *what, struct pci_address address,
                      uint32_t offset, unsigned bytes)
{
    textbuf_printf(record->trace, "%s %04x:%02x:%02x.%x 0x%x %u", what, (unsigned)address.segment,
                   (unsigned)address.bus, (unsigned)address.device, (unsigned)address.function,
                   offset, bytes);
}

static void record_cpuid(const struct hw *hw, uint32_t leaf, uint32_t subleaf,
                         struct cpuid_leaf *ret_leaf)
{
    inner_of(hw)->ops->cpuid(inner_of(hw), leaf, subleaf, ret_leaf);
}

static enum avail record_rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    return inner_of(hw)->ops->rdmsr(inner_of(hw), msr, ret_value);
}

static enum avail record_wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    return inner_of(hw)->ops->wrmsr(inner_of(hw), msr, value);
}

static uint64_t record_tsc(const struct hw *hw)
{
    return inner_of(hw)->ops->tsc(inner_of(hw));
}

static enum status record_port_read(const struct hw *hw, uint16_t port, unsigned bytes,
                                    uint32_t *ret_value)
{
    enum status status = inner_of(hw)->ops->port_read(inner_of(hw), port, bytes, ret_value);

    if (is_traced(record_of(hw))) {
        trace_plain(record_of(hw), "io r", port, bytes);
        trace_answer(record_of(hw), status, status == STATUS_OK ? *ret_value : 0);
    }
    return status;
}

static enum status record_port_write(const struct hw *hw, uint16_t port, unsigned bytes,
                                     uint32_t value)
{
    enum status status = inner_of(hw)->ops->port_write(inner_of(hw), port, bytes, value);

    if (is_traced(record_of(hw))) {
        trace_plain(record_of(hw), "io w", port, bytes);
        trace_answer(record_of(hw), status, value);
    }
    return status;
}

static enum status record_memory_read(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                      uint64_t *ret_value)
{
    enum status status = inner_of(hw)->ops->memory_read(inner_of(hw), paddr, bytes, ret_value);

    if (is_traced(record_of(hw))) {
        trace_plain(record_of(hw), "mem r", paddr, bytes);
        trace_answer(record_of(hw), status, status == STATUS_OK ? *ret_value : 0);
    }
    return status;
}

static enum status record_memory_write(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                       uint64_t value)
{
    enum status status = inner_of(hw)->ops->memory_write(inner_of(hw), paddr, bytes, value);

    if (is_traced(record_of(hw))) {
        trace_plain(record_of(hw), "mem w", paddr, bytes);
        trace_answer(record_of(hw), status, value);
    }
    return status;
}

static enum status record_pci_read(const struct hw *hw, struct pci_address address, uint32_t offset,
                                   unsigned bytes, uint64_t *ret_value)
{
    enum status status =
        inner_of(hw)->ops->pci_read(inner_of(hw), address, offset, bytes, ret_value);

    if (is_traced(record_of(hw))) {
        trace_pci(record_of(hw), "pci r", address, offset, bytes);
        trace_answer(record_of(hw), status, status == STATUS_OK ? *ret_value : 0);
    }
    return status;
}

static enum status record_pci_write(const struct hw *hw, struct pci_address address,
                                    uint32_t offset, unsigned bytes, uint64_t value)
{
    enum status status = inner_of(hw)->ops->pci_write(inner_of(hw), address, offset, bytes, value);

    if (is_traced(record_of(hw))) {
        trace_pci(record_of(hw), "pci w", address, offset, bytes);
        trace_answer(record_of(hw), status, value);
    }
    return status;
}

static void record_stall_us(const struct hw *hw, uint64_t us)
{
    inner_of(hw)->ops->stall_us(inner_of(hw), us);
}

/* The procedure gets the inner hw: what it may use is not traced, and several CPUs may run it at once.
 * Seven parameters are the contract of hw.h. NOLINTNEXTLINE(readability-function-size) */
static enum status record_run_on_cpus(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                                      hw_procedure procedure, void *argument, uint32_t timeout_ms,
                                      enum hw_run *ret_run)
{
    return inner_of(hw)->ops->run_on_cpus(inner_of(hw), count, wanted, procedure, argument,
                                          timeout_ms, ret_run);
}

static const struct hw_ops record_ops = {
    .cpuid = record_cpuid,
    .rdmsr = record_rdmsr,
    .wrmsr = record_wrmsr,
    .tsc = record_tsc,
    .port_read = record_port_read,
    .port_write = record_port_write,
    .memory_read = record_memory_read,
    .memory_write = record_memory_write,
    .pci_read = record_pci_read,
    .pci_write = record_pci_write,
    .stall_us = record_stall_us,
    .run_on_cpus = record_run_on_cpus,
};

void hw_record_start(struct hw_record *record, const struct hw *inner, struct textbuf *trace)
{
    memset(record, 0, sizeof(*record));
    record->hw = (struct hw){
        .ops = &record_ops, .context = record, .name = "record", .is_live = inner->is_live};
    record->inner = inner;
    record->trace = trace;
}

void hw_record_denied(struct hw_record *record, uint64_t paddr, unsigned bytes)
{
    if (is_traced(record)) {
        trace_plain(record, "mem w", paddr, bytes);
        textbuf_string(record->trace, " denied\n");
    }
}
