"""What scores cost on the machine that computes them."""
