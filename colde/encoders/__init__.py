"""Running an encoder: plain torch, or OpenVINO where it is installed."""
