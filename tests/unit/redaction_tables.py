"""What is a secret and what only looks like one, as people write it. All made up; `¦` parts tokens, so that no scanner
of sources takes them for real ones, and is left out when they are read."""

from __future__ import annotations

from typing import NamedTuple


class Leak(NamedTuple):
    """`text` with the secret in it where {} stands."""

    kind: str
    secret: str
    text: str

    @property
    def hidden(self) -> str:
        return self.secret.replace("¦", "")

    @property
    def said(self) -> str:
        return self.text.replace("¦", "").replace("{}", self.hidden)


_PEM = """-----BEGIN RSA PRIV¦ATE KEY-----
MIIEowIBAAKCAQEAx0madeUpkeyLinesThatAreOfNoUse1234567890abcdEFGH
ijklMNOPqrstUVWXyz0123456789+/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh
-----END RSA PRIV¦ATE KEY-----"""
_CUT_PEM = """-----BEGIN OPENSSH PRIV¦ATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz
c2gtZWQyNTUxOQAAACCmadeUpAndCutOff0123456789abcdefghijklmnopqrstu"""
_PUTTY = "AAAAIQDmadeUpPuttyLine0123456789abcdefghijklmnopqrstuvwxyz01234567"

SECRETS = (
    # passwords, in English
    Leak("password", "Tiger#77", "My password is {} and it does not work"),
    Leak("password", "hunter2", "Password: {}"),
    Leak("password", "swordfish", "user: sato\npassword: {}\nhost: ng-tky-2"),
    Leak("password", "Winter2026!", "the new password for the VPN is {}"),
    Leak("password", "Kx9-mPq2-Lr5", "pwd={}"),
    Leak("password", "corp-4711-pw", "passwd: {} (temporary)"),
    Leak("password", "s3cr3tW0rd", "DB_PASSWORD={}"),
    Leak("password", "blue kettle", 'passphrase = "{}"'),
    Leak("password", "r00t!toor", "mysql -u root -p{} tickets"),
    Leak("password", "Qwert-99", "sshpass -p {} ssh sato@ng-tky-2"),
    Leak("password", "Zebra_1984", "curl -u sato:{} https://wiki.example/api"),
    Leak("password", "Pa55word!", "connect with --password {} --host db1"),
    Leak("password", "P@ssw0rd1", 'New-LocalUser -Name kiosk -Password "{}"'),
    Leak("password", "gr33nTea", '{"user": "sato", "password": "{}", "host": "db1"}'),
    Leak("password", "Orange7!", "<user>sato</user><password>{}</password>"),
    Leak("password", "Tiger#78", "Server=db1;Database=hd;User Id=sa;Password={};Encrypt=yes"),
    Leak("password", "lamp post9", "password: `{}`"),
    Leak("password", "Xy12zz90", "**Password:** {}"),
    Leak("password", "Mango#5up", "login sato, password {} please check"),
    Leak("password", "4821", "The PIN is {}."),
    Leak("password", "90210", "pin code: {}"),
    Leak("password", "Fresh2026Start", "The password was changed to {} yesterday."),
    Leak("password", "Rain2Snow", "These are the details, the password is as follows:\n{}"),
    Leak("password", "guestnet88", "Wi-Fi key: {}"),
    Leak("password", "Coffee4two", "ID/PW: sato/{}"),
    Leak("password", "abc12345", "https://portal.example/login?user=sato&password={}&lang=ja"),
    Leak("password", "hunterTwo2", "Passcode → {}"),
    # passwords, in Japanese
    Leak("password", "Hoge1234!", "パスワード：{}"),
    Leak("password", "sakura2026", "パスワードは{}です"),
    Leak("password", "Summer-26", "パスワードは「{}」でした。入れません"),
    Leak("password", "nami#208", "PWは{}です。よろしくお願いします"),
    Leak("password", "Kaede77", "ＰＷ：{}"),
    Leak("password", "ｈｕｎｔｅｒ２２", "パスワード：{}"),
    Leak("password", "Momiji9", "ﾊﾟｽﾜｰﾄﾞ：{}"),
    Leak("password", "Yama2Kawa", "初期パスワードを{}に変更しました"),
    Leak("password", "tanaka0401", "パスワードは以下のとおりです。\n{}\nご確認ください"),
    Leak("password", "5963", "暗証番号は{}です"),
    Leak("password", "０４２１", "暗証番号：{}"),
    Leak("password", "Fuji-3776m", "ID/パスワード：sato／{}"),
    Leak("password", "umi&sora7", "パスは {} です"),
    Leak("password", "guest-8839", "Wi-Fiのパスワード（来客用）：{}"),
    Leak("password", "kanazawa", "パスワードは{}です。"),
    Leak("password", "Ame2Yuki", "| パスワード | {} |"),
    Leak("password", "Hinoki11", "パスコード→{}"),
    Leak("password", "yuki2hana", "パスワード {} で入れません"),
    # tokens and keys
    Leak("token", "xoxb-¦123456789012-1234567890123-madeUpmadeUpmadeUpmade", "SLACK_BOT_TOKEN={}"),
    Leak("token", "xapp-¦1-A0MADEUP-1234567890-0123456789abcdef", "the app token {} does not connect"),
    Leak("token", "ghp_¦madeUp0123456789madeUp0123456789madeU", "git clone fails with {}"),
    Leak("token", "github_pat_¦11MADEUP00madeUp0123456789_madeUp", "token {}"),
    Leak("token", "glpat-¦madeUp0123456789made", "CIで {} を使っています"),
    Leak("token", "AKIA¦MADEUP0123456789", "aws_access_key_id = {}"),
    Leak("token", "wJalrMadeUpKey/K7MDENG/bPxRfiCYMADEUPKEY1", "aws_secret_access_key = {}"),
    Leak("token", "sk-¦proj-madeUp0123456789madeUp0123456789", "OPENAI_API_KEY が {} のとき 401 になります"),
    Leak("token", "sk_¦live_madeUp0123456789", "Stripe: {}"),
    Leak("token", "AIza¦SyMadeUp0123456789MadeUp0123456789A", "Maps のキーは {} です"),
    Leak("token", "ya29.¦a0madeUp0123456789madeUp0123456789", "access token {}"),
    Leak("token", "eyJ¦hbGciOiJIUzI1NiJ9.eyJ¦zdWIiOiJtYWRlLXVwIn0.madeUpSignature0123", "Cookie: session={}"),
    Leak("token", "madeUp0123456789.abcdef", "Authorization: Bearer {}"),
    Leak("token", "c2F0bzptYWRlVXAxMjM=", "authorization: Basic {}"),
    Leak("token", "npm_¦madeUp0123456789madeUp0123456789made", "//registry.npmjs.org/:_authToken={}"),
    Leak("token", "hf_¦madeUpmadeUp0123456789madeUpmade", "huggingface: {}"),
    Leak("token", "SG.¦madeUp0123456789madeUp.madeUp0123456789madeUp0123456789madeUp01234", "SendGrid {}"),
    Leak("token", "T0MADEUP1/B0MADEUP2/madeUp0123456789madeUpAB", "https://hooks.slack.com/services/{}"),
    Leak("token", "k9f2a71b-made-4up0-8c1d", "APIキー：{}"),
    Leak("token", "9f86d081884c7d659a2f", "client_secret: {}"),
    Leak("token", "ab12cd34ef56gh78", "トークンは {} です"),
    Leak("token", "dapi¦0123456789abcdef0123456789abcdef", "Databricks {}"),
    # private keys
    Leak("private-key", _PEM, "ログインできません。鍵はこれです:\n{}\nお願いします"),
    Leak("private-key", _CUT_PEM, "My key:\n{}"),
    Leak("private-key", _PUTTY, "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n{}\nPrivate-MAC: 00"),
    # addresses
    Leak("url-password", "Natsu2026", "https://sato:{}@wiki.example/page"),
    Leak("url-password", "pg!pass9", "postgresql://helpdesk:{}@db1/tickets"),
    Leak("url-password", "r3dis", "redis://:{}@cache:6379/0"),
    # numbers: test numbers of the networks, and a number with a right check digit that was drawn at random
    Leak("card", "4111 1111 1111 1111", "カード {} で決済できません"),
    Leak("card", "5555555555554444", "card number {} was declined"),
    Leak("card", "3782 822463 10005", "Amex {}"),
    Leak("card", "3530-1113-3330-0000", "JCB：{}"),
    Leak("card", "４１１１１１１１１１１１１１１１", "カード番号：{}"),
    Leak("my-number", "1234 5678 9018", "マイナンバーは{}です"),
    Leak("my-number", "123456789018", "個人番号：{}"),
    Leak("my-number", "987654321093", "My Number {} を登録しました"),
    # tricks
    Leak("password", "hun\u200bter\u200b2", "pass\u200bword: {}"),
    Leak("token", "ghp_¦madeUp0123456789\nmadeUp0123456789made", "The mail program broke it: {}"),
)

