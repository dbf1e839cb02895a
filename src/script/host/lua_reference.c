/* Documentation from the tables of functions: annotations for editors, a reference for people. */
#include "script/host/lua_sandbox.h"

/* Appends texts, and records when memory runs out. */
typedef struct Writer {
    CnTextBuilder *text;
    bool failed;
} Writer;

static void put(Writer *w, CnText text)
{
    w->failed |= !cn_text_append(w->text, text);
}

static void write(Writer *w, const char *text)
{
    put(w, cn_text(text));
}

static void write_all(Writer *w, const char *const *texts)
{
    for (; *texts; texts++)
        write(w, *texts);
}
#define WRITE(w, ...) write_all(w, (const char *const[]){__VA_ARGS__, NULL})

/* ---- Signatures ---- */

/* Returns the end of a part: `stop` outside of brackets, or the end of the text. */
static const char *end_of(const char *at, char stop)
{
    int depth = 0;
    for (; *at && (depth || *at != stop); at++)
        depth += strchr("([{<", *at) ? 1 : strchr(")]}>", *at) ? -1 : 0;
    return at;
}

static CnText results_of(const char *type)
{
    const char *close = end_of(type + 1, ')');
    return strncmp(close, "): ", 3) ? (CnText){close, 0} : cn_text(close + 3);
}

typedef struct Parameter {
    CnText name, type;
    bool is_optional;
} Parameter;

/* Stores the next parameter and returns what follows; NULL when there is none. */
static const char *next_parameter(const char *at, Parameter *parameter)
{
    while (*at == ' ' || *at == ',')
        at++;
    if (!*at || *at == ')')
        return NULL;
    const char *end = end_of(at, ','), *close = end_of(at, ')');
    end = close < end ? close : end;
    const char *colon = end_of(at, ':');
    *parameter = (Parameter){.name = {at, (size_t)(colon - at)}};
    parameter->type = cn_text_trim((CnText){colon + 1, (size_t)(end - colon - 1)});
    parameter->is_optional = parameter->name.data[parameter->name.size - 1] == '?';
    parameter->name.size -= parameter->is_optional;
    return end;
}

/* ---- Annotations ---- */

/* Each line of a text becomes a comment. */
static void comment(Writer *w, const char *text)
{
    CnText rest = cn_text(text), line;
    write(w, "\n");
    while (cn_text_split(&rest, '\n', &line)) {
        write(w, "---");
        put(w, line);
        write(w, "\n");
    }
}

static void annotate_function(Writer *w, const char *table, const CnLuaFunction *row)
{
    Parameter parameter;
    bool is_first = true;
    comment(w, row->about);
    for (const char *at = row->type + 1; (at = next_parameter(at, &parameter));) {
        write(w, "---@param ");
        put(w, parameter.name);
        write(w, parameter.is_optional ? "? " : " ");
        put(w, parameter.type);
        write(w, "\n");
    }
    if (results_of(row->type).size) {
        write(w, "---@return ");
        put(w, results_of(row->type));
        write(w, "\n");
    }
    WRITE(w, "function ", table ? table : "", table ? "." : "", row->name, "(");
    for (const char *at = row->type + 1; (at = next_parameter(at, &parameter));) {
        write(w, is_first ? "" : ", ");
        put(w, parameter.name);
        is_first = false;
    }
    write(w, ") end\n");
}

static void annotate_class(Writer *w, const CnLuaClass *class)
{
    WRITE(w, "\n---", class->about, "\n---@class ", class->name, "\n");
    for (const CnLuaField *field = class->fields; field->name; field++)
        WRITE(w, "---@field ", field->name, " ", field->type, " ", field->about, "\n");
}

bool cn_lua_write_annotations(const CnLuaTable *const *tables, CnTextBuilder *text)
{
    Writer w = {.text = text};
    write(&w, "---@meta\n");
    for (; *tables; tables++) {
        const CnLuaTable *table = *tables;
        for (const CnLuaClass *class = table->classes; class && class->name; class ++)
            annotate_class(&w, class);
        if (table->name)
            WRITE(&w, "\n---", table->about, "\n", table->name, " = {}\n");
        for (const CnLuaFunction *row = table->functions; row->name; row++)
            annotate_function(&w, table->name, row);
    }
    return !w.failed;
}

/* ---- The reference ---- */

static void refer_to_class(Writer *w, const CnLuaClass *class)
{
    WRITE(w, "\n### ", class->name, "\n\n", class->about,
          "\n\n| field | type | meaning |\n| --- | --- | --- |\n");
    for (const CnLuaField *field = class->fields; field->name; field++) {
        WRITE(w, "| `", field->name, "` | `");
        for (const char *c = field->type; *c; c++)
            put(w, *c == '|' ? cn_text("\\|") : (CnText){c, 1}); /* not the end of a cell */
        WRITE(w, "` | ", field->about, " |\n");
    }
}

static void refer_to_function(Writer *w, const char *table, const CnLuaFunction *row)
{
    WRITE(w, "\n### ", table ? table : "", table ? "." : "", row->name, "\n\n    ",
          table ? table : "", table ? "." : "", row->name, row->type, "\n\n", row->about, "\n");
    if (row->example)
        WRITE(w, "\n```lua\n", row->example, "\n```\n");
}

bool cn_lua_write_reference(const CnLuaTable *const *tables, CnTextBuilder *text)
{
    Writer w = {.text = text};
    for (bool first = true; *tables; tables++, first = false) {
        const CnLuaTable *table = *tables;
        WRITE(&w, first ? "## " : "\n## ", table->name ? table->name : "Global functions", "\n\n",
              table->about, "\n");
        for (const CnLuaFunction *row = table->functions; row->name; row++)
            refer_to_function(&w, table->name, row);
        for (const CnLuaClass *class = table->classes; class && class->name; class ++)
            refer_to_class(&w, class);
    }
    return !w.failed;
}
