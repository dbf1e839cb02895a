/*
 * The content of mods as texts for the readers of the game. Each record has a line of its own, so
 * that the line of an error leads to the place where the record was registered.
 */
#include "mods_internal.h"

#include "crafty/world/creature_kinds.h"
#include "crafty/world/features.h"
#include "crafty/world/items_file.h"
#include "crafty/world/recipes.h"
#include "crafty/world/block_rules.h"
#include "crafty/world/blocks.h"
#include "crafty/world/trades.h"
#include "crafty/world/weather_kinds.h"

#include <string.h>

#define NO_RECORD UINT32_MAX

typedef struct Document {
    CraftyMods *mods;
    CnTextBuilder *text;
    CN_ARRAY(uint32_t) lines; /* the record of each line */
    bool failed;              /* out of memory */
    bool is_first;            /* of its list */
} Document;

/* ---- Lines ---- */

static void put(Document *doc, const char *text)
{
    doc->failed |= !cn_text_append(doc->text, cn_text(text));
}

static void end_line(Document *doc, uint32_t record)
{
    put(doc, "\n");
    doc->failed |= !cn_array_push(&doc->lines, record);
}

static void begin(Document *doc, CraftyMods *mods, CnTextBuilder *text)
{
    *doc = (Document){.mods = mods, .text = text, .lines.allocator = mods->allocator};
    text->count = 0;
    put(doc, "{");
}

static void begin_list(Document *doc, const char *key, const char *bracket, bool is_first)
{
    put(doc, is_first ? "\"" : ",\"");
    put(doc, key);
    put(doc, "\":");
    put(doc, bracket);
    end_line(doc, NO_RECORD);
    doc->is_first = true;
}

static void begin_row(Document *doc)
{
    put(doc, doc->is_first ? "" : ",");
    doc->is_first = false;
}

static bool is_in(const CraftyMods *mods, uint32_t i, CraftyRecordKind kind)
{
    const CraftyRecord *record = &mods->records.items[i];
    return record->kind == kind && record->json && !mods->list[record->mod].is_disabled;
}

static void put_rows(Document *doc, CraftyRecordKind kind, bool standard)
{
    const CraftyMods *mods = doc->mods;
    for (uint32_t i = 0; i < mods->records.count; i++) {
        const CraftyRecord *record = &mods->records.items[i];
        if (!is_in(mods, i, kind) || mods->list[record->mod].source->is_standard != standard)
            continue;
        begin_row(doc);
        put(doc, record->json);
        end_line(doc, i);
    }
}

/* ---- Lists by key: later records add to earlier ones ---- */

static bool is_earlier(const CraftyMods *mods, uint32_t i, CraftyRecordKind kind)
{
    for (uint32_t k = 0; k < i; k++)
        if (is_in(mods, k, kind) &&
            strcmp(mods->records.items[k].key, mods->records.items[i].key) == 0)
            return true;
    return false;
}

/* Returns the record of this key after `i`; NO_RECORD: none. */
static uint32_t next_of_key(const CraftyMods *mods, uint32_t i, CraftyRecordKind kind)
{
    for (uint32_t k = i + 1; k < mods->records.count; k++)
        if (is_in(mods, k, kind) &&
            strcmp(mods->records.items[k].key, mods->records.items[i].key) == 0)
            return k;
    return NO_RECORD;
}

/* Items of an array in JSON, without its brackets. */
static void put_items(Document *doc, const char *json)
{
    size_t size = strlen(json);
    if (size > 2 && json[0] == '[')
        doc->failed |= !cn_text_append(doc->text, (CnText){json + 1, size - 2});
}

static void put_keyed(Document *doc, CraftyRecordKind kind)
{
    const CraftyMods *mods = doc->mods;
    for (uint32_t i = 0; i < mods->records.count; i++) {
        if (!is_in(mods, i, kind) || is_earlier(mods, i, kind))
            continue;
        begin_row(doc);
        put(doc, "\"");
        put(doc, mods->records.items[i].key);
        put(doc, "\":[");
        uint32_t last = i;
        for (uint32_t k = i; k != NO_RECORD; k = next_of_key(mods, k, kind)) {
            put(doc, k == i ? "" : ",");
            end_line(doc, last);
            put_items(doc, mods->records.items[k].json);
            last = k;
        }
        put(doc, "]");
        end_line(doc, last);
    }
}

