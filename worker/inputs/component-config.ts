/** Reads component config as stored by the canvas: numbers may be text, and empty fields are ''. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Config = Record<string, unknown>

export function text(config: Config, name: string): string | undefined {
  const value = config[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Returns the number, or undefined when the field is empty. @throws ConfigError that names the field */
export function number(config: Config, name: string): number | undefined {
  const value = config[name]
  if (value === undefined || value === null || value === '') return undefined
  const parsed = Number(value)
  if (Number.isFinite(parsed)) return parsed
  throw new ConfigError(`"${name}" must be a number, not "${String(value)}"`)
}

export function isOn(config: Config, name: string): boolean {
  return config[name] === true || config[name] === 'true'
}

/** Reads comma-separated text or a list. Returns undefined when it is empty. */
export function list(config: Config, name: string): string[] | undefined {
  const value = config[name]
  const items = Array.isArray(value) ? value.map(String) : (text(config, name)?.split(',') ?? [])
  const filled = items.map((item) => item.trim()).filter(Boolean)
  return filled.length > 0 ? filled : undefined
}

/** Reads JSON text or an object. @throws ConfigError that names the field */
export function json(config: Config, name: string): Record<string, unknown> | undefined {
  const value = config[name]
  if (value !== null && typeof value === 'object') return value as Record<string, unknown>
  const written = text(config, name)
  if (written === undefined) return undefined
  const parsed = tryParseJson(written)
  if (isRecord(parsed)) return parsed
  throw new ConfigError(`"${name}" must be a JSON object`)
}

export function headers(config: Config, name: string): Record<string, string> | undefined {
  const object = json(config, name)
  return object && Object.fromEntries(Object.entries(object).map(([key, value]) => [key, String(value)]))
}

/** Returns the value. @throws ConfigError that names the empty field and its provider */
export function needed<T>(value: T | undefined, provider: string, label: string): T {
  if (value === undefined) throw new ConfigError(`${provider}: ${label} is empty`)
  return value
}

/** Removes undefined entries, so that the provider's defaults apply. */
export function present<Settings extends object>(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Settings
}
