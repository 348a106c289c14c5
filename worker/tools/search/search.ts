/** Shared code of search tools: one credential, one text argument, and results with a limited number and size. */

import { connectCredential } from '#contract/flow/params/builders.ts'
import type { CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { needed, text } from '../../inputs/component-config.ts'
import { bounded } from '../../providers/json-api.ts'
import { toolDefinition, toolName } from '../definition.ts'
import type { ToolContext, ToolType } from '../types.ts'

interface SearchKind {
  label: string
  name: string
  type: string
  version: number
  description: string
  hint?: string
  inputs?: InputParam[]
  credential?: CredentialDefinition
  /** Name and description for the model, and the canvas inputs that override them. */
  tool: { name: string; description: string; nameInput?: string; descriptionInput?: string }
  /** The one argument; its name comes from the file format. */
  argument: { name: 'input' | 'query'; description: string }
  /** Returns text, or a value that is serialized as JSON. */
  search(query: string, context: ToolContext): Promise<unknown>
}

export interface Hit {
  title: string
  link: string
  snippet: string
  date?: string
  [field: string]: unknown
}

const MAX_CHARS = 20_000
const MAX_SNIPPET = 1000
export const MAX_HITS = 10

export function searchTool({ tool, argument, search, credential, inputs = [], ...definition }: SearchKind): ToolType {
  return {
    definition: toolDefinition({
      ...definition,
      inputs,
      ...(credential && { credential: connectCredential(credential) }),
    }),
    credential,
    open: (context) => [
      {
        name: toolName((tool.nameInput && text(context.config, tool.nameInput)) || tool.name),
        description: (tool.descriptionInput && text(context.config, tool.descriptionInput)) || tool.description,
        parameters: {
          type: 'object',
          properties: { [argument.name]: { type: 'string', description: argument.description } },
          required: [argument.name],
          additionalProperties: false,
        },
        hasEffect: false,
        async call(args) {
          const query = String(args[argument.name] ?? '').trim()
          if (query === '') throw new Error(`${argument.name} is empty. Enter a search query.`)
          const found = await search(query, context)
          return typeof found === 'string' ? bounded(found, MAX_CHARS) : found
        },
      },
    ],
  }
}

/** Returns the secret. @throws Error that names the empty field of the credential */
export function secret({ credential }: ToolContext, service: string, field: { name: string; label: string }): string {
  return needed(text(credential, field.name), service, `"${field.label}" of the credential`)
}

/** Returns the hits as JSON without empty fields, or a sentence when there are none. */
export function hitsText(hits: Hit[], answers: Record<string, unknown> = {}): string {
  const known = withoutEmpty(answers)
  const results = hits.slice(0, MAX_HITS).map((hit) => ({ ...withoutEmpty(hit), snippet: shortened(hit.snippet) }))
  if (results.length === 0 && Object.keys(known).length === 0) return 'No results found.'
  return JSON.stringify(Object.keys(known).length > 0 ? { ...known, results } : results, null, 1)
}

/** Removes the markup that search services put around matches, and decodes HTML entities. */
export function plain(markup: string | undefined): string {
  const text = (markup ?? '').replace(/<\/?[a-z][^<>]*>/gi, '')
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' }
  return text.replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: string) => entities[name] as string)
}

const withoutEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && (value ?? undefined) !== undefined))

const shortened = (snippet: string) => (snippet.length > MAX_SNIPPET ? `${snippet.slice(0, MAX_SNIPPET)}…` : snippet)