static void put_traders(Document *doc)
{
    const CraftyMods *mods = doc->mods;
    for (uint32_t i = 0; i < mods->records.count; i++) {
        uint32_t last = i;
        if (!is_in(mods, i, CRAFTY_RECORD_OFFER) || is_earlier(mods, i, CRAFTY_RECORD_OFFER))
            continue;
        for (uint32_t k = i; k != NO_RECORD; k = next_of_key(mods, k, CRAFTY_RECORD_OFFER))
            last = k; /* too many offers are the fault of the last one */
        begin_row(doc);
        put(doc, "{\"profession\":\"");
        put(doc, mods->records.items[i].key);
        put(doc, "\",\"offers\":[");
        end_line(doc, last);
        for (uint32_t k = i; k != NO_RECORD; k = next_of_key(mods, k, CRAFTY_RECORD_OFFER)) {
            put(doc, k == i ? "" : ",");
            put(doc, mods->records.items[k].json);
            end_line(doc, k);
        }
        put(doc, "]}");
        end_line(doc, last);
    }
}

/* ---- The documents ---- */

static void write_items(Document *doc)
{
    begin_list(doc, "items", "[", true);
    put_rows(doc, CRAFTY_RECORD_ITEM, true);
    put_rows(doc, CRAFTY_RECORD_ITEM, false);
    put(doc, "]");
    begin_list(doc, "blocks", "[", false);
    put_rows(doc, CRAFTY_RECORD_BLOCK_ITEMS, true);
    put_rows(doc, CRAFTY_RECORD_BLOCK_ITEMS, false);
    put(doc, "]}");
}

static void write_recipes(Document *doc)
{
    begin_list(doc, "words", "{", true);
    put_keyed(doc, CRAFTY_RECORD_WORDS);
    put(doc, "}");
    begin_list(doc, "groups", "{", false);
    put_keyed(doc, CRAFTY_RECORD_GROUP);
    put(doc, "}");
    begin_list(doc, "recipes", "[", false);
    put_rows(doc, CRAFTY_RECORD_RECIPE, true);
    put_rows(doc, CRAFTY_RECORD_RECIPE, false);
    put(doc, "]}");
}

/* The first rule that fits holds. */
static void write_rules(Document *doc)
{
    begin_list(doc, "rules", "[", true);
    put_rows(doc, CRAFTY_RECORD_RULE, false);
    put_rows(doc, CRAFTY_RECORD_RULE, true);
    put(doc, "]}");
}

static void write_creatures(Document *doc)
{
    begin_list(doc, "flowers", "[", true);
    put_rows(doc, CRAFTY_RECORD_FLOWER, true);
    put_rows(doc, CRAFTY_RECORD_FLOWER, false);
    put(doc, "]");
    begin_list(doc, "creatures", "[", false);
    put_rows(doc, CRAFTY_RECORD_CREATURE, true);
    put_rows(doc, CRAFTY_RECORD_CREATURE, false);
    put(doc, "]}");
}

static void write_trades(Document *doc)
{
    begin_list(doc, "traders", "[", true);
    put_traders(doc);
    put(doc, "]}");
}

static void write_features(Document *doc)
{
    begin_list(doc, "decorations", "[", true);
    put_rows(doc, CRAFTY_RECORD_DECORATION, true);
    put_rows(doc, CRAFTY_RECORD_DECORATION, false);
    put(doc, "]");
    begin_list(doc, "structures", "[", false);
    put_rows(doc, CRAFTY_RECORD_STRUCTURE, true);
    put_rows(doc, CRAFTY_RECORD_STRUCTURE, false);
    put(doc, "]}");
}

static void write_weather(Document *doc)
{
    begin_list(doc, "kinds", "[", true);
    put_rows(doc, CRAFTY_RECORD_WEATHER, true);
    put_rows(doc, CRAFTY_RECORD_WEATHER, false);
    put(doc, "]");
    begin_list(doc, "skies", "[", false);
    put_rows(doc, CRAFTY_RECORD_SKY, true);
    put_rows(doc, CRAFTY_RECORD_SKY, false);
    put(doc, "]}");
}

