"""Jobs that catena and a peer both do, each with its own best settings: `run.py --peers` runs them and prints a table."""
