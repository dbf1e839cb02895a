/* Accounts of a server: who may join, bans, the allow list, and their file. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/server/accounts.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOW INT64_C(1700000000)

static CraftyAccounts *accounts;
static CraftyAccountsAdmission admission;
static Scratch scratch;

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    accounts = crafty_accounts_open(NULL, NULL);
    return accounts ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    crafty_accounts_close(accounts, NULL);
    scratch_fini(&scratch);
    return 0;
}

static CraftyAccount id_of(uint8_t number)
{
    CraftyAccount id;
    memset(&id, number, sizeof id);
    return id;
}

static bool join_at(uint8_t number, const char *name, const char *address, int64_t now)
{
    return crafty_accounts_admit(
        accounts,
        &(CraftyAdmissionRequest){
            .id = id_of(number), .name = name, .address = address, .now = now},
        &admission);
}

static bool join(uint8_t number, const char *name)
{
    return join_at(number, name, "192.0.2.7:4711", NOW);
}

static bool join_allowed(uint8_t number, const char *name)
{
    return crafty_accounts_admit(
        accounts,
        &(CraftyAdmissionRequest){
            .id = id_of(number), .name = name, .now = NOW, .has_allow_list = true},
        &admission);
}

static bool ban(const char *who, uint32_t seconds, const char *reason)
{
    CraftyBan made;
    CnError error = {0};
    return crafty_accounts_ban(
        accounts, &(CraftyBanRequest){.who = who, .reason = reason, .now = NOW, .seconds = seconds},
        &made, &error);
}

/* ---- Names ---- */

static bool is_name(const char *name)
{
    CnError error = {0};
    return crafty_player_name_check(name, &error);
}

static void names_are_short_and_visible(void **state)
{
    (void)state;
    assert_true(is_name("A"));
    assert_true(is_name("Jürgen_4-x.y"));
    assert_true(is_name("Ωμέγα"));
    assert_false(is_name("a2345678901234567"));
    assert_false(is_name(""));
    assert_false(is_name("a b"));
    assert_false(is_name("a\tb"));
    assert_false(is_name("a\x1b"));
    assert_false(is_name("\xff"));
    assert_false(is_name("a\xe2\x80\x8b")); /* zero width space */
    assert_false(is_name("a\xe2\x80\xae")); /* right-to-left override */
    assert_false(is_name("\xef\xbb\xbf"
                         "a")); /* byte order mark */
    assert_false(is_name("10.0.0.1/8"));
    assert_false(is_name("-x"));
    assert_false(is_name("Console"));
    assert_false(is_name("SERVER"));
}

static void names_are_the_same_in_any_case(void **state)
{
    (void)state;
    assert_true(crafty_player_names_equal("Anna", "aNNa"));
    assert_true(crafty_player_names_equal("JÜRGEN", "jürgen"));
    assert_true(crafty_player_names_equal("ЖУК", "жук"));
    assert_true(crafty_player_names_equal("ŁUKASZ", "łukasz"));
    assert_false(crafty_player_names_equal("Anna", "Anne"));
    assert_false(crafty_player_names_equal("Ann", "Anna"));
}

/* ---- Addresses ---- */

static bool contains(const char *range_text, const char *peer)
{
    CraftyAddressRange range, address;
    assert_true(crafty_address_range_parse(&range, range_text));
    assert_true(crafty_address_of_peer(&address, peer));
    return crafty_address_range_contains(&range, &address);
}

static void ranges_contain_addresses(void **state)
{
    (void)state;
    assert_true(contains("192.0.2.0/24", "192.0.2.255"));
    assert_true(contains("192.0.2.0/24", "192.0.2.7:4711"));
    assert_true(contains("192.0.2.7", "[::ffff:192.0.2.7]:1"));
    assert_false(contains("192.0.2.0/24", "192.0.3.0"));
    assert_true(contains("2001:db8::/32", "[2001:db8:1::5]:4711"));
    assert_false(contains("2001:db8::/32", "2001:db9::"));
    assert_true(contains("0.0.0.0/0", "203.0.113.9"));
    assert_false(contains("0.0.0.0/0", "::1"));
}

