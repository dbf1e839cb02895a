/* Which systems may run at the same time, and how the schedule is shown. */
#include "ecs_fixture.h"

#include <stdio.h>
#include <string.h>

CN_COMPONENT(Gravity, (f32, y));
CN_COMPONENT(Hit, (f32, damage));

static CnError error;

static void nothing(CnSystemContext *context)
{
    (void)context;
}

static CnSystemDesc describe(const char *name)
{
    return (CnSystemDesc){.name = name, .run = nothing, .stage = CN_STAGE_UPDATE};
}

static CnSystem add(CnSystemDesc desc)
{
    CnSystem system = cn_system_add(world, &desc, &error);
    if (!system.id)
        fail_msg("%s", error.message);
    return system;
}

static CnSystem add_with(const char *name, CnTerm term)
{
    CnSystemDesc desc = describe(name);
    desc.access[0] = term;
    return add(desc);
}

#define READS(T) ((CnTerm)cn_reads(T))
#define WRITES(T) ((CnTerm)cn_writes(T))

/* Each name followed by its wave, in the order of the schedule. */
static void assert_waves(const char *expected)
{
    CnScheduled systems[64];
    uint32_t count;
    char text[1024] = "";
    if (!cn_stage_systems(world, CN_STAGE_UPDATE, systems, 64, &count, &error))
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%u", i ? " " : "",
                 systems[i].name, systems[i].wave);
    assert_string_equal(text, expected);
}

/* ---- Conflicts ---- */

static void systems_without_conflict_share_a_wave(void **state)
{
    (void)state;
    add_with("a", WRITES(Position));
    add_with("b", WRITES(Velocity));
    add_with("c", READS(Mass));
    assert_waves("a0 b0 c0");
}

static void two_that_read_share_a_wave(void **state)
{
    (void)state;
    add_with("a", READS(Position));
    add_with("b", READS(Position));
    assert_waves("a0 b0");
}

static void two_that_write_run_in_order(void **state)
{
    (void)state;
    add_with("a", WRITES(Position));
    add_with("b", WRITES(Position));
    assert_waves("a0 b1");
}

static void who_reads_waits_for_who_wrote_before(void **state)
{
    (void)state;
    add_with("a", WRITES(Position));
    add_with("b", READS(Position));
    add_with("c", READS(Position));
    assert_waves("a0 b1 c1");
}

static void who_writes_waits_for_all_who_read_before(void **state)
{
    (void)state;
    add_with("a", READS(Position));
    add_with("b", READS(Position));
    add_with("c", WRITES(Position));
    assert_waves("a0 b0 c1");
}

static void to_match_a_component_is_no_access(void **state)
{
    (void)state;
    add_with("a", WRITES(Position));
    CnSystemDesc matching = describe("b");
    matching.query.all[0] = (CnTerm)cn_tag(Position);
    add(matching);
    assert_waves("a0 b0");
}

static void what_a_query_names_counts_in_all_its_lists(void **state)
{
    (void)state;
    CnSystemDesc all = describe("all"), any = describe("any"), optional = describe("optional");
    all.query.all[0] = WRITES(Position);
    any.query.any[0] = WRITES(Position);
    optional.query.all[0] = READS(Mass);
    optional.query.optional[0] = READS(Position);
    add(all), add(any), add(optional);
    assert_waves("all0 any1 optional2");
}

static void what_a_query_excludes_does_not_count(void **state)
{
    (void)state;
    CnSystemDesc none = describe("none");
    none.query.all[0] = READS(Mass);
    none.query.none[0] = READS(Position);
    add_with("a", WRITES(Position));
    add(none);
    assert_waves("a0 none0");
}

static void resources_conflict_like_components(void **state)
{
    (void)state;
    cn_resource_set(world, Gravity, {-10});
    add_with("a", READS(Gravity));
    add_with("b", READS(Gravity));
    add_with("c", WRITES(Gravity));
    add_with("d", READS(Gravity));
    assert_waves("a0 b0 c1 d2");
}

static void events_conflict_like_components(void **state)
{
    (void)state;
    cn_channel(world, Hit);
    add_with("a", WRITES(Hit));
    add_with("b", READS(Hit));
    add_with("c", READS(Hit));
    add_with("d", WRITES(Hit));
    assert_waves("a0 b1 c1 d2");
}

