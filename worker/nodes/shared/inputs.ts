/** Reading a node's inputs: files leave fields out, and store switches and numbers as text. */

import { parseFencedJson } from '#contract/json.ts'

type Inputs = Record<string, unknown>

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

export function flagOf(value: unknown): boolean {
  return value === true || value === 'true'
}

/** A positive number, or the fallback. */
export function numberOf(value: unknown, fallback: number): number {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : fallback
}

/** The items of an array parameter; an empty one may be stored as `""`. */
export function itemsOf(value: unknown): Inputs[] {
  return Array.isArray(value) ? value.filter((item): item is Inputs => typeof item === 'object' && item !== null) : []
}

/** The names of a multiple choice, stored as a list or as the JSON text of one. */
export function listOf(value: unknown): string[] {
  const list = typeof value === 'string' ? parseFencedJson(value) : value
  return Array.isArray(list) ? list.map(textOf).filter(Boolean) : []
}

/** Key-value rows without the empty ones. */
export function pairsOf(value: unknown): [key: string, value: string][] {
  return itemsOf(value).flatMap(({ key, value: text }) => (textOf(key) ? [[textOf(key), textOf(text)]] : []))
}
