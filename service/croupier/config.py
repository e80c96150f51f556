"""What the service is told from outside: flags, then `CROUPIER_…` variables, then a TOML file, then defaults.

It reads and checks settings; it opens no port and no store.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier import stated as check
from croupier.houses import toml
from croupier.stated import SettingsError, Stated

_DATA: Final = Path("data")
ENVIRONMENT_PREFIX: Final = "CROUPIER_"
OTHER_VARIABLES: Final = frozenset(
    (
        "CROUPIER_EVALUATOR",
        "CROUPIER_MASTER_KEY",
        "CROUPIER_LONG",
        "CROUPIER_REQUIRE",
        "CROUPIER_TEST_POSTGRES",
        "CROUPIER_VECTORS",
    )
)
"""What is no setting: the evaluator, the master key, and four variables of the tests, which start servers with what
the tests were started with."""
_OF_KUBERNETES: Final = ("CROUPIER_SERVICE_", "CROUPIER_PORT_")
LONGEST_DRAIN: Final = 3600
MANY: Final = 1_000_000


class Settings(msgspec.Struct, frozen=True):
    """All settings, checked. Port 0 takes any free port; `drain_timeout` and `wallet_timeout` are in seconds.

    `wallet` is where an operator's WalletService is, nothing for wallets in the store's ledger.

    `max_min_bet` is the greatest minimum bet that a house may offer, by house id (R-T2). `player_…` limits are those
    of callers with role player or observer, `max_…` those of all others; 0 is none for rates and for the age.
    """

    listen: str = "127.0.0.1"
    port: int = 50051
    http_port: int = 9464
    console: bool = False
    store: str = "sqlite:data/croupier.db"
    key_file: str = ""
    bus: str = ""
    bus_credentials: str = ""
    advertise: str = ""
    feed: str = ""
    wallet: str = ""
    wallet_token_file: str = ""
    wallet_timeout: int = 5
    log_level: str = "info"
    traces_endpoint: str = ""
    drain_timeout: int = 30
    house_dir: str = ""
    max_min_bet: Mapping[str, int] = msgspec.field(default_factory=dict)
    tls_cert: str = ""
    tls_key: str = ""
    client_ca: str = ""
    jwt_secret_file: str = ""
    jwks_file: str = ""
    jwt_audience: str = ""
    max_message_bytes: int = 4 * 1024 * 1024
    max_calls: int = 10_000
    max_streams: int = 10_000
    max_rate: int = 0
    player_calls: int = 32
    player_streams: int = 32
    player_rate: int = 50
    max_connection_age: int = 3600
    min_ping_interval: int = 1
    config: str = ""

    def address(self, port: int) -> str:
        """Where one of the ports is reached, as gRPC and URLs write it."""
        return f"[{self.listen}]:{port}" if ":" in self.listen else f"{self.listen}:{port}"

    @property
    def advertised(self) -> str:
        """Where callers, and other servers, reach this one."""
        return self.advertise or self.address(self.port)

    @property
    def with_tokens(self) -> bool:
        """Whether bearer tokens are taken."""
        return bool(self.jwt_secret_file or self.jwks_file)

    @property
    def with_credentials(self) -> bool:
        """Whether callers must show who they are."""
        return self.with_tokens or bool(self.client_ca)

    @property
    def database(self) -> Path:
        """The file of the SQLite store."""
        return Path(self.store.removeprefix("sqlite:"))

    @property
    def key_path(self) -> Path:
        """The file of the master key: beside the SQLite file, else in data/, where no other was named."""
        if self.key_file:
            return Path(self.key_file)
        database = self.database if self.store_name == "sqlite" else _DATA / "croupier"
        return database.with_suffix(".key")

    @property
    def wallet_target(self) -> str:
        """HOST:PORT of the operator's wallet, or nothing."""
        return self.wallet.removeprefix("grpc://")

    @property
    def store_name(self) -> str:
        """The kind of store, as GetServerInfo and the metrics name it: sqlite or postgresql."""
        return self.store.partition(":")[0]

    @property
    def store_place(self) -> str:
        """Where the store is, as logs may tell it: without a user's name and password."""
        if self.store_name == "sqlite":
            return str(self.database)
        place = urllib.parse.urlsplit(self.store)
        return f"{place.scheme}://{place.netloc.rpartition('@')[2]}{place.path}"


