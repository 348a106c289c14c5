/** The secret that signs the sessions of a flow's callers: shown once, and kept under the workspace's key. */
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { FlowVerb } from '#contract/access/callers.ts'
import { conversationSecretSchema, newConversationSecretSchema } from '#contract/chatflows/conversation-secret.ts'
import { HeddleError } from '#contract/errors.ts'
import { chatflows, workspaces } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { withAudit } from '../../http/audit.ts'
import { type Member, memberOf, type Route, route } from '../../http/route.ts'
import { randomToken } from '../../http/session/secrets.ts'
import type { Services } from '../../services.ts'
import { allowedTypes, assertAllowed, flowAccess } from './access.ts'

const path = '/chatflows/:id/conversation-secret'
const params = z.object({ id: z.string().max(100) })

export const secretRoutes: Route[] = [
  route({
    method: 'GET',
    path,
    summary: 'Check whether a flow has a conversation secret',
    answer: conversationSecretSchema,
    access: flowAccess('view', 'update'),
    params,
    async handle({ params: { id }, actor, services }) {
      const { conversationSecret } = await readKeys(services, memberOf(actor), { id, verbs: ['view', 'update'] })
      return { exists: conversationSecret !== null }
    },
  }),

  route({
    method: 'POST',
    path,
    summary: 'Create or replace the conversation secret of a flow',
    description: 'It is shown once. Signatures by the secret before it are refused from then on.',
    audit: 'flow.share',
    confirmed: true,
    answer: newConversationSecretSchema,
    access: flowAccess('update'),
    params,
    async handle({ params: { id }, actor, services, context }) {
      const member = memberOf(actor)
      const { db, audit } = withAudit(context, member)
      const { wrappedKey } = await readKeys(services, member, { id, verbs: ['update'] })
      const secret = randomToken()
      const rows = scope(db, member)
      const isFlow = eq(chatflows.id, id)
      const target = { id, name: chatflows.name, of: chatflows, where: rows.inWorkspace(chatflows, isFlow) }
      await db.batch([
        audit({ event: 'flow.share', target, change: { conversationSecret: null } }),
        rows.update(chatflows, isFlow, { conversationSecret: await services.cipher.encrypt(wrappedKey, { secret }) }),
      ])
      return { secret }
    },
  }),
]

/** Throws `not_found` or `forbidden`. */
async function readKeys({ db, config }: Services, member: Member, { id, verbs }: { id: string; verbs: FlowVerb[] }) {
  const { type, conversationSecret } = chatflows
  const [row] = await db
    .select({ type, conversationSecret, wrappedKey: workspaces.wrappedKey })
    .from(chatflows)
    .innerJoin(workspaces, eq(workspaces.id, chatflows.workspaceId))
    .where(scope(db, member).inWorkspace(chatflows, eq(chatflows.id, id)))
  if (!row) throw new HeddleError('not_found', `Flow ${id} not found`)
  assertAllowed(row.type, allowedTypes(member, config, ...verbs))
  return row
}

/** @param sealed as `chatflows` has it */
export async function openConversationSecret(
  cipher: Services['cipher'],
  { sealed, wrappedKey }: { sealed: string; wrappedKey: string },
): Promise<string> {
  const { secret } = await cipher.decrypt(wrappedKey, sealed)
  return String(secret)
}
