-- What the elder asks for, one after the other.
return {
    {
        item = "oak_planks", count = 8, goal = "Planks for the roof",
        ask = "My roof leaks, and winter is near. Would you bring me 8 oak planks?",
        wait = "The rain drips on my bed. Eight oak planks would do.",
        ready = "You have the planks! May I have them?",
        reward = "bread", reward_count = 4,
    },
    {
        item = "torch", count = 4, goal = "Light for the house",
        ask = "The roof holds. But it is dark inside. Could you bring me 4 torches?",
        wait = "Four torches: coal and sticks. I sit here in the dark.",
        ready = "Are these torches for me?",
        reward = "emerald", reward_count = 3,
    },
    thanks = "My house is dry and bright. Thank you, friend. You are welcome here at any time.",
}
