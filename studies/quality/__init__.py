"""Development data for shared text, and the fit of its kinds."""
