-- Barks once for each ring that it hears, and falls silent when a bell is tired.

this.state.barks = 0

subscribe("Ring", function(ring)
    this.state.barks = this.state.barks + ring.times
end)

subscribe("tired", function(event)
    send("Bark", {times = this.state.barks})
end)
