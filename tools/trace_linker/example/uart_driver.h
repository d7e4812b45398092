/** @file
 *  A UART driver as firmware has it: plain C on top of two functions for bus accesses. */
#ifndef UART_DRIVER_H
#define UART_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum uart_parity { UART_PARITY_NONE, UART_PARITY_EVEN, UART_PARITY_ODD };

struct uart_config {
    uint32_t baud;
    enum uart_parity parity;
    bool loopback;
};

/** The access to the bus: memory-mapped on a target, through a TLM socket in a prototype. */
uint32_t bus_read(uint32_t address);
void bus_write(uint32_t address, uint32_t value);

bool uart_open(uint32_t base, struct uart_config config);

/** @return number of bytes sent */
int uart_send(uint32_t base, const char *text, size_t length);

#endif
