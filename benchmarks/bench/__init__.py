"""What Shoal takes: every workload in a process of its own, kept in a history and compared with earlier runs."""
