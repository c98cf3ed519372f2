"""The names by which Slack tells our buttons, forms and shortcuts apart. Messages that stand in Slack carry them, so
they stay as they are."""

from __future__ import annotations

FEEDBACK = "helpdesk_feedback"
ASK_PERSON = "helpdesk_ask_person"
SHOW_WORDS = "helpdesk_show_words"
FORGET = "helpdesk_forget"
FORGET_YES = "helpdesk_forget_yes"
FORGET_NO = "helpdesk_forget_no"

REMEMBER_THREAD = "helpdesk_remember_thread"
MAKE_TICKET = "helpdesk_make_ticket"
TICKET_FORM = "helpdesk_ticket_form"
SUBJECT = "helpdesk_subject"
NOTE = "helpdesk_note"

HOME = "home"
MESSAGES = "messages"
#: What is written in words has no button of its own.
WISH = "wish"
