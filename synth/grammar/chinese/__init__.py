"""Chinese language packs: questions written without a chat model."""
