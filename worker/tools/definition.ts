import type { ComponentDefinition, CredentialDefinition, InputParam } from '#contract/flow/params/definition.ts'

/** What the definitions of tools have in common. */
export function toolDefinition(
  parts: Pick<
    ComponentDefinition,
    'label' | 'name' | 'type' | 'version' | 'description' | 'hint' | 'inputs' | 'credential'
  >,
): ComponentDefinition {
  return { ...parts, category: 'Tools', baseClasses: [parts.type, 'Tool', 'StructuredTool', 'Runnable'] }
}

/** An input that may stay empty and stands below "additional parameters"; a text unless told. */
export const additionalParam = (label: string, name: string, rest: Partial<InputParam> = {}): InputParam => ({
  label,
  name,
  type: 'string',
  optional: true,
  additionalParams: true,
  ...rest,
})

/** The parameter by which a tool asks for its credential. */
export const connect = ({ name }: CredentialDefinition): InputParam => ({
  label: 'Connect Credential',
  name: 'credential',
  type: 'credential',
  credentialNames: [name],
})

/** A credential that is one key. */
export const keyCredential = (
  definition: Pick<CredentialDefinition, 'label' | 'name' | 'version' | 'description'>,
  field: { label: string; name: string },
): CredentialDefinition => ({ ...definition, inputs: [{ ...field, type: 'password' }] })

/** As models want tool names: letters, digits, `_`, `-`. */
export function toolName(written: string): string {
  return (
    written
      .trim()
      .toLowerCase()
      .replace(/\s+/g, '_')
      .replace(/[^a-z0-9_-]/g, '')
      .slice(0, 64) || 'tool'
  )
}

/** A choice of several is kept as a list or as its JSON. */
export function choices(value: unknown): string[] {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value || '[]') : value
    return Array.isArray(list) ? list.map(String) : []
  } catch {
    return []
  }
}
