/* A firmware that prints a greeting: tasks allocate memory from the heap and send through the
 * driver. */
#include <stdio.h>
#include <string.h>

#include "kernel.h"
#include "uart_driver.h"

static const uint32_t uart = 0x40001000;

static void say(void *argument)
{
    const char *text = argument;
    size_t length = strlen(text);
    char *copy = heap_take(length + 1);
    if (copy == NULL)
        return;
    memcpy(copy, text, length + 1);
    uart_send(uart, copy, length);
    heap_give(copy);
}

int main(void)
{
    struct task hello = {.name = "hello", .priority = 2, .run = say, .argument = "hello\n"};
    struct task world = {.name = "world", .priority = 1, .run = say, .argument = "world\n"};
    uart_open(uart, (struct uart_config){.baud = 115200, .parity = UART_PARITY_EVEN});
    task_add(&hello);
    task_add(&world);
    task_set_state(&hello, TASK_READY);
    task_set_state(&world, TASK_READY);
    while (schedule())
        continue;
    return 0;
}
