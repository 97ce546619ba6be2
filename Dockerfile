# One image for every process of the fleet; docker-compose.yml says which one a container is.
# a supported release, pinned: raise it on purpose
ARG NODE=22.21.1-bookworm-slim
FROM node:${NODE} AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm run build \
  && npm prune --omit=dev --no-audit --no-fund

ARG NODE
FROM node:${NODE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/dist ./dist
COPY --from=build /app/lua ./lua
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/demo ./demo
# for the Telegram session, which lives as long as its container, and for what the inbound processes note, which has volumes
RUN mkdir -p .data/sessions .data/bot .data/files .data/sms-inbound .data/vk-inbound && chown -R node:node .data
USER node
ENTRYPOINT ["node", "scripts/container.mjs"]
CMD ["queue"]
