# The explorer and the HTTP service in one image: no root, a file system that can be read only, no request to anybody.
#   docker build -t colde .                            PyTorch for processors alone: 2.4 GB
#   docker build -t colde --build-arg TORCH=cuda .     PyTorch for NVIDIA GPUs
# The base image is named by its digest; the tag says what it was. Renew both together (docker buildx imagetools inspect).
FROM python:3.11-slim-bookworm@sha256:528257d48c1da0dcecc2e725d1ae34498d60c965f1241e39cd6a85a8859bdf84 AS build
ARG TORCH=cpu
WORKDIR /src
COPY requirements.lock ./
COPY supply/*.lock supply/
# Only files whose SHA-256 is in a lock file. Tests, headers and notebook extensions of packages are not needed to run.
RUN python -m venv /opt/colde \
 && for lock in supply/torch-${TORCH}.lock requirements.lock supply/build.lock; do \
      /opt/colde/bin/pip install --no-cache-dir --no-deps --require-hashes -r $lock || exit 1; done \
 && cd /opt/colde && rm -r share/jupyter lib/python3.11/site-packages/pydeck/nbextension/static \
 && find lib -type d \( -name tests -o -path '*/torch/test' -o -path '*/torch/include' \) -prune -exec rm -r {} + \
 && find lib -path '*/torch/bin/*' \( -name '*[Tt]est*' -o -name 'protoc*' \) -delete
COPY . .
RUN /opt/colde/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
 && /opt/colde/bin/pip uninstall --yes editables hatchling pathspec pluggy trove-classifiers pip

FROM python:3.11-slim-bookworm@sha256:528257d48c1da0dcecc2e725d1ae34498d60c965f1241e39cd6a85a8859bdf84
RUN useradd --uid 10001 --create-home --home-dir /home/colde colde && mkdir /indexes && chown colde /indexes
COPY --from=build /opt/colde /opt/colde
ENV PATH=/opt/colde/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 COLDE_CACHE=off COLDE_INDEXES=/indexes
USER colde
WORKDIR /indexes
EXPOSE 8600 8501
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8600/ready')"]
CMD ["colde", "serve", "--host", "0.0.0.0"]
