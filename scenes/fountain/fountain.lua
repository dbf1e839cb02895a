-- A fountain of sparks. `cairn annotations` writes what editors need to complete this file.

local Place = component("Place", { x = "f32", y = "f32", z = "f32" })
local Velocity = component("Velocity", { x = "f32", y = "f32", z = "f32" })
local Spark = component("Spark", { age = "f32", life = "f32" }, { default = { life = 1 } })

-- A system without components runs once per tick.
system {
    name = "emit",
    run = function(batch, dt, commands)
        for i = 1, 20 do
            local angle = 2 * math.pi * randomAt(i)
            commands:spawn {
                Place = true,
                Velocity = { x = math.cos(angle), y = 6 + 2 * randomAt(i, 1), z = math.sin(angle) },
                Spark = { life = 1 + randomAt(i, 2) },
            }
        end
    end,
}

system {
    name = "fly",
    after = { "emit" },
    writes = { Place, Velocity },
    run = function(batch, dt)
        local p, v = batch.Place, batch.Velocity
        for i = 0, batch.count - 1 do
            v[i].y = v[i].y - 9.81 * dt
            if p[i].y < 0 and v[i].y < 0 then v[i].y = -0.5 * v[i].y end
        end
        batch:add(Place, Velocity, dt) -- all fields of all rows at once
    end,
}

-- May run beside "fly", if it is in another file: it touches other components.
system {
    name = "fade",
    writes = { Spark },
    run = function(batch, dt, commands)
        local spark = batch.Spark
        for i = 0, batch.count - 1 do
            spark[i].age = spark[i].age + dt
            if spark[i].age > spark[i].life then commands:destroy(batch.entities[i]) end
        end
    end,
}
