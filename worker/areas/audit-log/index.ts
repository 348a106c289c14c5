export { purgeAuditEvents } from './purge.ts'
