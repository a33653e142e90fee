"""A link could lead out of the matrix."""
import os
os.symlink("/etc/hostname", "outside.yaml")
