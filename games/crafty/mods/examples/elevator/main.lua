-- Elevators and logic: power flows from levers, buttons and gates through wires and rails to lamps
-- and lifts. What is on is another block than what is off, so the world itself is the memory.
--
-- A lift stands beside a rail. Where the rail has power, it rises; where it has none, it sinks. It
-- stops where the rail ends or something is in its way, and carries the players who stand on it.
--
-- Gates look in one direction: `not` has power in front while it has none behind; `and` while it
-- has power on both sides. Using a gate turns it.

local logic = require("lib.logic")

-- ---- Blocks ----

local function pair(name, off, on)
    off.name, on.name = name, name .. "_on"
    on.drops = "elevator:" .. name
    block(off)
    block(on)
end

local function changed(e)
    logic.update(e.x, e.y, e.z)
end

local flat = { { 0, 0, 0, 16, 1, 16 } }
pair("wire",
    { like = "stone", tint = { 90, 20, 20 }, shape = flat, hardness = 0, on_place = changed,
      on_break = changed },
    { like = "stone", tint = { 255, 60, 60 }, shape = flat, hardness = 0, light = 4,
      on_break = changed })
local post = { { 6, 0, 6, 10, 16, 10 } }
pair("rail",
    { like = "iron_block", tint = { 120, 120, 120 }, shape = post, hardness = 1,
      on_place = changed, on_break = changed },
    { like = "iron_block", tint = { 255, 160, 160 }, shape = post, hardness = 1, light = 4,
      on_break = changed })
pair("lamp",
    { like = "glass", tint = { 120, 100, 60 }, drops = "self", on_place = changed },
    { like = "glass", tint = { 255, 230, 150 }, light = 14 })

local function switch(to)
    return function(e)
        world.set(e.x, e.y, e.z, "elevator:" .. to)
        sound.play("block.stone.dig", e.x + 0.5, e.y + 0.5, e.z + 0.5, 0.6, 1.5)
        changed(e)
        return true
    end
end
local knob = { { 5, 0, 5, 11, 8, 11 } }
pair("lever",
    { like = "stone", tint = { 130, 110, 90 }, shape = knob, hardness = 0.3,
      on_use = switch("lever_on"), on_break = changed },
    { like = "stone", tint = { 255, 200, 90 }, shape = knob, hardness = 0.3,
      on_use = switch("lever"), on_break = changed })

local BUTTON_TICKS = 60
pair("button",
    { like = "oak_planks", shape = { { 5, 0, 5, 11, 3, 11 } }, hardness = 0.3,
      on_use = function(e)
          switch("button_on")(e)
          return world.schedule(e.x, e.y, e.z, BUTTON_TICKS)
      end },
    { like = "oak_planks", tint = { 255, 200, 90 }, shape = { { 5, 0, 5, 11, 1, 11 } },
      hardness = 0.3, on_tick = switch("button"), on_break = changed })

for _, kind in ipairs { "not", "and" } do
    for index, direction in ipairs(logic.directions) do
        local name = kind .. "_" .. direction
        local turned = "elevator:" .. kind .. "_" .. logic.directions[index % 4 + 1]
        local shape = { { 0, 0, 0, 16, 2, 16 }, logic.nose(direction) }
        local function turn(e)
            world.set(e.x, e.y, e.z, turned)
            changed(e)
            return true
        end
        local tint = kind == "not" and { 140, 140, 190 } or { 140, 190, 140 }
        pair(name,
            { like = "stone", tint = tint, shape = shape, hardness = 0.3,
              title = kind == "not" and "Not Gate" or "And Gate",
              on_use = turn, on_place = changed, on_break = changed, on_tick = logic.run_gate },
            { like = "stone", tint = { 255, 120, 120 }, shape = shape, hardness = 0.3, light = 2,
              on_use = turn, on_break = changed, on_tick = logic.run_gate })
    end
end

block {
    name = "lift", like = "iron_block", tint = { 200, 200, 220 }, hardness = 2, tool = "pickaxe",
    on_place = changed,
    on_use = function(e)
        changed(e)
        return true
    end,
    on_tick = function(e) logic.move_lift(e.x, e.y, e.z) end,
}

-- ---- Recipes ----

recipe { shapeless = { "iron_ingot", "cobblestone" }, result = "elevator:wire", count = 8 }
recipe { shape = { "i", "w", "i" }, keys = { i = "iron_ingot", w = "elevator:wire" },
         result = "elevator:rail", count = 8 }
recipe { shapeless = { "elevator:wire", "glass" }, result = "elevator:lamp" }
recipe { shapeless = { "elevator:wire", "stick", "cobblestone" }, result = "elevator:lever" }
recipe { shapeless = { "elevator:wire", "oak_planks" }, result = "elevator:button" }
recipe { shapeless = { "elevator:wire", "torch" }, result = "elevator:not_n" }
recipe { shapeless = { "elevator:wire", "elevator:wire", "torch" }, result = "elevator:and_n" }
recipe { shape = { "iii", " r " }, keys = { i = "iron_ingot", r = "elevator:rail" },
         result = "elevator:lift" }
