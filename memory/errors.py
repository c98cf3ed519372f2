"""Every error of this application, as one tree. A class's docstring is its message and says what to do.

HelpdeskError
├── WrongUse                    the caller can mend it (exit code 2)
│   ├── ConfigInvalid
│   ├── InputRefused
│   ├── NotAllowed              somebody else may do this
│   ├── TicketElsewhere         it was imported, and lives where it comes from
│   ├── IncidentSettled         an incident was dismissed or is over
│   ├── StepRefused             a ticket's state does not allow it
│   ├── TicketMoved             somebody else changed it meanwhile
│   ├── TicketTaken             somebody else has it
│   ├── StoreFilled             a restore would destroy what is there
│   └── UnderHold               only an administrator's word erases it
├── NothingFound
│   ├── IncidentUnknown
│   └── TicketUnknown
├── ImportIncomplete
├── BackupFailed
├── BackupUnusable
│   └── BackupNewer
├── Busy
├── NotYet                      a job waits for a time, which it names
├── StoreUnavailable
│   ├── StoreForeign
│   ├── StoreInUse
│   ├── RedactionUnavailable    words could not be looked through, and so are not kept
│   ├── StoreLost
│   └── StoreNewer
├── IndexUnavailable
│   ├── IndexInUse
│   ├── IndexFull
│   ├── IndexDamaged
│   └── EncoderChanged
├── FolderUnreadable            a folder of the knowledge base cannot be looked into
├── SealUnopened                a kept secret does not fit the key
├── EncoderUnavailable
├── PlatformRefused             a chat platform does not let us in
│   └── MessageRefused          it does not take this message, and may take another one
├── PlatformUnavailable         a chat platform cannot be reached
│   ├── DeliveryUnknown         a message may have arrived or not
│   └── ReplyNotTaken           it took no reply for as long as a thread may wait
├── TrackerRefused              an outside tracker will never take this
├── TrackerUnavailable          it may take it later
├── WebUnavailable              the bot's own web server cannot listen
└── ModelUnavailable
    ├── TokensSpent
    ├── ModelTimeout
    ├── ModelOverloaded
    ├── ModelRefused
    └── ModelReplyUnusable
"""

from __future__ import annotations

from datetime import datetime
from inspect import getdoc


class HelpdeskError(Exception):
    """Something went wrong in the helpdesk bot; the log has the details."""

    exit_code = 1

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or " ".join((getdoc(type(self)) or "").split()))


class WrongUse(HelpdeskError):
    """The command was used wrongly; `helpdesk --help` shows how."""

    exit_code = 2


class ConfigInvalid(WrongUse):
    """The configuration has mistakes; `helpdesk config check` lists every one with its line."""


class InputRefused(WrongUse):
    """There was nothing to work with in that message; please write what you need in a sentence or two."""


class FolderUnreadable(HelpdeskError):
    """A folder of the knowledge base cannot be read; check `knowledge.collections` and who may read the folder."""


class NothingFound(HelpdeskError):
    """There is nothing of that name that you may see; check the id, or look for it with `helpdesk memory search`."""


class NotAllowed(WrongUse):
    """Only support agents may do that with another person's ticket; `access.agents` in the configuration names them."""


class TicketElsewhere(WrongUse):
    """This ticket was imported; change it where it comes from, and import it again."""


class StepRefused(WrongUse):
    """This cannot be done with a ticket in its state; `helpdesk tickets show` tells the state."""


class TicketMoved(WrongUse):
    """Somebody else changed this ticket meanwhile; look at it again, then decide."""


class TicketTaken(WrongUse):
    """Somebody else has this ticket; they can hand it back."""


class StoreFilled(WrongUse):
    """The ticket database is not empty; only with --replace does a backup take the place of what it holds."""


class IncidentSettled(WrongUse):
    """This incident was dismissed or is over, and stays so; `helpdesk incidents show` tells who said it."""


class IncidentUnknown(NothingFound):
    """There is no incident of that name; `helpdesk incidents list` shows those there are."""


class UnderHold(WrongUse):
    """This is under legal hold; only with --despite-hold is it erased."""


class TicketUnknown(NothingFound):
    """There is no ticket of that name that you may see; `helpdesk tickets list` shows those you may."""


class ImportIncomplete(HelpdeskError):
    """Some rows could not be imported; the others are in. Mend the rows named above and import again: repeats do no
    harm."""


class BackupFailed(HelpdeskError):
    """The backup cannot be written; make space, or name another place."""


