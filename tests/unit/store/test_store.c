/* test-labels: threads */
/* Values, ranges, logs and batches of a store. */
#include "store_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- Values ---- */

static void a_value_is_there_after_reopening(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, -7, "seven");
    put_text(batch, "name", "Home");
    save_batch(batch);
    reopen_store();
    assert_string_equal(get_number(-7), "seven");
    assert_string_equal(get_text("name"), "Home");
    assert_null(get_number(7));
    assert_null(get_text("nam"));
}

static void a_value_replaces_the_old_one(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, "old");
    save_batch(batch);
    batch = new_batch();
    put_number(batch, 1, "new");
    save_batch(batch);
    assert_string_equal(get_number(1), "new");
}

static void an_empty_value_exists(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    assert_ok(cn_store_batch_put(batch, CHUNKS, cn_store_number(3), NULL, 0, &fixture.error));
    save_batch(batch);
    reopen_store();
    assert_string_equal(get_number(3), "");
}

static void keys_of_all_numbers_exist(void **state)
{
    (void)state;
    const int64_t keys[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    open_store();
    CnStoreBatch *batch = new_batch();
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++)
        assert_ok(cn_store_batch_put(batch, CHUNKS, cn_store_number(keys[i]), &keys[i], 8, NULL));
    save_batch(batch);
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++)
        assert_memory_equal(get_number(keys[i]), &keys[i], 8);
}

static void keys_may_contain_any_bytes(void **state)
{
    (void)state;
    const char key[] = "a\0b";
    uint8_t longest[CN_STORE_MAX_KEY_BYTES];
    memset(longest, 0xff, sizeof longest);
    open_store();
    CnStoreBatch *batch = new_batch();
    assert_ok(cn_store_batch_put(batch, INFO, cn_store_bytes(key, 3), "1", 1, &fixture.error));
    assert_ok(cn_store_batch_put(batch, INFO, cn_store_bytes(longest, sizeof longest), "2", 1,
                                 &fixture.error));
    save_batch(batch);
    assert_string_equal(get_key(INFO, cn_store_bytes(key, 3)), "1");
    assert_string_equal(get_key(INFO, cn_store_bytes(longest, sizeof longest)), "2");
    assert_null(get_key(INFO, cn_store_bytes(key, 1)));
}

static void keys_beyond_the_limit_are_refused(void **state)
{
    (void)state;
    uint8_t longer[CN_STORE_MAX_KEY_BYTES + 1] = {0};
    open_store();
    CnStoreBatch *batch = new_batch();
    assert_refused(cn_store_batch_put(batch, INFO, cn_store_bytes(longer, sizeof longer), "", 0,
                                      &fixture.error),
                   CN_ERROR_LIMIT, "has 256 bytes");
    assert_refused(cn_store_batch_put(batch, INFO, cn_store_bytes("", 0), "", 0, &fixture.error),
                   CN_ERROR_LIMIT, "has 0 bytes");
    assert_int_equal(cn_store_batch_count(batch), 0);
    cn_store_batch_destroy(batch);
}

static long long stored_bytes(void)
{
    CnFileInfo info;
    CnFileSystem *files = cn_native_files();
    if (is_over_postgres())
        return postgres_server_number(fixture.schema, "SELECT pg_total_relation_size('n_chunks')");
    assert_true(files->info(files, fixture.path, &info, NULL));
    return (long long)info.size_bytes;
}

static void large_values_are_compressed(void **state)
{
    (void)state;
    static char text[1 << 20];
    memset(text, 'x', sizeof text - 1);
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, text);
    save_batch(batch);
    assert_string_equal(get_number(1), text);
    close_store();
    assert_true(stored_bytes() < 100000);
    open_store();
    assert_string_equal(get_number(1), text);
}

static void a_value_may_be_moved_into_a_batch(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnAllocator *allocator = cn_heap_tag(heap, "value");
    open_store();
    CnStoreBatch *batch = new_batch();
    char *block = cn_alloc(allocator, 100);
    memcpy(block, "moved", 5);
    assert_ok(cn_store_batch_put_owned(batch, CHUNKS, cn_store_number(5), block, 5, 100, allocator,
                                       &fixture.error));
    assert_true(cn_store_batch_bytes(batch) == 5);
    save_batch(batch);
    assert_string_equal(get_number(5), "moved");
    assert_true(cn_heap_stats(heap).live_blocks == 0);
    cn_heap_destroy(heap);
}

/* ---- Removing ---- */

static void a_removed_row_is_gone(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, "a");
    put_number(batch, 2, "b");
    put_text(batch, "k", "c");
    save_batch(batch);
    batch = new_batch();
    assert_ok(cn_store_batch_remove(batch, CHUNKS, cn_store_number(1), &fixture.error));
    assert_ok(cn_store_batch_remove(batch, INFO, cn_store_text("k"), &fixture.error));
    assert_ok(cn_store_batch_remove(batch, INFO, cn_store_text("none"), &fixture.error));
    save_batch(batch);
    assert_null(get_number(1));
    assert_null(get_text("k"));
    assert_string_equal(get_number(2), "b");
}

