"""Making the shipped data: training and distilling the net, packing tables, measuring errors."""
