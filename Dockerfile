# The production image: the bot with the larger encoders, as a user without rights, its state in /data. It writes there and
# into /tmp, and nowhere else, so that the rest may be read-only (compose.yaml).
FROM python:3.11-slim AS build

WORKDIR /source
COPY requirements requirements
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir -r requirements/production.txt -r requirements/build.txt
COPY pyproject.toml README.md ./
COPY bot bot
COPY handlers handlers
COPY memory memory
COPY config config
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim

# Its home is /data, so that what a library keeps there finds a place that can be written to.
RUN useradd --no-create-home --home-dir /data --uid 10001 helpdesk \
    && install --directory --owner=helpdesk --mode=700 /data /data/models
COPY --from=build /venv /venv
# Encoders that were fetched (`hf download NAME`) are kept with the data, so that a new container has them too.
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    HELPDESK_DATA=/data HF_HOME=/data/models HOME=/data XDG_CACHE_HOME=/tmp/cache
USER helpdesk
WORKDIR /data
VOLUME /data
# The web server, where `web` is configured.
EXPOSE 8080
# Goes through the running process: it fails when that no longer answers.
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 CMD ["helpdesk", "jobs", "list"]
ENTRYPOINT ["helpdesk"]
CMD ["run"]
