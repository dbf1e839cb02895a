-- Moves all parts to the right, two units a second, and takes away those that reach the end.

local parts = query("MeshRendererComponent")

function on_update(dt)
    for part in parts:each() do
        part.position = part.position + Vec3(2 * dt, 0, 0)
        if part.position.x > -3 then
            part:destroy()
        end
    end
end
