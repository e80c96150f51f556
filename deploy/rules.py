"""Writes deploy/kubernetes/monitoring/rules.yaml: what prometheus/rules.yml says, as a PrometheusRule.

Text for text, so that comments stay. A test holds that the two say the same.
"""

import textwrap
from pathlib import Path

DEPLOY = Path(__file__).parent
RULES = DEPLOY / "prometheus" / "rules.yml"
OBJECT = DEPLOY / "kubernetes" / "monitoring" / "rules.yaml"
HEAD = """\
# Written by `make docs` from deploy/prometheus/rules.yml; change that.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: croupier
spec:
"""


def prometheus_rule() -> str:
    return HEAD + textwrap.indent(RULES.read_text(), "  ")


if __name__ == "__main__":
    OBJECT.write_text(prometheus_rule())
