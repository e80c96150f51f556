"""What is wrong with an installation before any part of it can say so itself."""


class EvaluatorUnusable(ValueError):
    """Raised on importing `croupier.handrank` where CROUPIER_EVALUATOR names none, or one that cannot run here."""
