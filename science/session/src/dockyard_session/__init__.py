"""The session of a tool: the process that a compute worker starts, its protocol and what every tool writes alike."""
