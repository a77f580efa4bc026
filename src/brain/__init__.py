"""Brain: agent memory as a knowledge wiki."""
