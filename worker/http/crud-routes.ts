/** The calls that every asset has: list, create, update and delete. */
import * as z from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import { deletedSchema } from '#contract/schemas/responses.ts'
import type { Services } from '../services.ts'
import { type Audited, auditExempt, withAudit } from './audit.ts'
import { type AuditRule, type Member, memberOf, type Route, type RouteInput } from './route.ts'

/** Handles a call for a member of the workspace; `given` is the decoded query or body. */
type Handler<Given, Answer extends z.ZodType> = (
  services: Services & Audited,
  member: Member,
  given: Given,
) => Promise<z.infer<Answer>>

interface Crud<
  Query extends z.ZodType,
  Draft extends z.ZodType,
  Change extends z.ZodType,
  List extends z.ZodType,
  Created extends z.ZodType,
  Updated extends z.ZodType,
> {
  /** Below /api/v1: `/variables`. */
  path: string
  /** The area of the permissions: `variables` for `variables:view`. */
  permission: string
  /** Singular and plural for the summaries: `a variable`, `variables`. */
  names: [string, string]
  /** Whose events the handlers record: `variable` for `variable.create`. By default none. */
  audited?: 'api-key' | 'credential' | 'variable'
  /** Creating and updating give lasting power. */
  confirmed?: true
  list: { query: Query; answer: List; handle: Handler<z.infer<Query>, List> }
  create: { body: Draft; answer: Created; handle: Handler<z.infer<Draft>, Created> }
  update: {
    body: Change
    answer: Updated
    errors?: readonly ErrorCode[]
    handle: Handler<{ id: string; values: z.infer<Change> }, Updated>
  }
  delete: Handler<string, typeof deletedSchema>
}

export const byId = z.object({ id: z.string().max(100) })

type ById = z.infer<typeof byId>

export function crudRoutes<
  Query extends z.ZodType,
  Draft extends z.ZodType,
  Change extends z.ZodType,
  List extends z.ZodType,
  Created extends z.ZodType,
  Updated extends z.ZodType,
>(crud: Crud<Query, Draft, Change, List, Created, Updated>): Route[] {
  const { path, permission, list, create, update } = crud
  const [one, many] = crud.names
  const confirmed = crud.confirmed && { confirmed: crud.confirmed }
  const auditOf = (verb: 'create' | 'update' | 'delete'): AuditRule =>
    crud.audited ? `${crud.audited}.${verb}` : auditExempt.content
  return [
    {
      method: 'GET',
      path,
      summary: `List ${many}`,
      answer: list.answer,
      access: { permission: `${permission}:view` },
      query: list.query,
      handle: ({ context, actor, query }: RouteInput<undefined, z.infer<Query>, undefined>) =>
        list.handle(withAudit(context, memberOf(actor)), memberOf(actor), query),
    },
    {
      method: 'POST',
      path,
      summary: `Create ${one}`,
      audit: auditOf('create'),
      ...confirmed,
      answer: create.answer,
      access: { permission: `${permission}:create` },
      body: create.body,
      handle: ({ context, actor, body }: RouteInput<z.infer<Draft>, undefined, undefined>) =>
        create.handle(withAudit(context, memberOf(actor)), memberOf(actor), body),
    },
    {
      method: 'PUT',
      path: `${path}/:id`,
      summary: `Update ${one}`,
      audit: auditOf('update'),
      ...confirmed,
      answer: update.answer,
      ...(update.errors && { errors: update.errors }),
      access: { permission: `${permission}:create,${permission}:update` },
      params: byId,
      body: update.body,
      handle: ({ context, actor, params, body }: RouteInput<z.infer<Change>, undefined, ById>) =>
        update.handle(withAudit(context, memberOf(actor)), memberOf(actor), { id: params.id, values: body }),
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Delete ${one}`,
      audit: auditOf('delete'),
      answer: deletedSchema,
      access: { permission: `${permission}:delete` },
      params: byId,
      handle: ({ context, actor, params }: RouteInput<undefined, undefined, ById>) =>
        crud.delete(withAudit(context, memberOf(actor)), memberOf(actor), params.id),
    },
  ]
}
