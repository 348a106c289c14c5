import * as z from 'zod'
import {
  deleteSignInsSchema,
  exportSignInsSchema,
  listSignInsSchema,
  signInPageSchema,
} from '#contract/organization/records.ts'
import { withAudit } from '../../http/audit.ts'
import { type Route, route, userOf } from '../../http/route.ts'
import { deleteSignIns, exportSignIns, listSignIns } from './store.ts'

const feature = 'feat:login-activity'

export const routes: Route[] = [
  route({
    method: 'GET',
    path: '/login-activity',
    summary: 'List attempts to sign in',
    answer: signInPageSchema,
    access: { permission: 'loginActivity:view', feature },
    query: listSignInsSchema,
    async handle({ query, actor, services }) {
      return listSignIns(services.db, userOf(actor), query)
    },
  }),

  route({
    method: 'GET',
    path: '/login-activity/export',
    summary: 'Export attempts to sign in',
    answer: [
      { type: 'text/csv', description: 'With the format `csv`' },
      { type: 'application/jsonl', description: 'With the format `jsonl`: one attempt a line' },
    ],
    access: { permission: 'loginActivity:view', feature },
    query: exportSignInsSchema,
    async handle({ query, actor, services }) {
      return exportSignIns(services.db, userOf(actor), query)
    },
  }),

  route({
    method: 'DELETE',
    path: '/login-activity',
    summary: 'Delete records of attempts to sign in',
    audit: 'login-activity.delete',
    answer: z.object({ affected: z.int().describe('Number of deleted records') }),
    access: { permission: 'loginActivity:delete', feature },
    body: deleteSignInsSchema,
    async handle({ body, actor, context }) {
      const user = userOf(actor)
      return { affected: await deleteSignIns(withAudit(context, user), user, body.ids) }
    },
  }),
]
