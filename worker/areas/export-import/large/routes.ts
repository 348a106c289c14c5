import * as z from 'zod'
import {
  FILE_PART_BYTES,
  largeImportSchema,
  openImportSchema,
  runImportSchema,
  startImportSchema,
} from '#contract/export-import/export-import.ts'
import { auditExempt, callOf } from '../../../http/audit.ts'
import { memberOf, noContent, type Route, route } from '../../../http/route.ts'
import { closeImport, moveOn, readOpenImport, startImport, storePart } from './import-rows.ts'

const access = { permission: 'workspace:import' }
const byId = z.object({ id: z.string().max(100) })

/** A file that is too large for one request is sent in parts, checked, and imported in the background. */
export const largeImportRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/export-import/imports',
    summary: 'Find the import of a large file',
    answer: openImportSchema,
    access,
    async handle({ actor, services }) {
      return { import: await readOpenImport(services.db, memberOf(actor)) }
    },
  }),

  route({
    method: 'POST',
    path: '/export-import/imports',
    summary: 'Begin to import a large file',
    description: 'Send its parts of 8 MiB next, then check it, and run the import when its report is there.',
    audit: auditExempt.content,
    answer: largeImportSchema,
    errors: ['conflict'],
    access,
    body: startImportSchema,
    async handle({ body, actor, services }) {
      return startImport(services, memberOf(actor), body)
    },
  }),

  route({
    method: 'POST',
    path: '/export-import/imports/:id/parts/:part',
    summary: 'Send a part of a large file',
    description: 'The request body is the file’s bytes.',
    audit: auditExempt.content,
    answer: noContent,
    errors: ['bad_request', 'conflict', 'not_found', 'too_large'],
    access,
    params: byId.extend({ part: z.coerce.number().int().min(0).max(100) }),
    bodyTypes: ['application/octet-stream'],
    maxBodyBytes: FILE_PART_BYTES,
    async handle({ params, actor, services, context }) {
      const bytes = new Uint8Array(await context.req.arrayBuffer())
      await storePart(services, memberOf(actor), { ...params, bytes })
      return context.body(null, 204)
    },
  }),

  route({
    method: 'POST',
    path: '/export-import/imports/:id/check',
    summary: 'Check a large file',
    description: 'Changes nothing in the workspace. The report says what an import would do.',
    audit: auditExempt.content,
    answer: largeImportSchema,
    errors: ['conflict', 'not_found'],
    access,
    params: byId,
    async handle({ params, actor, services }) {
      return moveOn(services, memberOf(actor), { id: params.id, from: 'uploading', to: 'checking' })
    },
  }),

  route({
    method: 'POST',
    path: '/export-import/imports/:id/run',
    summary: 'Import a large file that was checked',
    // Written with what was imported.
    audit: 'workspace.import',
    answer: largeImportSchema,
    errors: ['conflict', 'not_found'],
    access,
    params: byId,
    body: runImportSchema,
    async handle({ params, body, actor, services, context }) {
      const { choices } = body
      const call = callOf(context)
      return moveOn(services, memberOf(actor), { id: params.id, from: 'checked', to: 'importing', choices, call })
    },
  }),

  route({
    method: 'DELETE',
    path: '/export-import/imports/:id',
    summary: 'Cancel or close the import of a large file',
    description:
      'Returns the import as it was. An unfinished one leaves nothing behind; one that is `done` stays imported. Refused with `conflict` while rows are being written.',
    audit: auditExempt.content,
    answer: largeImportSchema,
    errors: ['conflict', 'not_found'],
    access,
    params: byId,
    async handle({ params, actor, services }) {
      return closeImport(services, memberOf(actor), params.id)
    },
  }),
]
