/** What a custom assistant is made of, in Flowise's format, and the Agent node's inputs that say the same. */
import * as z from 'zod'
import { isRecord, tryParseJson } from '../../../data/json.ts'
import { withMaxKeys } from '../../../schemas/max-keys.ts'
import { CREDENTIAL_ID } from '../../document/serialize.ts'
import { withPracticeModel } from '../../practice-model.ts'

const values = withMaxKeys(z.record(z.string(), z.unknown()))

/** A model or tool with its inputs. Flowise stores the whole node; what is not named here stays as it was. */
const chosenSchema = withMaxKeys(
  z.looseObject({
    name: z.string().max(200),
    inputs: values.default({}),
    credential: z.string().max(100).optional(),
  }),
)

const toolSchema = chosenSchema.and(z.object({ requiresHumanInput: z.boolean().optional() }))

/** A document store that the assistant may search. */
const storeSchema = withMaxKeys(
  z.looseObject({
    id: z.string().max(100).optional(),
    name: z.string().max(200).optional(),
    description: z.string().max(10_000).optional(),
    returnSourceDocuments: z.boolean().optional(),
  }),
)

export const MAX_STARTERS = 4

export const customDetailsSchema = withMaxKeys(
  z.looseObject({
    name: z.string().trim().min(1, 'Name is required').max(200),
    /** `{}` before one is chosen, which means the practice model. */
    chatModel: z.union([chosenSchema, z.strictObject({})]).nullish(),
    instruction: z.string().max(100_000).default(''),
    tools: z.array(toolSchema).max(100).default([]),
    documentStores: z.array(storeSchema).max(100).default([]),
    /** Questions that the chat offers before the first message. */
    starterPrompts: z.array(z.string().trim().min(1).max(500)).max(MAX_STARTERS).default([]),
  }),
)

export type CustomDetails = z.infer<typeof customDetailsSchema>
type ComponentChoice = z.infer<typeof chosenSchema>
type Values = Record<string, unknown>

/** Reads stored details. Whatever cannot be read has its default. */
export function readCustomDetails(text: string): CustomDetails {
  const stored = tryParseJson(text)
  const given = isRecord(stored) ? stored : {}
  const read = customDetailsSchema.safeParse(given)
  if (read.success) return read.data
  const name = typeof given.name === 'string' ? given.name.trim().slice(0, 200) : ''
  return customDetailsSchema.parse({ name: name || 'Assistant' })
}

/** Returns the Agent node's inputs that an assistant decides. */
export function toAgentInputs({ chatModel, instruction, tools, documentStores }: CustomDetails): Values {
  const model = isChosen(chatModel) ? inputsOf('agentModel', chatModel) : withPracticeModel('agentModel')
  return {
    ...model,
    agentMessages: instruction.trim() === '' ? [] : [{ role: 'system', content: instruction }],
    agentTools: tools.filter(isChosen).map((tool) => ({
      ...inputsOf('agentSelectedTool', tool),
      agentSelectedToolRequiresHumanInput: tool.requiresHumanInput ?? false,
    })),
    agentKnowledgeDocumentStores: documentStores.flatMap(({ id, name, description, returnSourceDocuments }) =>
      id
        ? [
            {
              documentStore: name ? `${id}:${name}` : id,
              docStoreDescription: description ?? '',
              returnSourceDocuments: returnSourceDocuments ?? false,
            },
          ]
        : [],
    ),
  }
}

/**
 * Returns the details with the model, tools and stores of a form of the Agent node's inputs. Rows without a tool or a
 * store are left out.
 */
export function withChoices(details: CustomDetails, inputs: Values): CustomDetails {
  const model = chosenIn('agentModel', inputs)
  const known = isChosen(details.chatModel) && details.chatModel.name === model.name ? details.chatModel : {}
  return {
    ...details,
    chatModel: { ...known, ...model },
    documentStores: recordsOf(inputs.agentKnowledgeDocumentStores).flatMap((item) => chosenStore(item, details)),
    tools: recordsOf(inputs.agentTools).flatMap((item) => {
      const tool = chosenIn('agentSelectedTool', item)
      const before = details.tools.find(({ name }) => name === tool.name)
      const requiresHumanInput = item.agentSelectedToolRequiresHumanInput === true
      return tool.name === '' ? [] : [{ ...before, ...tool, requiresHumanInput }]
    }),
  }
}

const recordsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])

function chosenStore(item: Values, { documentStores }: CustomDetails): CustomDetails['documentStores'] {
  const [id = '', ...name] = String(item.documentStore ?? '').split(':')
  if (id === '') return []
  return [
    {
      ...documentStores.find((store) => store.id === id),
      id,
      ...(name.length > 0 && { name: name.join(':') }),
      description: String(item.docStoreDescription ?? ''),
      returnSourceDocuments: item.returnSourceDocuments === true,
    },
  ]
}

const isChosen = (value: unknown): value is ComponentChoice => isRecord(value) && Boolean(value.name)

function inputsOf(input: string, { name, inputs, credential }: ComponentChoice): Values {
  return {
    [input]: name,
    [`${input}Config`]: { ...inputs, ...(credential && { [CREDENTIAL_ID]: credential }), [input]: name },
  }
}

function chosenIn(input: string, values: Values): ComponentChoice {
  const config = values[`${input}Config`]
  const { [input]: _, [CREDENTIAL_ID]: credential, ...inputs } = isRecord(config) ? config : {}
  const name = String(values[input] ?? '')
  return { name, inputs, credential: typeof credential === 'string' && credential !== '' ? credential : undefined }
}
