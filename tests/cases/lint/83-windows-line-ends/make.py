"""CRLF is what git may check out on Windows: accepted, and places stay right."""
with open("components.yaml", "wb") as file:
    file.write(b"# Components\r\ncomponents:\r\n  - id: cuda\r\n    title: CUDA\r\n    scheme: dottet\r\n"
               b"    about: >-\r\n      two\r\n      lines\r\n  - {id: nccl, titel: NCCL, scheme: dotted}\r\n")
