/** Playwright's global setup: what the products of all workers start from. */
export { buildWhenNeeded as default } from '#worker/local/build/ensure-build.ts'
