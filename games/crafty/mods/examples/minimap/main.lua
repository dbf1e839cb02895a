-- Minimap: a map of the surroundings in the corner of the screen, and waypoints.
--
--     /waypoint add NAME      marks where you stand
--     /waypoint remove NAME
--     /waypoint list
--     /waypoint go NAME       takes you there
--     /map                    hides and shows the map

local CELLS = 32     -- columns and rows of the map
local SCALE = 2      -- blocks per cell
local SIZE = 128     -- of the map on the screen, in points
local LIMIT = 16     -- waypoints of a player
local COLORS = { "#ff6060", "#60c0ff", "#ffe060", "#80ff80", "#ff80ff", "#ffa040" }

-- What a player keeps: { waypoints = { { name, x, y, z }, ... }, hidden = true? }
local function load(player)
    local own = storage.get("player/" .. players.get(player).name) or {}
    own.waypoints = own.waypoints or {}
    return own
end

local function save(player, own)
    storage.set("player/" .. players.get(player).name, own)
end

local function find(own, name)
    for i, waypoint in ipairs(own.waypoints) do
        if waypoint.name == name then return i, waypoint end
    end
end

local function color_of(index)
    return COLORS[(index - 1) % #COLORS + 1]
end

-- ---- The map ----

-- The cell of the map on which a point lies; nil if it is outside.
local function cell_of(point, west, north)
    local column = math.floor((point.x - west) / SCALE)
    local row = math.floor((point.z - north) / SCALE)
    if column >= 0 and column < CELLS and row >= 0 and row < CELLS then
        return row * CELLS + column + 1
    end
end

local function colors_around(own, west, north)
    local cells = {}
    for row = 0, CELLS - 1 do
        for column = 0, CELLS - 1 do
            local color = world.color(west + column * SCALE, north + row * SCALE)
            cells[#cells + 1] = color and color:sub(2) or "202020"
        end
    end
    for i, waypoint in ipairs(own.waypoints) do
        local cell = cell_of(waypoint, west, north)
        if cell then cells[cell] = color_of(i):sub(2) end
    end
    return table.concat(cells)
end

local function arrow(yaw)
    local quarter = math.floor((yaw + 45) / 90) % 4
    return ({ [0] = "^", "<", "v", ">" })[quarter]
end

local function show_map(player, own, info)
    local at = info.position
    local x, y, z = math.floor(at.x), math.floor(at.y), math.floor(at.z)
    local west, north = x - CELLS * SCALE / 2, z - CELLS * SCALE / 2
    local biome = (world.biome(x, z) or ""):gsub("_", " ")
    hud.set(player, "map", {
        kind = "panel", anchor = "topRight", x = -8, y = 8,
        width = SIZE + 8, height = SIZE + 40, background = "#00000090",
        children = {
            { kind = "grid", x = 4, y = 4, width = SIZE, height = SIZE,
              columns = CELLS, rows = CELLS, colors = colors_around(own, west, north) },
            { kind = "text", x = 4 + SIZE / 2 - 4, y = 4 + SIZE / 2 - 8, text = arrow(info.yaw),
              color = "#ff2020" },
            { kind = "text", x = 6, y = SIZE + 6, size = 0.8, text = x .. "  " .. y .. "  " .. z },
            { kind = "text", x = 6, y = SIZE + 22, size = 0.8,
              text = biome ~= "" and biome or "-", color = "#c0c0c0" },
        },
    })
end

local function show_waypoints(player, own)
    for i = 1, LIMIT do
        local waypoint = own.waypoints[i]
        if waypoint then
            hud.set(player, "waypoint" .. i, {
                kind = "marker", text = waypoint.name, color = color_of(i),
                position = { x = waypoint.x, y = waypoint.y + 1, z = waypoint.z },
            })
        else
            hud.remove(player, "waypoint" .. i)
        end
    end
end

local function show(player)
    local own = load(player)
    if own.hidden then
        hud.remove(player, "map")
    else
        show_map(player, own, players.get(player))
    end
end

on("tick", function()
    for _, player in ipairs(players.list()) do show(player) end
end, 30)

on("join", function(e)
    show_waypoints(e.player, load(e.player))
end)

-- ---- Waypoints ----

local function add(player, own, name)
    local at = players.get(player).position
    local index = find(own, name)
    if not index and #own.waypoints == LIMIT then
        return "You have " .. LIMIT .. " waypoints already. Remove one first."
    end
    own.waypoints[index or #own.waypoints + 1] = { name = name, x = at.x, y = at.y, z = at.z }
    save(player, own)
    show_waypoints(player, own)
    return "Waypoint " .. name .. " is here."
end

local function remove(player, own, name)
    local index = find(own, name)
    if not index then return "There is no waypoint " .. name .. "." end
    table.remove(own.waypoints, index)
    save(player, own)
    show_waypoints(player, own)
    return "Waypoint " .. name .. " is gone."
end

local function list(own)
    if #own.waypoints == 0 then return "You have no waypoints. /waypoint add NAME makes one." end
    local lines = {}
    for _, w in ipairs(own.waypoints) do
        lines[#lines + 1] = w.name .. ": " .. math.floor(w.x) .. " " .. math.floor(w.y) .. " " ..
            math.floor(w.z)
    end
    return table.concat(lines, "\n")
end

local function go(player, own, name)
    local _, waypoint = find(own, name)
    if not waypoint then return "There is no waypoint " .. name .. "." end
    players.teleport(player, waypoint.x, waypoint.y, waypoint.z)
    return "You are at " .. name .. "."
end

command {
    name = "waypoint",
    usage = "add|remove|go NAME, or list",
    help = "Marks places, and takes you there.",
    run = function(e)
        local what, name = e.arguments[1], e.arguments[2]
        local own = load(e.player)
        if what == "list" then return list(own) end
        if not name or #name > 24 then return "Usage: /waypoint add|remove|go NAME, or list" end
        if what == "add" then return add(e.player, own, name) end
        if what == "remove" then return remove(e.player, own, name) end
        if what == "go" then return go(e.player, own, name) end
        return "Usage: /waypoint add|remove|go NAME, or list"
    end,
}

command {
    name = "map",
    help = "Hides and shows the map.",
    run = function(e)
        local own = load(e.player)
        own.hidden = not own.hidden or nil
        save(e.player, own)
        show(e.player)
        return own.hidden and "The map is hidden." or "The map is shown."
    end,
}

-- A player who dies finds the way back.
on("died", function(e)
    local own = load(e.player)
    if #own.waypoints < LIMIT or find(own, "grave") then add(e.player, own, "grave") end
end)
