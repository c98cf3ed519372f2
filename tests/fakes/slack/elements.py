"""The shapes of what people press, choose and fill in."""

from __future__ import annotations

from typing import Any

from tests.fakes.slack.shapes import ACTION_ID, Check, Text, choice, label, only, sequence, short

BUTTON_TEXT, VALUE, URL, PLACEHOLDER, OPTIONS = 75, 2000, 3000, 150, 100

SELECTS = {
    f"{many}{kind}_select"
    for many in ("", "multi_")
    for kind in ("static", "external", "users", "conversations", "channels")
}
SELECT_FIELDS = {
    "options", "option_groups", "initial_option", "initial_options", "min_query_length", "initial_user",
    "initial_users", "initial_conversation", "initial_conversations", "default_to_current_conversation", "filter",
    "response_url_enabled", "initial_channel", "initial_channels", "max_selected_items",
}  # fmt: skip
INPUT_FIELDS: dict[str, set[str]] = {
    "plain_text_input": {"initial_value", "multiline", "min_length", "max_length", "dispatch_action_config"},
    "email_text_input": {"initial_value", "dispatch_action_config"},
    "url_text_input": {"initial_value", "dispatch_action_config"},
    "number_input": {"is_decimal_allowed", "initial_value", "min_value", "max_value", "dispatch_action_config"},
    "rich_text_input": {"initial_value", "dispatch_action_config", "min_lines", "max_lines"},
    "checkboxes": {"options", "initial_options"},
    "radio_buttons": {"options", "initial_option"},
    "datepicker": {"initial_date"},
    "timepicker": {"initial_time", "timezone"},
    "datetimepicker": {"initial_date_time"},
    "file_input": {"filetypes", "max_files"},
    **dict.fromkeys(SELECTS, SELECT_FIELDS),
}
COMMON = {"type", "action_id", "placeholder", "confirm", "focus_on_load"}
#: What a screen reader says instead.
SPOKEN = {"accessibility_label", "alt_text"}
PLAIN = ("plain_text",)
ANY_TEXT = ("plain_text", "mrkdwn")
ACTIONS = {"button", "overflow", "workflow_button", *INPUT_FIELDS} - {
    "email_text_input", "url_text_input", "number_input", "file_input",
}  # fmt: skip


def element(check: Check, value: Any, at: str, known: set[str]) -> None:
    """One element of a kind that is allowed here."""
    kind = choice(check, value, "type", at, known)
    if kind is None:
        return
    short(check, value, "action_id", at, ACTION_ID)
    if kind in INPUT_FIELDS:
        only(check, value, at, COMMON | INPUT_FIELDS[kind], set())
        label(check, value, "placeholder", at, Text(most=PLACEHOLDER))
        options(check, value, at)
    else:
        OTHERS[kind](check, value, at)


def options(check: Check, value: Any, at: str) -> None:
    for place, option in sequence(check, value, "options", at, least=0, most=OPTIONS):
        only(check, option, place, {"text", "value", "description", "url"}, {"text", "value"})
        label(check, option, "text", place, Text(least=1, most=75), ANY_TEXT)
        short(check, option, "value", place, 150)


def button(check: Check, value: Any, at: str) -> None:
    known = {"type", "text", "action_id", "url", "value", "style", "confirm", "visible_to_user_ids"}
    only(check, value, at, {*known, *SPOKEN, "agent_prompt", "agent_prompt_display"}, {"text"})
    short(check, value, "agent_prompt", at, 4000)
    label(check, value, "text", at, Text(least=1, most=BUTTON_TEXT))
    short(check, value, "value", at, VALUE)
    short(check, value, "url", at, URL)
    short(check, value, "accessibility_label", at, 75)
    if "style" in value:
        choice(check, value, "style", at, {"primary", "danger"})
    confirm(check, value, at)


def confirm(check: Check, value: Any, at: str) -> None:
    if "confirm" in value:
        place = f"{at}/confirm"
        only(check, value["confirm"], place, {"title", "text", "confirm", "deny", "style"}, {"title", "text"})
        for name, most in (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30)):
            label(check, value["confirm"], name, place, Text(most=most), ANY_TEXT if name == "text" else PLAIN)


def overflow(check: Check, value: Any, at: str) -> None:
    only(check, value, at, {"type", "action_id", "options", "confirm", *SPOKEN}, {"options"})
    for _ in sequence(check, value, "options", at, least=1, most=5):
        pass
    options(check, value, at)


def image(check: Check, value: Any, at: str) -> None:
    only(check, value, at, {"type", "image_url", "slack_file", "alt_text"}, {"alt_text"})
    if "image_url" not in value and "slack_file" not in value:
        check.fault("missing required field: image_url", at)
    short(check, value, "image_url", at, URL)
    short(check, value, "alt_text", at, 2000)


def feedback(check: Check, value: Any, at: str) -> None:
    only(
        check, value, at, {"type", "action_id", "positive_button", "negative_button", *SPOKEN},
        {"positive_button", "negative_button"},
    )  # fmt: skip
    for name in ("positive_button", "negative_button"):
        inner, place = value.get(name, {}), f"{at}/{name}"
        only(check, inner, place, {"text", "value", "accessibility_label"}, {"text", "value"})
        if isinstance(inner, dict):
            label(check, inner, "text", place, Text(least=1, most=BUTTON_TEXT))
            short(check, inner, "value", place, VALUE)
            short(check, inner, "accessibility_label", place, 75)


def icon_button(check: Check, value: Any, at: str) -> None:
    known = {"type", "icon", "text", "action_id", "value", "confirm", "visible_to_user_ids"}
    only(check, value, at, {*known, *SPOKEN}, {"icon", "text"})
    choice(check, value, "icon", at, {"trash"})
    label(check, value, "text", at, Text(least=1, most=BUTTON_TEXT))
    short(check, value, "value", at, VALUE)
    confirm(check, value, at)


def workflow_button(check: Check, value: Any, at: str) -> None:
    known = {"type", "text", "action_id", "workflow", "style"}
    only(check, value, at, {*known, *SPOKEN}, {"text", "workflow"})
    label(check, value, "text", at, Text(least=1, most=BUTTON_TEXT))


OTHERS = {
    "button": button,
    "overflow": overflow,
    "image": image,
    "feedback_buttons": feedback,
    "icon_button": icon_button,
    "workflow_button": workflow_button,
}
