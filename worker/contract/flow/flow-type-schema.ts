import * as z from 'zod'
import { FLOW_TYPES } from './flow-types.ts'

export const flowTypeSchema = z.enum(FLOW_TYPES)
