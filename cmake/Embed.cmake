# Embedded files come with the prompt layer.
