"""A file that an editor saved as Latin-1."""
with open("components.yaml", "wb") as file:
    file.write("components:\n  - {id: cuda, title: größer, scheme: dotted}\n".encode("latin-1"))
