/** Types for the parts of OpenAPI 3.1 that the API description uses. */
import type * as z from 'zod'

/** JSON Schema draft 2020-12, as zod generates it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

export interface MediaType {
  schema?: JsonSchema
  example?: unknown
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: JsonSchema
}

export interface DescribedResponse {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Record<string, MediaType>
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  deprecated?: true
  security: Record<string, string[]>[]
  /** Alternatives. */
  'x-permission'?: string[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, DescribedResponse>
}

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, JsonSchema> }
}
