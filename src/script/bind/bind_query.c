/* Queries in Lua: individual objects, or columns of numbers in batches. */
#include "script/bind/bind.h"

#include <cairn/ecs/query.h>
#include <string.h>

/* Different queries at the same time, so that scripts cannot exhaust the memory. Those of all
 * sandboxed owners together are fewer than those of the world: trusted scripts find room. */
#define MAX_QUERIES 16384u     /* of the world */
#define MAX_OWNED_QUERIES 128u /* of a sandboxed owner */
#define QUERY_COST 200u        /* instructions; */
#define NEW_QUERY_COST 2000u   /* a different one looks at all archetypes */
#define COLLECTED_BYTES_PER_COUNT 128u

typedef struct Query {
    CnQuery *query;
    CniScriptBindings *bound;
    bool is_counted; /* in the queries of the owner */
    uint32_t count;
    CnComponent all[CN_MAX_TERMS]; /* components that may be read and written */
} Query;

/* ---- Making ---- */

static void add_term(lua_State *lua, CniScriptBindings *bound, int index, CnTerm *terms,
                     bool access)
{
    uint32_t n = 0;
    while (n < CN_MAX_TERMS && terms[n].component.id)
        n++;
    if (n == CN_MAX_TERMS)
        luaL_error(lua, "query: more than %d components", (int)CN_MAX_TERMS);
    const CniScriptComponentView *view = cni_script_check_view(lua, bound, index);
    bool has_data = access && view->info.size;
    terms[n] = (CnTerm){.component = view->reflected.component,
                        .access = has_data ? CN_ACCESS_WRITE : CN_ACCESS_NONE};
}

static void add_terms(lua_State *lua, CniScriptBindings *bound, int table, CnTerm *terms,
                      bool access)
{
    int count = (int)lua_objlen(lua, table);
    if (count > (int)CN_MAX_TERMS)
        luaL_error(lua, "query: more than %d components", (int)CN_MAX_TERMS);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(lua, table, i);
        add_term(lua, bound, lua_gettop(lua), terms, access);
        lua_pop(lua, 1);
    }
}

static void add_list(lua_State *lua, CniScriptBindings *bound, int table, const char *key,
                     CnTerm *terms)
{
    lua_getfield(lua, table, key);
    if (lua_type(lua, -1) == LUA_TSTRING)
        add_term(lua, bound, lua_gettop(lua), terms, false);
    else if (lua_istable(lua, -1))
        add_terms(lua, bound, lua_gettop(lua), terms, false);
    else if (!lua_isnil(lua, -1))
        luaL_error(lua, "query: '%s' must be a name or a table of names", key);
    lua_pop(lua, 1);
}

/* Pushes the handle of a query, if there is one. */
static bool find_handle(lua_State *lua, int handles, CnQuery *query)
{
    lua_pushlightuserdata(lua, query);
    lua_rawget(lua, handles);
    if (!lua_isnil(lua, -1))
        return true;
    lua_pop(lua, 1);
    return false;
}

static bool has_room(lua_State *lua, const CniScriptBindings *bound)
{
    return cn_world_stats(bound->world).queries <= MAX_QUERIES &&
           (!cni_script_is_sandboxed(lua) || bound->queries < MAX_OWNED_QUERIES);
}

/* Frees queries that no script can reach any more, if there is no room. */
static void make_room(lua_State *lua, const CniScriptBindings *bound)
{
    if (has_room(lua, bound))
        return;
    cni_script_budget_charge(lua, (uint64_t)lua_gc(lua, LUA_GCCOUNT, 0) * 1024 /
                                      COLLECTED_BYTES_PER_COUNT);
    lua_gc(lua, LUA_GCCOLLECT, 0);
    if (!has_room(lua, bound))
        luaL_error(lua, "query: there are %d different queries, which is the limit",
                   cni_script_is_sandboxed(lua) ? (int)MAX_OWNED_QUERIES : (int)MAX_QUERIES);
}

