"""Text handling: language, sentences, words, normalisation and markup."""
