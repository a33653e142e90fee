"""One file of more than 4 MiB; the other files are looked at all the same."""
with open("large.yaml", "w") as file:
    file.write("components:\n" + "# a long comment\n" * 300_000)
