int wrapped_offset() { return 100; }
