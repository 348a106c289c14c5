import { HeddleError } from '#contract/errors.ts'

export const noSuchExecution = (id: string) => new HeddleError('not_found', `Execution ${id} not found`)

export const noSuchFlow = (id: string) => new HeddleError('not_found', `Flow ${id} not found`)
