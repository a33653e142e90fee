"""Windows editors put a byte order mark first: accepted, and places stay right."""
with open("components.yaml", "wb") as file:
    file.write(b"\xef\xbb\xbfcomponents: [{id: cuda, title: \"CUDA\", scheme: dottet}]\n")
