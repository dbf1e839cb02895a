/* The report of systems that conflict without a declared order. */
#include "traced_systems.h"

static char report[4096];
static CnError error;

static void collect(const char *text, void *user)
{
    (void)user;
    assert_true(strlen(report) + strlen(text) < sizeof report);
    strcat(report, text);
}

static CnSystemDesc touching(const char *name, CnTerm term)
{
    CnSystemDesc desc = describe(name);
    desc.access[0] = term;
    return desc;
}

static void add(CnSystemDesc desc)
{
    assert_int_not_equal(cn_system_add(world, &desc, NULL).id, 0);
}

static void assert_ambiguities(const char *expected)
{
    report[0] = '\0';
    assert_true(cn_schedule_ambiguities(world, collect, NULL, NULL));
    assert_string_equal(report, expected);
}

static void assert_image_has(const char *edge, bool wanted)
{
    report[0] = '\0';
    assert_true(cn_schedule_dot(world, collect, NULL, NULL));
    assert_int_equal(strstr(report, edge) != NULL, wanted);
}

#define WRITES(T) ((CnTerm)cn_writes(T))
#define READS(T) ((CnTerm)cn_reads(T))

static void systems_that_conflict_without_an_order_are_ambiguous(void **state)
{
    (void)state;
    add(touching("a", WRITES(Position)));
    add(touching("b", READS(Position)));
    add(touching("c", WRITES(Mass)));
    assert_ambiguities("Update: a, b: writes Position\n");
}

static void systems_that_only_read_are_not_ambiguous(void **state)
{
    (void)state;
    add(touching("a", READS(Position)));
    add(touching("b", READS(Position)));
    assert_ambiguities("");
}

static void a_declared_order_is_not_ambiguous(void **state)
{
    (void)state;
    CnSystemDesc first = touching("first", WRITES(Position));
    first.before[0] = "b";
    add(touching("b", WRITES(Position)));
    add(first);
    assert_ambiguities("");
}

static void an_order_declared_through_others_is_not_ambiguous(void **state)
{
    (void)state;
    CnSystemDesc b = touching("b", READS(Mass)), c = touching("c", READS(Velocity)),
                 d = touching("d", WRITES(Position));
    b.after[0] = "a", c.after[0] = "b", d.after[0] = "c";
    add(touching("a", WRITES(Position)));
    add(b), add(c), add(d);
    assert_ambiguities("");
}

static void an_order_by_conflicts_alone_is_ambiguous(void **state)
{
    (void)state;
    CnSystemDesc c = touching("c", WRITES(Position));
    c.after[0] = "b";
    add(touching("a", WRITES(Position)));
    add(touching("b", WRITES(Position)));
    add(c);
    assert_ambiguities("Update: a, b: both write Position\n"
                       "Update: a, c: both write Position\n");
}

static void an_order_declared_by_a_set_is_not_ambiguous(void **state)
{
    (void)state;
    CnSystemDesc a = touching("a", WRITES(Position)), b = touching("b", READS(Position));
    a.set = "physics", b.after[0] = "physics";
    add(a), add(b);
    assert_ambiguities("");
}

static void a_system_that_declares_nothing_conflicts_with_all(void **state)
{
    (void)state;
    add(touching("a", READS(Position)));
    add(describe("solo"));
    assert_ambiguities("Update: a, solo: solo runs alone\n");
}

static void systems_of_different_stages_are_not_ambiguous(void **state)
{
    (void)state;
    CnSystemDesc early = touching("early", WRITES(Position));
    early.stage = CN_STAGE_PRE_UPDATE;
    add(early), add(touching("late", WRITES(Position)));
    assert_ambiguities("");
}

static void more_systems_than_a_word_has_bits_are_compared(void **state)
{
    (void)state;
    char names[130][16];
    for (int i = 0; i < 130; i++) {
        snprintf(names[i], sizeof names[i], "s%d", i);
        CnSystemDesc desc = touching(names[i], WRITES(Position));
        desc.on_added = desc.on_removed = NULL, desc.dispose = NULL;
        if (i && i != 129)
            desc.after[0] = names[i - 1];
        if (i == 129)
            desc.after[0] = "s127";
        add(desc);
    }
    assert_ambiguities("Update: s128, s129: both write Position\n");
}

static void names_are_escaped(void **state)
{
    (void)state;
    add(touching("a\nb", WRITES(Position)));
    add(touching("c", WRITES(Position)));
    assert_ambiguities("Update: a\\nb, c: both write Position\n");
}

static void the_longest_name_full_of_quotes_is_drawn(void **state)
{
    (void)state;
    char name[CN_MAX_NAME_BYTES];
    memset(name, '"', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CnSystemDesc desc = describe(name);
    desc.on_added = desc.on_removed = NULL, desc.dispose = NULL;
    add(desc);
    add(touching("c", WRITES(Position)));
    assert_image_has("runs alone\", style=dashed]", true);
}

static void ambiguities_are_dashed_edges_of_the_graph(void **state)
{
    (void)state;
    add(touching("a", WRITES(Position)));
    add(touching("b", READS(Position)));
    assert_image_has("\"a\" -> \"b\" [label=\"writes Position\", style=dashed];", true);
}

static void edges_of_a_declared_order_are_not_dashed(void **state)
{
    (void)state;
    CnSystemDesc b = touching("b", READS(Position));
    b.after[0] = "a";
    add(touching("a", WRITES(Position)));
    add(b);
    assert_image_has("\"a\" -> \"b\"", true);
    assert_image_has("style=dashed", false);
}

static void a_schedule_that_cannot_be_sorted_has_no_report(void **state)
{
    (void)state;
    CnSystemDesc desc = touching("follower", WRITES(Position));
    desc.after[0] = "nobody";
    add(desc);
    report[0] = '\0';
    assert_false(cn_schedule_ambiguities(world, collect, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_string_equal(report, "");
}

#define TRACED_TEST(name) cmocka_unit_test_setup_teardown(name, make_traced_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACED_TEST(systems_that_conflict_without_an_order_are_ambiguous),
        TRACED_TEST(systems_that_only_read_are_not_ambiguous),
        TRACED_TEST(a_declared_order_is_not_ambiguous),
        TRACED_TEST(an_order_declared_through_others_is_not_ambiguous),
        TRACED_TEST(an_order_by_conflicts_alone_is_ambiguous),
        TRACED_TEST(an_order_declared_by_a_set_is_not_ambiguous),
        TRACED_TEST(a_system_that_declares_nothing_conflicts_with_all),
        TRACED_TEST(systems_of_different_stages_are_not_ambiguous),
        TRACED_TEST(more_systems_than_a_word_has_bits_are_compared),
        TRACED_TEST(names_are_escaped),
        TRACED_TEST(the_longest_name_full_of_quotes_is_drawn),
        TRACED_TEST(ambiguities_are_dashed_edges_of_the_graph),
        TRACED_TEST(edges_of_a_declared_order_are_not_dashed),
        TRACED_TEST(a_schedule_that_cannot_be_sorted_has_no_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
