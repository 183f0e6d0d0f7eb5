"""Runs of the wave model WAVEWATCH III: the session of the tool `wavewatch3`."""
