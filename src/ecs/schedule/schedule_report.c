/* Reports on the schedule: as a graph, and as a list of systems that conflict without a declared
 * order. */
#include "ecs/schedule/schedule.h"

/* ---- Declared order ---- */

/* The precedence of a stage's systems by `before` and `after`, directly or through others. */
typedef struct DeclaredOrder {
    uint64_t *rows; /* of bits, by position in the sorted order */
    uint32_t count, words;
} DeclaredOrder;

static bool order_has(const DeclaredOrder *order, uint32_t from, uint32_t to)
{
    return order->rows[(size_t)from * order->words + to / 64] >> (to % 64) & 1u;
}

static bool order_init(DeclaredOrder *order, const CnWorld *world, CnStage stage)
{
    CniEcsSystem *const *systems = world->sorted[stage].items;
    const uint32_t count = world->sorted[stage].count, words = (count + 63) / 64;
    *order = (DeclaredOrder){.count = count, .words = words};
    order->rows = cn_alloc_zeroed(world->allocator, (size_t)count * words * sizeof *order->rows);
    if (!order->rows)
        return false;
    /* The systems that a system precedes come later in the sorted order, so iterating from the last
     * to the first finds their rows complete. */
    for (uint32_t from = count; from-- > 0;) {
        uint64_t *row = order->rows + (size_t)from * words;
        for (uint32_t to = from + 1; to < count; to++) {
            if (order_has(order, from, to) ||
                !cni_ecs_system_runs_before(systems[from], systems[to]))
                continue;
            row[to / 64] |= (uint64_t)1 << (to % 64);
            for (uint32_t word = 0; word < words; word++)
                row[word] |= order->rows[(size_t)to * words + word];
        }
    }
    return true;
}

static void order_fini(DeclaredOrder *order, const CnWorld *world)
{
    cn_free(world->allocator, order->rows,
            (size_t)order->count * order->words * sizeof *order->rows);
}

/* Whether only the order of registration determines the order of two systems. */
static bool is_ambiguous(const DeclaredOrder *order, CniEcsSystem *const *systems, uint32_t from,
                         uint32_t to)
{
    return cni_ecs_systems_conflict(systems[from], systems[to]) && !order_has(order, from, to);
}

/* ---- Reports ---- */

typedef struct Report {
    CnWorld *world;
    void (*write)(const char *text, void *user);
    void *user;
    const DeclaredOrder *order; /* of the reported stage */
} Report;

static CN_PRINTF_LIKE(2, 3) void print(const Report *report, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    report->write(text, report->user);
}

static bool sort_all(CnWorld *world, CnError *error)
{
    CN_ASSERT(!world->updating, "the schedule cannot be reported while a stage runs");
    if (world->updating)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "the schedule cannot be reported while a stage runs");
    for (CnStage stage = 0; stage < CN_STAGE_COUNT; stage++)
        if (!world->sorted_valid[stage] && !cni_ecs_stage_sort(world, stage, error))
            return false;
    return true;
}

/* Calls `describe` for each stage that has systems. */
static bool for_each_stage(Report *report, void (*describe)(const Report *report, CnStage stage),
                           CnError *error)
{
    CnWorld *world = report->world;
    for (CnStage stage = 0; stage < CN_STAGE_COUNT; stage++) {
        if (!world->sorted[stage].count)
            continue;
        DeclaredOrder order;
        if (!order_init(&order, world, stage))
            return cn_error_memory(error, "stage %s", cn_stage_name(stage));
        report->order = &order;
        describe(report, stage);
        order_fini(&order, world);
    }
    return true;
}

#define REASON_BYTES (CN_MAX_NAME_BYTES + 32u) /* see cn_system_conflict */

/* ---- Graph ---- */

/* Names, and the reasons that contain them, may hold any characters. */
static void draw_quoted(const Report *report, const char *name)
{
    char text[2 * REASON_BYTES + 3];
    size_t used = 0;
    text[used++] = '"';
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            text[used++] = '\\';
        text[used++] = *name;
    }
    text[used++] = '"';
    text[used] = '\0';
    report->write(text, report->user);
}