HARMLESS = (
    # people speaking of passwords
    "How do I reset my password?",
    "the password expired",
    "password: see the wiki",
    "Password: required",
    "My password is wrong",
    "The password is expired.",
    "The password is too short",
    "The password is case-sensitive.",
    "password is 12 characters long",
    "Password must contain 8 characters and 1 digit",
    "password: at least 12 characters",
    "password: ********",
    "password: <your password>",
    "password=${DB_PASSWORD}",
    "password: n/a",
    "Password: null",
    '"password": "is required"',
    "The password was reset on 2026-11-23",
    "Enter your PIN",
    "The PIN is 4 digits",
    "Wrong password: ERR-1042",
    "Invalid password (0x8007052E)",
    "password error QX-7713 on till 2",
    "password policy: 90-day rotation",
    "the password for the VPN is the same as for Windows",
    "passwords are stored in KeePass",
    "password: https://wiki.example/reset",
    "Password: ask it-help@example.com",
    "tests: 12 pass, 3 fail",
    "PASS: test_login_42",
    "pass: 1024 fail: 3",
    "pin 13 of the connector is bent",
    "pinned version 2.31.0",
    "パスワードを忘れました",
    "パスワードの有効期限が切れました",
    "パスワードは8文字以上です",
    "パスワードは90日で切れます",
    "パスワードは2026年12月まで有効です",
    "パスワード：変更済み",
    "パスワード：社内wikiを参照",
    "パスワードはWindowsと同じです",
    "パスワードはActive Directoryと同じです",
    "パスワードは金庫に入れました",
    "パスワードはINC-1007に書きました",
    "パスワードをリセットしてください",
    "パスワードを3回間違えました",
    "パスワードエラー E-2041 が出ます",
    "暗証番号は4桁です",
    "暗証番号を忘れました",
    "パスは C:\\Users\\sato\\Desktop です",
    "パス：\\\\fs01\\share\\2026",
    "パスは /var/log/helpdesk/2026.log です",
    "トークンの期限が切れました",
    "token expired, please sign in again",
    "Token: INC-1007-2",
    "Bearer authentication is not supported",
    "basic troubleshooting did not help",
    "API key rotation is on 2026-12-01",
    "secret santa is on Friday",
    "the key is under the mat in room 1204",
    # codes
    "INC-1007",
    "HD-2001/3",
    "QX-7713",
    "BL-61 認証失敗",
    "0x80070005",
    "Error 0xC0000022 at 0x00007FF6A1B2C3D4",
    "KB5034441",
    "ORA-12154: TNS:could not resolve the connect identifier",
    "HTTP 401 Unauthorized",
    "SQLSTATE[HY000] [2002]",
    "ERR_CONNECTION_REFUSED (-102)",
    "CVE-2026-12345",
    "NL-208",
    "MG-T04",
    "ng-tky-2",
    # hashes and ids
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "9f86d08",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "md5 5f4dcc3b5aa765d61d8327deb882cf99",
    "550e8400-e29b-41d4-a716-446655440000",
    "request id 01HF8Z3J5Q2X7Y9K4M6N8P0R1S",
    "Slack user U0123ABCD in C0456EFGH, message 1796029634.718720",
    "19:abcdef0123456789@thread.tacv2",
    "qdrant/qdrant:v1.16.2@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    # numbers
    "03-1234-5678",
    "+81 90 1234 5678",
    "090-1234-5678 内線 4821",
    "ext. 4821",
    "0120-123-456",
    "00:1A:2B:3C:4D:5E",
    "00-1A-2B-3C-4D-5E",
    "192.168.10.24",
    "10.0.0.0/16",
    "2001:db8:85a3::8a2e:370:7334",
    "S/N 5CD1234XYZ",
    "serial 123456789018",
    "製造番号 123456789018",
    "IMEI 356938035643809",
    "2026-11-23T10:05:00+09:00",
    "20261123100500",
    "202611231005",
    "1796029634718",
    "1796029634718720",
    "order 4111111111111112",
    "伝票番号 1234-5678-9018",
    "4900000000000",
    "v2.31.0-rc.1+build.20261123",
    "1,234,567,890,123円",
    "1234 5678 9012",
    "0000 0000 0000 0000",
    # addresses
    "https://wiki.example/page?id=1234567890123456",
    "http://127.0.0.1:8080/v1",
    "postgresql://user:password@host/database",
    "https://user:${PASSWORD}@host/",
    "sato@example.com:2026",
    "git@github.com:helpdesk/bot.git",
    "ssh://ng-tky-2:22/home",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQsw\n-----END CERTIFICATE-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMadeUpPublicKeyMadeUpPublicKey0123456 sato@pc",
)
