"""Facts that headings, lists and tables of a document state, and the questions that these facts answer."""
