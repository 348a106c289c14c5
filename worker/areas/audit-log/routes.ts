import { auditPageSchema, exportAuditSchema, listAuditSchema } from '#contract/organization/records.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { exportAudit, listAudit } from './store.ts'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/audit-log',
    summary: 'List who changed what in the organization',
    answer: auditPageSchema,
    access: { permission: 'auditLog:view' },
    query: listAuditSchema,
    async handle({ query, actor, services }) {
      return listAudit(services.db, userOf(actor), query)
    },
  }),

  route({
    method: 'GET',
    path: '/audit-log/export',
    summary: 'Export the audit log',
    answer: [
      { type: 'text/csv', description: 'With the format `csv`' },
      { type: 'application/jsonl', description: 'With the format `jsonl`: one event a line' },
    ],
    access: { permission: 'auditLog:view' },
    query: exportAuditSchema,
    async handle({ query, actor, services }) {
      return exportAudit(services.db, userOf(actor), query)
    },
  }),
]