/* Pushes the handle of a query. There is one handle for each query, in a weak table by address. */
static Query *push_query(lua_State *lua, CniScriptBindings *bound, const CnQueryDesc *desc)
{
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bound->query_handles);
    int handles = lua_gettop(lua);
    Query *query = cni_script_push_new(lua, bound, CNI_SCRIPT_CLASS_QUERY, sizeof *query);
    *query = (Query){.bound = bound};
    query->query = cn_query_acquire(bound->world, desc, NULL); /* released with the handle */
    if (!query->query)
        cni_script_throw_out_of_memory(lua);
    if (find_handle(lua, handles, query->query))
        return lua_touserdata(lua, -1);
    cni_script_budget_charge(lua, NEW_QUERY_COST);
    make_room(lua, bound);
    query->is_counted = true;
    bound->queries++;
    lua_pushlightuserdata(lua, query->query);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, handles);
    return query;
}

static int make_query(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnQueryDesc desc = {0};
    int top = lua_gettop(lua);
    for (int i = 1; i <= top; i++) {
        if (!lua_istable(lua, i)) {
            add_term(lua, bound, i, desc.all, true);
            continue;
        }
        add_terms(lua, bound, i, desc.all, true);
        add_list(lua, bound, i, "none", desc.none);
        add_list(lua, bound, i, "any", desc.any);
    }
    if (!desc.all[0].component.id)
        return luaL_error(lua, "query: name at least one component");
    cni_script_budget_charge(lua, QUERY_COST);
    Query *query = push_query(lua, bound, &desc);
    query->count = 0; /* a handle that exists has the same ones */
    while (query->count < CN_MAX_TERMS && desc.all[query->count].component.id) {
        query->all[query->count] = desc.all[query->count].component;
        query->count++;
    }
    return 1;
}

/* __gc; the prototype object of the class has no query. */
int cni_script_query_collect(lua_State *lua)
{
    Query *query = lua_objlen(lua, 1) == sizeof(Query) ? lua_touserdata(lua, 1) : NULL;
    if (!query || !query->query)
        return 0;
    cn_query_release(query->query);
    query->bound->queries -= query->is_counted;
    return 0;
}

static int query_count(lua_State *lua)
{
    const Query *query = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUERY);
    lua_pushnumber(lua, (lua_Number)cn_query_count(query->query));
    return 1;
}

/* ---- Objects ---- */

typedef struct Walk {
    uint32_t next, count;
    CnEntity entities[];
} Walk;

/* Upvalue 2: a Walk. */
static int next_object(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    Walk *walk = lua_touserdata(lua, lua_upvalueindex(2));
    while (walk->next < walk->count && !cn_is_alive(bound->world, walk->entities[walk->next]))
        walk->next++;
    if (walk->next == walk->count)
        return 0;
    cni_script_push_object(lua, walk->entities[walk->next++]);
    return 1;
}

static int query_each(lua_State *lua)
{
    const Query *query = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUERY);
    uint32_t count = cn_query_count(query->query);
    cni_script_budget_charge(lua, count);
    lua_pushlightuserdata(lua, cni_script_bindings(lua));
    Walk *walk = lua_newuserdata(lua, sizeof *walk + count * sizeof *walk->entities);
    walk->next = 0;
    walk->count = cn_query_entities(query->query, walk->entities, count);
    lua_pushcclosure(lua, next_object, 2);
    return 1;
}

/* ---- Batches ---- */

typedef struct Batch {
    CnQueryIter iter;
    CnChunkView view;
    uint32_t structure; /* of the world when the iteration began */
    bool valid;         /* the view is valid */
    Query query;
} Batch;

static uint32_t structure_of(const CniScriptBindings *bound)
{
    return ((const CniEcsWorldHead *)(const void *)bound->world)->structure;
}

