import { HeddleError } from '#contract/errors.ts'

export const executionNotFound = (id: string) => new HeddleError('not_found', `Execution ${id} not found`)

export const flowNotFound = (id: string) => new HeddleError('not_found', `Flow ${id} not found`)
