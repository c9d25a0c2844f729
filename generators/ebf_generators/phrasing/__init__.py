"""How tasks are worded: what people say for tools, for records and around both, split by split."""