/* Upvalue 2: the batch. One userdata serves the whole iteration. */
static int next_batch(lua_State *lua)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    Batch *batch = lua_touserdata(lua, lua_upvalueindex(2));
    if (batch->structure != structure_of(bound))
        return luaL_error(
            lua,
            "a loop over batches cannot continue: objects or components were added or removed since it "
            "began; do this after the loop");
    batch->iter.tick = cn_world_tick(bound->world); /* it may have begun in another system */
    batch->valid = batch->iter.query && cn_query_next(&batch->iter, &batch->view);
    if (!batch->valid) {
        batch->iter.query = NULL;
        return 0;
    }
    lua_pushvalue(lua, lua_upvalueindex(2));
    return 1;
}

static int query_batches(lua_State *lua)
{
    const Query *query = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUERY);
    const CniScriptBindings *bound = cni_script_bindings(lua);
    lua_pushlightuserdata(lua, cni_script_bindings(lua));
    Batch *batch = cni_script_push_new(lua, bound, CNI_SCRIPT_CLASS_BATCH, sizeof *batch);
    *batch = (Batch){
        .iter = cn_query_iter(query->query), .structure = structure_of(bound), .query = *query};
    lua_createtable(lua, 1, 0); /* the batch keeps the query alive */
    lua_pushvalue(lua, 1);
    lua_rawseti(lua, -2, 1);
    lua_setfenv(lua, -2);
    lua_pushcclosure(lua, next_batch, 2);
    return 1;
}

static Batch *check_batch(lua_State *lua)
{
    Batch *batch = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_BATCH);
    if (!batch->valid || batch->structure != structure_of(cni_script_bindings(lua)))
        luaL_error(
            lua,
            "this batch is no longer valid: use it only in its loop, and add and remove objects "
            "and components after the loop");
    return batch;
}

static int get_count(lua_State *lua)
{
    lua_pushnumber(lua, (lua_Number)check_batch(lua)->view.count);
    return 1;
}

static int batch_object(lua_State *lua)
{
    const Batch *batch = check_batch(lua);
    lua_Number row = luaL_checknumber(lua, 2);
    if (!(row >= 1 && row <= batch->view.count))
        return luaL_error(lua, "the objects of a batch are numbered 1 to %d",
                          (int)batch->view.count);
    cni_script_push_object(lua, batch->view.entities[(uint32_t)row - 1]);
    return 1;
}

/* A column of a field, or of one component of a vector field. */
typedef struct Column {
    const CniScriptComponentView *view;
    const CnReflectedMember *item;
    uint8_t *first;  /* the field of row 0; NULL: this chunk has none */
    uint32_t stride; /* to the next row */
    int part;        /* of a vector; -1: the whole field */
} Column;

static int part_of(const CnReflectedMember *item, char message)
{
    CnFieldType type = item->field->type;
    int parts = type == CN_FIELD_VEC2   ? 2
                : type == CN_FIELD_VEC3 ? 3
                : type == CN_FIELD_VEC4 ||
                        (type == CN_FIELD_QUAT && item->reflected.kind == CN_REFLECTED_PLAIN)
                    ? 4
                    : 0;
    int part = message == 'w' ? 3 : message - 'x';
    return item->field->count == 1 && part >= 0 && part < parts ? part : -1;
}

static bool find_field(const CniScriptComponentView *view, CnText key, Column *column)
{
    column->item = cni_script_view_item(view, key);
    column->part = -1;
    if (column->item)
        return true;
    if (key.size < 3 || key.data[key.size - 2] != '.')
        return false;
    column->item = cni_script_view_item(view, (CnText){key.data, key.size - 2});
    column->part = column->item ? part_of(column->item, key.data[key.size - 1]) : -1;
    return column->part >= 0;
}

