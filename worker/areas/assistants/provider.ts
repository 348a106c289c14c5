/** Calls the Assistants API of OpenAI, Azure or a compatible server with a credential of the workspace. */

import {
  OPENAI_BASE,
  type ProviderAssistant,
  type ProviderDetails,
  type ProviderType,
} from '#contract/assistants/provider-assistants.ts'
import { isRecord } from '#contract/data/json.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { Tenant } from '#db/scope.ts'
import { providerAccess } from '../../components/assistant-provider.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import { callJson } from '../../providers/json-api.ts'
import type { Services } from '../../services.ts'

/** Where assistants live. */
interface Account {
  type: ProviderType
  credential: string | null | undefined
  /** Empty for OpenAI's own address. */
  basepath: string
}

interface Provider {
  list(): Promise<ProviderAssistant[]>
  read(id: string): Promise<ProviderAssistant>
  /** Creates the assistant, or updates the one whose id the details have. */
  save(details: ProviderDetails): Promise<ProviderAssistant>
  delete(id: string): Promise<void>
}

const LABELS: Record<ProviderType, string> = { OPENAI: 'OpenAI', AZURE: 'Azure' }
const ENDED =
  'OpenAI announced the end of its Assistants API for August 2026. Use a custom assistant, or a server that still has this API.'
const LISTED = 100

/** Throws `bad_request` that names what is missing. Its calls throw `unprocessable` with the provider's message. */
export async function openProvider(services: Services, tenant: Tenant, account: Account): Promise<Provider> {
  const call = await openProviderApi(services, tenant, account)
  return {
    list: async () => (await call<{ data?: ProviderAssistant[] }>('GET', '/assistants')).data ?? [],
    read: (assistantId) => call('GET', `/assistants/${encodeURIComponent(assistantId)}`),
    save: ({ id: assistantId, basepath: _, ...details }) =>
      call('POST', `/assistants${assistantId ? `/${encodeURIComponent(assistantId)}` : ''}`, toProviderBody(details)),
    async delete(assistantId) {
      await call('DELETE', `/assistants/${encodeURIComponent(assistantId)}`)
    },
  }
}

/** Sends JSON, or a form, to a path below the provider's address. */
export type ProviderCall = <Answer>(method: string, path: string, body?: FormData | object) => Promise<Answer>

export async function openProviderApi(services: Services, tenant: Tenant, account: Account): Promise<ProviderCall> {
  const { type, credential: id, basepath } = account
  if (type === 'AZURE' && !basepath) throw missing('details.basepath', 'Enter the address of your Azure resource')
  const { egress, signal, readCredential } = await openWorkspaceComponents(services, tenant, id ? [id] : [])
  const key = id && (await readCredential(id))?.openAIApiKey
  if (typeof key !== 'string' || key === '') throw missing('credential', 'Choose a credential with an API key')
  const { address: base, headers, version } = providerAccess({ type, basepath, apiKey: key })
  return async (method, path, body) => {
    const query = {
      ...version,
      ...(method === 'GET' && { limit: LISTED }),
    }
    const content = body instanceof FormData ? { rawBody: body } : { body }
    const request = { service: LABELS[type], url: `${base}${path}`, query, method, headers, ...content }
    try {
      return await callJson(request, { egress, signal })
    } catch (error) {
      const ended = base === OPENAI_BASE ? [ENDED] : []
      throw new HeddleError('unprocessable', [`${errorMessage(error)}.`.replace(/\.\.$/, '.'), ...ended].join(' '))
    }
  }
}

/** Only what the API knows: it refuses other fields. */
const toProviderBody = (details: Omit<ProviderDetails, 'id' | 'basepath'>) => {
  const { name, description, model, instructions, temperature, top_p, tools, tool_resources } = details
  return {
    name,
    description,
    model,
    instructions,
    temperature,
    top_p,
    tools,
    tool_resources: tool_resources ? knownResources(tool_resources as Record<string, unknown>) : undefined,
  }
}

/** The names of files are kept here only. */
function knownResources({ code_interpreter, file_search }: Record<string, unknown>) {
  const fileIds = isRecord(code_interpreter) ? code_interpreter.file_ids : undefined
  const storeIds = isRecord(file_search) ? file_search.vector_store_ids : undefined
  return {
    ...(fileIds !== undefined && { code_interpreter: { file_ids: fileIds } }),
    ...(storeIds !== undefined && { file_search: { vector_store_ids: storeIds } }),
  }
}

const missing = (field: string, message: string) => new HeddleError('bad_request', `${field}: ${message}`, { field })
