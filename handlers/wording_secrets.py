"""What is said to somebody who pasted a secret, in Japanese and English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory.text.secrets.found import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretWords:
    """The words of one language; names in braces are filled in. `kinds` are parted by `separator`, the last of several
    by `last_separator`; `other` stands for what only the administrator has a name for. `by_hand` says for each platform
    how people delete a message there."""

    kinds: Mapping[str, str]
    other: str
    separator: str
    last_separator: str
    taken_out: str
    taken_out_of_file: str
    change: str
    change_all: str
    delete: str
    joint: str

    forget: str
    typed: str
    question: str
    goes: str
    stays: str
    by_hand: Mapping[str, str]
    forgotten: str
    gone: str
    nothing: str
    asked: str


JAPANESE = SecretWords(
    kinds={
        Kind.PASSWORD: "パスワード",
        Kind.TOKEN: "トークンやキー",
        Kind.PRIVATE_KEY: "秘密鍵",
        Kind.URL_PASSWORD: "URLの中のパスワード",
        Kind.CARD: "カード番号",
        Kind.MY_NUMBER: "マイナンバー",
    },
    other="秘密の情報",
    separator="、",
    last_separator="、",
    taken_out="メッセージに{kinds}と思われるものがあったため、保存する前に取り除きました。",
    taken_out_of_file="添付ファイルに{kinds}と思われるものがあったため、保存する前に取り除きました。",
    change="念のため、新しいものに変えてください。",
    change_all="念のため、それぞれ新しいものに変えてください。",
    delete="{platform} のメッセージも削除してください。削除すると、私の記憶からも消えます。",
    joint="",
    forget="このメッセージを忘れて",
    typed="/forget と入力すると、このメッセージを私の記憶から消します。",
    question="秘密の情報が書かれていたメッセージを、私の記憶から消しますか？ 元に戻すことはできません。",
    goes="消えるもの: そのメッセージと、それに対する私の回答の記録、そこから作られた要約と事実",
    stays="残るもの: 画面に表示されているメッセージそのもの",
    by_hand={
        "slack": "Slack のメッセージは私には消せません。"
        "メッセージの「その他」（︙）から「メッセージを削除する」を選んでください。",
        "teams": "Teams のメッセージは私には消せません。メッセージの「…」から「削除」を選んでください。",
    },
    forgotten="そのメッセージを忘れました。",
    gone="そのメッセージは、もう覚えていません。",
    nothing="秘密の情報が書かれていたメッセージは、このチャットにはありません。",
    asked="消すときは「はい」と入力してください。",
)

ENGLISH = SecretWords(
    kinds={
        Kind.PASSWORD: "a password",
        Kind.TOKEN: "a token or key",
        Kind.PRIVATE_KEY: "a private key",
        Kind.URL_PASSWORD: "a password in an address",
        Kind.CARD: "a card number",
        Kind.MY_NUMBER: "a My Number",
    },
    other="secret information",
    separator=", ",
    last_separator=" and ",
    taken_out="Your message had what looks like {kinds}. I took that out before keeping the message.",
    taken_out_of_file="A file with your message had what looks like {kinds}. I took that out before keeping what was "
    "in it.",
    change="To be safe, please change it.",
    change_all="To be safe, please change them.",
    delete="Please also delete the message in {platform}; I then forget it too.",
    joint=" ",
    forget="Forget my message",
    typed="Type /forget to have me forget the message.",
    question="Forget the message that had secret information in it? This cannot be undone.",
    goes="This goes: that message and my reply to it from my memory, with summaries and facts made from them",
    stays="This stays: the message that you see here",
    by_hand={
        "slack": "I cannot delete your message in Slack. To do that, open “More actions” (⋮) on it and choose "
        "“Delete message”.",
        "teams": "I cannot delete your message in Teams. To do that, open “…” on it and choose “Delete”.",
    },
    forgotten="I have forgotten that message.",
    gone="I no longer remember that message.",
    nothing="No message in this chat had secret information in it.",
    asked="Type yes to have it forgotten.",
)
