"""Where the sentences of a document name things: English, Chinese, code."""