static void a_range_includes_both_ends(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    for (int64_t i = 0; i < 10; i++)
        put_number(batch, i, "x");
    CnStoreKey first = cn_store_number(3), last = cn_store_number(6);
    assert_ok(cn_store_batch_remove_range(batch, CHUNKS, &first, &last, &fixture.error));
    save_batch(batch);
    for (int64_t i = 0; i < 10; i++)
        assert_true((get_number(i) == NULL) == (i >= 3 && i <= 6));
}

static void a_range_without_bounds_is_the_table(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    put_text(batch, "a", "1");
    put_text(batch, "\xff\xff", "2");
    save_batch(batch);
    batch = new_batch();
    assert_ok(cn_store_batch_remove_range(batch, INFO, NULL, NULL, &fixture.error));
    save_batch(batch);
    assert_null(get_text("a"));
    assert_null(get_text("\xff\xff"));
}

static void changes_apply_in_order(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, "first");
    assert_ok(cn_store_batch_remove_range(batch, CHUNKS, NULL, NULL, &fixture.error));
    put_number(batch, 1, "last");
    put_number(batch, 2, "x");
    assert_ok(cn_store_batch_remove(batch, CHUNKS, cn_store_number(2), &fixture.error));
    save_batch(batch);
    assert_string_equal(get_number(1), "last");
    assert_null(get_number(2));
}

static void the_last_value_of_a_key_in_a_batch_counts(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    for (int i = 0; i < 3; i++) {
        for (int64_t key = 0; key < 300; key++)
            put_number(batch, key, i == 2 ? "last" : "earlier");
        put_text(batch, "name", i == 2 ? "last" : "earlier");
        put_text(batch, "name", i == 2 ? "last" : "earlier");
    }
    save_batch(batch);
    for (int64_t key = 0; key < 300; key++)
        assert_string_equal(get_number(key), "last");
    assert_string_equal(get_text("name"), "last");
}

/* ---- Logs ---- */

static void records_are_numbered_from_one(void **state)
{
    (void)state;
    open_store();
    assert_true(cn_store_log_next(fixture.store, EDITS) == 1);
    CnStoreBatch *batch = new_batch();
    append_text(batch, "a");
    append_text(batch, "b");
    save_batch(batch);
    assert_true(cn_store_log_next(fixture.store, EDITS) == 3);
    reopen_store();
    assert_true(cn_store_log_next(fixture.store, EDITS) == 3);
    assert_string_equal(get_key(EDITS, cn_store_number(2)), "b");
}

static void numbers_of_a_cut_log_are_not_used_again(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    for (int i = 0; i < 5; i++)
        append_text(batch, "x");
    save_batch(batch);
    batch = new_batch();
    CnStoreKey last = cn_store_number(5);
    assert_ok(cn_store_batch_remove_range(batch, EDITS, NULL, &last, &fixture.error));
    save_batch(batch);
    reopen_store();
    assert_null(get_key(EDITS, cn_store_number(5)));
    assert_true(cn_store_log_next(fixture.store, EDITS) == 6);
}

/* ---- Rows in order ---- */

typedef struct Seen {
    uint64_t count;
    int64_t last;
    uint64_t stop_after;
} Seen;

static bool see(const CnStoreRow *row, void *user, CnError *error)
{
    (void)error;
    Seen *seen = user;
    assert_false(row->is_damaged);
    assert_true(!seen->count || row->key.number > seen->last);
    assert_int_equal(row->size, sizeof row->key.number);
    assert_memory_equal(row->bytes, &row->key.number, row->size);
    seen->last = row->key.number;
    return ++seen->count != seen->stop_after;
}

static void fill_numbers(int64_t from, int64_t to)
{
    CnStoreBatch *batch = new_batch();
    for (int64_t i = from; i <= to; i++)
        assert_ok(cn_store_batch_put(batch, CHUNKS, cn_store_number(i), &i, sizeof i, NULL));
    save_batch(batch);
}

static void rows_are_visited_in_order(void **state)
{
    (void)state;
    open_store();
    fill_numbers(-1500, 1500);
    Seen seen = {0};
    assert_ok(cn_store_each(fixture.store, CHUNKS, NULL, NULL, see, &seen, &fixture.error));
    assert_true(seen.count == 3001);
}

static void a_visit_may_be_bounded_and_stopped(void **state)
{
    (void)state;
    open_store();
    fill_numbers(0, 2000);
    CnStoreKey first = cn_store_number(10), last = cn_store_number(1400);
    Seen seen = {0};
    assert_ok(cn_store_each(fixture.store, CHUNKS, &first, &last, see, &seen, &fixture.error));
    assert_true(seen.count == 1391 && seen.last == 1400);
    seen = (Seen){.stop_after = 700};
    assert_ok(cn_store_each(fixture.store, CHUNKS, NULL, NULL, see, &seen, &fixture.error));
    assert_true(seen.count == 700);
}

static bool count_texts(const CnStoreRow *row, void *user, CnError *error)
{
    (void)error;
    CnTextBuilder *text = user;
    assert_true(cn_text_append(text, (CnText){row->key.bytes, row->key.size}));
    return true;
}

