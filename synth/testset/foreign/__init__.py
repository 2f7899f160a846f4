"""Sets that other tools and people made: their files, and what their rows say."""