def load(flags: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from all sources; flags that are None, or an empty list, were not given. Raises SettingsError."""
    stated = dict(_from_environment(environment)) | dict(_from_flags(flags))
    if "config" in stated:
        path = check.text(stated["config"])
        stated = dict(_from_file(path)) | stated
    settings = Settings(**{key: CHECKS[key](value) for key, value in stated.items()})
    if settings.port == settings.http_port != 0:
        raise SettingsError(f"port and http_port are both {settings.port}; they must differ")
    if settings.wallet_token_file and not settings.wallet:
        raise SettingsError("wallet_token_file needs wallet")
    if settings.bus and settings.store_name != "postgresql":
        raise SettingsError(
            "bus is for servers that share a PostgreSQL store: set store to postgresql://HOST/DATABASE"
        )
    if settings.bus and not settings.port and not settings.advertise:
        raise SettingsError("with a bus, port must be named, or advertise: others must find this server")
    if not settings.bus and (settings.bus_credentials or settings.advertise or settings.feed):
        raise SettingsError("bus_credentials, advertise and feed need bus")
    _must_be_guarded(settings, stated)
    return settings


def _must_be_guarded(settings: Settings, stated: Mapping[str, Stated]) -> None:
    """Credentials are whole; without any, whoever reaches the port may do anything."""
    if bool(settings.tls_cert) != bool(settings.tls_key):
        raise SettingsError("tls_cert and tls_key must be set together")
    if settings.client_ca and not settings.tls_cert:
        raise SettingsError("client_ca needs tls_cert and tls_key")
    if settings.jwt_audience and not settings.with_tokens:
        raise SettingsError("jwt_audience needs jwt_secret_file or jwks_file")
    if settings.console and settings.with_credentials and not settings.with_tokens:
        raise SettingsError(
            "console needs jwt_secret_file or jwks_file where client_ca is set: it is entered with a token"
        )
    loopback = settings.listen == "localhost" or ipaddress.ip_address(settings.listen).is_loopback
    if not loopback and not settings.with_credentials:
        raise SettingsError(
            f"{stated['listen'].source} is {settings.listen!r}; without credentials the server listens on loopback "
            "alone: 127.0.0.1, ::1 or localhost; set jwt_secret_file, jwks_file or client_ca to listen elsewhere"
        )


def _from_flags(flags: Mapping[str, Any]) -> Iterator[tuple[str, Stated]]:
    for key, value in flags.items():
        if value is not None and value != []:
            yield key, Stated(f"--{key.replace('_', '-')}", value)


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Stated]]:
    known = {ENVIRONMENT_PREFIX + key.upper(): key for key in CHECKS}
    for variable in sorted(environment):
        if not variable.startswith(ENVIRONMENT_PREFIX) or variable in OTHER_VARIABLES:
            continue
        if variable.startswith(_OF_KUBERNETES) or environment[variable].startswith("tcp://"):
            raise SettingsError(
                f"{variable} is what Kubernetes tells of a Service named croupier, no setting; "
                "set enableServiceLinks: false for the pod"
            )
        if variable not in known:
            raise SettingsError(f"{variable} is no setting{_instead(variable, known)}")
        yield known[variable], Stated(variable, environment[variable])


def _from_file(path: str) -> Iterator[tuple[str, Stated]]:
    try:
        content = toml.loads(Path(path).read_bytes())
    except OSError as error:
        raise SettingsError(f"the config file {path} cannot be read: {error.strerror}") from error
    except toml.NoToml as error:
        raise SettingsError(f"the config file {path} {error}") from error
    known = [key for key in CHECKS if key != "config"]
    for key, value in content.items():
        if key not in known:
            raise SettingsError(f"{path}: {key} is no setting{_instead(key, known)}")
        yield key, Stated(f"{path}: {key}", value, typed=True)


def _instead(name: str, known: list[str] | dict[str, str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1, cutoff=0.75)
    return f"; did you mean {close[0]}?" if close else f"; the settings are {', '.join(known)}"


CHECKS: Final[dict[str, Callable[[Stated], Any]]] = {
    "listen": check.address,
    "port": check.whole(0, 65535),
    "http_port": check.whole(0, 65535),
    "console": check.switch,
    "store": check.store,
    "key_file": check.text,
    "bus": check.bus,
    "bus_credentials": check.text,
    "advertise": check.place,
    "feed": check.stream,
    "wallet": check.wallet,
    "wallet_token_file": check.text,
    "wallet_timeout": check.whole(1, 60),
    "log_level": check.log_level,
    "traces_endpoint": check.endpoint,
    "drain_timeout": check.whole(0, LONGEST_DRAIN),
    "house_dir": check.text,
    "max_min_bet": check.caps,
    "tls_cert": check.text,
    "tls_key": check.text,
    "client_ca": check.text,
    "jwt_secret_file": check.text,
    "jwks_file": check.text,
    "jwt_audience": check.text,
    "max_message_bytes": check.whole(1024, 2**30),
    "max_calls": check.whole(1, MANY),
    "max_streams": check.whole(1, MANY),
    "max_rate": check.whole(0, MANY),
    "player_calls": check.whole(1, MANY),
    "player_streams": check.whole(1, MANY),
    "player_rate": check.whole(0, MANY),
    "max_connection_age": check.whole(0, 30 * 86400),
    "min_ping_interval": check.whole(0, 3600),
    "config": check.text,
}