static void keys_by_bytes_are_ordered_like_memcmp(void **state)
{
    (void)state;
    open_store();
    CnStoreBatch *batch = new_batch();
    const char *const keys[] = {"b", "ab", "a", "\xff", "Z"};
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++)
        put_text(batch, keys[i], "");
    save_batch(batch);
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    assert_ok(cn_store_each(fixture.store, INFO, NULL, NULL, count_texts, &text, &fixture.error));
    assert_string_equal(text.items, "Zaabb\xff");
    cn_array_fini(&text);
}

/* ---- What is not durable yet ---- */

static void a_submitted_value_is_read_at_once(void **state)
{
    (void)state;
    char text[32];
    open_store();
    for (int i = 0; i < 300; i++) {
        CnStoreBatch *batch = new_batch();
        cn_format(text, sizeof text, "%d", i);
        put_number(batch, 1, text);
        if (i % 3 == 0)
            assert_ok(cn_store_batch_remove(batch, CHUNKS, cn_store_number(2), NULL));
        else
            put_number(batch, 2, text);
        append_text(batch, text);
        while (!cn_store_submit(fixture.store, batch))
            flush_store();
        assert_string_equal(get_number(1), text);
        assert_true((get_number(2) == NULL) == (i % 3 == 0));
        assert_string_equal(get_key(EDITS, cn_store_number(i + 1)), text);
    }
}

static void batches_become_durable_in_order(void **state)
{
    (void)state;
    open_store();
    uint64_t last = 0;
    for (int i = 1; i <= 200; i++) {
        CnStoreBatch *batch = new_batch();
        put_number(batch, i, "x");
        uint64_t number;
        while (!(number = cn_store_submit(fixture.store, batch)))
            flush_store();
        assert_true(number == (uint64_t)i);
        uint64_t durable = cn_store_durable(fixture.store);
        assert_true(durable >= last && durable <= number);
        last = durable;
    }
    flush_store();
    assert_true(cn_store_durable(fixture.store) == 200);
}

static _Atomic uint64_t notified;

static void note(const CnStoreStatus *status, void *user)
{
    (void)user;
    atomic_store(&notified, status->durable);
}

static void the_program_is_notified(void **state)
{
    (void)state;
    atomic_store(&notified, 0);
    fixture.desc.notify = note;
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, "x");
    save_batch(batch);
    close_store();
    assert_true(atomic_load(&notified) == 1);
}

static void closing_saves_what_was_submitted(void **state)
{
    (void)state;
    open_store();
    for (int i = 0; i < 20; i++) {
        CnStoreBatch *batch = new_batch();
        put_number(batch, i, "x");
        assert_true(cn_store_submit(fixture.store, batch));
    }
    reopen_store();
    for (int i = 0; i < 20; i++)
        assert_non_null(get_number(i));
}

/* ---- Threads ---- */

static void *read_often(void *data)
{
    atomic_bool *ends = data;
    CnU8Array value;
    cn_array_init(&value, NULL);
    bool done = true;
    while (done && !atomic_load(ends)) {
        bool found;
        CnError error = {0};
        done = cn_store_get(fixture.store, CHUNKS, cn_store_number(0), &value, &found, &error) &&
               (!found || (value.count == 1 && value.items[0] >= '0' && value.items[0] <= '2'));
    }
    cn_array_fini(&value);
    return done ? NULL : data;
}

static void other_threads_read_while_batches_are_written(void **state)
{
    (void)state;
    open_store();
    atomic_bool ends = false;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_often, &ends), 0);
    for (int i = 0; i < 200; i++) {
        CnStoreBatch *batch = new_batch();
        put_number(batch, 0, i % 2 ? "1" : "2");
        put_number(batch, i, "0");
        while (!cn_store_submit(fixture.store, batch))
            flush_store();
    }
    flush_store();
    atomic_store(&ends, true);
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_null(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_value_is_there_after_reopening),
        store_test(a_value_replaces_the_old_one),
        store_test(an_empty_value_exists),
        store_test(keys_of_all_numbers_exist),
        store_test(keys_may_contain_any_bytes),
        store_test(keys_beyond_the_limit_are_refused),
        store_test(large_values_are_compressed),
        store_test(a_value_may_be_moved_into_a_batch),
        store_test(a_removed_row_is_gone),
        store_test(a_range_includes_both_ends),
        store_test(a_range_without_bounds_is_the_table),
        store_test(changes_apply_in_order),
        store_test(the_last_value_of_a_key_in_a_batch_counts),
        store_test(records_are_numbered_from_one),
        store_test(numbers_of_a_cut_log_are_not_used_again),
        store_test(rows_are_visited_in_order),
        store_test(a_visit_may_be_bounded_and_stopped),
        store_test(keys_by_bytes_are_ordered_like_memcmp),
        store_test(a_submitted_value_is_read_at_once),
        store_test(batches_become_durable_in_order),
        store_test(the_program_is_notified),
        store_test(closing_saves_what_was_submitted),
        store_test(other_threads_read_while_batches_are_written),
    };
    return run_store_tests(tests);
}
