import { errorMessage, HeddleError } from '#contract/errors.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { type GenerateRequest, generateAnswerSchema, generateSchema, MAX_GENERATE_BYTES } from '#contract/generator.ts'
import type { Tenant } from '#db/scope.ts'
import { credentialIds } from '../../components/credentials.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { callModel } from '../../llm/model-call.ts'
import type { ModelMessage } from '../../models/messages.ts'
import type { OpenModel } from '../../models/types.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import type { Services } from '../../services.ts'
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
      const model = chosenModel(body.selectedChatModel)
      const open = await openModel(services, { tenant: memberOf(actor), signal }, model)
      const { clock } = services
      return generateFlow({
        question: body.question,
        draft: body.flowData?.document,
        model,
        components: componentDefinitions(),
        ask: (messages: ModelMessage[], schema) =>
          callModel({ open, messages, schema, speak: false }, { signal, clock, emit() {}, charge() {} }),
      })
    },
  }),
]

/** Flowise sends the credential beside the inputs or among them. */
function chosenModel({ name, inputs, credential }: GenerateRequest['selectedChatModel']): ChosenModel {
  return { name, config: { ...inputs, ...(credential ? { [CREDENTIAL_ID]: credential } : {}) } }
}

/** Throws `bad_request` when the model cannot be opened. */
async function openModel(
  services: Services,
  { tenant, signal }: { tenant: Tenant; signal: AbortSignal },
  { name, config }: ChosenModel,
): Promise<OpenModel> {
  const { open } = await openWorkspaceComponents(services, tenant, credentialIds(config))
  try {
    return await open({ id: 'model', inputs: { model: name, modelConfig: config } }, signal).model('model')
  } catch (error) {
    throw new HeddleError('bad_request', `selectedChatModel: ${errorMessage(error)}`, { field: 'selectedChatModel' })
  }
}
