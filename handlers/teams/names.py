"""The names by which the buttons on our cards are told apart. Cards stand in Teams for years, so the names stay too."""

from __future__ import annotations

ASK_PERSON = "helpdesk_ask_person"
TICKETS = "helpdesk_tickets"
MEMORY = "helpdesk_memory"
FORGET = "helpdesk_forget"
FORGET_YES = "helpdesk_forget_yes"
FORGET_NO = "helpdesk_forget_no"
FORGET_PASTED = "helpdesk_pasted"
FORGET_PASTED_YES = "helpdesk_pasted_yes"
FORGET_PASTED_NO = "helpdesk_pasted_no"
SHOW_WORDS = "helpdesk_show_words"
TAKE_TICKET = "helpdesk_ticket_take"
HAND_BACK_TICKET = "helpdesk_ticket_hand_back"
RESOLVE_TICKET = "helpdesk_ticket_resolve"
SHARE_TICKET = "helpdesk_ticket_share"
SAME_TICKET = "helpdesk_ticket_same"
ASK_USER = "helpdesk_ticket_ask"
SUBSCRIBE = "helpdesk_subscribe"
CONFIRM_INCIDENT = "helpdesk_incident_confirm"
DISMISS_INCIDENT = "helpdesk_incident_dismiss"
END_INCIDENT = "helpdesk_incident_end"

#: In what language the card of a button is.
LANGUAGE = "language"
#: The fields of the forms in which a ticket is resolved, its user is asked, and it is shared.
CAUSE = "cause"
FIX = "fix"
ASKED = "asked"
SYMPTOM = "symptom"
LEARNED = "learned"
