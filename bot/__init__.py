"""The running process: wiring, commands, scheduler, adapters to the outside."""
