"""Testsets: their files and manifests, verification, updates after corpus changes, import and export."""
