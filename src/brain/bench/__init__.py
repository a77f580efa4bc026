"""Measuring memory: data sets, recall, and later arms, judges and statistics."""
