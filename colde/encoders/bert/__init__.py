"""BERT: its files, the network over packed and over padded texts, and linear maps in bf16."""
