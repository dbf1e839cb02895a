/* A server that keeps its data in PostgreSQL. */
#include <cairn/postgres.h>
#include <cairn/store.h>
#include <string.h>

int main(void)
{
    CnError error = {0};
    CnStoreDesc desc = {.path = "postgresql:///games?host=/nonexistent&schema=home",
                        .application = "outside",
                        .version = 1,
                        .backend = cn_store_postgres()};
    CnStore *store = cn_store_create(&desc, &error);
    bool is_refused = !store && strstr(error.message, "the server cannot be reached");
    cn_store_destroy(store);
    return is_refused ? 0 : 1;
}
