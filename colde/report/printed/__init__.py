"""The report of a comparison on paper: as a Word document, as PDF, and as notes on the original pages."""
