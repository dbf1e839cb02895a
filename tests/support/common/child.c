#include "child.h"

#include "cmocka_tests.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void become_child(const char *argument, const char *setting, int standard_error)
{
    char program[] = "test", text[256], variable[256];
    strncpy(text, argument, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    if (setting) {
        strncpy(variable, setting, sizeof variable - 1);
        variable[sizeof variable - 1] = '\0';
        putenv(variable);
    }
    dup2(standard_error, STDERR_FILENO);
    execv("/proc/self/exe", (char *[]){program, text, NULL});
    _exit(127);
}

int child_run(const char *argument, const char *setting, char *output, size_t output_bytes)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        become_child(argument, setting, ends[1]);
    close(ends[1]);
    size_t size = 0;
    for (;;) {
        char rest[64];
        size_t left = output_bytes - 1 - size;
        ssize_t part =
            left > 0 ? read(ends[0], output + size, left) : read(ends[0], rest, sizeof rest);
        if (part <= 0)
            break;
        size += left > 0 ? (size_t)part : 0;
    }
    output[size] = '\0';
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