static void addresses_are_written_as_they_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"192.0.2.7",     "192.0.2.0/24", "2001:db8::1",
                                        "2001:db8::/32", "0.0.0.0/0",    "::/0"};
    char text[CRAFTY_ADDRESS_TEXT_BYTES];
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++) {
        CraftyAddressRange range;
        assert_true(crafty_address_range_parse(&range, texts[i]));
        assert_string_equal(crafty_address_range_text(&range, text), texts[i]);
    }
    assert_true(crafty_address_range_parse(&(CraftyAddressRange){0}, "192.0.2.9/24"));
}

static void other_texts_are_no_addresses(void **state)
{
    (void)state;
    static const char *const texts[] = {"",           "x",           "192.0.2",      "192.0.2.7/33",
                                        "::1/129",    "192.0.2.7/",  "192.0.2.7/-1", "192.0.2.7/08",
                                        "192.0.2.7 ", "1.2.3.4/8/8", "::1%lo"};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++)
        assert_false(crafty_address_range_parse(&(CraftyAddressRange){0}, texts[i]));
    assert_false(crafty_address_of_peer(&(CraftyAddressRange){0}, "192.0.2.0/24"));
}

/* ---- Admission ---- */

static void a_new_player_is_admitted_and_remembered(void **state)
{
    (void)state;
    CraftyAccountRecord account;
    assert_true(join(1, "Anna"));
    assert_true(admission.is_new);
    assert_int_equal(admission.role, CRAFTY_ROLE_PLAYER);
    assert_true(crafty_accounts_find(accounts, "anna", &account));
    assert_int_equal(account.first_seen, NOW);
    assert_true(join_at(1, "Anna", NULL, NOW + 5));
    assert_false(admission.is_new);
    assert_true(crafty_accounts_find(accounts, "Anna", &account));
    assert_int_equal(account.first_seen, NOW);
    assert_int_equal(account.last_seen, NOW + 5);
}

static void a_name_belongs_to_the_account_that_had_it_first(void **state)
{
    (void)state;
    assert_true(join(1, "Anna"));
    assert_false(join(2, "ANNA"));
    assert_int_equal(admission.result, CRAFTY_REFUSED_NAME_TAKEN);
    assert_true(join(1, "Berta"));
    assert_true(join(2, "ANNA")); /* it is free now */
}

static void a_name_that_is_not_valid_is_refused_with_the_reason(void **state)
{
    (void)state;
    assert_false(join(1, "a\x1b[31m"));
    assert_int_equal(admission.result, CRAFTY_REFUSED_NAME);
    assert_non_null(strstr(admission.reason, "\\x1b[31m\" cannot be a name"));
    assert_null(strchr(admission.reason, '\x1b'));
}

static void a_banned_account_is_refused_with_the_reason_until_the_ban_ends(void **state)
{
    (void)state;
    assert_true(join(1, "Anna"));
    assert_true(ban("anna", 3600, "insults\n"));
    assert_false(join(1, "Other"));
    assert_int_equal(admission.result, CRAFTY_REFUSED_BANNED);
    assert_string_equal(admission.reason, "You are banned from this server until 2023-11-14 23:13 "
                                          "UTC: insults\\n.");
    assert_true(join_at(1, "Anna", NULL, NOW + 3600));
}

static void a_banned_range_refuses_every_account(void **state)
{
    (void)state;
    assert_true(ban("192.0.2.0/24", 0, NULL));
    assert_false(join(1, "Anna"));
    assert_true(join_at(1, "Anna", "198.51.100.1:1", NOW));
}

static void most_of_the_internet_cannot_be_banned_by_accident(void **state)
{
    (void)state;
    assert_false(ban("0.0.0.0/0", 0, NULL));
    assert_false(ban("128.0.0.0/1", 0, NULL));
    assert_false(ban("::/0", 0, NULL));
    assert_false(ban("::/64", 0, NULL)); /* contains IPv4 */
    assert_true(ban("10.0.0.0/8", 0, NULL));
}

static void a_ban_ends_with_unban(void **state)
{
    (void)state;
    CnError error = {0};
    assert_true(join(1, "Anna"));
    assert_true(ban("Anna", 0, NULL));
    assert_true(crafty_accounts_unban(accounts, "anna", &error));
    assert_true(join(1, "Anna"));
    assert_false(crafty_accounts_unban(accounts, "anna", &error));
}

static void unban_finds_the_account_by_its_name_when_it_was_banned(void **state)
{
    (void)state;
    assert_true(join(1, "Anna"));
    assert_true(join(1, "Berta"));
    assert_true(ban("Berta", 0, NULL));
    assert_true(crafty_accounts_unban(accounts, "Berta", &(CnError){0}));
}

