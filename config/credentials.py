"""Where what proves the bot to others is found: said wherever it is missing, empty or something else."""

from __future__ import annotations

from collections.abc import Mapping

from config.problems import SettingPath

BOT_TOKEN = "copy the Bot User OAuth Token (api.slack.com/apps, Install App)"
APP_TOKEN = "copy an app-level token (api.slack.com/apps, Basic Information, App-Level Tokens)"
MAKE_KEY = "`openssl rand -base64 32 | tr '+/' '-_'`"
MAKE_SECRET = 'make one with `echo "whsec_$(openssl rand -base64 32)"`'

#: By setting: where its value is found. Nothing works without one; other secrets may be empty where none is needed.
FOUND: Mapping[SettingPath, str] = {
    ("slack", "bot_token"): BOT_TOKEN,
    ("slack", "app_token"): APP_TOKEN,
    ("slack", "signing_secret"): "copy the Signing Secret (api.slack.com/apps, Basic Information, App Credentials)",
    ("slack", "client_secret"): "copy the Client Secret (api.slack.com/apps, Basic Information, App Credentials)",
    ("slack", "installation_key"): f"make one with {MAKE_KEY}",
    ("teams", "app_password"): "copy the value of a client secret (Azure, app registration, Certificates & secrets)",
    ("tracker", "secret"): MAKE_SECRET,
}