/* Arguments 2 and 3 are the component and the field. */
static Column check_column(lua_State *lua, const Batch *batch, CnAccess access)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    Column column = {.view = cni_script_check_view(lua, bound, 2)};
    size_t size;
    const char *key = luaL_checklstring(lua, 3, &size);
    bool named = false;
    for (uint32_t i = 0; i < batch->query.count; i++)
        named |= batch->query.all[i].id == column.view->reflected.component.id;
    if (!named)
        luaL_error(lua, "the query does not name %s", column.view->reflected.name);
    if (!find_field(column.view, (CnText){key, size}, &column))
        luaL_error(lua, "%s has no column '%s'", column.view->reflected.name, key);
    const CnField *field = column.item->field;
    bool by_fields = column.view->info.layout == CN_LAYOUT_FIELDS;
    const CnField *asked = by_fields ? field : NULL;
    CnComponent component = column.view->reflected.component;
    uint8_t *address = access == CN_ACCESS_WRITE
                           ? cn_column_by_id_mut(&batch->view, component, asked)
                           : (uint8_t *)(uintptr_t)cn_column_by_id(&batch->view, component, asked);
    if (!address)
        luaL_error(lua, "%s has no columns", column.view->reflected.name);
    column.first = address + (by_fields ? 0 : field->offset);
    column.stride = by_fields ? field->size : column.view->info.size;
    return column;
}

/* Returns whether the column consists of plain floats. */
static bool is_float(const Column *column)
{
    return column->part >= 0 ||
           (column->item->field->type == CN_FIELD_F32 && column->item->field->count == 1);
}

static int batch_column(lua_State *lua)
{
    const Batch *batch = check_batch(lua);
    CniScriptBindings *bound = cni_script_bindings(lua);
    Column column = check_column(lua, batch, CN_ACCESS_READ);
    uint32_t count = batch->view.count;
    cni_script_budget_charge(lua, (uint64_t)count * (is_float(&column) ? 4 : 40));
    if (lua_isnoneornil(lua, 4)) {
        lua_settop(lua, 3);
        lua_createtable(lua, (int)count, 0);
    } else {
        luaL_checktype(lua, 4, LUA_TTABLE);
        lua_settop(lua, 4);
    }
    if (is_float(&column)) {
        const uint8_t *at = column.first + (column.part > 0 ? column.part * 4 : 0);
        for (uint32_t i = 0; i < count; i++, at += column.stride) {
            float value;
            memcpy(&value, at, sizeof value);
            lua_pushnumber(lua, (lua_Number)value);
            lua_rawseti(lua, 4, (int)i + 1);
        }
        return 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        cni_script_push_field(lua, bound, column.item, column.first + (size_t)i * column.stride);
        lua_rawseti(lua, 4, (int)i + 1);
    }
    return 1;
}

/* Writes numbers within the limits of the table; values before an invalid one stay written. */
static int set_floats(lua_State *lua, const Column *column, uint32_t count)
{
    const CnReflectedField *reflected = &column->item->reflected;
    bool limited = column->part < 0 && (reflected->minimum != 0 || reflected->maximum != 0);
    uint8_t *at = column->first + (column->part > 0 ? column->part * 4 : 0);
    for (uint32_t i = 0; i < count; i++, at += column->stride) {
        lua_rawgeti(lua, 4, (int)i + 1);
        double number = lua_type(lua, -1) == LUA_TNUMBER ? lua_tonumber(lua, -1) : CN_NAN;
        float value = (float)number;
        if (!cni_script_all_finite(&value, 1))
            return luaL_error(lua, "row %d of %s.%s is not a finite number", (int)i + 1,
                              column->view->reflected.name, reflected->key);
        if (limited && !(number >= reflected->minimum && number <= reflected->maximum))
            return luaL_error(lua, "row %d of %s.%s must be between %f and %f", (int)i + 1,
                              column->view->reflected.name, reflected->key, reflected->minimum,
                              reflected->maximum);
        memcpy(at, &value, sizeof value);
        lua_pop(lua, 1);
    }
    return 0;
}

