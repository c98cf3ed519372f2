"""What is counted while the bot runs, for Prometheus."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from memory.answers import Answer

_STAGE_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_JOB_SECONDS = (0.1, 0.5, 1, 5, 15, 60, 300, 1800)


class Metrics:
    """Numbers only; no label ever holds a person, a ticket or a word."""

    #: Of `text`.
    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._questions = Counter(
            "helpdesk_questions", "Questions answered.", ("kind", "mode"), registry=self._registry
        )
        self._degraded = Counter(
            "helpdesk_degraded", "Answers for which a part was missing.", ("part",), registry=self._registry
        )
        self._stages = Histogram(
            "helpdesk_stage_seconds", "Time by stage.", ("stage",), buckets=_STAGE_SECONDS, registry=self._registry
        )
        self._tokens = Counter("helpdesk_tokens", "Tokens of models.", ("role", "part"), registry=self._registry)
        self._runs = Counter("helpdesk_job_runs", "Runs of jobs.", ("job", "outcome"), registry=self._registry)
        self._seconds = Histogram(
            "helpdesk_job_seconds", "Time of a job's run.", ("job",), buckets=_JOB_SECONDS, registry=self._registry
        )
        self._worked = Counter("helpdesk_job_items", "What jobs did.", ("job", "item"), registry=self._registry)
        self._config = Gauge(
            "helpdesk_config_valid", "1 where the newest configuration file was taken over.", registry=self._registry
        )
        self._config.set(1)
        self._last = Gauge(
            "helpdesk_job_last_success_timestamp_seconds",
            "End of the last good run.",
            ("job",),
            registry=self._registry,
        )

    def config_is(self, *, valid: bool) -> None:
        """Whether the newest version of the configuration file could be taken over."""
        self._config.set(valid)

    def answered(self, answer: Answer) -> None:
        """A question was answered."""
        self._questions.labels(answer.kind.value, answer.mode).inc()
        for part in answer.degraded:
            self._degraded.labels(part.value).inc()
        for stage, milliseconds in answer.stages.items():
            self._stages.labels(stage).observe(milliseconds / 1000)
        for role, used in (("assistant", answer.assistant_tokens), ("master", answer.master_tokens)):
            self._tokens.labels(role, "prompt").inc(used.prompt)
            self._tokens.labels(role, "cached").inc(used.cached)
            self._tokens.labels(role, "completion").inc(used.completion)

    def job_ended(self, job: str, outcome: str, seconds: float) -> None:
        """A run of a job is over, however it went."""
        self._runs.labels(job, outcome).inc()
        self._seconds.labels(job).observe(seconds)

    def job_worked(self, job: str, item: str, count: int) -> None:
        """A good run did so much of something."""
        self._worked.labels(job, item).inc(count)

    def job_succeeded(self, job: str, at: float) -> None:
        """The end of a good run, in seconds since 1970."""
        self._last.labels(job).set(at)

    def text(self) -> bytes:
        """Everything in Prometheus's text format."""
        return generate_latest(self._registry)
