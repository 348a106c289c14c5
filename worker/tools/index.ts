/** The built-in tools, one line each. */
import { calculator } from './calculator.ts'
import { currentDateTime } from './current-date-time.ts'
import { requestsDelete, requestsGet, requestsPost, requestsPut } from './requests.ts'
import type { ToolType } from './types.ts'

export const tools: ToolType[] = [calculator, currentDateTime, requestsGet, requestsPost, requestsPut, requestsDelete]
