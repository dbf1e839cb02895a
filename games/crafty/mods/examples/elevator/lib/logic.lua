-- How power flows.
local logic = { directions = { "n", "e", "s", "w" } }

local OWN = "elevator:"
local LIMIT = 256      -- wires and rails of a network
local GATE_TICKS = 6   -- until a gate answers
local LIFT_TICKS = 8   -- for each block of the way

local ahead = {
    n = { 0, 0, -1 }, e = { 1, 0, 0 }, s = { 0, 0, 1 }, w = { -1, 0, 0 },
}
local right = { n = "e", e = "s", s = "w", w = "n" }
local sides = {
    { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 },
}

-- The part of a gate's shape that shows where it looks.
function logic.nose(direction)
    local d = ahead[direction]
    local x, z = 8 + 5 * d[1], 8 + 5 * d[3]
    return { x - 2, 2, z - 2, x + 2, 5, z + 2 }
end

-- Returns the name of a block without "elevator:" and "_on", and whether it is on; nil if the
-- block is not one of the mod.
local function part_at(x, y, z)
    local name = world.get(x, y, z)
    if not name or name:sub(1, #OWN) ~= OWN then return nil end
    name = name:sub(#OWN + 1)
    if name:sub(-3) == "_on" then return name:sub(1, -4), true end
    return name, false
end

local function is_wire(name)
    return name == "wire" or name == "rail"
end


local function kind_of(name)
    if not name then return nil end
    local kind, direction = name:match("^(%a+)_(%a+)$")
    if kind == "not" or kind == "and" then return kind, direction end
end

-- Returns whether the block at x, y, z gives power to its neighbor at x + dx, ...
local function gives(x, y, z, dx, dy, dz)
    local name, is_on = part_at(x, y, z)
    if not is_on then return false end
    if name == "lever" or name == "button" then return true end
    local _, direction = kind_of(name)
    local d = direction and ahead[direction]
    return d ~= nil and d[1] == dx and d[2] == dy and d[3] == dz
end

-- Returns whether something beside a cell gives it power: a source, or a wire that is on.
local function has_power(x, y, z)
    for _, d in ipairs(sides) do
        local nx, ny, nz = x + d[1], y + d[2], z + d[3]
        local name, is_on = part_at(nx, ny, nz)
        if (is_wire(name) and is_on) or gives(nx, ny, nz, -d[1], -d[2], -d[3]) then return true end
    end
    return false
end

-- The same for one neighbor.
local function has_power_from(x, y, z, d)
    local nx, ny, nz = x + d[1], y + d[2], z + d[3]
    local name, is_on = part_at(nx, ny, nz)
    return (is_wire(name) and is_on) or gives(nx, ny, nz, -d[1], -d[2], -d[3])
end

local function set(x, y, z, name, is_on)
    world.set(x, y, z, OWN .. name .. (is_on and "_on" or ""))
end

-- Lets a gate or a lift run once, however often it is asked before that.
local function later(x, y, z, ticks)
    local own = data.get(x, y, z)
    if own and own.due >= world.tick() then return end
    data.set(x, y, z, { due = world.tick() + ticks })
    world.schedule(x, y, z, ticks)
end

-- ---- What uses power ----

local function use_power(x, y, z)
    local name, is_on = part_at(x, y, z)
    if name == "lamp" then
        local power = has_power(x, y, z)
        if power ~= is_on then set(x, y, z, "lamp", power) end
    elseif name == "lift" then
        later(x, y, z, LIFT_TICKS)
    elseif kind_of(name) then
        later(x, y, z, GATE_TICKS)
    end
end

-- ---- Networks ----

-- Collects the wires that are connected with a cell, and whether one of them gets power.
local function collect(x, y, z)
    local cells, seen, power = { { x, y, z } }, { [x .. " " .. y .. " " .. z] = true }, false
    local i = 1
    while i <= #cells and #cells < LIMIT do
        local cell = cells[i]
        for _, d in ipairs(sides) do
            local nx, ny, nz = cell[1] + d[1], cell[2] + d[2], cell[3] + d[3]
            local key = nx .. " " .. ny .. " " .. nz
            if not seen[key] and is_wire((part_at(nx, ny, nz))) then
                seen[key] = true
                cells[#cells + 1] = { nx, ny, nz }
            elseif gives(nx, ny, nz, -d[1], -d[2], -d[3]) then
                power = true
            end
        end
        i = i + 1
    end
    return cells, power
end

local function update_network(x, y, z)
    local cells, power = collect(x, y, z)
    for _, cell in ipairs(cells) do
        local name, is_on = part_at(cell[1], cell[2], cell[3])
        if is_on ~= power then set(cell[1], cell[2], cell[3], name, power) end
    end
    for _, cell in ipairs(cells) do
        for _, d in ipairs(sides) do use_power(cell[1] + d[1], cell[2] + d[2], cell[3] + d[3]) end
    end
end

-- After something changed in a cell.
function logic.update(x, y, z)
    if is_wire((part_at(x, y, z))) then update_network(x, y, z) end
    use_power(x, y, z)
    for _, d in ipairs(sides) do
        local nx, ny, nz = x + d[1], y + d[2], z + d[3]
        if is_wire((part_at(nx, ny, nz))) then
            update_network(nx, ny, nz)
        else
            use_power(nx, ny, nz)
        end
    end
end

-- ---- Gates ----

function logic.run_gate(e)
    data.set(e.x, e.y, e.z)
    local name, is_on = part_at(e.x, e.y, e.z)
    local kind, direction = kind_of(name)
    if not kind then return end
    local d, side = ahead[direction], ahead[right[direction]]
    local power
    if kind == "not" then
        power = not has_power_from(e.x, e.y, e.z, { -d[1], 0, -d[3] })
    else
        power = has_power_from(e.x, e.y, e.z, side) and
            has_power_from(e.x, e.y, e.z, { -side[1], 0, -side[3] })
    end
    if power == is_on then return end
    set(e.x, e.y, e.z, name, power)
    local fx, fy, fz = e.x + d[1], e.y, e.z + d[3]
    if is_wire((part_at(fx, fy, fz))) then
        update_network(fx, fy, fz)
    else
        use_power(fx, fy, fz)
    end
end

-- ---- Lifts ----

-- Returns whether there is a rail beside a cell, and whether one has power.
local function rail_beside(x, y, z)
    local found, power = false, false
    for _, direction in ipairs(logic.directions) do
        local d = ahead[direction]
        local name, is_on = part_at(x + d[1], y, z + d[3])
        if name == "rail" then found, power = true, power or is_on end
    end
    return found, power
end

-- Players whose feet are on the top of the block.
local function riders(x, y, z)
    local found = {}
    for _, player in ipairs(players.list()) do
        local at = players.get(player).position
        if math.floor(at.x) == x and math.floor(at.z) == z and math.abs(at.y - (y + 1)) < 0.6 then
            found[#found + 1] = player
        end
    end
    return found
end

local function is_free(x, y, z, count)
    for i = 0, count - 1 do
        if world.get(x, y + i, z) ~= "air" then return false end
    end
    return true
end

function logic.move_lift(x, y, z)
    data.set(x, y, z)
    local found, power = rail_beside(x, y, z)
    if not found then return end
    local up = power and 1 or -1
    local carried = riders(x, y, z)
    local room = up == 1 and (#carried > 0 and 3 or 1) or 1
    if not rail_beside(x, y + up, z) or not is_free(x, up == 1 and y + 1 or y - 1, z, room) then
        return
    end
    if up == -1 then world.set(x, y - 1, z, "elevator:lift") end
    if up == -1 then world.set(x, y, z, "air") end
    for _, player in ipairs(carried) do
        local at = players.get(player).position
        players.teleport(player, at.x, y + 1 + up, at.z)
    end
    if up == 1 then world.set(x, y + 1, z, "elevator:lift") end
    if up == 1 then world.set(x, y, z, "air") end
    later(x, y + up, z, LIFT_TICKS)
end

return logic
