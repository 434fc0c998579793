"""The tables of a session, and the list that shows them."""
