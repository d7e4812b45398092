/* Owns the UART's registers. */
#include "uart_driver.h"

enum { UART_DATA = 0x0, UART_STATUS = 0x4, UART_CONTROL = 0x8, UART_DIVISOR = 0xc };
enum { STATUS_READY = 1, CONTROL_ON = 1, CONTROL_LOOPBACK = 8, CLOCK = 48000000 };

bool uart_open(uint32_t base, struct uart_config config)
{
    if (!config.baud)
        return false;
    bus_write(base + UART_DIVISOR, CLOCK / config.baud);
    bus_write(base + UART_CONTROL, CONTROL_ON | (uint32_t)config.parity << 1 |
                                       (config.loopback ? CONTROL_LOOPBACK : 0u));
    return true;
}

int uart_send(uint32_t base, const char *text, size_t length)
{
    size_t sent = 0;
    while (sent < length && bus_read(base + UART_STATUS) & STATUS_READY)
        bus_write(base + UART_DATA, (unsigned char)text[sent++]);
    return (int)sent;
}
