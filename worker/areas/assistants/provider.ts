/** Calls the Assistants API of OpenAI, Azure or a compatible server with a credential of the workspace. */
import { withoutTrailing } from '#contract/data/text.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import {
  OPENAI_BASE,
  type ProviderAssistant,
  type ProviderDetails,
  type ProviderType,
} from '#contract/provider-assistants.ts'
import type { Tenant } from '#db/scope.ts'
import { openWorkspaceComponents } from '../../components/workspace-components.ts'
import type { Services } from '../../services.ts'
import { callJson } from '../../tools/web/json-api.ts'

/** Where assistants live. */
export interface Account {
  type: ProviderType
  credential: string | null | undefined
  /** Empty for OpenAI's own address. */
  basepath: string
}

export interface Provider {
  list(): Promise<ProviderAssistant[]>
  read(id: string): Promise<ProviderAssistant>
  /** Creates the assistant, or updates the one whose id the details have. */
  save(details: ProviderDetails): Promise<ProviderAssistant>
  delete(id: string): Promise<void>
}

const AZURE_VERSION = '2024-05-01-preview'
const LABELS: Record<ProviderType, string> = { OPENAI: 'OpenAI', AZURE: 'Azure' }
const ENDED =
  'OpenAI announced the end of its Assistants API for August 2026. Use a custom assistant, or a server that still has this API.'
const LISTED = 100

/** Throws `bad_request` that names what is missing. Its calls throw `unprocessable` with the provider's message. */
export async function openProvider(services: Services, tenant: Tenant, account: Account): Promise<Provider> {
  const { type, credential: id, basepath } = account
  if (type === 'AZURE' && !basepath) throw missing('details.basepath', 'Enter the address of your Azure resource')
  const { egress, signal, readCredential } = await openWorkspaceComponents(services, tenant, id ? [id] : [])
  const key = id && (await readCredential(id))?.openAIApiKey
  if (typeof key !== 'string' || key === '') throw missing('credential', 'Choose a credential with an API key')
  const base = withoutTrailing(basepath || OPENAI_BASE, '/')
  const headers: Record<string, string> =
    type === 'AZURE' ? { 'api-key': key } : { authorization: `Bearer ${key}`, 'openai-beta': 'assistants=v2' }

  async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const query = {
      ...(type === 'AZURE' && { 'api-version': AZURE_VERSION }),
      ...(method === 'GET' && { limit: LISTED }),
    }
    const request = { service: LABELS[type], url: `${base}/assistants${path}`, query, method, headers, body }
    try {
      return await callJson<Answer>(request, { egress, signal })
    } catch (error) {
      const ended = base === OPENAI_BASE ? [ENDED] : []
      throw new HeddleError('unprocessable', [`${errorMessage(error)}.`.replace(/\.\.$/, '.'), ...ended].join(' '))
    }
  }

  return {
    list: async () => (await call<{ data?: ProviderAssistant[] }>('GET', '')).data ?? [],
    read: (assistantId) => call('GET', `/${encodeURIComponent(assistantId)}`),
    save: ({ id: assistantId, basepath: _, ...details }) =>
      call('POST', assistantId ? `/${encodeURIComponent(assistantId)}` : '', sent(details)),
    async delete(assistantId) {
      await call('DELETE', `/${encodeURIComponent(assistantId)}`)
    },
  }
}

/** Only what the API knows: it refuses other fields. */
const sent = (details: Omit<ProviderDetails, 'id' | 'basepath'>) => {
  const { name, description, model, instructions, temperature, top_p, tools, tool_resources } = details
  return {
    name,
    description,
    model,
    instructions,
    temperature,
    top_p,
    tools,
    tool_resources: tool_resources ?? undefined,
  }
}

const missing = (field: string, message: string) => new HeddleError('bad_request', `${field}: ${message}`, { field })
