"""Files that somebody may take for parts of the matrix."""
import shutil
for name in ("cuda.yml", "CUDA.YAML"):
    shutil.copy("components.yaml", name)
