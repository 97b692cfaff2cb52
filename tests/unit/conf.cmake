# conf: unit tests and fuzz targets
