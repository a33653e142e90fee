"""Depth that would end a recursive parser."""
with open("deep.yaml", "w") as file:
    file.write("components: " + "[" * 200_000 + "\n")
with open("keys.yaml", "w") as file:
    file.write("? " * 100_000 + "\n")
with open("lists.yaml", "w") as file:
    file.write("- " * 100_000 + "\n")
