-- Follows the tip of the mill, a third of the way in each second.

function on_update(dt)
    local tip = getObject("Mill/Tip")
    if tip then
        this.position = this.position:lerp(tip.worldPosition, dt / 3)
    end
end
