/** How the Assistants API of OpenAI, Azure or a compatible server is called. */
import { OPENAI_BASE, type ProviderType } from '#contract/assistants/provider-assistants.ts'
import { withoutTrailing } from '#contract/data/text.ts'

const AZURE_VERSION = '2024-05-01-preview'

interface Account {
  type: ProviderType
  /** Empty for OpenAI's own address. */
  basepath: string
  apiKey: string
}

/** Returns the address, without a slash at its end, and what each call carries. */
export function providerAccess({ type, basepath, apiKey }: Account) {
  const isAzure = type === 'AZURE'
  const headers: Record<string, string> = isAzure
    ? { 'api-key': apiKey }
    : { authorization: `Bearer ${apiKey}`, 'openai-beta': 'assistants=v2' }
  const version: Record<string, string> = isAzure ? { 'api-version': AZURE_VERSION } : {}
  const query = isAzure ? `?${new URLSearchParams(version)}` : ''
  return { address: withoutTrailing(basepath || OPENAI_BASE, '/'), headers, version, query }
}
