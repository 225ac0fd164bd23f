"""What does tasks: local workers, this process, or a Dask cluster, all by one contract."""
