"""`mitmdump -s script.py`: the capture addon by itself."""

from inspector.capture.addon import Capture

addons = [Capture()]
