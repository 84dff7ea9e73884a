#pragma once

#include "drivers/hw.h"
#include "model/gas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Text out through a 16550-compatible UART, in I/O or memory space, by polling. Every wait is bounded: a
 * port that is not there, or that stops taking bytes, is found out and then left alone.
 * National Semiconductor PC16550D data sheet, 8.0 Registers.
 */
struct uart {
    const struct hw *hw;
    bool is_memory;
    uint64_t base;  /* port or physical address of register 0 */
    uint8_t stride; /* bytes from one register to the next */
    uint8_t bytes;  /* width of one access */
    unsigned burst; /* bytes that fit once the transmitter is empty: 16 with FIFO, else 1 */
    bool is_usable; /* false: absent, or it stopped answering */
    uint64_t written_bytes;
};

#define UART_COM1 UINT16_C(0x3F8)

/* The legacy port: one-byte registers side by side. */
void uart_open_port(struct uart *uart, const struct hw *hw, uint16_t port);

/* The port of an SPCR: space 0 or 1; the register stride follows the access size (SPCR, Base Address).
 * Any other space is not usable. */
void uart_open_gas(struct uart *uart, const struct hw *hw, const struct gas *gas);

/* Sets 115200 baud (at the legacy 1.8432 MHz clock), 8 data bits, no parity, FIFO on: only where nobody else
 * has set the port up. */
void uart_set_up(struct uart *uart);

/* Sends bytes, "\n" as "\r\n". false when the port is not usable or stopped taking bytes. */
bool uart_write(struct uart *uart, const char *text, size_t length);

/* Waits until the last bit has left the port, bounded: before the machine is switched off. */
void uart_drain(struct uart *uart);
