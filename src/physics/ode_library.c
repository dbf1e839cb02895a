#include "physics/ode_library.h"

#include <cairn/base/log.h>
#include <cairn/base/text.h>

#include <ode/ode.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t users;
static bool inside; /* cni_physics_ode_run */
static jmp_buf escape;

/* dError exits and dDebug aborts the process when the handler returns, so it does not return. */
static void on_ode_error(int number, const char *message, va_list arguments)
{
    char text[256];
    cn_format_v(text, sizeof text, message, arguments);
    CN_LOG_ERROR("physics", "ODE %d: %s", number, text);
    if (inside)
        longjmp(escape, 1);
}

static void on_ode_message(int number, const char *message, va_list arguments)
{
    char text[256];
    cn_format_v(text, sizeof text, message, arguments);
    CN_LOG_DEBUG("physics", "ODE %d: %s", number, text);
}

void cni_physics_ode_open(void)
{
    pthread_mutex_lock(&lock);
    if (users++ == 0) {
        dInitODE2(0);
        dSetErrorHandler(on_ode_error);
        dSetDebugHandler(on_ode_error);
        dSetMessageHandler(on_ode_message);
    }
    pthread_mutex_unlock(&lock);
}

void cni_physics_ode_close(void)
{
    pthread_mutex_lock(&lock);
    if (--users == 0)
        dCloseODE();
    pthread_mutex_unlock(&lock);
}

bool cni_physics_ode_run(void (*work)(void *data), void *data)
{
    pthread_mutex_lock(&lock);
    inside = true;
    bool whole = setjmp(escape) == 0;
    if (whole)
        work(data);
    inside = false;
    pthread_mutex_unlock(&lock);
    return whole;
}
