"""What is said to somebody who pasted a secret, in Japanese and English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory.text.secrets.found import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretWords:
    """The words of one language; names in braces are filled in. `kinds` are parted by `separator`; `other` stands for
    what only the administrator has a name for."""

    kinds: Mapping[str, str]
    other: str
    separator: str
    taken_out: str
    change: str
    delete: str
    joint: str


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
    taken_out="メッセージに{kinds}と思われるものがあったため、保存する前に取り除きました。",
    change="念のため、新しいものに変えてください。",
    delete="{platform} のメッセージも削除してください。削除すると、私の記憶からも消えます。",
    joint="",
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
    taken_out="Your message had what looks like {kinds}. I took that out before keeping the message.",
    change="To be safe, please change it.",
    delete="Please also delete the message in {platform}; I then forget it too.",
    joint=" ",
)
