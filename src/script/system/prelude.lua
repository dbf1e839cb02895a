-- Runs once in the Lua state of each plugin file, before the file itself: the functions that the file
-- calls, and the generation of views and of the loop over batches. Embedded in the library.
-- Returns the declarations and the function `bind` to C.

local core, is_checked = ... -- see plugin_code.c
local ffi = require("ffi")
local cast, new, typeof, copy = ffi.cast, ffi.new, ffi.typeof, ffi.copy
local error, format, setmetatable, type = error, string.format, setmetatable, type

ffi.cdef [[
typedef struct { float x, y; } CnVec2;
typedef struct { float x, y, z; } CnVec3;
typedef struct { float x, y, z, w; } CnVec4;
typedef struct { float x, y, z, w; } CnQuat;
typedef struct { float m[16]; } CnMat4;
typedef struct { const uint64_t *entities; uint32_t count, first_column; } CniScriptBatch;
typedef struct {
    const CniScriptBatch *batches;
    void *const *columns;
    uint32_t batch_count;
    float dt;
    double tick;
} CniScriptSystemCall;
typedef struct {
    void *code;
    const CniScriptSystemCall *call;
    double (*unary[9])(double);
    double (*binary[3])(double, double);
    double (*random)(void *, uint64_t, uint32_t);
    void (*add)(float *, const float *, float, uint32_t);
    void (*scale)(float *, float, uint32_t);
    void (*fill)(float *, float, uint32_t);
    uint64_t (*spawn)(void *, uint32_t, const uint32_t *, const void *const *);
    bool (*set)(void *, uint64_t, uint32_t, const void *);
    bool (*add_default)(void *, uint64_t, uint32_t);
    bool (*remove)(void *, uint64_t, uint32_t);
    bool (*destroy)(void *, uint64_t);
    bool (*set_parent)(void *, uint64_t, uint64_t);
} CniScriptSystemApi;
]]

local api = cast("const CniScriptSystemApi *", core.api)
local call, code = api.call, api.code

-- C finds the line of an error: the first one that is not in this file.
local function fail(...)
    error(format(...), 0)
end

-- ---- Mathematics: identical on every machine, and part of compiled loops ----

local unary = { "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log2" }
for i = 1, #unary do
    local f = api.unary[i - 1]
    math[unary[i]] = function(x) return f(x) end
end
local atan2, pow, fmod = api.binary[0], api.binary[1], api.binary[2]
local ln, log2, exp = math.log, math.log2, math.exp
function math.atan2(y, x) return atan2(y, x) end
function math.pow(x, y) return pow(x, y) end
function math.fmod(x, y) return fmod(x, y) end
function math.log(x, base) return base and log2(x) / log2(base) or ln(x) end
function math.log10(x) return log2(x) / log2(10) end
function math.sinh(x) return (exp(x) - exp(-x)) / 2 end
function math.cosh(x) return (exp(x) + exp(-x)) / 2 end
function math.tanh(x)
    local e = exp(-2 * math.abs(x))
    local size = (1 - e) / (1 + e)
    return x < 0 and -size or size
end

local draw = api.random
function randomAt(index, salt)
    return draw(code, index, salt or 0)
end
function random()
    fail("draws have an order, which systems have not: use randomAt(index, salt)")
end
math.random, math.randomseed = random, random

-- ---- Tables in a defined order: that of the hash differs from run to run ----

