"""Bytes that no text file has: NUL, the start of a terminal sequence, a carriage return inside a line, C1."""
for name, byte in {"nul": b"\0", "escape": b"\x1b[2J", "return": b"\r", "delete": b"\x7f", "c1": "\u009b31m".encode()}.items():
    with open(name + ".yaml", "wb") as file:
        file.write(b"components:\n  - {id: " + name.encode() + b", title: a" + byte + b"b, scheme: dotted}\n")
