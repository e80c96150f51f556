"""What every store on disk does with units before it writes them: queue, check, stage. Knows no SQL."""
