"""The page of a report as one HTML file that works offline."""
