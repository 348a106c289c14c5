import { generateAnswerSchema, generateSchema, MAX_GENERATE_BYTES } from '#contract/generator/generator.ts'
import { chosenModel, openChosenModel } from '../../components/chosen-model.ts'
import { auditExempt } from '../../http/audit.ts'
import { memberOf, type Route, route } from '../../http/route.ts'
import { callModel } from '../../llm/model-call.ts'
import type { ModelMessage } from '../../models/messages.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { generateFlow } from './generate.ts'

export const routes: Route[] = [
  route({
    method: 'POST',
    path: '/agentflowv2-generator/generate',
    summary: 'Draw a flow from a description',
    audit: auditExempt.read,
    answer: generateAnswerSchema,
    errors: ['unprocessable'],
    access: { permission: 'agentflows:create,agentflows:update' },
    maxBodyBytes: MAX_GENERATE_BYTES,
    body: generateSchema,
    async handle({ body, actor, services, context }) {
      const { signal } = context.req.raw
      const model = chosenModel(body.selectedChatModel)
      const { open, withoutSecrets } = await openChosenModel(services, { tenant: memberOf(actor), signal }, model)
      const { clock } = services
      return generateFlow({
        question: body.question,
        draft: body.flowData?.document,
        model,
        components: componentDefinitions(),
        ask: (messages: ModelMessage[], schema) =>
          withoutSecrets(() =>
            callModel({ open, messages, schema, speak: false }, { signal, clock, emit() {}, charge() {} }),
          ),
      })
    },
  }),
]
