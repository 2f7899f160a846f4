"""English language pack: questions from parsed sentences and from headings, lists and tables."""
