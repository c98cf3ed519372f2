"""Where the memory is kept: one file per backend."""