static CnText text_of(const CnTextBuilder *builder)
{
    return (CnText){builder->items, builder->count};
}

/* ---- Trying ---- */

/* What the readers make of the documents, to find records that are not valid. */
typedef struct Trial {
    CnBlockTable *blocks;
    CraftyItems *items;
    CraftyRecipes *recipes;
    CraftyBlockRules *rules;
    CraftyCreatureKinds *creatures;
    CraftyTrades *trades;
    CraftyFeatures *features;
    CraftyWeatherKinds *weather;
} Trial;

static void end_trial(Trial *trial)
{
    crafty_weather_kinds_destroy(trial->weather);
    crafty_features_destroy(trial->features);
    crafty_trades_destroy(trial->trades);
    crafty_creature_kinds_destroy(trial->creatures);
    crafty_block_rules_destroy(trial->rules);
    crafty_recipes_destroy(trial->recipes);
    crafty_items_destroy(trial->items);
    cn_block_table_destroy(trial->blocks);
}

static bool read_all(Trial *trial, CraftyMods *mods, const Document **doc, const Document *docs,
                     CnError *error)
{
    CnAllocator *allocator = mods->allocator;
    const CraftyContent *content = &mods->content;
    *doc = NULL;
    trial->blocks = crafty_blocks_create(&(CraftyBlocksDesc){.allocator = allocator,
                                                             .more = content->blocks,
                                                             .more_count = content->block_count},
                                         error);
    if (!trial->blocks)
        return false;
    cn_block_table_close(trial->blocks);
    trial->items = crafty_items_create(
        &(CraftyItemsDesc){.allocator = allocator, .blocks = trial->blocks}, error);
    if (!trial->items || !crafty_items_add_blocks(trial->items, error))
        return false;
    *doc = &docs[0];
    if (!crafty_items_read(trial->items, "items", content->items, error))
        return false;
    *doc = &docs[1];
    trial->recipes = crafty_recipes_create(&(CraftyRecipesDesc){.allocator = allocator,
                                                                .items = trial->items,
                                                                .file = "recipes",
                                                                .text = content->recipes},
                                           error);
    if (!trial->recipes)
        return false;
    *doc = &docs[2];
    trial->rules = crafty_block_rules_create(&(CraftyBlockRulesDesc){.allocator = allocator,
                                                                     .items = trial->items,
                                                                     .blocks = trial->blocks,
                                                                     .file = "block_rules",
                                                                     .text = content->block_rules},
                                             error);
    if (!trial->rules)
        return false;
    *doc = &docs[3];
    trial->creatures = crafty_creature_kinds_create(allocator, error);
    if (!trial->creatures || !crafty_creature_kinds_read(trial->creatures, trial->items,
                                                         "creatures", content->creatures, error))
        return false;
    *doc = &docs[4];
    trial->trades = crafty_trades_create(&(CraftyTradesDesc){.allocator = allocator,
                                                             .items = trial->items,
                                                             .file = "trades",
                                                             .text = content->trades},
                                         error);
    if (!trial->trades)
        return false;
    *doc = &docs[5];
    trial->features = crafty_features_create(&(CraftyFeaturesDesc){.allocator = allocator,
                                                                   .blocks = trial->blocks,
                                                                   .file = "features",
                                                                   .text = content->features},
                                             error);
    if (!trial->features)
        return false;
    *doc = &docs[6];
    trial->weather = crafty_weather_kinds_create(allocator, "weather", content->weather, error);
    return trial->weather != NULL;
}

/* ---- Content ---- */

static bool add_blocks(CraftyMods *mods, CnError *error)
{
    cn_array_clear(&mods->infos);
    for (uint32_t i = 0; i < mods->blocks.count; i++) {
        CraftyModBlock *block = mods->blocks.items[i];
        if (mods->list[block->mod].is_disabled)
            continue;
        if (!cn_array_push(&mods->infos, block->info))
            return cn_error_memory(error, "the blocks of mods");
    }
    mods->content.blocks = mods->infos.items;
    mods->content.block_count = mods->infos.count;
    return true;
}

#define DOCUMENTS 7

