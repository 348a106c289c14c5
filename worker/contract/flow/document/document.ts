/**
 * The flow document, shared by canvas, engine, import and export. It has the shape of Flowise's AgentFlow V2 files, so
 * that files move both ways without loss: unknown keys are kept, and optional ones may be missing. `check-document.ts` holds values
 * against the same shape.
 */
import * as z from 'zod'
import { MAX_EDGES, MAX_NODES } from './check-document.ts'

const position = z.looseObject({ x: z.number(), y: z.number() })

const anchorSchema = z.looseObject({
  /** Absent where a node of a chat flow offers several outputs: then its options have ids. */
  id: z.string().optional(),
  name: z.union([z.string(), z.number()]).nullish(),
  label: z.union([z.string(), z.number()]).nullish(),
  description: z.string().nullish(),
  type: z.string().nullish(),
})

/** Only the parts that drawing a node needs. */
const paramSchema = z.looseObject({
  name: z.string(),
  type: z.string(),
  options: z.array(z.looseObject({})).nullish(),
  array: z.array(z.looseObject({})).nullish(),
  show: z.record(z.string(), z.unknown()).nullish(),
  hide: z.record(z.string(), z.unknown()).nullish(),
})

const nodeDataSchema = z.looseObject({
  id: z.string().min(1),
  name: z.string().min(1),
  label: z.string().default(''),
  version: z.number().optional(),
  type: z.string().optional(),
  category: z.string().optional(),
  description: z.string().optional(),
  color: z.string().optional(),
  hideInput: z.boolean().optional(),
  hideOutput: z.boolean().optional(),
  baseClasses: z.array(z.string()).optional(),
  inputParams: z.array(paramSchema).optional(),
  inputAnchors: z.array(z.looseObject({ id: z.string().optional() })).optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputAnchors: z.array(anchorSchema).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  credential: z.string().optional(),
  selected: z.boolean().optional(),
  /** Read by `runPolicyOf`. Files of other products have none. */
  runPolicy: z.unknown().optional(),
  /** Read by `isDisabled`. Files of other products have none. */
  disabled: z.unknown().optional(),
})

const flowNodeSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string(),
  position,
  data: nodeDataSchema,
  width: z.number().optional(),
  height: z.number().optional(),
  parentNode: z.string().optional(),
  extent: z.string().optional(),
  selected: z.boolean().optional(),
})

const flowEdgeSchema = z.looseObject({
  id: z.string().min(1),
  source: z.string().min(1),
  target: z.string().min(1),
  sourceHandle: z.string().nullish(),
  targetHandle: z.string().nullish(),
  type: z.string().optional(),
  data: z.looseObject({}).optional(),
})

export const flowDocumentSchema = z.looseObject({
  nodes: z.array(flowNodeSchema).max(MAX_NODES, `A flow may have at most ${MAX_NODES} nodes`),
  edges: z.array(flowEdgeSchema).max(MAX_EDGES, `A flow may have at most ${MAX_EDGES} edges`),
  viewport: z.looseObject({ x: z.number(), y: z.number(), zoom: z.number() }).optional(),
})

export type Anchor = z.infer<typeof anchorSchema>
export type NodeData = z.infer<typeof nodeDataSchema>
export type FlowNode = z.infer<typeof flowNodeSchema>
export type FlowEdge = z.infer<typeof flowEdgeSchema>
export type FlowDocument = z.infer<typeof flowDocumentSchema>
