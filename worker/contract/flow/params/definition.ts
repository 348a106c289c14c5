/** The definition of a component (node type, chat model, tool, credential), in the shape of Flowise's `GET /nodes`. */
import * as z from 'zod'
import { LOADER_GROUPS } from '../../document-stores/loader-groups.ts'

/** All keys must hold (compat 1.7). */
const conditionsSchema = z.record(z.string(), z.unknown()).describe('Input path to value, list of values or regex text')

export const paramOptionSchema = z
  .object({
    label: z.string(),
    name: z.string(),
    description: z.string().optional(),
    show: conditionsSchema.optional(),
    hide: conditionsSchema.optional(),
    unsupported: z.boolean().optional(),
  })
  .meta({ id: 'ParamOption' })

const gridColumnSchema = z
  .object({
    field: z.string(),
    headerName: z.string(),
    type: z.string().optional().describe('`singleSelect`, `freeSolo`, `boolean`, `number`, or text'),
    valueOptions: z.array(z.union([z.string(), z.object({ label: z.string(), value: z.string() })])).optional(),
    flex: z.number().optional(),
  })
  .meta({ id: 'GridColumn' })

const inputParamSchema = z
  .object({
    label: z.string(),
    name: z.string(),
    type: z.string(),
    id: z.string().optional(),
    default: z.unknown().optional(),
    description: z.string().optional(),
    placeholder: z.string().optional(),
    warning: z.string().optional(),
    optional: z.boolean().optional(),
    acceptVariable: z.boolean().optional(),
    hint: z.string().optional().describe('As of a component, where it concerns those alone who use this parameter'),
    acceptNodeOutputAsVariable: z.boolean().optional(),
    holdsJson: z
      .union([z.boolean(), conditionsSchema])
      .optional()
      .describe('Its text is JSON (while these conditions hold): values are put into it as JSON writes them'),
    fileType: z
      .string()
      .optional()
      .describe('Of a file: the extensions it may have, as browsers take them: `.csv, .tsv`'),
    loadMethod: z.string().optional(),
    loadConfig: z.boolean().optional().describe('The choice brings its own inputs, stored beside it as `<name>Config`'),
    rows: z.number().optional(),
    step: z.number().optional(),
    isAddress: z.boolean().optional().describe('Of a credential: names where its secrets are sent'),
    control: z.enum(['timeZone']).optional().describe('The control of its own that the editor has for this parameter'),
    minItems: z.number().optional(),
    options: z.array(paramOptionSchema).optional(),
    get array() {
      return z.array(inputParamSchema).optional()
    },
    show: conditionsSchema.optional(),
    hide: conditionsSchema.optional(),
    display: z.boolean().optional(),
    unsupported: z
      .boolean()
      .optional()
      .describe('Known from files, kept for them, and refused by a run: offered only where it already has a value'),
    legacy: z.boolean().optional().describe('Known from files and read where it has a value; not offered otherwise'),
    unsupportedKeys: z.array(z.string()).optional().describe('Of JSON: keys that no run supports'),
    formerName: z.string().optional().describe('Under which name older files hold the value; its config too'),
    list: z.boolean().optional(),
    freeSolo: z.boolean().optional(),
    refresh: z.boolean().optional(),
    additionalParams: z.boolean().optional(),
    hideCodeExecute: z.boolean().optional(),
    codeLanguage: z.string().optional(),
    codeExample: z.string().optional(),
    generateInstruction: z.boolean().optional(),
    generateDocStoreDescription: z
      .boolean()
      .optional()
      .describe('Describes the document store beside it; a model can write it'),
    credentialNames: z.array(z.string()).optional(),
    tabIdentifier: z.string().optional(),
    get tabs() {
      return z.array(inputParamSchema).optional().describe('Inputs of which one is used: that of the open tab')
    },
    datagrid: z
      .array(gridColumnSchema)
      .optional()
      .describe('The columns of a table, whose rows are stored as JSON text'),
  })
  .meta({ id: 'InputParam' })

const outputDefinitionSchema = z.object({
  label: z.string(),
  name: z.string(),
  description: z.string().optional(),
  baseClasses: z.array(z.string()).optional(),
  isAnchor: z.boolean().optional(),
  hidden: z.boolean().optional(),
})

export const componentDefinitionSchema = z
  .object({
    label: z.string(),
    name: z.string(),
    version: z.number(),
    type: z.string(),
    category: z.string(),
    description: z.string(),
    baseClasses: z.array(z.string()),
    color: z.string().optional(),
    icon: z.string().optional(),
    tags: z.array(z.string()).optional(),
    hideInput: z.boolean().optional(),
    hideOutput: z.boolean().optional(),
    credential: inputParamSchema.optional(),
    inputs: z.array(inputParamSchema),
    outputs: z.array(outputDefinitionSchema).optional(),
    hint: z.string().optional().describe('What it does otherwise than the product whose files it takes'),
    group: z.enum(LOADER_GROUPS).optional().describe('Where a loader reads from, as the list of loaders shows it'),
    documentation: z.string().optional(),
    deprecateMessage: z.string().optional(),
  })
  .meta({ id: 'Component' })

/** A credential type: the form for a secret (`GET /components-credentials`). */
export const credentialDefinitionSchema = z
  .object({
    label: z.string(),
    name: z.string(),
    version: z.number(),
    description: z.string().optional(),
    inputs: z.array(inputParamSchema),
    hosts: z
      .array(z.string())
      .optional()
      .describe(
        'Where its secrets are sent, besides its own addresses; `{field}` stands for a value. Absent: what uses it says so',
      ),
    oauth: z.literal(true).optional().describe('OAuth 2: a person connects it at the provider'),
    category: z.string().optional().describe('What uses it: `Chat Models`, `Tools`, `HTTP`'),
    usedBy: z.array(z.string()).optional().describe('The labels of the components that use it'),
    test: z
      .enum(['provider', 'url', 'either'])
      .optional()
      .describe('How it can be tested: by asking its provider, with an address that a person names, or either way'),
    testHost: z
      .string()
      .optional()
      .describe('The provider’s host, which a test without an address sends the secrets to'),
  })
  .meta({ id: 'CredentialType' })

export type Conditions = z.infer<typeof conditionsSchema>
export type GridColumn = z.infer<typeof gridColumnSchema>
export type ParamOption = z.infer<typeof paramOptionSchema>
export type InputParam = z.infer<typeof inputParamSchema>
export type ComponentDefinition = z.infer<typeof componentDefinitionSchema>
export type CredentialDefinition = z.infer<typeof credentialDefinitionSchema>
