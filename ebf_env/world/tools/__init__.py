"""Tools: what an agent can call, declared once and acting on the world."""
