"""How results are presented: a table or a list of parts, written in one of the formats of `formats.FORMATS`."""
