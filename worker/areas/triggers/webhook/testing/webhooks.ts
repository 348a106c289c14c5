/** For worker tests of webhooks: flows that requests start, and senders that sign as the real ones do. */
import { createHmac, randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import {
  operationsSchema,
  type Signature,
  type WebhookSettings,
  webhookSettingsSchema,
} from '#contract/triggers/settings.ts'
import { chatflows, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { chain, directReply, start } from '../../../../../e2e/support/flows.ts'
import type { Scene } from '../../../predictions/testing/scene.ts'

export const SECRET = 'the secret that both sides know'

export interface HookOptions {
  settings?: Partial<WebhookSettings>
  operations?: object
  more?: Partial<typeof triggers.$inferInsert>
  flow?: FlowDocument
  /** Makes this secret through the API. */
  secret?: string
}

/** Answers with what it was asked. */
export const echo = (message = '{{ question }}') => chain(start(), directReply(message))

/** A webhook beside a flow of its own. */
export async function addHook(scene: Scene, options: HookOptions = {}): Promise<{ id: string; flowId: string }> {
  const flowId = await scene.save(options.flow ?? echo())
  const [flow] = await scene.heddle.database.select().from(chatflows).where(eq(chatflows.id, flowId))
  const now = new Date().toISOString()
  const id = randomUUID()
  const values = {
    id,
    workspaceId: (flow as typeof chatflows.$inferSelect).workspaceId,
    flowId,
    name: 'Hook',
    kind: 'webhook' as const,
    settings: webhookSettingsSchema.parse({ kind: 'webhook', input: { mode: 'payload' }, ...options.settings }),
    operations: operationsSchema.parse(options.operations ?? {}),
    state: 'active' as const,
    createdDate: now,
    updatedDate: now,
    ...options.more,
  }
  await scene.heddle.database
    .insert(triggers)
    .values(values)
    .onConflictDoUpdate({ target: [triggers.flowId, triggers.nodeId], set: values })
  if (options.secret) await scene.call('POST', `/triggers/${id}/secret`, { secret: options.secret })
  return { id, flowId }
}

/** Newest first. */
export const deliveriesOf = (scene: Scene, triggerId: string) =>
  scene.heddle.database
    .select()
    .from(triggerDeliveries)
    .where(eq(triggerDeliveries.triggerId, triggerId))
    .orderBy(desc(triggerDeliveries.dueDate))

const hmac = (secret: string, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret).update(text).digest(encoding)

/** The headers that a sender adds to this body. `seconds` is its clock. */
export function signed(
  signature: Signature,
  body: string,
  { secret = SECRET, seconds = Math.floor(Date.now() / 1000) }: { secret?: string; seconds?: number } = {},
): Record<string, string> {
  const timed = `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`
  const headers: Record<Signature, Record<string, string>> = {
    none: {},
    heddle: { 'x-heddle-signature': timed },
    github: {
      'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
      'x-github-event': 'push',
      'x-github-delivery': randomUUID(),
    },
    stripe: { 'stripe-signature': timed },
    slack: {
      'x-slack-request-timestamp': String(seconds),
      'x-slack-signature': `v0=${hmac(secret, `v0:${seconds}:${body}`)}`,
    },
    shopify: { 'x-shopify-hmac-sha256': hmac(secret, body, 'base64'), 'x-shopify-webhook-id': randomUUID() },
    'hmac-sha256': { 'x-webhook-signature': `sha256=${hmac(secret, body)}`, 'webhook-id': randomUUID() },
    'plain-token': { 'x-webhook-signature': secret, 'idempotency-key': randomUUID() },
  }
  return headers[signature]
}

export interface Sending {
  body?: unknown
  headers?: Record<string, string>
  method?: string
  query?: string
}

/** Sends a request to a webhook: a text as it is, everything else as JSON. */
export async function send(
  scene: Scene,
  address: string,
  { body = {}, headers, method = 'POST', query = '' }: Sending,
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await scene.heddle.fetch(`/api/v1/webhook/${address}${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && method !== 'HEAD' && { body: text }),
  })
  const answer = await response.text()
  return { status: response.status, headers: response.headers, text: answer, body: parsed(answer) }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