static void who_declares_nothing_has_a_wave_of_its_own(void **state)
{
    (void)state;
    add_with("a", READS(Position));
    add(describe("b"));
    add_with("c", READS(Position));
    assert_waves("a0 b1 c2");
}

static void who_is_alone_has_a_wave_of_its_own_whatever_it_declares(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("b");
    desc.access[0] = READS(Mass);
    desc.alone = true;
    add_with("a", READS(Position));
    add(desc);
    add_with("c", READS(Position));
    assert_waves("a0 b1 c2");
}

static void hook(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)of, (void)entity, (void)component, (void)user;
}

static void who_writes_a_component_with_an_on_set_hook_has_a_wave_of_its_own(void **state)
{
    (void)state;
    add_with("a", READS(Mass));
    add_with("b", WRITES(Health));
    add_with("c", READS(Mass));
    assert_waves("a0 b0 c0");
    cn_component_set_hooks(world, cn_id(world, Health), &(CnHooks){.on_set = {hook, NULL}});
    assert_waves("a0 b1 c2");
    cn_component_set_hooks(world, cn_id(world, Health), &(CnHooks){.on_add = {hook, NULL}});
    assert_waves("a0 b0 c0");
}

/* ---- Order ---- */

static void an_order_that_is_requested_holds_without_conflict(void **state)
{
    (void)state;
    CnSystemDesc b = describe("b"), c = describe("c");
    b.access[0] = READS(Velocity), b.before[0] = "a";
    c.access[0] = READS(Mass), c.after[0] = "a";
    add_with("a", READS(Position));
    add(b), add(c);
    assert_waves("b0 a1 c2");
}

static void the_wave_is_the_longest_way(void **state)
{
    (void)state;
    CnSystemDesc e = describe("e");
    e.access[0] = READS(Position), e.access[1] = READS(Velocity);
    add_with("a", WRITES(Position));
    add_with("b", WRITES(Position));
    add_with("c", WRITES(Position));
    add_with("d", WRITES(Velocity));
    add(e);
    add_with("f", READS(Mass));
    assert_waves("a0 b1 c2 d0 e3 f0");
}

static void waves_follow_additions_and_removals(void **state)
{
    (void)state;
    CnSystem a = add_with("a", WRITES(Position));
    add_with("b", READS(Position));
    assert_waves("a0 b1");
    cn_system_remove(world, a);
    assert_waves("b0");
    CnSystemDesc first = describe("first");
    first.access[0] = WRITES(Position), first.before[0] = "b";
    add(first);
    assert_waves("first0 b1");
}

static void a_disabled_system_keeps_its_wave(void **state)
{
    (void)state;
    CnSystem a = add_with("a", WRITES(Position));
    add_with("b", WRITES(Position));
    cn_system_enable(world, a, false);
    assert_waves("a0 b1");
}

