/** Secrets in the YAML of a design: they are named, and never kept. */
import { namesSecret } from '#contract/data/redact.ts'
import type { PythonYaml, Span, YamlPair, YamlScalar, YamlValue } from '../python-yaml.ts'
import { excerpt } from './plain-values.ts'

interface Secret {
  /** The path of the key: `tools[0].args.headers.Authorization`. */
  path: string
  span: Span
  /** Stands in the file in its place. */
  placeholder: string
}

/** Returns the secrets of a document in the order of the text, also those of keys that come again. */
export function findSecrets({ root, dropped }: PythonYaml): Secret[] {
  // By where it stands, as merged maps show a value several times.
  const found = new Map<number, { path: string; key: string; value: YamlScalar }>()
  const visit = (value: YamlValue, path: string, isSecret: boolean, key: string): void => {
    if (value.kind === 'list')
      for (const [index, item] of value.items.entries()) visit(item, `${path}[${index}]`, isSecret, key)
    else if (value.kind === 'map') for (const pair of value.pairs) visitPair(pair, path, key === 'env')
    else if (isSecret ? isSecretValue(value) : hasSecretUrl(value)) found.set(value.span.start, { path, key, value })
  }
  const visitPair = ({ key, value }: YamlPair, path: string, isEnvironment: boolean) => {
    const name = String(key.value)
    visit(value, path === '' ? excerpt(name) : `${path}.${excerpt(name)}`, isEnvironment || isSecretKey(name), name)
  }
  if (root) visit(root, '', false, '')
  for (const { pair } of dropped) visitPair(pair, '', false)
  const sorted = [...found.values()].sort((one, other) => one.value.span.start - other.value.span.start)
  return withPlaceholders(sorted)
}

/** Names that sound like a secret and hold none: `tokenUrl`, `auth_type`, `credential_key`. */
const NO_SECRETS = /(?:url|uri|type|scheme|endpoint|credential_key|credentialKey)$/i

const isSecretKey = (name: string) => namesSecret(name) && !NO_SECRETS.test(name)

/** A reference to the environment is no secret. */
function isSecretValue({ kind, value }: YamlScalar): boolean {
  if (kind === 'null' || kind === 'flag' || value === '') return false
  return !/^\$\{\w+\}$/.test(String(value))
}

/** True for `https://ann:pass@example.com` and `https://example.com?api_key=…`. */
function hasSecretUrl({ kind, value }: YamlScalar): boolean {
  if (kind !== 'text' || !/^[a-z][a-z\d+.-]{0,20}:\/\//i.test(value)) return false
  const url = URL.parse(value)
  return url !== null && (url.password !== '' || [...url.searchParams.keys()].some(namesSecret))
}

function withPlaceholders(found: readonly { path: string; key: string; value: YamlScalar }[]): Secret[] {
  const counts = new Map<string, number>()
  return found.map(({ path, key, value: { span } }) => {
    const name = variableName(key)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { path, span, placeholder: `\${${count === 1 ? name : `${name}_${count}`}}` }
  })
}

function variableName(key: string): string {
  const name = key
    .slice(0, 60)
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
  return /^[A-Z]/.test(name) ? name : `SECRET${name.startsWith('_') ? '' : '_'}${name}`
}

/** Returns a text with placeholders for its secrets. Every line keeps its number. */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  let at = 0
  const parts = secrets.flatMap(({ span, placeholder }) => {
    const lines = text.slice(span.start, span.end).match(/\r?\n/g) ?? []
    const part = [text.slice(at, span.start), `"${placeholder}"`, ...lines]
    at = span.end
    return part
  })
  return [...parts, text.slice(at)].join('')
}
