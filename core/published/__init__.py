"""What published work prints, and whether this program finds the same."""
