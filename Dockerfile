# The explorer and the HTTP service in one image: no root, a file system that can be read only, no request to anybody.
#   docker build -t colde .
#   docker build -t colde --build-arg PIP_EXTRA_INDEX_URL=URL .   # an index that has torch without CUDA: a smaller image
FROM python:3.11-slim-bookworm AS build
ARG PIP_EXTRA_INDEX_URL=
WORKDIR /src
COPY requirements.txt ./
RUN python -m venv /opt/colde \
 && /opt/colde/bin/pip install --no-cache-dir -r requirements.txt
COPY . .
RUN /opt/colde/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim-bookworm
RUN useradd --uid 10001 --create-home --home-dir /home/colde colde && mkdir /indexes && chown colde /indexes
COPY --from=build /opt/colde /opt/colde
ENV PATH=/opt/colde/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 COLDE_CACHE=off COLDE_INDEXES=/indexes
USER colde
WORKDIR /indexes
EXPOSE 8600 8501
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8600/ready')"]
CMD ["colde", "serve", "--host", "0.0.0.0"]
