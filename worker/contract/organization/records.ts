/** What is kept of the organization: the audit log, login activity, and requests that failed. */
import * as z from 'zod'
import { AUDIT_EVENTS } from './audit.ts'
import { SIGN_IN_METHODS, SIGN_IN_RESULTS } from './sessions.ts'

const MAX_RECORDS = 200

const date = z.iso
  .datetime({ offset: true, error: 'This must be an ISO date with a time' })
  .max(40)
  .transform((text) => new Date(text).toISOString())

const dates = { from: date.optional(), to: date.optional().describe('Records before this moment') }

/** Records come newest first. `before` is the `next` of the page before. */
const page = {
  before: z
    .string()
    .max(100)
    .regex(/^[-\dT:.Z]{24}~[\w -]{1,75}$/, 'This must be the `next` of another page')
    .optional(),
  limit: z.coerce.number().int().min(1).max(MAX_RECORDS).default(50),
}

const file = { format: z.enum(['csv', 'jsonl']).default('csv') }

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), next: z.string().nullable().describe('Null: there are no more') })

const text = z.string().trim().min(1).max(200).optional()

const auditFilters = z.object({
  actor: text.describe('Part of the name, or the id'),
  event: z.enum(AUDIT_EVENTS).optional(),
  target: text.describe('Part of the name, or the id'),
  ...dates,
})
export const listAuditSchema = auditFilters.extend(page)
export const exportAuditSchema = auditFilters.extend(file)

const auditRecordSchema = z.object({
  id: z.string(),
  createdDate: z.string(),
  event: z.string(),
  actorKind: z.enum(['user', 'apiKey', 'directory', 'system']),
  actorId: z.string(),
  actorName: z.string().describe('As it was called then'),
  targetId: z.string(),
  targetName: z.string().describe('As it was called then'),
  change: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('`[before, after]` by field; null for a field whose values nobody may read'),
  workspaceId: z.string().nullable().describe('Null: of the organization'),
  requestId: z.string(),
  address: z.string().nullable(),
})
export const auditPageSchema = pageOf(auditRecordSchema)

const signInFilters = z.object({
  user: text.describe('Part of the name or address, or the id'),
  method: z.enum(SIGN_IN_METHODS).optional(),
  result: z.enum(SIGN_IN_RESULTS).optional(),
  ...dates,
})
export const listSignInsSchema = signInFilters.extend(page)
export const exportSignInsSchema = signInFilters.extend(file)
export const deleteSignInsSchema = z.object({ ids: z.array(z.string().max(100)).min(1).max(1000) })

const signInRecordSchema = z.object({
  id: z.string(),
  createdDate: z.string(),
  userId: z.string().nullable().describe('Null: nobody’s account'),
  name: z.string().nullable(),
  email: z.string().nullable(),
  method: z.enum(SIGN_IN_METHODS),
  result: z.enum(SIGN_IN_RESULTS),
  device: z.string().nullable(),
  address: z.string().nullable(),
  country: z.string().nullable(),
})
export const signInPageSchema = pageOf(signInRecordSchema)

export const FAILURE_KINDS = ['4xx', '5xx'] as const
const failureFilters = z.object({
  requestId: z.string().trim().min(1).max(100).optional(),
  path: text.describe('Part of the path'),
  status: z.enum(FAILURE_KINDS).optional(),
  ...dates,
})
export const listFailuresSchema = failureFilters.extend(page)

const failureSchema = z.object({
  id: z.string().describe('The X-Request-Id of the answer'),
  createdDate: z.string(),
  method: z.string(),
  path: z.string().describe('As the route declares it'),
  status: z.int(),
  message: z.string(),
  actorKind: z.enum(['user', 'apiKey', 'nobody']),
  actorName: z.string().nullable(),
  more: z.int().describe('In place of one failure: how many more the same minute had'),
})
export const failurePageSchema = pageOf(failureSchema)

export type AuditFilters = z.infer<typeof auditFilters>
export type ListAudit = z.infer<typeof listAuditSchema>
export type ExportAudit = z.infer<typeof exportAuditSchema>
export type AuditRecord = z.infer<typeof auditRecordSchema>
export type AuditPage = z.infer<typeof auditPageSchema>
export type SignInFilters = z.infer<typeof signInFilters>
export type ListSignIns = z.infer<typeof listSignInsSchema>
export type ExportSignIns = z.infer<typeof exportSignInsSchema>
export type SignInRecord = z.infer<typeof signInRecordSchema>
export type SignInPage = z.infer<typeof signInPageSchema>
export type ListFailures = z.infer<typeof listFailuresSchema>
export type FailureRecord = z.infer<typeof failureSchema>
export type FailurePage = z.infer<typeof failurePageSchema>