/* Writes the edges into system `to`, without those implied by a chain of other edges, which keeps
 * the graph readable. `waits_for` marks the systems from which a chain leads here. */
static void draw_edges(const Report *report, CniEcsSystem *const *systems, uint32_t to)
{
    for (uint32_t from = to; from-- > 0;) {
        bool direct = cni_ecs_system_must_precede(systems[from], systems[to]), implied = false;
        for (uint32_t i = from + 1; i < to && !implied; i++)
            implied =
                systems[i]->waits_for && cni_ecs_system_must_precede(systems[from], systems[i]);
        systems[from]->waits_for = direct || implied;
        if (!direct || implied)
            continue;
        char why[REASON_BYTES];
        cn_system_conflict(report->world, systems[from]->id, systems[to]->id, why, sizeof why);
        print(report, "    ");
        draw_quoted(report, systems[from]->desc.name);
        print(report, " -> ");
        draw_quoted(report, systems[to]->desc.name);
        print(report, " [label=");
        draw_quoted(report, why);
        print(report, "%s];\n",
              is_ambiguous(report->order, systems, from, to) ? ", style=dashed" : "");
    }
}

static void draw_stage(const Report *report, CnStage stage)
{
    const CnWorld *world = report->world;
    const uint32_t count = world->sorted[stage].count;
    CniEcsSystem *const *systems = world->sorted[stage].items;
    print(report, "  subgraph cluster_%s {\n    label=\"%s\";\n", cn_stage_name(stage),
          cn_stage_name(stage));
    for (uint32_t wave = 0; wave < world->wave_count[stage]; wave++) {
        print(report, "    { rank=same;");
        for (uint32_t i = 0; i < count; i++) {
            if (systems[i]->wave != wave)
                continue;
            print(report, " ");
            draw_quoted(report, systems[i]->desc.name);
            print(report, " [xlabel=\"wave %u\"%s];", wave,
                  systems[i]->disabled ? ", style=dashed" : "");
        }
        print(report, " }\n");
    }
    for (uint32_t to = 1; to < count; to++)
        draw_edges(report, systems, to);
    print(report, "  }\n");
}

bool cn_schedule_dot(CnWorld *world, void (*write)(const char *text, void *user), void *user,
                     CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    if (!sort_all(world, error))
        return false;
    Report report = {world, write, user, NULL};
    print(&report, "digraph schedule {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans\"];\n"
                   "  edge [fontname=\"sans\", fontsize=9];\n");
    bool done = for_each_stage(&report, draw_stage, error);
    print(&report, "}\n");
    return done;
}

/* ---- Text ---- */

static void print_escaped(const Report *report, const char *text)
{
    char escaped[4 * REASON_BYTES + 1];
    report->write(cn_text_escape(cn_text(text), escaped, sizeof escaped), report->user);
}

static void print_ambiguities(const Report *report, CnStage stage)
{
    CniEcsSystem *const *systems = report->world->sorted[stage].items;
    for (uint32_t to = 1; to < report->order->count; to++)
        for (uint32_t from = 0; from < to; from++) {
            if (!is_ambiguous(report->order, systems, from, to))
                continue;
            char why[REASON_BYTES];
            cn_system_conflict(report->world, systems[from]->id, systems[to]->id, why, sizeof why);
            print(report, "%s: ", cn_stage_name(stage));
            print_escaped(report, systems[from]->desc.name);
            print(report, ", ");
            print_escaped(report, systems[to]->desc.name);
            print(report, ": ");
            print_escaped(report, why);
            print(report, "\n");
        }
}

bool cn_schedule_ambiguities(CnWorld *world, void (*write)(const char *text, void *user),
                             void *user, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    Report report = {world, write, user, NULL};
    return sort_all(world, error) && for_each_stage(&report, print_ambiguities, error);
}
