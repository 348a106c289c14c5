/** Payloads of MCP servers that a workspace added, in Flowise's shape. Header values are never returned. */
import * as z from 'zod'
import { BLANK_SECRET } from '../credentials/credentials.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { dateSchema } from '../schemas/responses.ts'

const MCP_AUTH_TYPES = ['NONE', 'CUSTOM_HEADERS', 'OAUTH'] as const

const name = z.string().trim().min(1, 'Name is required').max(200)
const serverUrl = z
  .string()
  .trim()
  .max(2000)
  .refine((text) => /^https?:$/.test(parseProtocol(text)), 'Enter the URL of the server, starting with https://')
const authType = z.enum(MCP_AUTH_TYPES)
const headerName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'This is not a valid header name')
const headerValue = z
  .string()
  .max(20_000)
  .refine((text) => !/[\r\n]/.test(text), 'A header value can’t contain a line break')
const headers = withMaxKeys(z.record(headerName, headerValue), 50)

/** BLANK_SECRET keeps the stored value of a header, or the stored secret of the client. */
const authConfig = z
  .object({
    headers: headers.default({}).describe('For CUSTOM_HEADERS; values may name variables: {{$vars.name}}'),
    clientId: z.string().trim().max(2000).optional().describe('For OAUTH; without one, Heddle registers itself'),
    clientSecret: z.string().max(8000).optional(),
    scope: z.string().trim().max(2000).optional().describe('For OAUTH; by default what the server asks for'),
  })
  .nullable()
const color = z.string().max(200).nullable()
const iconSrc = z.string().max(200_000).nullable()

export const createMcpServerSchema = z.object({
  name,
  serverUrl,
  authType: authType.default('NONE'),
  authConfig: authConfig.default(null),
  color: color.default(null),
  iconSrc: iconSrc.default(null),
})

export const updateMcpServerSchema = z.object({
  name: name.optional(),
  serverUrl: serverUrl.optional(),
  authType: authType.optional(),
  authConfig: authConfig.optional(),
  color: color.optional(),
  iconSrc: iconSrc.optional(),
})

export const mcpToolSchema = z.object({ name: z.string(), description: z.string() })

export const mcpServerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    serverUrl: z.string(),
    authType,
    authConfig: z
      .object({
        headers: z.record(z.string(), z.string()),
        clientId: z.string().optional(),
        clientSecret: z.string().optional(),
        scope: z.string().optional(),
      })
      .nullable()
      .describe(`Header values and the client’s secret are returned as ${BLANK_SECRET}; in lists there are none`),
    connection: z
      .enum(['none', 'connected', 'refused'])
      .optional()
      .describe('Of OAUTH: how it stands with its authorization server'),
    color: z.string().nullable(),
    iconSrc: z.string().nullable(),
    status: z.enum(['PENDING', 'AUTHORIZED', 'ERROR']).describe('How its last check went; PENDING before the first'),
    statusReason: z.string().nullable(),
    toolCount: z.int(),
    checkedDate: dateSchema.nullable(),
    createdDate: dateSchema,
    updatedDate: dateSchema,
    workspaceId: z.string(),
  })
  .meta({ id: 'McpServer' })

/** The answer to an attempt to authorize. */
export const authorizedMcpServerSchema = mcpServerSchema
  .extend({ authorizationUrl: z.string().optional().describe('Open it in this browser to connect; OAUTH only') })
  .meta({ id: 'AuthorizedMcpServer' })

export const authorizeMcpServerSchema = z.object({
  reconnect: z.enum(['true', 'false']).optional().describe('Connects an OAUTH server again although it is connected'),
})

export const listedMcpServerSchema = mcpServerSchema
  .extend({ usageCount: z.int().describe('How many flows and assistants use it') })
  .meta({ id: 'ListedMcpServer' })

export type AuthorizedMcpServer = z.infer<typeof authorizedMcpServerSchema>
export type ListedMcpServer = z.infer<typeof listedMcpServerSchema>
export type McpServer = z.infer<typeof mcpServerSchema>
export type McpTool = z.infer<typeof mcpToolSchema>
export type McpServerDraft = z.input<typeof createMcpServerSchema>

function parseProtocol(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : ''
}
