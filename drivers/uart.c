#include "drivers/uart.h"

#include <string.h>

/* PC16550D, table II: register offsets and bits. */
#define REGISTER_DATA 0U
#define REGISTER_INTERRUPT_ENABLE 1U
#define REGISTER_FIFO_CONTROL 2U /* write; read: interrupt identification */
#define REGISTER_LINE_CONTROL 3U
#define REGISTER_MODEM_CONTROL 4U
#define REGISTER_LINE_STATUS 5U
#define REGISTER_SCRATCH 7U

#define STATUS_TRANSMITTER_EMPTY 0x20U /* room for `burst` more */
#define STATUS_ALL_SENT 0x40U
#define INTERRUPT_ENABLE_UNUSED 0xF0U /* always read as 0 */
#define IDENTIFICATION_FIFO_ON 0xC0U
#define FIFO_ON 0x07U
#define LINE_8N1 0x03U
#define LINE_DIVISOR 0x80U
#define MODEM_DTR_RTS 0x03U

/* One byte at 9600 baud takes about 1 ms, a status read over LPC about 1 us: enough for the slowest usual
 * rate, and a dead port costs a tenth of a second once. */
#define WAIT_READS 100000U
#define FIFO_BYTES 16U

static bool read_register(const struct uart *uart, unsigned reg, uint8_t *ret_value)
{
    uint64_t at = uart->base + (uint64_t)reg * uart->stride;
    uint64_t wide = 0;
    uint32_t value = 0;
    enum status status;

    if (uart->is_memory) {
        status = uart->hw->ops->memory_read(uart->hw, at, uart->bytes, &wide);
        value = (uint32_t)wide;
    } else {
        status = uart->hw->ops->port_read(uart->hw, (uint16_t)at, uart->bytes, &value);
    }
    *ret_value = (uint8_t)value;
    return status == STATUS_OK;
}

static bool write_register(const struct uart *uart, unsigned reg, uint8_t value)
{
    uint64_t at = uart->base + (uint64_t)reg * uart->stride;

    if (uart->is_memory) {
        return uart->hw->ops->memory_write(uart->hw, at, uart->bytes, value) == STATUS_OK;
    }
    return uart->hw->ops->port_write(uart->hw, (uint16_t)at, uart->bytes, value) == STATUS_OK;
}

/* An absent port reads all ones; the interrupt enable register has four bits that never do. A scratch
 * register that keeps two values rules out a port that echoes the bus. */
static bool is_present(const struct uart *uart)
{
    uint8_t status = 0;
    uint8_t enable = 0;
    uint8_t kept = 0;

    if (!read_register(uart, REGISTER_LINE_STATUS, &status) || status == 0xFF ||
        !read_register(uart, REGISTER_INTERRUPT_ENABLE, &enable) ||
        (enable & INTERRUPT_ENABLE_UNUSED) != 0) {
        return false;
    }
    for (unsigned pattern = 0x55; pattern <= 0xAA; pattern += 0x55) {
        if (!write_register(uart, REGISTER_SCRATCH, (uint8_t)pattern) ||
            !read_register(uart, REGISTER_SCRATCH, &kept) || kept != pattern) {
            return false;
        }
    }
    return true;
}

static void find_burst(struct uart *uart)
{
    uint8_t identification = 0;

    uart->burst = 1;
    if (read_register(uart, REGISTER_FIFO_CONTROL, &identification) &&
        (identification & IDENTIFICATION_FIFO_ON) == IDENTIFICATION_FIFO_ON) {
        uart->burst = FIFO_BYTES;
    }
}

static void open_at(struct uart *uart, const struct hw *hw)
{
    uart->hw = hw;
    uart->is_usable = is_present(uart);
    if (uart->is_usable) {
        find_burst(uart);
    }
}

void uart_open_port(struct uart *uart, const struct hw *hw, uint16_t port)
{
    *uart = (struct uart){.base = port, .stride = 1, .bytes = 1};
    open_at(uart, hw);
}

void uart_open_gas(struct uart *uart, const struct hw *hw, const struct gas *gas)
{
    /* ACPI 6.5, 5.2.3.2: access size 1 byte, 2 word, 3 dword; 0 undefined, taken as byte. SPCR, Base
     * Address: a UART whose registers are 32 bits apart says so by access size dword. */
    static const uint8_t widths[] = {1, 1, 2, 4};

    memset(uart, 0, sizeof(*uart));
    if (gas->space > 1 || gas->access >= sizeof(widths) || gas->address == 0 ||
        (gas->space == 1 && gas->address > UINT16_MAX - 8)) {
        return;
    }
    uart->is_memory = gas->space == 0;
    uart->base = gas->address;
    uart->bytes = widths[gas->access];
    uart->stride = uart->bytes;
    open_at(uart, hw);
}

void uart_set_up(struct uart *uart)
{
    bool is_set = uart->is_usable &&
                  write_register(uart, REGISTER_LINE_CONTROL, LINE_DIVISOR | LINE_8N1) &&
                  write_register(uart, REGISTER_DATA, 1) &&
                  write_register(uart, REGISTER_INTERRUPT_ENABLE, 0) &&
                  write_register(uart, REGISTER_LINE_CONTROL, LINE_8N1) &&
                  write_register(uart, REGISTER_FIFO_CONTROL, FIFO_ON) &&
                  write_register(uart, REGISTER_MODEM_CONTROL, MODEM_DTR_RTS);

    uart->is_usable = is_set;
    if (is_set) {
        find_burst(uart);
    }
}

static bool wait_for(const struct uart *uart, uint8_t bit)
{
    uint8_t status = 0;

    for (unsigned i = 0; i < WAIT_READS; i++) {
        if (!read_register(uart, REGISTER_LINE_STATUS, &status) || status == 0xFF) {
            return false;
        }
        if ((status & bit) != 0) {
            return true;
        }
    }
    return false;
}

/* `room` is how many bytes the transmitter still takes without being asked. */
static void send(struct uart *uart, uint8_t byte, unsigned *room)
{
    if (*room == 0) {
        uart->is_usable = wait_for(uart, STATUS_TRANSMITTER_EMPTY);
        *room = uart->burst;
    }
    if (uart->is_usable) {
        uart->is_usable = write_register(uart, REGISTER_DATA, byte);
        (*room)--;
        uart->written_bytes++;
    }
}

bool uart_write(struct uart *uart, const char *text, size_t length)
{
    unsigned room = 0;

    for (size_t i = 0; i < length && uart->is_usable; i++) {
        if (text[i] == '\n') {
            send(uart, '\r', &room);
        }
        send(uart, (uint8_t)text[i], &room);
    }
    return uart->is_usable;
}

void uart_drain(struct uart *uart)
{
    if (uart->is_usable) {
        uart->is_usable = wait_for(uart, STATUS_ALL_SENT);
    }
}
