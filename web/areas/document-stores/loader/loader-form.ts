/** The fields of the loader page, and the loader that they stand for. Pure. */
import type { DocumentLoader, SaveLoader } from '#contract/document-stores/loaders.ts'
import { defaultInputs } from '#contract/flow/document/create.ts'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import { isBlank } from '#contract/flow/params/blank.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { type Inputs, visibleParams } from '#contract/flow/params/params.ts'
import { type FormErrors, fieldErrors } from '../../../ui/forms/form-errors.ts'

export interface LoaderFields {
  name: string
  /** The loader's inputs and its credential. */
  config: Inputs
  /** Name of the splitter; empty: each page or record is one chunk. */
  splitter: string
  splitterConfig: Inputs
}

const USUAL_SPLITTER = 'recursiveCharacterTextSplitter'

export const SPLITTER_PARAM = 'splitter'

/** Returns the fields of a stored loader, or those that a new one starts with. */
export function toFields(
  definition: ComponentDefinition,
  splitters: readonly ComponentDefinition[],
  stored?: DocumentLoader,
): LoaderFields {
  const defaults = defaultInputs(definition.inputs)
  if (stored) {
    return {
      name: stored.loaderName,
      config: { ...defaults, ...stored.loaderConfig, ...(stored.credential && { [CREDENTIAL_ID]: stored.credential }) },
      splitter: stored.splitterId,
      splitterConfig: stored.splitterConfig,
    }
  }
  const splitter = splitters.find(({ name }) => name === USUAL_SPLITTER) ?? splitters[0]
  return {
    name: definition.label,
    config: defaults,
    splitter: splitter?.name ?? '',
    splitterConfig: splitter ? defaultInputs(splitter.inputs) : {},
  }
}

/** Returns the inputs of a loader, its credential first. */
export function paramsOf({ credential, inputs }: ComponentDefinition): InputParam[] {
  return credential ? [{ ...credential, name: CREDENTIAL_ID, type: 'credential' }, ...inputs] : inputs
}

/** Returns the choice of a splitter, which brings the splitter's inputs. */
export const splitterParam = (splitters: readonly ComponentDefinition[]): InputParam => ({
  label: 'Text splitter',
  name: SPLITTER_PARAM,
  type: 'options',
  description: 'Cuts long texts into chunks that a search can find one by one.',
  placeholder: 'Don’t split: one chunk for each page or record',
  optional: true,
  loadConfig: true,
  options: splitters.map(({ label, name, description }) => ({ label, name, description })),
})

/** Returns what is missing, by the name of its input. */
export function checkLoader(definition: ComponentDefinition, { name, config }: LoaderFields): FormErrors {
  const missing = visibleParams(paramsOf(definition), config).filter(
    (param) => !param.optional && param.type !== 'boolean' && isBlank(config[param.name] ?? param.default),
  )
  return fieldErrors({
    name: name.trim() === '' && 'Enter a name.',
    ...Object.fromEntries(missing.map((param) => [param.name, missingText(param)])),
  })
}

const missingText = ({ type, label }: InputParam) =>
  type === 'file' ? 'Add a file.' : type === 'credential' ? 'Choose a credential.' : `Fill in “${label}”.`

interface Target {
  storeId: string
  definition: ComponentDefinition
  splitters: readonly ComponentDefinition[]
  /** The loader to replace. */
  id?: string | undefined
}

/** Returns the body of the calls that preview and save a loader. */
export function buildRequest(
  { name, config, splitter, splitterConfig }: LoaderFields,
  { storeId, definition, splitters, id }: Target,
): SaveLoader {
  const { [CREDENTIAL_ID]: credential, ...loaderConfig } = config
  const { [SPLITTER_PARAM]: _, ...ofSplitter } = splitterConfig
  return {
    storeId,
    ...(id && { id }),
    loaderId: definition.name,
    loaderName: name.trim(),
    loaderConfig,
    splitterId: splitter,
    splitterName: splitters.find((each) => each.name === splitter)?.label ?? '',
    splitterConfig: splitter ? ofSplitter : {},
    ...(typeof credential === 'string' && credential !== '' && { credential }),
  }
}