static void only_players_on_the_allow_list_join(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(join_allowed(1, "Anna"));
    assert_int_equal(admission.result, CRAFTY_REFUSED_NOT_ALLOWED);
    assert_non_null(strstr(admission.reason, "0101010101"));
    assert_true(crafty_accounts_allow(accounts, "Anna", true, &error)); /* who was refused */
    assert_true(join_allowed(1, "Anna"));
    assert_true(crafty_accounts_allow(accounts, "Anna", false, &error));
    assert_false(join_allowed(1, "Anna"));
    assert_true(crafty_accounts_set_role(accounts, "Anna", CRAFTY_ROLE_MODERATOR, &error));
    assert_true(join_allowed(1, "Anna"));
    assert_int_equal(admission.role, CRAFTY_ROLE_MODERATOR);
}

static void an_account_can_be_allowed_before_it_joins(void **state)
{
    (void)state;
    char id[CRAFTY_ACCOUNT_TEXT_BYTES];
    crafty_account_write(&(CraftyAccount){{7}}, id);
    assert_true(crafty_accounts_allow(accounts, id, true, &(CnError){0}));
    CraftyAdmissionRequest request = {
        .id = {{7}}, .name = "Anna", .now = NOW, .has_allow_list = true};
    assert_true(crafty_accounts_admit(accounts, &request, &admission));
    assert_true(admission.is_new);
}

static void nobody_is_changed_by_an_unknown_name(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(ban("Anna", 0, NULL));
    assert_false(crafty_accounts_allow(accounts, "Anna", true, &error));
    assert_false(crafty_accounts_set_role(accounts, "x y", CRAFTY_ROLE_OPERATOR, &error));
    assert_false(crafty_accounts_are_changed(accounts));
}

static bool count_account(const CraftyAccountRecord *account, void *user)
{
    (void)account;
    ++*(uint32_t *)user;
    return true;
}

static void the_players_who_were_away_longest_are_forgotten(void **state)
{
    (void)state;
    char name[32];
    uint32_t count = 0;
    assert_true(join(255, "First"));
    assert_true(crafty_accounts_set_role(accounts, "First", CRAFTY_ROLE_OPERATOR, NULL));
    for (uint32_t i = 0; i < CRAFTY_ACCOUNTS_MAX + 5; i++) {
        CraftyAdmissionRequest request = {.name = name, .now = NOW + 1 + (int64_t)i};
        memcpy(request.id.key, &i, sizeof i);
        cn_format(name, sizeof name, "p%u", i);
        assert_true(crafty_accounts_admit(accounts, &request, &admission));
    }
    crafty_accounts_each(accounts, count_account, &count);
    assert_int_equal(count, CRAFTY_ACCOUNTS_MAX);
    assert_true(crafty_accounts_find(accounts, "First", &(CraftyAccountRecord){0}));
    assert_false(crafty_accounts_find(accounts, "p0", &(CraftyAccountRecord){0}));
    assert_true(crafty_accounts_find(accounts, "p16388", &(CraftyAccountRecord){0}));
}

/* ---- The file ---- */

static void open_file(void)
{
    CnError error = {0};
    crafty_accounts_close(accounts, NULL);
    accounts = crafty_accounts_open(scratch_path(&scratch, "accounts.json"), &error);
    if (!accounts)
        fail_msg("%s", error.message);
}

static void everything_is_in_the_file(void **state)
{
    (void)state;
    CraftyAccountRecord account;
    open_file();
    assert_true(join(1, "Jürgen"));
    assert_true(crafty_accounts_set_role(accounts, "Jürgen", CRAFTY_ROLE_OPERATOR, NULL));
    assert_true(crafty_accounts_allow(accounts, "Jürgen", true, NULL));
    assert_true(join(2, "Anna"));
    assert_true(ban("Anna", 60, "a \"reason\""));
    assert_true(ban("2001:db8::/32", 0, NULL));
    open_file();
    assert_true(crafty_accounts_find(accounts, "jürgen", &account));
    assert_int_equal(account.role, CRAFTY_ROLE_OPERATOR);
    assert_true(account.is_allowed);
    assert_int_equal(account.first_seen, NOW);
    assert_false(join(2, "Anna"));
    assert_non_null(strstr(admission.reason, "a \"reason\""));
    assert_false(join_at(3, "Cleo", "[2001:db8::9]:5", NOW));
}

