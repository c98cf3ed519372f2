"""What people do with tickets, whatever the platform."""
