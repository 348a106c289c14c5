import { Stack } from '@chakra-ui/react'
import { useMemo } from 'react'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { visibleParams } from '#contract/flow/params/params.ts'
import { ParamForm } from '../../../inputs/ParamForm.tsx'
import { type InputEnvironment, InputEnvironmentProvider, type Patch } from '../../../inputs/types.ts'
import { Collapsible } from '../../../ui/Collapsible.tsx'
import { FilesField } from './FilesField.tsx'
import { type LoaderFields, paramsOf, SPLITTER_PARAM, splitterParam } from './loader-form.ts'
import { useSentFiles } from './use-sent-files.ts'

interface World {
  storeId: string
  definition: ComponentDefinition
  splitters: readonly ComponentDefinition[]
}

interface Props {
  world: World
  fields: LoaderFields
  /** Messages by parameter name. */
  errors: Readonly<Record<string, string>>
  onChange(patch: (now: LoaderFields) => LoaderFields): void
}

/** The inputs of a loader: files first, then what it needs, the splitter, and what it may be told besides. */
export function LoaderInputs({ world: { storeId, definition, splitters }, fields, errors, onChange }: Props) {
  const environment = useEnvironment(definition, splitters)
  const params = paramsOf(definition)
  const splitter = useMemo(() => [splitterParam(splitters)], [splitters])
  const shown = visibleParams(params, fields.config)
  const files = shown.filter(({ type }) => type === 'file')
  const rest = shown.filter(({ type }) => type !== 'file')
  const patchConfig = (patch: Patch) => onChange((now) => ({ ...now, config: { ...now.config, ...patch } }))
  const form = { values: fields.config, onPatch: patchConfig, errors }
  const more = rest.filter(({ additionalParams }) => additionalParams)
  return (
    <InputEnvironmentProvider value={environment}>
      <Stack gap="5">
        {files.map((param) => (
          <StoredFilesField key={param.name} {...{ storeId, param, fields, onChange }} error={errors[param.name]} />
        ))}
        <ParamForm prefix="loader" params={rest.filter(({ additionalParams }) => !additionalParams)} {...form} />
        <ParamForm
          prefix="splitting"
          params={splitter}
          values={{ [SPLITTER_PARAM]: fields.splitter, [`${SPLITTER_PARAM}Config`]: fields.splitterConfig }}
          onPatch={(patch) => onChange((now) => ({ ...now, ...splitterOf(now, patch) }))}
        />
        {more.length > 0 && (
          <Collapsible title="More settings" open={more.some(({ name }) => errors[name])}>
            <Stack mt="3">
              <ParamForm prefix="loader" params={more} {...form} />
            </Stack>
          </Collapsible>
        )}
      </Stack>
    </InputEnvironmentProvider>
  )
}

function splitterOf({ splitter, splitterConfig }: LoaderFields, patch: Patch) {
  const config = patch[`${SPLITTER_PARAM}Config`]
  return {
    splitter: SPLITTER_PARAM in patch ? String(patch[SPLITTER_PARAM] ?? '') : splitter,
    splitterConfig: typeof config === 'object' && config !== null ? (config as Patch) : splitterConfig,
  }
}

interface FilesProps extends Omit<Props, 'world' | 'errors'> {
  storeId: string
  param: InputParam
  error: string | undefined
}

function StoredFilesField({ storeId, param, fields, error, onChange }: FilesProps) {
  const files = useSentFiles({
    storeId,
    value: fields.config[param.name],
    onChange: (change) =>
      onChange((now) => ({ ...now, config: { ...now.config, [param.name]: change(now.config[param.name]) } })),
  })
  return <FilesField param={param} files={files} error={error} />
}

function useEnvironment(definition: ComponentDefinition, splitters: readonly ComponentDefinition[]): InputEnvironment {
  return useMemo(() => {
    const names = new Map()
    return {
      owner: definition.name,
      flowId: undefined,
      node: () => undefined,
      previousNodes: () => [],
      component: (name) => splitters.find((each) => each.name === name),
      knownOptions: () => undefined,
      nodeNames: () => names,
      suggestions: () => [],
    }
  }, [definition, splitters])
}
