"""The tool-use methods: tool menu, candidates shown, execution policy."""
