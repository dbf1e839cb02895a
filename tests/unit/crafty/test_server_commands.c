/* Commands about accounts: their answers, and who may use them. */
#include "cmocka_tests.h"

#include <crafty/server/commands.h>

#include <string.h>

static const CraftyCommandSender operator_sender = {"console", CRAFTY_ROLE_OPERATOR};
static const CraftyCommandSender moderator = {"Mo", CRAFTY_ROLE_MODERATOR};
static const CraftyCommandSender player = {"Pia", CRAFTY_ROLE_PLAYER};

static CraftyAccounts *accounts;
static CnTextBuilder reply;

static void join(uint8_t number, const char *name)
{
    CraftyAccountsAdmission admission;
    CraftyAdmissionRequest request = {.id = {{number}}, .name = name, .now = 1700000000};
    assert_true(crafty_accounts_admit(accounts, &request, &admission));
}

static int begin(void **state)
{
    (void)state;
    cn_array_init(&reply, NULL);
    accounts = crafty_accounts_open(NULL, NULL);
    if (!accounts)
        return 1;
    join(1, "Anna");
    join(2, "Otto");
    return !crafty_accounts_set_role(accounts, "Otto", CRAFTY_ROLE_OPERATOR, NULL);
}

static int end(void **state)
{
    (void)state;
    cn_array_fini(&reply);
    crafty_accounts_close(accounts, NULL);
    return 0;
}

static bool run_as(const CraftyCommandSender *sender, const char *line)
{
    cn_array_clear(&reply);
    return crafty_accounts_command(accounts, sender, line, NULL, &reply);
}

static bool answers(const char *line, const char *words)
{
    run_as(&operator_sender, line);
    if (reply.count > 0 && strstr(reply.items, words))
        return true;
    print_error("%s: %.*s\n", line, (int)reply.count, reply.items);
    return false;
}

static void a_ban_is_made_listed_and_ended(void **state)
{
    (void)state;
    assert_true(answers("ban Anna griefing the spawn", "Anna is banned for good"));
    assert_true(answers("ban 192.0.2.0/24 7d", "is banned until "));
    assert_true(answers("bans", "Anna  for good  griefing the spawn\n192.0.2.0/24  until "));
    assert_true(answers("unban anna", "anna is not banned any more"));
    assert_true(answers("unban 192.0.2.0/24", "not banned any more"));
    assert_true(answers("bans", "nobody is banned"));
}

static void the_ban_is_given_to_the_caller(void **state)
{
    (void)state;
    CraftyBan ban;
    assert_true(crafty_accounts_command(accounts, &operator_sender, "ban Anna", &ban, &reply));
    assert_true(ban.since > 0);
    assert_int_equal(ban.id.key[0], 1);
    assert_true(crafty_accounts_command(accounts, &operator_sender, "bans", &ban, &reply));
    assert_int_equal(ban.since, 0);
}

static void roles_and_the_allow_list_change(void **state)
{
    (void)state;
    assert_true(answers("role Anna moderator", "Anna has the role moderator now"));
    assert_true(answers("allow Anna", "Anna is on the allow list"));
    assert_true(answers("accounts", "Anna  moderator, allowed  last seen 2023-11-14 22:13 UTC"));
    assert_true(answers("disallow Anna", "Anna is not on the allow list"));
}

static void wrong_lines_say_what_was_expected(void **state)
{
    (void)state;
    assert_true(answers("ban", "expected: ban NAME|ADDRESS [TIME] [REASON]"));
    assert_true(answers("ban Anna 7x", "expected a time, such as 30min, 12h or 7d, not \"7x\""));
    assert_true(answers("role Anna king", "expected: role NAME player|moderator|operator"));
    assert_true(answers("ban Nobody", "there is no player \"Nobody\""));
    assert_true(answers("unban Nobody", "is not banned"));
}

static void moderators_ban_players_but_no_operators(void **state)
{
    (void)state;
    assert_true(run_as(&moderator, "ban Anna"));
    assert_false(run_as(&moderator, "ban Otto"));
    assert_false(run_as(&moderator, "role Anna operator"));
    assert_false(run_as(&moderator, "allow Anna"));
}

static void an_account_id_is_no_way_around_a_role(void **state)
{
    (void)state;
    char line[128] = "ban ";
    crafty_account_write(&(CraftyAccount){{2}}, line + 4);
    assert_false(run_as(&moderator, line));
}

static void players_have_no_commands(void **state)
{
    (void)state;
    assert_false(run_as(&player, "bans"));
    assert_false(run_as(&player, "ban Anna"));
}

static void answers_contain_no_control_characters(void **state)
{
    (void)state;
    assert_false(run_as(&operator_sender, "ban \x1b[31mAnna"));
    for (uint32_t i = 0; i < reply.count; i++)
        assert_true(reply.items[i] >= ' ' || reply.items[i] == '\n');
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_ban_is_made_listed_and_ended),
        TEST(the_ban_is_given_to_the_caller),
        TEST(roles_and_the_allow_list_change),
        TEST(wrong_lines_say_what_was_expected),
        TEST(moderators_ban_players_but_no_operators),
        TEST(an_account_id_is_no_way_around_a_role),
        TEST(players_have_no_commands),
        TEST(answers_contain_no_control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
