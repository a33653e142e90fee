"""Not a file: left alone, and waited for by nobody."""
import os
os.mkfifo("pipe.yaml")
