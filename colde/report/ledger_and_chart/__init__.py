"""The ledger and the claim chart in every format."""
