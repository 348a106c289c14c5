export { purgeFailures } from './store.ts'
