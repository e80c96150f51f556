"""Settings: whose word counts, and what is said about a wrong one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.config import Settings, load
from croupier.stated import SettingsError


def config_file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "croupier.toml"
    path.write_text(text)
    return str(path)


def test_defaults_need_nothing() -> None:
    assert load({}, {}) == Settings()


def test_flag_wins_over_variable_and_variable_over_file(tmp_path: Path) -> None:
    path = config_file(tmp_path, 'port = 1\nhttp_port = 2\nlog_level = "debug"\n')
    settings = load({"port": 3, "config": path}, {"CROUPIER_PORT": "4", "CROUPIER_HTTP_PORT": "5"})
    assert (settings.port, settings.http_port, settings.log_level) == (3, 5, "debug")


def test_file_can_be_named_by_a_variable(tmp_path: Path) -> None:
    path = config_file(tmp_path, "drain_timeout = 7\n")
    assert load({}, {"CROUPIER_CONFIG": path}).drain_timeout == 7


@pytest.mark.parametrize("flag", [["a=200", "b=2"], ("a=200", "b=2"), "a=200,b=2"])
def test_caps_of_houses_are_given_by_flags_variable_or_file(tmp_path: Path, flag: object) -> None:
    """R-T2."""
    assert load({"max_min_bet": flag}, {}).max_min_bet == {"a": 200, "b": 2}
    assert load({}, {"CROUPIER_MAX_MIN_BET": "a=200, b=2"}).max_min_bet == {"a": 200, "b": 2}
    path = config_file(tmp_path, "max_min_bet = { a = 200, b = 2 }\n")
    assert load({"config": path}, {}).max_min_bet == {"a": 200, "b": 2}


def test_folder_of_houses_is_given_by_flag_variable_or_file(tmp_path: Path) -> None:
    path = config_file(tmp_path, 'house_dir = "file"\n')
    assert load({"config": path}, {}).house_dir == "file"
    assert load({"config": path}, {"CROUPIER_HOUSE_DIR": "variable"}).house_dir == "variable"
    assert load({"house_dir": "flag"}, {"CROUPIER_HOUSE_DIR": "variable"}).house_dir == "flag"


def test_flag_that_was_not_given_counts_for_nothing() -> None:
    assert load({"port": None}, {"CROUPIER_PORT": "4"}).port == 4


def test_variables_of_builds_and_tests_are_no_settings() -> None:
    names = (
        "CROUPIER_EVALUATOR",
        "CROUPIER_LONG",
        "CROUPIER_REQUIRE",
        "CROUPIER_TEST_POSTGRES",
        "CROUPIER_VECTORS",
    )
    assert load({}, dict.fromkeys(names, "x")) == Settings()


def test_key_file_lies_beside_the_database() -> None:
    assert load({"store": "sqlite:/var/lib/croupier/a.db"}, {}).key_path == Path("/var/lib/croupier/a.key")
    assert load({"key_file": "other"}, {}).key_path == Path("other")
    assert load({"store": "postgresql://host/poker"}, {}).key_path == Path("data/croupier.key")


def test_a_database_is_told_without_its_password() -> None:
    settings = load(
        {"store": "postgres://ann:secret@db.example:5433/poker?sslmode=require", "key_file": "k"}, {}
    )
    assert settings.store_name == "postgresql"
    assert settings.store_place == "postgresql://db.example:5433/poker"
    for place in ("", "one:1,[::1]:2,three", "ann@[::1]", "%2Frun%2Fdb"):
        assert load({"store": f"postgresql://{place}/poker"}, {}).store == f"postgresql://{place}/poker"
    assert load({"store": "sqlite:a/b.db"}, {}).store_place == "a/b.db"


def test_address_brackets_what_has_colons() -> None:
    assert load({"listen": "::1"}, {}).address(50051) == "[::1]:50051"
    assert load({}, {}).address(50051) == "127.0.0.1:50051"


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.10", "::1", "localhost"])
def test_loopback_needs_no_credentials(address: str) -> None:
    assert load({"listen": address}, {}).listen == address


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "10.0.0.1", "192.168.1.4", "2001:db8::1"])
def test_other_addresses_need_credentials(address: str) -> None:
    with pytest.raises(SettingsError, match="loopback alone"):
        load({"listen": address}, {})


@pytest.mark.parametrize("credential", ["jwt_secret_file", "jwks_file"])
def test_with_credentials_any_address_is_listened_on(credential: str) -> None:
    settings = load({"listen": "0.0.0.0", credential: "file"}, {})
    assert settings.with_credentials
    assert load({"listen": "::", "tls_cert": "a", "tls_key": "b", "client_ca": "c"}, {}).with_credentials


def test_tls_alone_is_no_credential() -> None:
    with pytest.raises(SettingsError, match="loopback alone"):
        load({"listen": "0.0.0.0", "tls_cert": "a", "tls_key": "b"}, {})
    assert load({"tls_cert": "a", "tls_key": "b"}, {}).tls_cert == "a"


def test_limits_are_given_by_flag_variable_or_file(tmp_path: Path) -> None:
    path = config_file(tmp_path, "player_rate = 1\nplayer_calls = 2\nmax_rate = 3\n")
    settings = load({"config": path, "max_rate": 5}, {"CROUPIER_PLAYER_CALLS": "4"})
    assert (settings.player_rate, settings.player_calls, settings.max_rate) == (1, 4, 5)


@pytest.mark.parametrize(
    ("flags", "variables", "said"),
    [
        ({"port": 65536}, {}, r"--port is 65536; it must be a whole number from 0 to 65535"),
        ({}, {"CROUPIER_PORT": "many"}, r"CROUPIER_PORT is 'many'; it must be a whole number"),
        ({}, {"CROUPIER_PORT": "-1"}, r"CROUPIER_PORT is '-1'"),
        ({}, {"CROUPIER_PORT": "²"}, r"CROUPIER_PORT is '²'"),
        ({"drain_timeout": True}, {}, r"--drain-timeout is True"),
        ({}, {"CROUPIER_PROT": "1"}, r"CROUPIER_PROT is no setting; did you mean CROUPIER_PORT\?"),
        ({}, {"CROUPIER_PORT": "tcp://10.0.0.9:50051"}, r"CROUPIER_PORT .* enableServiceLinks: false"),
        ({}, {"CROUPIER_SERVICE_HOST": "10.0.0.9"}, r"CROUPIER_SERVICE_HOST .* enableServiceLinks: false"),
        ({}, {"CROUPIER_COLOUR_OF_MONEY": ""}, r"no setting; the settings are CROUPIER_LISTEN, "),
        ({"log_level": "loud"}, {}, r"--log-level is 'loud'; it must be one of debug, info, warning, error"),
        ({"listen": "example"}, {}, r"--listen is 'example'; it must be an IP address"),
        ({"store": "postgresql:x"}, {}, r"or postgresql://HOST/DATABASE"),
        ({"store": "sqlite::memory:"}, {}, r"it must be sqlite:PATH"),
        ({"store": "data/croupier.db"}, {}, r"it must be sqlite:PATH"),
        ({"store": "postgresql://[::1/poker"}, {}, r"or postgresql://HOST/DATABASE"),
        ({"store": "postgresql://db:port/poker"}, {}, r"or postgresql://HOST/DATABASE"),
        ({"store": "postgresql://db,other:99999/poker"}, {}, r"or postgresql://HOST/DATABASE"),
        ({"bus": "nats://"}, {}, r"--bus is 'nats://'; it must be nats://HOST:PORT"),
        ({"bus": "nats://a,tls://b:c"}, {}, r"it must be nats://HOST:PORT or tls://HOST:PORT"),
        ({"bus": "nats://a:0"}, {}, r"it must be nats://HOST:PORT"),
        ({}, {"CROUPIER_PORT": 5000 * "1"}, r"it must be a whole number from 0 to 65535"),
        ({"max_min_bet": [f"a={5000 * '1'}"]}, {}, r"it must be HOUSE=CHIPS"),
        ({"wallet": f"grpc://a:{5000 * '1'}"}, {}, r"it must be grpc://HOST:PORT"),
        ({}, {"CROUPIER_KEY_FILE": ""}, r"CROUPIER_KEY_FILE is ''; it must be a text that is not empty"),
        (
            {"max_min_bet": ["a"]},
            {},
            r"--max-min-bet is 'a'; it must be HOUSE=CHIPS, such as puzzle_pirates=2",
        ),
        ({"max_min_bet": ["=2"]}, {}, r"--max-min-bet is '=2'; it must be HOUSE=CHIPS"),
        ({}, {"CROUPIER_MAX_MIN_BET": "a=0"}, r"CROUPIER_MAX_MIN_BET is 'a=0'; it must be HOUSE=CHIPS"),
        (
            {},
            {"CROUPIER_MAX_MIN_BET": "a=1,b=²"},
            r"CROUPIER_MAX_MIN_BET is 'a=1,b=²'; it must be HOUSE=CHIPS",
        ),
        ({"wallet": "localhost:1"}, {}, r"--wallet is .localhost:1.; it must be grpc://HOST:PORT"),
        ({"wallet": "grpc://a:0"}, {}, r"it must be grpc://HOST:PORT"),
        ({"wallet_token_file": "t"}, {}, r"wallet_token_file needs wallet"),
        ({"feed": "HANDS"}, {}, r"bus_credentials, advertise and feed need bus"),
        ({"feed": "a.b"}, {}, r"--feed is 'a.b'; it must be a stream's name: at most 64 of A-Z a-z 0-9 - _"),
        ({"feed": "hände"}, {}, r"it must be a stream's name"),
        ({}, {"CROUPIER_FEED": 65 * "a"}, r"it must be a stream's name"),
        ({"tls_cert": "a"}, {}, r"tls_cert and tls_key must be set together"),
        ({"client_ca": "a"}, {}, r"client_ca needs tls_cert and tls_key"),
        ({"jwt_audience": "a"}, {}, r"jwt_audience needs jwt_secret_file or jwks_file"),
        ({"max_calls": 0}, {}, r"--max-calls is 0; it must be a whole number from 1 to 1000000"),
        ({"port": 7, "http_port": 7}, {}, r"port and http_port are both 7; they must differ"),
        ({"config": "/nowhere/croupier.toml"}, {}, r"/nowhere/croupier.toml cannot be read: No such file"),
    ],
)
def test_wrong_setting_is_told_by_source_name_and_what_would_be_right(
    flags: dict[str, Any], variables: dict[str, str], said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        load(flags, variables)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("store", "mysql://ann:se@cret@db/poker"),
        ("store", "postgresql://ann:secret@[::1/poker"),
        ("bus", "nats://a:1,nats://ann:secret@b:port"),
        ("bus", "http://secret@bus"),
        ("wallet", "http://ann:secret@wallet:1"),
    ],
)
def test_what_a_wrong_url_conceals_is_not_told(setting: str, value: str) -> None:
    with pytest.raises(SettingsError, match="it must be ") as told:
        load({}, {f"CROUPIER_{setting.upper()}": value})
    assert "cret" not in str(told.value)
    assert "ann" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 1", r"croupier.toml: prot is no setting; did you mean port\?"),
        ('port = "1"', r"croupier.toml: port is '1'; it must be a whole number"),
        ("port = 1.5", r"croupier.toml: port is 1.5; it must be a whole number"),
        ('key_file = "a\\u0000b"', r"croupier.toml: key_file is 'a.x00b'; it must be a text without NUL"),
        ("store = 5", r"croupier.toml: store is 5; it must be a text"),
        ("max_min_bet = 5", r"croupier.toml: max_min_bet is 5; it must be such as { puzzle_pirates = 200 }"),
        ("max_min_bet = { a = '5' }", r"croupier.toml: max_min_bet is {'a': '5'}; it must be such as"),
        ('max_min_bet = ["a=5"]', r"croupier.toml: max_min_bet is \['a=5'\]; it must be such as"),
        ('config = "x"', r"croupier.toml: config is no setting"),
        ("port = ", r"croupier.toml is not TOML"),
    ],
)
def test_wrong_file_is_told(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load({"config": config_file(tmp_path, text)}, {})


@pytest.mark.parametrize(("stated", "on"), [("true", True), ("1", True), ("False", False), ("0", False)])
def test_the_console_is_switched_on_by_flag_variable_or_file(tmp_path: Path, stated: str, on: bool) -> None:
    assert not load({}, {}).console
    assert load({"console": on}, {}).console is on
    assert load({}, {"CROUPIER_CONSOLE": stated}).console is on
    path = config_file(tmp_path, f"console = {str(on).lower()}\n")
    assert load({"config": path}, {}).console is on
    with pytest.raises(SettingsError, match="CROUPIER_CONSOLE is 'maybe'; it must be true or false"):
        load({}, {"CROUPIER_CONSOLE": "maybe"})


def test_the_console_is_entered_with_a_token() -> None:
    certificates = {"console": True, "client_ca": "ca", "tls_cert": "a", "tls_key": "b"}
    with pytest.raises(SettingsError, match="console needs jwt_secret_file or jwks_file"):
        load(certificates, {})
    assert load({**certificates, "jwt_secret_file": "c"}, {}).console
