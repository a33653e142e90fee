"""A text of more than 64 KiB."""
with open("components.yaml", "w") as file:
    file.write("components:\n  - {id: cuda, title: CUDA, scheme: dotted}\n  - {id: long, title: \"" + "x" * 70_000 + "\", scheme: dotted}\n")
