"""Parts beside the running text: captions, footnotes, tables, equations, and the marks of notes."""
