# proxy: unit tests and fuzz targets
