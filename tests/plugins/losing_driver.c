/* Stands for a driver in tests of the leak check: it keeps memory until it is unloaded, and loses
 * some. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

enum { BLOCKS = 64 };

static void *volatile kept[BLOCKS];

EXPORTED void driver_keep_blocks(void);
EXPORTED void driver_keep(int index, void *block);
EXPORTED void driver_lose_blocks(void);
EXPORTED void driver_lose_blocks_in_a_thread(void);

void driver_keep(int index, void *block)
{
    kept[index] = block;
}

void driver_keep_blocks(void)
{
    for (int i = 0; i < BLOCKS; i++)
        kept[i] = malloc(128);
}

void driver_lose_blocks(void)
{
    driver_keep_blocks();
    for (int i = 0; i < BLOCKS; i++)
        kept[i] = NULL;
}

static void *lose_blocks(void *user)
{
    driver_lose_blocks();
    return user;
}

void driver_lose_blocks_in_a_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, lose_blocks, NULL) != 0)
        abort();
    pthread_join(thread, NULL);
}
