"""The command line of synth."""
