"""The names by which Slack tells our buttons, forms and shortcuts apart. Messages that stand in Slack carry them, so
they stay as they are."""

from __future__ import annotations

FEEDBACK = "helpdesk_feedback"
ASK_PERSON = "helpdesk_ask_person"
SHOW_WORDS = "helpdesk_show_words"
FORGET = "helpdesk_forget"
FORGET_YES = "helpdesk_forget_yes"
FORGET_NO = "helpdesk_forget_no"
FORGET_PASTED = "helpdesk_pasted"
FORGET_PASTED_YES = "helpdesk_pasted_yes"
FORGET_PASTED_NO = "helpdesk_pasted_no"

REMEMBER_THREAD = "helpdesk_remember_thread"
MAKE_TICKET = "helpdesk_make_ticket"
TICKET_FORM = "helpdesk_ticket_form"
TAKE_TICKET = "helpdesk_take"
HAND_BACK_TICKET = "helpdesk_hand_back"
RESOLVE_TICKET = "helpdesk_resolve"
ASK_USER = "helpdesk_ask_user"
ASK_FORM = "helpdesk_ask"
ASKED = "helpdesk_asked"
RESOLUTION_FORM = "helpdesk_resolution"
SHARE = "helpdesk_share"
SHARE_FORM = "helpdesk_sharing"
SYMPTOM = "helpdesk_symptom"
LEARNED = "helpdesk_learned"
CAUSE = "helpdesk_cause"
FIX = "helpdesk_fix"
SUBJECT = "helpdesk_subject"
SAME = "helpdesk_same"
SUBSCRIBE = "helpdesk_subscribe"
CONFIRM_INCIDENT = "helpdesk_incident_confirm"
DISMISS_INCIDENT = "helpdesk_incident_dismiss"
END_INCIDENT = "helpdesk_incident_end"
NOTE = "helpdesk_note"

#: The types of the metadata on our messages: on replies, which says what they reply to; and on what we say when
#: somebody wants a person, or support is to know something.
REPLY = "helpdesk_reply"
WANTED = "helpdesk_wanted"

HOME = "home"
MESSAGES = "messages"
#: What is written in words has no button of its own.
WISH = "wish"
