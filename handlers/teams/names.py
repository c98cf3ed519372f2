"""The names by which the buttons on our cards are told apart. Cards stand in Teams for years, so the names stay too."""

from __future__ import annotations

ASK_PERSON = "helpdesk_ask_person"
TICKETS = "helpdesk_tickets"
MEMORY = "helpdesk_memory"
FORGET = "helpdesk_forget"
FORGET_YES = "helpdesk_forget_yes"
FORGET_NO = "helpdesk_forget_no"
