"""Systems of the papers' tables that ship as a recipe and a row of docs/results/systems.md, without weights.

One file a system, from the equations of its paper; `colde models --all` lists them and `colde train` trains them. They
give a score and no maps.
"""
