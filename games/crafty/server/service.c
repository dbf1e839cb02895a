#include "service.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

bool crafty_service_notify(const char *message)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = path ? strlen(path) : 0;
    if (size < 2 || size >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return false;
    memcpy(address.sun_path, path, size);
    if (path[0] == '@') /* an abstract socket, which has no file */
        address.sun_path[0] = '\0';
    int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return false;
    socklen_t address_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
    bool sent = sendto(file, message, strlen(message), MSG_NOSIGNAL, (struct sockaddr *)&address,
                       address_size) >= 0;
    close(file);
    return sent;
}

uint64_t crafty_service_watchdog_us(void)
{
    const char *time = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
    char *end;
    if (!time || (process && strtol(process, NULL, 10) != (long)getpid()))
        return 0;
    unsigned long long value = strtoull(time, &end, 10);
    return *time >= '0' && *time <= '9' && !*end ? value : 0;
}
