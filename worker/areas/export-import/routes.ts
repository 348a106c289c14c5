import {
  bundleSchema,
  exportAnswerSchema,
  exportSchema,
  importAnswerSchema,
  importQuerySchema,
  MAX_BUNDLE_BYTES,
  MAX_BUNDLE_VALUES,
} from '#contract/export-import/export-import.ts'
import { withAudit } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import type { FlowSave } from '../chatflows/index.ts'
import { exportBundle } from './export.ts'
import { importBundle } from './import.ts'
import { largeImportRoutes } from './large/routes.ts'

/** @param saves one of each area that keeps rows of saved flows */
export const transferRoutes = (saves: readonly FlowSave[]): Route[] => [
  route({
    method: 'POST',
    path: '/export-import/export',
    summary: 'Export the workspace',
    audit: 'workspace.export',
    answer: exportAnswerSchema,
    errors: ['too_large'],
    access: { permission: 'workspace:export' },
    body: exportSchema,
    async handle({ body, actor, context }) {
      const member = memberOf(actor)
      return exportBundle(withAudit(context, member), member, body)
    },
  }),

  route({
    method: 'POST',
    path: '/export-import/import',
    summary: 'Import a file',
    audit: 'workspace.import',
    answer: importAnswerSchema,
    access: { permission: 'workspace:import' },
    maxBodyBytes: MAX_BUNDLE_BYTES,
    maxValues: MAX_BUNDLE_VALUES,
    body: bundleSchema,
    query: importQuerySchema,
    async handle({ body, query, actor, context }) {
      const member = memberOf(actor)
      return importBundle({ ...withAudit(context, member), saves }, member, {
        bundle: body,
        dryRun: query.dryRun === 'true',
      })
    },
  }),

  ...largeImportRoutes,
]
