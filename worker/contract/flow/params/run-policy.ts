/** Run settings of a node, the same for every node type. */
import { isRecord } from '../../data/json.ts'
import type { NodeData } from '../document/document.ts'

/** The output of a failed step with an error branch. */
export const ERROR_OUTPUT = -1

export interface RunPolicy {
  /** With several incoming edges: start when all that can still arrive have arrived, or at the first. */
  join: 'all' | 'any'
  /** Per attempt; null = no limit. */
  timeoutSeconds: number | null
  /** Attempts after the first one fails. */
  retries: number
  /** Before the first retry; doubles with each. */
  retryWaitSeconds: number
  /** After the last failed attempt: stop the run, or continue at the node's error output. */
  onError: 'stop' | 'branch'
}

export const defaultPolicy: RunPolicy = {
  join: 'all',
  timeoutSeconds: null,
  retries: 0,
  retryWaitSeconds: 1,
  onError: 'stop',
}

const isWithin = (value: unknown, min: number, max: number) => typeof value === 'number' && value >= min && value <= max

const fits: Readonly<Record<keyof RunPolicy, (value: unknown) => boolean>> = {
  join: (value) => value === 'all' || value === 'any',
  timeoutSeconds: (value) => value === null || (value !== 0 && isWithin(value, 0, 3600)),
  retries: (value) => Number.isInteger(value) && isWithin(value, 0, 10),
  retryWaitSeconds: (value) => isWithin(value, 0, 300),
  onError: (value) => value === 'stop' || value === 'branch',
}

export const fitsPolicy = (name: keyof RunPolicy, value: unknown): boolean => fits[name](value)

const NAMES = Object.keys(defaultPolicy) as (keyof RunPolicy)[]

/** Returns the node's policy, with defaults for missing and invalid values. */
export function runPolicyOf({ runPolicy: given }: Pick<NodeData, 'runPolicy'>): RunPolicy {
  if (!isRecord(given)) return defaultPolicy
  const set = NAMES.filter((name) => given[name] !== undefined)
  if (!set.every((name) => fitsPolicy(name, given[name]))) return defaultPolicy
  return { ...defaultPolicy, ...Object.fromEntries(set.map((name) => [name, given[name]])) }
}

/** Returns the handle of a node's error output. */
export function errorHandleId(nodeId: string): string {
  return `${nodeId}-output-error`
}

export function isErrorHandle(handleId: string | null | undefined): boolean {
  return handleId?.endsWith('-output-error') ?? false
}