static void asking_again_makes_no_heap_call(void **state)
{
    (void)state;
    add_with("a", WRITES(Position));
    add_with("b", READS(Position));
    assert_waves("a0 b1");
    uint64_t calls = cn_heap_stats(heap).calls;
    assert_waves("a0 b1");
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

static void what_is_scheduled_says_whether_it_is_alone_and_enabled(void **state)
{
    (void)state;
    CnSystemDesc off = describe("off");
    off.access[0] = READS(Mass), off.disabled = true;
    add(describe("solo"));
    add(off);
    CnScheduled systems[2];
    uint32_t count;
    assert_true(cn_stage_systems(world, CN_STAGE_UPDATE, systems, 2, &count, NULL));
    assert_true(systems[0].alone && systems[0].enabled);
    assert_true(!systems[1].alone && !systems[1].enabled);
}

/* ---- By handle ---- */

static void a_handle_orders_like_a_name(void **state)
{
    (void)state;
    CnSystem b = add_with("b", READS(Position));
    CnSystemDesc a = describe("a"), c = describe("c");
    a.access[0] = READS(Position), a.before_system[0] = b;
    c.access[0] = READS(Position), c.after_system[0] = b;
    add(c), add(a);
    assert_waves("a0 b1 c2");
}

static void names_and_handles_add_up(void **state)
{
    (void)state;
    CnSystem a = add_with("a", READS(Position));
    add_with("b", READS(Position));
    CnSystemDesc first = describe("first");
    first.access[0] = READS(Position), first.before[0] = "b", first.before_system[0] = a;
    add(first);
    assert_waves("first0 a1 b1");
}

static void a_handle_that_names_no_system_is_an_error(void **state)
{
    (void)state;
    CnSystem gone = add(describe("gone"));
    cn_system_remove(world, gone);
    CnSystemDesc desc = describe("lost");
    desc.after_system[0] = gone;
    assert_int_equal(cn_system_add(world, &desc, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "lost"));
    assert_int_equal(cn_system_find(world, "lost").id, 0);
}

static void more_names_and_handles_than_the_limit_are_an_error(void **state)
{
    (void)state;
    static char names[CN_MAX_ORDER][8];
    CnSystem other = add(describe("other"));
    CnSystemDesc desc = describe("busy");
    for (uint32_t i = 0; i < CN_MAX_ORDER; i++) {
        snprintf(names[i], sizeof names[i], "n%u", i);
        add(describe(names[i]));
        desc.after[i] = names[i];
    }
    CnSystemDesc fits = desc;
    fits.name = "fits";
    add(fits);
    desc.after_system[0] = other;
    assert_int_equal(cn_system_add(world, &desc, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "busy"));
}

static void a_handle_whose_system_has_gone_is_an_error_of_the_sort(void **state)
{
    (void)state;
    CnSystem leader = add(describe("leader"));
    CnSystemDesc desc = describe("follower");
    desc.after_system[0] = leader;
    add(desc);
    cn_system_remove(world, leader);
    assert_false(cn_world_update(world, 0.1f, &error));
    assert_non_null(strstr(error.message, "follower must run after leader"));
}

/* ---- Reasons ---- */

static void assert_reason(CnSystem first, CnSystem second, const char *expected)
{
    char text[128];
    uint32_t count;
    assert_true(cn_stage_systems(world, CN_STAGE_UPDATE, NULL, 0, &count, NULL));
    const char *reason = cn_system_conflict(world, first, second, text, sizeof text);
    if (!expected)
        assert_null(reason);
    else
        assert_string_equal(reason, expected);
}

static void a_conflict_is_explained(void **state)
{
    (void)state;
    CnSystem writer = add_with("writer", WRITES(Position));
    CnSystem reader = add_with("reader", READS(Position));
    CnSystem again = add_with("again", WRITES(Position));
    CnSystem other = add_with("other", WRITES(Mass));
    CnSystem solo = add(describe("solo"));
    CnSystemDesc last = describe("last");
    last.access[0] = READS(Mass), last.after[0] = "reader";
    CnSystem ordered = add(last);
    assert_reason(writer, reader, "writes Position");
    assert_reason(reader, again, "reads Position");
    assert_reason(writer, again, "both write Position");
    assert_reason(writer, other, NULL);
    assert_reason(other, solo, "solo runs alone");
    assert_reason(solo, ordered, "solo runs alone");
    assert_reason(reader, ordered, "before");
    assert_reason(other, ordered, "writes Mass");
    assert_reason(writer, (CnSystem){99}, NULL);
}

/* ---- The graph ---- */

typedef struct Drawing {
    char text[4096];
    size_t used;
} Drawing;

static void collect(const char *text, void *user)
{
    Drawing *drawing = user;
    size_t length = strlen(text);
    assert_true(drawing->used + length < sizeof drawing->text);
    memcpy(drawing->text + drawing->used, text, length + 1);
    drawing->used += length;
}

static void the_graph_of_a_small_schedule(void **state)
{
    (void)state;
    CnSystemDesc draw = describe("draw"), off = describe("off");
    draw.access[0] = READS(Position), draw.stage = CN_STAGE_FRAME;
    off.access[0] = READS(Mass), off.disabled = true, off.after[0] = "move";
    add_with("steer", WRITES(Velocity));
    CnSystemDesc move = describe("move");
    move.access[0] = WRITES(Position), move.access[1] = READS(Velocity);
    add(move), add(off), add(draw);
    CnSystemDesc look = describe("look");
    look.access[0] = READS(Position), look.access[1] = READS(Velocity);
    add(look); /* its edge from steer is implied by that from move */
    Drawing drawing = {.used = 0};
    assert_true(cn_schedule_dot(world, collect, &drawing, NULL));
    assert_string_equal(drawing.text, "digraph schedule {\n"
                                      "  rankdir=LR;\n"
                                      "  node [shape=box, fontname=\"sans\"];\n"
                                      "  edge [fontname=\"sans\", fontsize=9];\n"
                                      "  subgraph cluster_Update {\n"
                                      "    label=\"Update\";\n"
                                      "    { rank=same; \"steer\" [xlabel=\"wave 0\"]; }\n"
                                      "    { rank=same; \"move\" [xlabel=\"wave 1\"]; }\n"
                                      "    { rank=same; \"off\" [xlabel=\"wave 2\", style=dashed]; "
                                      "\"look\" [xlabel=\"wave 2\"]; }\n"
                                      "    \"steer\" -> \"move\" [label=\"writes Velocity\", "
                                      "style=dashed];\n"
                                      "    \"move\" -> \"off\" [label=\"before\"];\n"
                                      "    \"move\" -> \"look\" [label=\"writes Position\", "
                                      "style=dashed];\n"
                                      "  }\n"
                                      "  subgraph cluster_Frame {\n"
                                      "    label=\"Frame\";\n"
                                      "    { rank=same; \"draw\" [xlabel=\"wave 0\"]; }\n"
                                      "  }\n"
                                      "}\n");
}

static void a_longer_chain_implies_an_edge_as_well(void **state)
{
    (void)state;
    CnSystemDesc a = describe("a"), b = describe("b"), c = describe("c"), d = describe("d");
    a.access[0] = WRITES(Position), a.access[1] = WRITES(Velocity);
    b.access[0] = READS(Velocity), b.before[0] = "c";
    c.access[0] = WRITES(Mass);
    d.access[0] = READS(Mass), d.access[1] = READS(Position);
    add(a), add(b), add(c), add(d);
    Drawing drawing = {.used = 0};
    assert_true(cn_schedule_dot(world, collect, &drawing, NULL));
    assert_non_null(strstr(drawing.text, "\"c\" -> \"d\""));
    assert_null(strstr(drawing.text, "\"a\" -> \"d\""));
}

static void names_with_quotes_are_escaped(void **state)
{
    (void)state;
    add(describe("say \"hi\" \\ bye"));
    Drawing drawing = {.used = 0};
    assert_true(cn_schedule_dot(world, collect, &drawing, NULL));
    assert_non_null(strstr(drawing.text, "\"say \\\"hi\\\" \\\\ bye\" ["));
}

static void a_schedule_that_cannot_be_sorted_is_not_drawn(void **state)
{
    (void)state;
    CnSystemDesc desc = describe("follower");
    desc.after[0] = "nobody";
    add(desc);
    Drawing drawing = {.used = 0};
    assert_false(cn_schedule_dot(world, collect, &drawing, &error));
    assert_int_equal(drawing.used, 0);
    assert_non_null(strstr(error.message, "nobody"));
}

static void look_at_frames(CnSystemContext *context)
{
    CnError refused = {0};
    uint32_t count = 99;
    assert_false(cn_stage_systems(context->world, CN_STAGE_FRAME, NULL, 0, &count, &refused));
    assert_int_equal(refused.code, CN_ERROR_PERMISSION);
    assert_true(cn_stage_systems(context->world, CN_STAGE_UPDATE, NULL, 0, &count, &refused));
    assert_int_equal(count, 1);
}

/* Its order names systems that are gone. */
static void a_stage_that_is_not_sorted_cannot_be_looked_at_during_an_update(void **state)
{
    (void)state;
    CnSystemDesc looker = describe("looker"), frame = describe("frame");
    looker.run = look_at_frames;
    frame.stage = CN_STAGE_FRAME;
    add(looker);
    CnSystem gone = add(frame);
    assert_true(cn_world_frame(world, 0.1f, NULL));
    cn_system_remove(world, gone);
    assert_true(cn_world_update(world, 0.1f, NULL));
}

/* ---- run_if ---- */

static bool open_gate;
static uint32_t runs;
static uint64_t seen_last_run;

static bool gate(const CnSystemContext *context)
{
    (void)context;
    return open_gate;
}

static void count_run(CnSystemContext *context)
{
    runs++;
    seen_last_run = context->last_run;
}

static void add_gated(void)
{
    CnSystemDesc desc = describe("gated");
    desc.run = count_run, desc.run_if = gate;
    desc.query.all[0] = READS(Position);
    add(desc);
    runs = 0, seen_last_run = 99;
}

static void update(void)
{
    assert_true(cn_world_update(world, 0.1f, &error));
}

static void a_system_rests_while_its_condition_is_false(void **state)
{
    (void)state;
    add_gated();
    open_gate = false;
    update();
    assert_int_equal(runs, 0);
    open_gate = true;
    update();
    assert_int_equal(runs, 1);
}

static void what_changes_while_it_rests_is_new_to_the_next_run(void **state)
{
    (void)state;
    add_gated();
    open_gate = true;
    update();
    assert_int_equal(seen_last_run, 0);
    uint64_t ran_by = cn_world_tick(world);
    open_gate = false;
    update();
    open_gate = true;
    update();
    assert_true(seen_last_run > 0 && seen_last_run <= ran_by);
}

static bool is_heavy(const CnSystemContext *context)
{
    return cn_resource(context->world, Gravity)->y < -5;
}

static void a_condition_may_read_what_the_system_declares(void **state)
{
    (void)state;
    cn_resource_set(world, Gravity, {-10});
    CnSystemDesc desc = describe("falling");
    desc.run = count_run, desc.run_if = is_heavy;
    desc.access[0] = READS(Gravity);
    add(desc);
    runs = 0;
    update();
    cn_resource_set(world, Gravity, {-1});
    update();
    assert_int_equal(runs, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(systems_without_conflict_share_a_wave),
        WORLD_TEST(two_that_read_share_a_wave),
        WORLD_TEST(to_match_a_component_is_no_access),
        WORLD_TEST(two_that_write_run_in_order),
        WORLD_TEST(who_reads_waits_for_who_wrote_before),
        WORLD_TEST(who_writes_waits_for_all_who_read_before),
        WORLD_TEST(what_a_query_names_counts_in_all_its_lists),
        WORLD_TEST(what_a_query_excludes_does_not_count),
        WORLD_TEST(resources_conflict_like_components),
        WORLD_TEST(events_conflict_like_components),
        WORLD_TEST(who_declares_nothing_has_a_wave_of_its_own),
        WORLD_TEST(who_is_alone_has_a_wave_of_its_own_whatever_it_declares),
        WORLD_TEST(who_writes_a_component_with_an_on_set_hook_has_a_wave_of_its_own),
        WORLD_TEST(an_order_that_is_requested_holds_without_conflict),
        WORLD_TEST(the_wave_is_the_longest_way),
        WORLD_TEST(waves_follow_additions_and_removals),
        WORLD_TEST(a_disabled_system_keeps_its_wave),
        WORLD_TEST(asking_again_makes_no_heap_call),
        WORLD_TEST(what_is_scheduled_says_whether_it_is_alone_and_enabled),
        WORLD_TEST(a_handle_orders_like_a_name),
        WORLD_TEST(names_and_handles_add_up),
        WORLD_TEST(a_handle_that_names_no_system_is_an_error),
        WORLD_TEST(more_names_and_handles_than_the_limit_are_an_error),
        WORLD_TEST(a_handle_whose_system_has_gone_is_an_error_of_the_sort),
        WORLD_TEST(a_conflict_is_explained),
        WORLD_TEST(the_graph_of_a_small_schedule),
        WORLD_TEST(a_longer_chain_implies_an_edge_as_well),
        WORLD_TEST(names_with_quotes_are_escaped),
        WORLD_TEST(a_schedule_that_cannot_be_sorted_is_not_drawn),
        WORLD_TEST(a_stage_that_is_not_sorted_cannot_be_looked_at_during_an_update),
        WORLD_TEST(a_system_rests_while_its_condition_is_false),
        WORLD_TEST(what_changes_while_it_rests_is_new_to_the_next_run),
        WORLD_TEST(a_condition_may_read_what_the_system_declares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
