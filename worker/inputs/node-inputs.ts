/** Reads a node's inputs. Flow files omit fields, and store booleans and numbers as text. */

import { parseFencedJson } from '#contract/data/json.ts'

type Inputs = Record<string, unknown>

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

export function flagOf(value: unknown): boolean {
  return value === true || value === 'true'
}

/** Returns a positive number, or the fallback. */
export function numberOf(value: unknown, fallback: number): number {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : fallback
}

/** Returns the items of an array parameter. An empty array may be stored as `""`. */
export function itemsOf(value: unknown): Inputs[] {
  return Array.isArray(value) ? value.filter((item): item is Inputs => typeof item === 'object' && item !== null) : []
}

/** Returns the values of a multi-select, stored as a list or as its JSON. */
export function listOf(value: unknown): string[] {
  const list = typeof value === 'string' ? parseFencedJson(value) : value
  return Array.isArray(list) ? list.map(textOf).filter(Boolean) : []
}

/** Returns key-value rows, without rows that have no key. */
export function pairsOf(value: unknown): [key: string, value: string][] {
  return itemsOf(value).flatMap(({ key, value: text }) => (textOf(key) ? [[textOf(key), textOf(text)]] : []))
}
