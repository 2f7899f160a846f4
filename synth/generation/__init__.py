"""Generation of questions: search, writers, proposals, filters and admission."""
