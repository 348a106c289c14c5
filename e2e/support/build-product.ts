/** Playwright's global setup: what the products of all workers start from. */
export { buildWhenNeeded as default } from '#worker/local/ensure-build.ts'
