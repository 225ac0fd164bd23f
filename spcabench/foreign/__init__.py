"""Tables and arrays from outside, read in a process of their own within limits: `reader` is the way in."""
