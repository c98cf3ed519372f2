"""The names by which the buttons on our cards are told apart. Cards stand in Teams for years, so the names stay too."""

from __future__ import annotations

ASK_PERSON = "helpdesk_ask_person"
TICKETS = "helpdesk_tickets"
MEMORY = "helpdesk_memory"
FORGET = "helpdesk_forget"
FORGET_YES = "helpdesk_forget_yes"
FORGET_NO = "helpdesk_forget_no"
SHOW_WORDS = "helpdesk_show_words"
TAKE_TICKET = "helpdesk_ticket_take"
HAND_BACK_TICKET = "helpdesk_ticket_hand_back"
RESOLVE_TICKET = "helpdesk_ticket_resolve"
SHARE_TICKET = "helpdesk_ticket_share"
SAME_TICKET = "helpdesk_ticket_same"

#: The fields of the form in which a ticket is resolved, and of the one in which it is shared.
CAUSE = "cause"
FIX = "fix"
SYMPTOM = "symptom"
LEARNED = "learned"
