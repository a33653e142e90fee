"""A file that an editor saved as UTF-16."""
with open("components.yaml", "wb") as file:
    file.write("components:\n  - {id: cuda, title: CUDA, scheme: dotted}\n".encode("utf-16"))
