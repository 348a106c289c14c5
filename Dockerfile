# The build, with everything that it needs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

# The packages that a built product runs with. Node is that of the image.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
RUN rm -rf node_modules/node-*

FROM node:24-bookworm-slim
ENV NODE_ENV=production LISTEN_HOST=0.0.0.0 PORT=8788 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY db db
COPY migrations migrations
COPY worker/contract worker/contract
COPY worker/local worker/local
COPY worker/ports/cipher.ts worker/ports/clock.ts worker/ports/deadline.ts worker/ports/file-storage.ts worker/ports/sealed.ts worker/ports/
COPY worker/ports/s3 worker/ports/s3
RUN install -d -o 1000 -g 1000 /data
USER 1000
VOLUME /data
EXPOSE 8788
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/api/v1/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "--expose-gc", "--max-semi-space-size=4", "--optimize-for-size", "worker/local/start.ts"]
