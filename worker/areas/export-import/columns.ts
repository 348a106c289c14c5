/** Schemas of columns that rows of a file share. */
import * as z from 'zod'
import { tryParseJson } from '#contract/data/json.ts'

export const id = z.string().min(1).max(100)

/** Refuses a text of more bytes than its column may have: a row of the database has at most 5 MB. */
export const atMost = (maxBytes: number) =>
  z.refine<string | null | undefined>(
    (value) => (value ?? '').length <= maxBytes / 3 || new TextEncoder().encode(value ?? '').length <= maxBytes,
    `This may have at most ${maxBytes / 1000} KB`,
  )

export const text = z
  .string()
  .nullish()
  .check(atMost(100_000))
  .transform((value) => value ?? null)
export const date = z
  .string()
  .refine((value) => !Number.isNaN(Date.parse(value)), 'This is not a date')
  .transform((value) => new Date(value).toISOString())

/** A column with JSON, either as text (as in Flowise's files) or as a value. */
export const json = z
  .unknown()
  .optional()
  .transform((value) => {
    if (value === undefined || value === null || value === '') return null
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
  .refine((value) => value === null || isJson(value), 'This is not JSON')

function isJson(value: string): boolean {
  return tryParseJson(value) !== undefined
}
