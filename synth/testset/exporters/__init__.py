"""What synth made, in the formats of other tools."""
