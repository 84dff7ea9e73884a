#include "drivers/uart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A UART that is stricter than a real one: a byte sent when there is no room fails the test. */
struct fake_uart {
    bool is_absent;
    bool is_memory;
    uint64_t base;
    unsigned stride;
    unsigned room; /* bytes it takes before the transmitter is empty again */
    bool has_fifo;
    unsigned drained_after; /* status reads until it is empty */
    unsigned status_reads;
    unsigned total_status_reads;
    uint8_t reg[8];
    char sent[256];
    size_t sent_bytes;
};

static uint8_t fake_read(struct fake_uart *uart, unsigned reg)
{
    assert_true(reg < 8);
    if (uart->is_absent) {
        return 0xFF;
    }
    if (reg == 5) {
        uart->total_status_reads++;
        if (++uart->status_reads > uart->drained_after) {
            uart->room = uart->has_fifo ? 16 : 1;
            /* The shift register is a few reads behind. */
            return uart->status_reads > uart->drained_after + 4 ? 0x60 : 0x20;
        }
        return 0;
    }
    return reg == 2 ? (uart->has_fifo ? 0xC1 : 0x01) : uart->reg[reg];
}

static void fake_write(struct fake_uart *uart, unsigned reg, uint8_t value)
{
    assert_true(reg < 8);
    if (reg == 0 && (uart->reg[3] & 0x80) == 0) {
        assert_true(uart->room > 0);
        uart->room--;
        uart->status_reads = 0;
        assert_true(uart->sent_bytes < sizeof(uart->sent) - 1);
        uart->sent[uart->sent_bytes++] = (char)value;
        return;
    }
    if (reg == 2) {
        uart->has_fifo = (value & 1) != 0;
    }
    uart->reg[reg] = value;
}

static enum status port_read(const struct hw *hw, uint16_t port, unsigned bytes, uint32_t *ret)
{
    struct fake_uart *uart = hw->context;

    assert_false(uart->is_memory);
    assert_int_equal(bytes, 1);
    *ret = fake_read(uart, (unsigned)(port - uart->base));
    return STATUS_OK;
}

static enum status port_write(const struct hw *hw, uint16_t port, unsigned bytes, uint32_t value)
{
    struct fake_uart *uart = hw->context;

    assert_false(uart->is_memory);
    assert_int_equal(bytes, 1);
    fake_write(uart, (unsigned)(port - uart->base), (uint8_t)value);
    return STATUS_OK;
}

static enum status memory_read(const struct hw *hw, uint64_t paddr, unsigned bytes, uint64_t *ret)
{
    struct fake_uart *uart = hw->context;

    assert_true(uart->is_memory);
    assert_int_equal(bytes, uart->stride);
    assert_int_equal((paddr - uart->base) % uart->stride, 0);
    *ret = fake_read(uart, (unsigned)((paddr - uart->base) / uart->stride));
    return STATUS_OK;
}

static enum status memory_write(const struct hw *hw, uint64_t paddr, unsigned bytes, uint64_t value)
{
    struct fake_uart *uart = hw->context;

    assert_true(uart->is_memory);
    assert_int_equal(bytes, uart->stride);
    fake_write(uart, (unsigned)((paddr - uart->base) / uart->stride), (uint8_t)value);
    return STATUS_OK;
}

static const struct hw_ops fake_ops = {.port_read = port_read,
                                       .port_write = port_write,
                                       .memory_read = memory_read,
                                       .memory_write = memory_write};

static struct hw hw_of(struct fake_uart *fake)
{
    return (struct hw){.ops = &fake_ops, .context = fake, .name = "fake"};
}

static void lines_arrive_whole(void **state)
{
    struct fake_uart fake = {.base = UART_COM1, .stride = 1, .has_fifo = true, .drained_after = 3};
    struct hw hw = hw_of(&fake);
    struct uart uart;

    (void)state;
    uart_open_port(&uart, &hw, UART_COM1);
    assert_true(uart.is_usable);
    assert_int_equal(uart.burst, 16);
    assert_true(uart_write(&uart, "a line of more than sixteen bytes\nand\n", 38));
    assert_string_equal(fake.sent, "a line of more than sixteen bytes\r\nand\r\n");
}

