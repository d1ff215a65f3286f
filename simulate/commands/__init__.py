"""The commands of ``simulate``, a file a group of them. What is heavy is imported inside."""
