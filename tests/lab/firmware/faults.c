#include "tests/lab/firmware/lab.h"

static const EFI_GUID mp_guid = MP_SERVICES_GUID;
static const EFI_GUID acpi_guids[] = {ACPI_20_TABLE_GUID, ACPI_TABLE_GUID};

static struct mp_services good; /* as they were */

/* The PI specification allows it, 1.8, volume 2, 13.4.1: EFI_UNSUPPORTED. */
static EFI_STATUS EFIAPI all_or_nothing(struct mp_services *self, mp_procedure procedure,
                                        BOOLEAN single_thread, EFI_EVENT event, UINTN timeout_us,
                                        void *argument, UINTN **ret_failed)
{
    return event != NULL ? EFI_UNSUPPORTED
                         : good.startup_all_aps(self, procedure, single_thread, event, timeout_us,
                                                argument, ret_failed);
}

static EFI_STATUS EFIAPI one_or_nothing(struct mp_services *self, mp_procedure procedure,
                                        UINTN number, EFI_EVENT event, UINTN timeout_us,
                                        void *argument, BOOLEAN *ret_finished)
{
    return event != NULL ? EFI_UNSUPPORTED
                         : good.startup_this_ap(self, procedure, number, event, timeout_us,
                                                argument, ret_finished);
}

static EFI_STATUS EFIAPI no_count(struct mp_services *self, UINTN *ret_count, UINTN *ret_enabled)
{
    (void)self;
    (void)ret_count;
    (void)ret_enabled;
    return EFI_DEVICE_ERROR;
}

/* --- One CPU that misbehaves. What the firmware is asked to run on every CPU goes through us. */

static mp_procedure asked;

static uint32_t bad_apic_id;
static bool is_only_late;
#define LATE_TSC (UINT64_C(1) << 30) /* 0.3 s at 3 GHz */

static uint32_t own_apic_id(void)
{
    uint32_t eax = 1;
    uint32_t ebx;
    uint32_t ecx = 0;
    uint32_t edx;

    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    return ebx >> 24;
}

static uint64_t tsc(void)
{
    uint32_t low;
    uint32_t high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static void EFIAPI misbehave(void *argument)
{
    if (own_apic_id() == bad_apic_id) {
        uint64_t start_tsc = tsc();

        while (!is_only_late || tsc() - start_tsc < LATE_TSC) {
            __asm__ volatile("pause");
        }
    }
    asked(argument);
}

static EFI_STATUS EFIAPI all_but_one(struct mp_services *self, mp_procedure procedure,
                                     BOOLEAN single_thread, EFI_EVENT event, UINTN timeout_us,
                                     void *argument, UINTN **ret_failed)
{
    asked = procedure;
    return good.startup_all_aps(self, misbehave, single_thread, event, timeout_us, argument,
                                ret_failed);
}

static EFI_STATUS EFIAPI not_that_one(struct mp_services *self, mp_procedure procedure,
                                      UINTN number, EFI_EVENT event, UINTN timeout_us,
                                      void *argument, BOOLEAN *ret_finished)
{
    asked = procedure;
    return good.startup_this_ap(self, misbehave, number, event, timeout_us, argument, ret_finished);
}

static void make_one_misbehave(uint32_t apic_id, bool is_late)
{
    bad_apic_id = apic_id;
    is_only_late = is_late;
    lab.mp->startup_all_aps = all_but_one;
    lab.mp->startup_this_ap = not_that_one;
}

static void lose_cpu(uint32_t apic_id)
{
    make_one_misbehave(apic_id, false);
}

static void delay_cpu(uint32_t apic_id)
{
    make_one_misbehave(apic_id, true);
}

static uint32_t misnamed;

static EFI_STATUS EFIAPI other_id(struct mp_services *self, UINTN number,
                                  struct mp_information *ret_information)
{
    EFI_STATUS status = good.get_processor_info(self, number, ret_information);

    if (status == EFI_SUCCESS && number == misnamed) {
        ret_information->processor_id += 100;
    }
    return status;
}

static void misname_cpu(uint32_t number)
{
    misnamed = number;
    lab.mp->get_processor_info = other_id;
}

static void refuse_nonblocking(uint32_t number)
{
    (void)number;
    lab.mp->startup_all_aps = all_or_nothing;
    lab.mp->startup_this_ap = one_or_nothing;
}

static void break_mp(uint32_t number)
{
    (void)number;
    lab.mp->get_number_of_processors = no_count;
}

static void remove_mp(uint32_t number)
{
    EFI_HANDLE *handles = NULL;
    UINTN count = 0;

    (void)number;
    if (lab.services->LocateHandleBuffer(ByProtocol, lab_guid(&mp_guid), NULL, &count, &handles) !=
        EFI_SUCCESS) {
        return;
    }
    for (UINTN i = 0; i < count; i++) {
        (void)lab.services->UninstallProtocolInterface(handles[i], lab_guid(&mp_guid), lab.mp);
    }
    (void)lab.services->FreePool(handles);
}

static void remove_acpi(uint32_t number)
{
    (void)number;
    for (unsigned i = 0; i < 2; i++) {
        (void)lab.services->InstallConfigurationTable(lab_guid(&acpi_guids[i]), NULL);
    }
}

static const struct {
    const char *word;
    void (*apply)(uint32_t number);
    bool needs_mp;
} faults[] = {
    {"refuse-nonblocking", refuse_nonblocking, true},
    {"no-mp", remove_mp, true},
    {"broken-mp", break_mp, true},
    {"no-acpi", remove_acpi, false},
    {"lost-cpu", lose_cpu, true},
    {"late-cpu", delay_cpu, true},
    {"wrong-id", misname_cpu, true},
};

static bool is_word(const char *text, UINTN bytes, const char *word)
{
    UINTN i = 0;

    while (i < bytes && word[i] != '\0' && text[i] == word[i]) {
        i++;
    }
    return word[i] == '\0' && i == bytes;
}

bool fault_apply(const char *text, UINTN bytes, uint32_t number)
{
    for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (is_word(text, bytes, faults[i].word)) {
            if (faults[i].needs_mp && lab.mp == NULL) {
                return false;
            }
            if (lab.mp != NULL) {
                good = *lab.mp;
            }
            faults[i].apply(number);
            return true;
        }
    }
    return false;
}
