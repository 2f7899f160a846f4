"""Question generation: search for scenarios, writers, proposals, filters and admission of rows."""