class BackupUnusable(HelpdeskError):
    """This is no whole backup; nothing was changed, take another one."""


class BackupNewer(BackupUnusable):
    """The backup was made by a newer version of this program; install that version and restore with it."""


class Busy(HelpdeskError):
    """Too much is going on at once; please try again in a minute."""


class NotYet(HelpdeskError):
    """It is too early for this; it will be done by itself later."""


class StoreUnavailable(HelpdeskError):
    """The ticket database cannot be reached; check `store.url` in the configuration and that the disk has space."""


class RedactionUnavailable(StoreUnavailable):
    """What was written could not be looked through for personal data, and was not kept; switch `redaction.presidio` off
    if that goes on."""


class StoreForeign(StoreUnavailable):
    """The database file belongs to something else; set HELPDESK_DATA or `store.url` to another place."""


class StoreInUse(StoreUnavailable):
    """Another process has the ticket database open; end every bot and command that uses it, then try again."""


class StoreLost(StoreUnavailable):
    """The database file is gone or empty, and the search index beside it is not; put the file back, or delete the
    folder of the index to begin anew."""


class StoreNewer(StoreUnavailable):
    """The database was written by a newer version of this program; install that version or restore a backup."""


class IndexUnavailable(HelpdeskError):
    """The search index cannot be used; `helpdesk jobs run reindex` rebuilds it from the stored words."""


class IndexInUse(IndexUnavailable):
    """Another process has this data folder open and does not answer; end it, or set HELPDESK_DATA to another folder."""


class IndexFull(IndexUnavailable):
    """The disk of the search index is full; make space there, at least 50 MB, then run `helpdesk jobs run flush`."""


class IndexDamaged(IndexUnavailable):
    """The search index is damaged; nothing is lost, `helpdesk jobs run reindex` rebuilds it from the stored words."""


class IndexOutdated(IndexDamaged):
    """The search index was laid out by another version of this program; nothing is lost, `helpdesk jobs run reindex`
    rebuilds it from the stored words."""


class EncoderChanged(IndexUnavailable):
    """The index was made with another encoder; run `helpdesk jobs run reindex` to embed everything again."""


class PlatformRefused(HelpdeskError):
    """The chat platform refused the credentials in the configuration; see docs/slack.md or docs/teams.md."""


class MessageRefused(PlatformRefused):
    """The chat platform does not take this very message; the log says with which status it refused."""


class PlatformUnavailable(HelpdeskError):
    """The chat platform cannot be reached; check the network and the proxy, then start again."""


class DeliveryUnknown(PlatformUnavailable):
    """The chat platform did not say whether a message arrived; it is not sent again, and who waits for it is told."""


class ReplyNotTaken(PlatformUnavailable):
    """The chat platform took no reply for as long as its thread may wait; who asked is told so in its place."""


class TrackerRefused(HelpdeskError):
    """The outside tracker refuses this change; `helpdesk tickets tracker` shows it, `--again` has it tried again."""


class TrackerUnavailable(HelpdeskError):
    """The outside tracker did not take this change; it is tried again by itself."""

    def __init__(self, message: str | None = None, *, wait: float = 0.0) -> None:
        """`wait` is how many seconds the tracker asks to be left alone."""
        super().__init__(message)
        self.wait = wait


class WebUnavailable(HelpdeskError):
    """The web server cannot listen on its address; set another `web.host` or `web.port`."""


class SealUnopened(HelpdeskError):
    """What was sealed cannot be opened; add the key of then to `slack.installation_key`, after the newest."""


class EncoderUnavailable(HelpdeskError):
    """The embedding model cannot be loaded; check `embeddings` in the configuration. Search by words still works."""


class ModelUnavailable(HelpdeskError):
    """The language model cannot be reached; the question can be asked again, and quotes are shown meanwhile."""


class TokensSpent(ModelUnavailable):
    """The day's tokens (`limits.tokens_a_day`) are spent; quotes and rules serve until the next day."""

    def __init__(self, renewed: datetime) -> None:
        """`renewed` is when models may be asked again."""
        super().__init__()
        self.renewed = renewed


class ModelTimeout(ModelUnavailable):
    """The language model did not answer in time; the question can be asked again."""


class ModelOverloaded(ModelUnavailable):
    """The language model is overloaded (429 or 5xx); try again in a minute."""


class ModelRefused(ModelUnavailable):
    """The language model refused the request; check the model's name, key and limits in the configuration."""


class ModelReplyUnusable(ModelUnavailable):
    """The language model's reply could not be read; the episode waits in the retry list and stays searchable."""
