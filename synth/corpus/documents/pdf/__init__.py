"""Layout of PDF pages: words with boxes, lines, columns, tables of numbers and paragraphs."""