static bool write_all(CraftyMods *mods, Document docs[DOCUMENTS], CnError *error)
{
    static void (*const writers[DOCUMENTS])(Document *) = {
        write_items,  write_recipes,  write_rules,  write_creatures,
        write_trades, write_features, write_weather};
    CnTextBuilder *texts[DOCUMENTS] = {&mods->items,     &mods->recipes, &mods->block_rules,
                                       &mods->creatures, &mods->trades,  &mods->features,
                                       &mods->weather};
    CraftyContent *all = &mods->content;
    CnText *content[DOCUMENTS] = {&all->items,  &all->recipes,  &all->block_rules, &all->creatures,
                                  &all->trades, &all->features, &all->weather};
    bool failed = false;
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        begin(&docs[i], mods, texts[i]);
        writers[i](&docs[i]);
        *content[i] = text_of(texts[i]);
        failed |= docs[i].failed;
    }
    if (failed)
        return cn_error_memory(error, "the content of mods");
    return add_blocks(mods, error);
}

/* Returns the record that an error is about; NULL: unknown. */
static const CraftyRecord *record_of(const CraftyMods *mods, const Document *doc,
                                     const CnError *error)
{
    uint32_t line = (uint32_t)error->line - 1;
    uint32_t record =
        doc && error->line > 0 && line < doc->lines.count ? doc->lines.items[line] : NO_RECORD;
    return record == NO_RECORD ? NULL : &mods->records.items[record];
}

static bool is_blamable(const CraftyModState *mod)
{
    return !mod->is_disabled && !mod->source->is_standard;
}

static bool has_mods(const CraftyMods *mods)
{
    for (uint32_t i = 0; i < mods->count; i++)
        if (is_blamable(&mods->list[i]))
            return true;
    return false;
}

/* Returns the largest record of the mod whose records are the largest: when together they exceed a
 * limit, its fault is the greatest. NULL: no mod has any. */
static const CraftyRecord *heaviest_record(const CraftyMods *mods)
{
    size_t sums[CRAFTY_MODS_MAX] = {0};
    const CraftyRecord *largest[CRAFTY_MODS_MAX] = {NULL};
    uint32_t most = 0;
    for (uint32_t i = 0; i < mods->records.count; i++) {
        const CraftyRecord *record = &mods->records.items[i];
        if (!is_blamable(&mods->list[record->mod]))
            continue;
        size_t size = strlen(record->json);
        sums[record->mod] += size;
        if (!largest[record->mod] || strlen(largest[record->mod]->json) < size)
            largest[record->mod] = record;
        most = sums[record->mod] > sums[most] ? record->mod : most;
    }
    return largest[most];
}

/* The last mod, when neither a record nor its weight says whose fault it is. */
static CraftyModState *last_mod(CraftyMods *mods)
{
    for (uint32_t i = mods->count; i-- > 0;)
        if (is_blamable(&mods->list[i]))
            return &mods->list[i];
    return NULL;
}

/* Returns false if the error is nobody's fault. */
static bool blame(CraftyMods *mods, const Document *doc, const CnError *error)
{
    const CraftyRecord *record = record_of(mods, doc, error);
    if (!record)
        record = heaviest_record(mods);
    CraftyModState *mod = record ? &mods->list[record->mod] : last_mod(mods);
    CnError wrong = {0};
    if (error->code == CN_ERROR_MEMORY || !mod || mod->source->is_standard)
        return false;
    cn_error_set_at(&wrong, error->code, record ? record->file : mod->source->name,
                    record ? record->line : 0, 0, "%s", error->message);
    crafty_mod_disable(mod, &wrong);
    return true;
}

bool crafty_mods_write_content(CraftyMods *mods, CnError *error)
{
    for (;;) {
        Document docs[DOCUMENTS];
        const Document *doc = NULL;
        CnError wrong = {0};
        Trial trial = {0};
        bool good = write_all(mods, docs, &wrong), has_others = has_mods(mods);
        /* The standard content alone is checked by tests, and by the world. */
        if (good && has_others)
            good = read_all(&trial, mods, &doc, docs, &wrong);
        end_trial(&trial);
        bool again = !good && blame(mods, doc, &wrong);
        for (uint32_t i = 0; i < DOCUMENTS; i++)
            cn_array_fini(&docs[i].lines);
        if (again)
            continue;
        if (!good && error)
            *error = wrong;
        return good;
    }
}
