"""Capturing: the mitmproxy addon, its CA, and the thread that stores what passed."""
