-- Fails in its second tick. It is switched off then, and everything else goes on.

function on_init()
    this.state.ticks = 0
end

function on_update()
    this.state.ticks = this.state.ticks + 1
    if this.state.ticks == 2 then
        this.nothing.at.all = 1
    end
end