local raw_pairs = pairs
local function sorted_keys(t)
    local keys, strings, booleans = {}, {}, {}
    for key in raw_pairs(t) do
        local kind = type(key)
        local list = kind == "number" and keys or kind == "string" and strings
            or kind == "boolean" and booleans
        if not list then fail("pairs: keys of type %s have no order", kind) end
        list[#list + 1] = key
    end
    table.sort(keys)
    table.sort(strings)
    table.sort(booleans, function(a, b) return not a and b end)
    for i = 1, #strings do keys[#keys + 1] = strings[i] end
    for i = 1, #booleans do keys[#keys + 1] = booleans[i] end
    return keys
end
function pairs(t)
    local keys, i = sorted_keys(t), 0
    return function()
        i = i + 1
        while keys[i] ~= nil and t[keys[i]] == nil do i = i + 1 end -- removed meanwhile
        if keys[i] ~= nil then return keys[i], t[keys[i]] end
    end
end
function next(t, key)
    local keys = sorted_keys(t)
    if key == nil then return keys[1], keys[1] ~= nil and t[keys[1]] or nil end
    for i = 1, #keys do
        if keys[i] == key then return keys[i + 1], keys[i + 1] ~= nil and t[keys[i + 1]] or nil end
    end
    fail("next: the table has no such key")
end
local pairs = raw_pairs

-- ---- Log ----

local function write(level, ...)
    local parts = { ... }
    for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
    core.log(level, table.concat(parts, "\t"))
end
log = setmetatable({}, { __call = function(_, ...) write("info", ...) end })
for _, level in ipairs({ "debug", "info", "warning", "error" }) do
    log[level] = function(...) write(level, ...) end
end
print = log.info

-- ---- Types of fields ----

-- One type for each declaration: compiled loops are specialized to types, and systems may share
-- functions.
local types_by_declaration = {}
local function type_of(declaration)
    local known = types_by_declaration[declaration]
    if not known then
        known = typeof(declaration)
        types_by_declaration[declaration] = known
    end
    return known
end

local types = { -- name in C, bytes, alignment
    f32 = { "float", 4, 4 }, f64 = { "double", 8, 8 },
    i8 = { "int8_t", 1, 1 }, i16 = { "int16_t", 2, 2 },
    i32 = { "int32_t", 4, 4 }, i64 = { "int64_t", 8, 8 },
    u8 = { "uint8_t", 1, 1 }, u16 = { "uint16_t", 2, 2 },
    u32 = { "uint32_t", 4, 4 }, u64 = { "uint64_t", 8, 8 },
    bool = { "bool", 1, 1 }, entity = { "uint64_t", 8, 8 },
    vec2 = { "CnVec2", 8, 4 }, vec3 = { "CnVec3", 12, 4 },
    vec4 = { "CnVec4", 16, 4 }, quat = { "CnQuat", 16, 4 },
    mat4 = { "CnMat4", 64, 4 }, text = { "char", 1, 1 },
}
local floats = { f32 = true, vec2 = true, vec3 = true, vec4 = true, quat = true, mat4 = true }

local c_keywords = {}
for word in ([[auto bool char complex const double enum extern float inline int int8_t int16_t
    int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ptrdiff_t size_t ssize_t
    wchar_t va_list long register restrict short signed sizeof static struct typedef union unsigned
    void volatile]]):gmatch("%S+") do
    c_keywords[word] = true
end

-- Returns the declaration of a struct with exactly these offsets. Names with dots are fields of
-- nested structs, or of arrays of these.
local function struct_of(fields, base, size, alignment)
    local parts, at, i = {}, base, 1
    local function put(...)
        parts[#parts + 1] = format(...)
    end
    while i <= #fields do
        local field = fields[i]
        if field.offset > at then put("uint8_t _%d[%d];", at, field.offset - at) end
        local head = field.name:match("^([^.]+)%.")
        if not head then
            local is_array = field.count > 1 or field.type == "text"
            put("%s %s%s;", types[field.type][1], field.name,
                is_array and format("[%d]", field.count) or "")
            at, i = field.offset + field.size, i + 1
        else
            local first, inner, elements, stride = field.offset, {}, 1, nil
            while fields[i] and fields[i].name:sub(1, #head + 1) == head .. "." do
                local f = fields[i]
                local name = f.name:sub(#head + 2)
                local index, rest = name:match("^(%d+)%.(.+)$")
                if index then
                    elements, name = index + 1, rest
                    if index == "1" and not stride then stride = f.offset - first end
                end
                if not index or index == "0" then
                    inner[#inner + 1] = { name = name, type = f.type, count = f.count,
                                          offset = f.offset, size = f.size }
                end
                at, i = f.offset + f.size, i + 1
            end
            stride = stride or at - first
            at = first + stride * elements
            local is_array = fields[i - 1].name:match("^[^.]+%.%d+%.")
            put("%s %s%s;", struct_of(inner, first, stride, 1), head,
                is_array and format("[%d]", elements) or "")
        end
    end
    if base + size > at then put("uint8_t _%d[%d];", at, base + size - at) end
    return format("struct __attribute__((packed, aligned(%d))) { %s }", alignment,
                  table.concat(parts, " "))
end

-- What views and commands need to know about a component of the world.
local known = {}
local function component_info(name)
    local info = known[name]
    if info then return info end
    info = core.describe(name) -- or an error
    if info.size > 0 then
        info.declaration = struct_of(info.fields, 0, info.size, info.alignment)
        info.struct = type_of(info.declaration)
        info.texts, info.is_float = {}, true
        local bytes = 0
        for _, field in ipairs(info.fields) do
            if field.type == "text" then info.texts[field.name] = field.count end
            info.is_float = info.is_float and floats[field.type]
            bytes = bytes + field.size
        end
        info.is_float = info.is_float and bytes == info.size
    end
    known[name] = info
    return info
end

-- ---- Declarations ----

local components, systems = {}, {}

local function name_of(value, what)
    if type(value) == "table" and type(value.name) == "string" then value = value.name end
    if type(value) ~= "string" then fail("%s: a name is expected, not a %s", what, type(value)) end
    return value
end

-- In the order of a list, { { "x", "f32" }, ... }, or else of the names, because a table has none.
local function in_order(fields, name)
    local list = {}
    for key, value in pairs(fields) do
        if type(key) == "number" then
            if type(value) ~= "table" or type(value[1]) ~= "string" then
                fail('component %s: field %s must be { "name", "type" }', name, key)
            end
            list[key] = { name = value[1], type = value[2] }
        elseif fields[1] then
            fail("component %s: fields are either a list or have names, not both", name)
        elseif type(key) == "string" then
            list[#list + 1] = { name = key, type = value }
        end
    end
    if not fields[1] then table.sort(list, function(a, b) return a.name < b.name end) end
    return list
end

local function parse_field(field, component)
    if not field.name:match("^[%a_][%w_]*$") or c_keywords[field.name] then
        fail("component %s: '%s' cannot be the name of a field", component, field.name)
    end
    local base, count = tostring(field.type):match("^(%w+)%[(%d+)%]$")
    base, count = base or field.type, tonumber(count or 1)
    local known_type = types[base]
    if not known_type or count < 1 or (base == "text" and base == field.type) then
        fail("component %s: field %s has the type '%s'; types are f32, f64, i8 to i64, u8 to u64, "
             .. "bool, entity, vec2, vec3, vec4, quat, mat4, text[bytes], and arrays such as f32[4]",
             component, field.name, tostring(field.type))
    end
    if known_type[2] * count > 65536 then
        fail("component %s: field %s is larger than 65536 bytes", component, field.name)
    end
    field.type, field.count, field.size = base, count, known_type[2] * count
    return known_type[3]
end

local function assign(box, info, name, values)
    for key, value in pairs(values) do
        local room = info.texts[key]
        if room and (type(value) ~= "string" or #value >= room) then
            fail("%s.%s: a text of at most %d bytes is expected", name, tostring(key), room - 1)
        end
        box[key] = value
    end
end

local function only(options, allowed, what)
    for key in pairs(options) do
        if not allowed[key] then fail("%s: there is no option '%s'", what, tostring(key)) end
    end
end

local component_options = { layout = true, default = true }

function component(name, fields, options)
    if type(name) ~= "string" then fail("component: a name is expected, not a %s", type(name)) end
    fields, options = fields or {}, options or {}
    only(options, component_options, "component " .. name)
    local layout = options.layout or "packed"
    if layout ~= "packed" and layout ~= "fields" then
        fail('component %s: the layout must be "packed" or "fields"', name)
    end
    local info = { name = name, layout = layout, fields = in_order(fields, name), size = 0,
                   alignment = 1, texts = {} }
    for _, field in ipairs(info.fields) do
        local alignment = parse_field(field, name)
        field.offset = math.ceil(info.size / alignment) * alignment
        info.size = field.offset + field.size
        info.alignment = math.max(info.alignment, alignment)
        if field.type == "text" then info.texts[field.name] = field.count end
    end
    info.size = math.ceil(info.size / info.alignment) * info.alignment
    if options.default and info.size > 0 and info.size <= 65536 then
        local box = new(struct_of(info.fields, 0, info.size, info.alignment))
        assign(box, info, name, options.default)
        info.default = ffi.string(box, info.size)
    end
    components[#components + 1] = info
    return { name = name }
end

local lists = { reads = true, writes = true, optionalReads = true, optionalWrites = true,
                with = true, without = true, any = true, changed = true, before = true,
                after = true }
local system_options = { name = true, stage = true, set = true, run = true }
for key in pairs(lists) do system_options[key] = true end

function system(options)
    if type(options) ~= "table" or type(options.name) ~= "string" then
        fail('system: a name is missing: system { name = "move", ..., run = function(batch, dt) end }')
    end
    local what = "system " .. options.name
    only(options, system_options, what)
    if type(options.run) ~= "function" then fail("%s: run must be a function", what) end
    local declared = { name = options.name, stage = options.stage or "Update", set = options.set,
                       run = options.run }
    for key in pairs(lists) do
        local list = options[key] or {}
        if type(list) == "string" or (type(list) == "table" and list.name) then list = { list } end
        if type(list) ~= "table" then fail("%s: %s must be a list of names", what, key) end
        declared[key] = {}
        for i = 1, #list do declared[key][i] = name_of(list[i], what .. ", " .. key) end
    end
    if declared.set ~= nil and type(declared.set) ~= "string" then
        fail("%s: set must be a name", what)
    end
    systems[#systems + 1] = declared
    for _, other in ipairs(systems) do
        if other.set == declared.name or other.name == declared.set then
            fail("%s: '%s' is the name of a set and of a system", what,
                 other.set == declared.name and declared.name or declared.set)
        end
    end
end

-- ---- Commands ----

local commands = {}

local function box_of(name, info, values)
    if values == true or info.size == 0 then return nil end
    if type(values) == "cdata" then return new(info.struct, values) end
    if type(values) ~= "table" then
        fail("%s: a table of fields or true is expected, not a %s", name, type(values))
    end
    local box = new(info.struct)
    copy(box, info.default, info.size)
    assign(box, info, name, values)
    return box
end

local ids, addresses = new("uint32_t[32]"), new("const void *[32]")
local keep = {}

function commands:spawn(values)
    local count = 0
    for key, value in pairs(values) do
        if count == 32 then fail("spawn: at most 32 components can be given") end
        local name = type(key) == "number" and name_of(value, "spawn") or name_of(key, "spawn")
        local info = component_info(name)
        local box = box_of(name, info, type(key) == "number" or value)
        for i = 0, count - 1 do
            if ids[i] == info.id then fail("spawn: %s is given twice", name) end
        end
        ids[count], addresses[count], keep[count] = info.id, box, box
        count = count + 1
    end
    local entity = api.spawn(code, count, ids, addresses)
    if entity == 0 then fail("spawn: out of memory") end
    return entity
end

local function done(result, what)
    if not result then fail("%s: out of memory for a command", what) end
end

function commands:set(entity, name, values)
    name = name_of(name, "set")
    local info = component_info(name)
    local box = box_of(name, info, values == nil or values)
    if box then
        done(api.set(code, entity, info.id, box), "set")
    else
        done(api.add_default(code, entity, info.id), "set")
    end
end

function commands:add(entity, name)
    done(api.add_default(code, entity, component_info(name_of(name, "add")).id), "add")
end

function commands:remove(entity, name)
    done(api.remove(code, entity, component_info(name_of(name, "remove")).id), "remove")
end

function commands:destroy(entity)
    done(api.destroy(code, entity), "destroy")
end

function commands:setParent(entity, parent)
    done(api.set_parent(code, entity, parent), "setParent")
end

-- ---- Views ----

-- With checks, a view is a table that compares every index with the number of rows.
local function checked_view(name)
    local view = { count = 0 }
    local function out_of_range(i)
        if view.count == 0 then fail("%s is used after the batch", name) end
        fail("%s[%s] is outside of the batch, which has rows 0 to %d", name, tostring(i),
             view.count - 1)
    end
    -- Pointers ignore the fraction of an index; what is not a number cannot be compared.
    local function read(_, i)
        if not (i >= 0 and i < view.count) then out_of_range(i) end
        return view.rows[i]
    end
    local function write(_, i, value)
        if not (i >= 0 and i < view.count) then out_of_range(i) end
        view.rows[i] = value
    end
    return setmetatable({}, { __index = read, __newindex = write }), view
end

-- The columns of a component in a batch: one of structs, or one for each field.
local function columns_of(info, key)
    if info.layout == "packed" then
        return { { declaration = info.declaration, path = key } }
    end
    local list = {}
    for i, field in ipairs(info.fields) do
        local element = types[field.type][1]
        if field.count > 1 or field.type == "text" then
            element = format("struct { %s value[%d]; }", element, field.count)
        end
        list[i] = { declaration = element, path = key .. "." .. field.name, field = field.name }
    end
    return list
end

local function pointer_to(item, writes)
    local key = (writes and "w " or "r ") .. item.declaration
    local known = types_by_declaration[key]
    if not known then
        known = typeof(writes and "$ *" or "const $ *", type_of(item.declaration))
        types_by_declaration[key] = known
    end
    return known
end

-- Methods of a batch for whole columns of floats.
local function column_methods(wide, at)
    local methods = {}
    local function find(name, writes, what)
        local found = wide[name_of(name, what)]
        if not found then fail("%s: %s is not a component of floats in this system", what, name) end
        if writes and not found.writes then fail("%s: %s is not in `writes`", what, name) end
        return found
    end
    local function address(batch, found, k)
        return cast("float *", call.columns[at.first + found.column + k])
    end
    function methods.add(batch, target, source, factor)
        local t, s = find(target, true, "add"), find(source, false, "add")
        if t == s then fail("add: target and source are the same; use scale") end
        if t.columns ~= s.columns or t.floats ~= s.floats then
            fail("add: %s and %s have different fields", name_of(target), name_of(source))
        end
        for k = 0, t.columns - 1 do
            api.add(address(batch, t, k), address(batch, s, k), factor or 1, batch.count * t.floats)
        end
    end
    function methods.scale(batch, target, factor)
        local t = find(target, true, "scale")
        for k = 0, t.columns - 1 do
            api.scale(address(batch, t, k), factor, batch.count * t.floats)
        end
    end
    function methods.fill(batch, target, value)
        local t = find(target, true, "fill")
        for k = 0, t.columns - 1 do
            api.fill(address(batch, t, k), value, batch.count * t.floats)
        end
    end
    return methods
end

-- Returns the function that runs a system on all batches of `call`. It is generated, so that types
-- and names are constants in compiled loops.
local function bind(index, terms)
    local declared, casts, views, wide, at = systems[index], {}, {}, {}, { first = 0 }
    local batch = setmetatable({ count = 0 }, { __index = column_methods(wide, at) })
    local lines, finish, column = {}, {}, 0
    local function put(list, ...)
        list[#list + 1] = format(...)
    end
    local function put_view(target, path, k, expression)
        if not is_checked then
            put(lines, "%s = %s", target, expression)
            return
        end
        local view, rows = checked_view(path)
        views[k] = { view = view, rows = rows }
        put(lines, "views[%d].rows.rows, views[%d].rows.count = %s, count", k, k, expression)
        put(lines, "%s = views[%d].view", target, k)
        put(finish, "views[%d].rows.count = 0", k)
    end
    put_view("batch.entities", "entities", 0, "raw.entities")
    for _, term in ipairs(terms) do
        local key, info = term.key, component_info(term.key)
        local list = info.size > 0 and columns_of(info, key) or {}
        if info.is_float then
            wide[key] = { column = column, columns = #list, writes = term.writes,
                          floats = info.layout == "packed" and info.size / 4 or 1 }
            for _, field in ipairs(info.fields) do
                if info.layout ~= "packed" and field.size ~= 4 then wide[key] = nil end
            end
        end
        local target = format("batch[%q]", key)
        if #list > 0 and term.optional then
            put(lines, "if columns[at + %d] == nil then %s = nil else", column, target)
            wide[key] = nil
        end
        if list[1] and list[1].field then
            views[key] = {}
            put(lines, "%s = views[%q]", target, key)
            target = format("views[%q]", key)
        end
        for k, item in ipairs(list) do
            casts[column + k] = pointer_to(item, term.writes)
            put_view(item.field and format("%s[%q]", target, item.field) or target, item.path,
                     column + k, format("cast(casts[%d], columns[at + %d])", column + k,
                                        column + k - 1))
        end
        if #list > 0 and term.optional then put(lines, "end") end
        column = column + #list
    end
    local source = format([[
        local run, batch, call, commands, cast, casts, views, place = ...
        return function()
            local batches, columns, dt = call.batches, call.columns, call.dt
            batch.tick = call.tick
            for b = 0, call.batch_count - 1 do
                local raw = batches[b]
                local count, at = raw.count, raw.first_column
                batch.count, place.first = count, at
                %s
                run(batch, dt, commands)
                %s
            end
        end]], table.concat(lines, "\n"), table.concat(finish, "\n"))
    return assert(loadstring(source, "=cairn"))(declared.run, batch, call, commands, cast, casts,
                                                views, at)
end

return { components = components, systems = systems }, bind
