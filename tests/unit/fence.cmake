# fence: unit tests and golden files