static void without_fifo_each_byte_waits(void **state)
{
    struct fake_uart fake = {.base = UART_COM1, .stride = 1, .drained_after = 2};
    struct hw hw = hw_of(&fake);
    struct uart uart;

    (void)state;
    uart_open_port(&uart, &hw, UART_COM1);
    assert_int_equal(uart.burst, 1);
    assert_true(uart_write(&uart, "abc", 3));
    assert_string_equal(fake.sent, "abc");
    assert_true(fake.total_status_reads >= 9);
}

static void absent_port_is_left_alone(void **state)
{
    struct fake_uart fake = {.base = UART_COM1, .stride = 1, .is_absent = true};
    struct hw hw = hw_of(&fake);
    struct uart uart;

    (void)state;
    uart_open_port(&uart, &hw, UART_COM1);
    assert_false(uart.is_usable);
    assert_false(uart_write(&uart, "abc", 3));
    uart_set_up(&uart);
    assert_int_equal(fake.sent_bytes, 0);
}

static void port_that_never_drains_is_given_up(void **state)
{
    struct fake_uart fake = {.base = UART_COM1, .stride = 1, .drained_after = UINT32_MAX};
    struct hw hw = hw_of(&fake);
    struct uart uart;
    unsigned reads;

    (void)state;
    uart_open_port(&uart, &hw, UART_COM1);
    assert_true(uart.is_usable);
    assert_false(uart_write(&uart, "abc", 3));
    reads = fake.total_status_reads;
    assert_true(reads < 1000000);
    assert_false(uart_write(&uart, "abc", 3));
    assert_int_equal(fake.total_status_reads, reads);
}

static void draining_waits_for_the_last_bit(void **state)
{
    struct fake_uart fake = {.base = UART_COM1, .stride = 1, .has_fifo = true, .drained_after = 3};
    struct hw hw = hw_of(&fake);
    struct uart uart;

    (void)state;
    uart_open_port(&uart, &hw, UART_COM1);
    assert_true(uart_write(&uart, "abc", 3));
    uart_drain(&uart);
    assert_true(uart.is_usable);
    assert_true(fake.status_reads > fake.drained_after + 4);
    fake.drained_after = UINT32_MAX - 8;
    uart_drain(&uart);
    assert_false(uart.is_usable);
}

static void memory_mapped_port_of_an_spcr(void **state)
{
    struct fake_uart fake = {
        .base = 0xFE030000, .stride = 4, .is_memory = true, .drained_after = 1};
    struct gas gas = {.space = 0, .width_bits = 32, .access = 3, .address = 0xFE030000};
    struct hw hw = hw_of(&fake);
    struct uart uart;

    (void)state;
    uart_open_gas(&uart, &hw, &gas);
    assert_true(uart.is_usable);
    uart_set_up(&uart);
    assert_int_equal(fake.reg[0], 1);
    assert_int_equal(fake.reg[3], 3);
    assert_int_equal(uart.burst, 16);
    assert_true(uart_write(&uart, "x\n", 2));
    assert_string_equal(fake.sent, "x\r\n");
}

static void odd_spcr_addresses_are_refused(void **state)
{
    struct fake_uart fake = {.base = UART_COM1, .stride = 1};
    struct hw hw = hw_of(&fake);
    struct uart uart;

    (void)state;
    uart_open_gas(&uart, &hw, &(struct gas){.space = 127, .address = 0x3F8});
    assert_false(uart.is_usable);
    uart_open_gas(&uart, &hw, &(struct gas){.space = 1, .address = 0xFFFC});
    assert_false(uart.is_usable);
    uart_open_gas(&uart, &hw, &(struct gas){.space = 1, .access = 4, .address = 0x3F8});
    assert_false(uart.is_usable);
    uart_open_gas(&uart, &hw, &(struct gas){.space = 0, .address = 0});
    assert_false(uart.is_usable);
    uart_open_gas(&uart, &hw, &(struct gas){.space = 1, .access = 1, .address = 0x3F8});
    assert_true(uart.is_usable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_arrive_whole),
        cmocka_unit_test(without_fifo_each_byte_waits),
        cmocka_unit_test(absent_port_is_left_alone),
        cmocka_unit_test(port_that_never_drains_is_given_up),
        cmocka_unit_test(draining_waits_for_the_last_bit),
        cmocka_unit_test(memory_mapped_port_of_an_spcr),
        cmocka_unit_test(odd_spcr_addresses_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
