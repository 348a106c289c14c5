import type { ModelMessage } from 'ai'
import { eq } from 'drizzle-orm'
import { HeddleError } from '#contract/errors.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { type GenerateRequest, generateAnswerSchema, generateSchema, MAX_GENERATE_BYTES } from '#contract/generator.ts'
import { credentials, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { callModel } from '../../llm/model-call.ts'
import type { OpenModel } from '../../models/types.ts'
import { createOpenComponents } from '../../nodes/components.ts'
import type { Flows } from '../../nodes/types.ts'
import type { Services } from '../../services.ts'
import { openCredential } from '../credentials/index.ts'
import { definitions } from '../nodes/index.ts'
import { compileProblems } from './compile-problems.ts'
import { generateFlow } from './generate.ts'
import type { ChosenModel } from './inputs.ts'

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/agentflowv2-generator/generate',
    summary: 'Draw a flow from a description',
    answer: generateAnswerSchema,
    errors: ['unprocessable'],
    access: { permission: 'agentflows:create,agentflows:update' },
    maxBodyBytes: MAX_GENERATE_BYTES,
    body: generateSchema,
    async handle({ body, actor, services, context }) {
      const { signal } = context.req.raw
      const model = chosenModel(body)
      const open = await openModel({ services, tenant: memberOf(actor), signal }, model)
      const { clock } = services
      return generateFlow({
        question: body.question,
        draft: body.flowData === undefined ? undefined : draftOf(body.flowData),
        model,
        components: definitions(),
        ask: (messages: ModelMessage[], schema) =>
          callModel({ open, messages, schema, speak: false }, { signal, clock, emit() {}, charge() {} }),
        compileProblems,
      })
    },
  }),
]

/** Flowise sends the credential beside the inputs or among them. */
function chosenModel({ selectedChatModel: { name, inputs, credential } }: GenerateRequest): ChosenModel {
  return { name, config: { ...inputs, ...(credential ? { [CREDENTIAL_ID]: credential } : {}) } }
}

function draftOf(flowData: string) {
  const opened = parseFlow(flowData)
  return opened.ok ? opened.flow : undefined
}

interface Opening {
  services: Services
  tenant: Tenant
  signal: AbortSignal
}

async function openModel({ services, tenant, signal }: Opening, { name, config }: ChosenModel): Promise<OpenModel> {
  const { db, cipher, clock, openOutside } = services
  const open = createOpenComponents({
    async readCredential(id) {
      const [[row], [workspace]] = await db.batch([
        scope(db, tenant).select(credentials, eq(credentials.id, id)),
        db.select({ wrappedKey: workspaces.wrappedKey }).from(workspaces).where(eq(workspaces.id, tenant.workspaceId)),
      ])
      return row && workspace && openCredential(row, workspace.wrappedKey, cipher)
    },
    ...openOutside(),
    flows: noFlows,
    clock,
  })
  try {
    return await open({ id: 'model', inputs: { model: name, modelConfig: config } }, signal).model('model')
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    throw new HeddleError('bad_request', `selectedChatModel: ${message}`, { field: 'selectedChatModel' })
  }
}

/** A model calls no flows. */
const noFlows: Flows = {
  run: () => Promise.reject(new Error('There are no flows to call here')),
  resume: () => Promise.reject(new Error('There are no flows to call here')),
}
