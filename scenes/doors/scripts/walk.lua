-- Walks to the right, two units a second.

function on_update(dt)
    this.position = this.position + Vec3(2 * dt, 0, 0)
end