static void the_file_belongs_to_one_program(void **state)
{
    (void)state;
    CnError error = {0};
    open_file();
    assert_null(crafty_accounts_open(scratch_path(&scratch, "accounts.json"), &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
}

static void a_failed_save_is_tried_again(void **state)
{
    (void)state;
    CnError error = {0};
    const char *path = scratch_path(&scratch, "accounts.json");
    open_file();
    assert_true(join(1, "Anna"));
    assert_int_equal(mkdir(path, 0700), 0); /* cannot be replaced by a file */
    assert_false(crafty_accounts_save(accounts, &error));
    assert_true(crafty_accounts_are_changed(accounts));
    assert_int_equal(rmdir(path), 0);
    assert_true(crafty_accounts_save(accounts, &error));
    assert_false(crafty_accounts_are_changed(accounts));
}

static bool reads(const char *text, CnError *error)
{
    *error = (CnError){0};
    return crafty_accounts_read(accounts, "accounts.json", cn_text(text), error);
}

static void a_damaged_file_is_refused_with_the_place(void **state)
{
    (void)state;
    CnError error;
    assert_true(join(1, "Anna"));
    assert_false(reads("{\"version\": 1,\n \"accounts\": [x]}", &error));
    assert_int_equal(error.line, 2);
    assert_false(reads("{\"version\": 2}", &error));
    assert_int_equal(error.code, CN_ERROR_VERSION);
    assert_false(reads("{\"version\": 1, \"accounts\": [{\"id\": \"12\"}], \"bans\": []}", &error));
    assert_non_null(strstr(error.message, "accounts[0]: id: expected 64 hexadecimal digits"));
    assert_false(
        reads("{\"version\": 1, \"accounts\": [], \"bans\": [{\"address\": \"x\"}]}", &error));
    assert_non_null(strstr(error.message, "bans[0]: address"));
    assert_false(reads("{\"version\": 1, \"accounts\": [], \"bans\": [], \"more\": 1}", &error));
    assert_false(reads("", &error));
    assert_true(crafty_accounts_find(accounts, "Anna", &(CraftyAccountRecord){0})); /* unchanged */
}

static void two_accounts_with_one_name_are_refused(void **state)
{
    (void)state;
    CnError error;
    char text[512], a[CRAFTY_ACCOUNT_TEXT_BYTES], b[CRAFTY_ACCOUNT_TEXT_BYTES];
    crafty_account_write(&(CraftyAccount){{1}}, a);
    crafty_account_write(&(CraftyAccount){{2}}, b);
    cn_format(text, sizeof text,
              "{\"version\": 1, \"accounts\": [{\"id\": \"%s\", \"name\": \"Anna\"}, {\"id\": "
              "\"%s\", \"name\": \"ANNA\"}], \"bans\": []}",
              a, b);
    assert_false(reads(text, &error));
    assert_non_null(strstr(error.message, "the same name"));
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(names_are_short_and_visible),
        TEST(names_are_the_same_in_any_case),
        TEST(ranges_contain_addresses),
        TEST(addresses_are_written_as_they_are_read),
        TEST(other_texts_are_no_addresses),
        TEST(a_new_player_is_admitted_and_remembered),
        TEST(a_name_belongs_to_the_account_that_had_it_first),
        TEST(a_name_that_is_not_valid_is_refused_with_the_reason),
        TEST(a_banned_account_is_refused_with_the_reason_until_the_ban_ends),
        TEST(a_banned_range_refuses_every_account),
        TEST(most_of_the_internet_cannot_be_banned_by_accident),
        TEST(a_ban_ends_with_unban),
        TEST(unban_finds_the_account_by_its_name_when_it_was_banned),
        TEST(only_players_on_the_allow_list_join),
        TEST(an_account_can_be_allowed_before_it_joins),
        TEST(nobody_is_changed_by_an_unknown_name),
        TEST(the_players_who_were_away_longest_are_forgotten),
        TEST(everything_is_in_the_file),
        TEST(the_file_belongs_to_one_program),
        TEST(a_failed_save_is_tried_again),
        TEST(a_damaged_file_is_refused_with_the_place),
        TEST(two_accounts_with_one_name_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
