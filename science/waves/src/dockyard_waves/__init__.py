"""What wave models share: cases as archives, names inside a case, the model's program, outputs."""