/* Writes row by row through components, if a check must be called or fields are not floats. */
static int set_rows(lua_State *lua, CniScriptBindings *bound, const Batch *batch,
                    const Column *column)
{
    uint8_t *value = lua_newuserdata(lua, column->view->info.size);
    CnComponent component = column->view->reflected.component;
    for (uint32_t i = 0; i < batch->view.count; i++) {
        CnEntity entity = batch->view.entities[i];
        cn_read_component(bound->world, entity, component, value);
        uint8_t *address = value + column->item->field->offset;
        lua_rawgeti(lua, 4, (int)i + 1);
        if (column->part >= 0) {
            float number = (float)lua_tonumber(lua, -1);
            if (lua_type(lua, -1) != LUA_TNUMBER || !cni_script_all_finite(&number, 1))
                return luaL_error(lua, "row %d is not a finite number", (int)i + 1);
            memcpy(address + column->part * 4, &number, sizeof number);
        } else {
            cni_script_read_field(lua, bound, lua_gettop(lua), column->view, column->item, address);
        }
        cni_script_check_value(lua, column->view, value);
        if (!cn_set_component(bound->world, entity, component, value))
            return cni_script_throw_out_of_memory(lua);
        lua_pop(lua, 1);
    }
    return 0;
}

static int batch_set(lua_State *lua)
{
    const Batch *batch = check_batch(lua);
    CniScriptBindings *bound = cni_script_bindings(lua);
    luaL_checktype(lua, 4, LUA_TTABLE);
    lua_settop(lua, 4);
    cni_script_check_may_change(lua, bound);
    Column column = check_column(lua, batch, CN_ACCESS_WRITE);
    if (column.part >= 0 && column.item->field->type == CN_FIELD_QUAT)
        return luaL_error(
            lua,
            "a single component of the rotation %s.%s cannot be written; write the whole rotation",
            column.view->reflected.name, column.item->reflected.key);
    bool checked = column.view->reflected.type && column.view->reflected.type->check;
    bool plain = is_float(&column) && !checked && !column.item->reflected.of_choice;
    cni_script_budget_charge(lua, (uint64_t)batch->view.count * (plain ? 6 : 100));
    return plain ? set_floats(lua, &column, batch->view.count)
                 : set_rows(lua, bound, batch, &column);
}

static const CniScriptBinding search_rows[] = {
    {"query", CNI_SCRIPT_FUNCTION, make_query, NULL, "(...: string|table): Query",
     "Finds objects that have all these components: query(\"A\", \"B\", {none = {\"C\"}, any = "
     "{\"D\", \"E\"}})."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_search = {NULL, "Queries", search_rows};

static const CniScriptBinding query_rows[] = {
    {"count", CNI_SCRIPT_METHOD, query_count, NULL, "(): number",
     "The current number of matching objects."},
    {"each", CNI_SCRIPT_METHOD, query_each, NULL, "(): fun(): Object?",
     "Iterates over objects in order of their ids: for object in query(\"A\"):each() do."},
    {"batches", CNI_SCRIPT_METHOD, query_batches, NULL, "(): fun(): Batch?",
     "Iterates over batches, to process many objects at once."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_query = {
    "Query", "A set of objects that is always up to date.", query_rows};

static const CniScriptBinding batch_rows[] = {
    {"count", CNI_SCRIPT_PROPERTY, get_count, NULL, "number",
     "The number of objects in the batch."},
    {"object", CNI_SCRIPT_METHOD, batch_object, NULL, "(row: number): Object",
     "The object in this row."},
    {"column", CNI_SCRIPT_METHOD, batch_column, NULL,
     "(component: string, field: string, into?: table): any[]",
     "Returns a column as a table, one value per object; \"position.x\" is a component of a "
     "vector."},
    {"set", CNI_SCRIPT_METHOD, batch_set, NULL, "(component: string, field: string, values: any[])",
     "Writes a column back."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_batch = {
    "Batch", "Objects of a query that have the same set of components.", batch_rows};
