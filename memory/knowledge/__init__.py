"""The knowledge base: a folder of Markdown, remembered section by section."""
