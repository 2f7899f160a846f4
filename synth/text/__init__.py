"""Language, sentences, words, normalisation and markup: the one place for all of them."""
