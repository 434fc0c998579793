"""Reading and writing: tables, scored tables, and the files that hold them."""
