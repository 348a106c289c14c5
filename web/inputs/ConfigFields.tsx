import { Box, Stack } from '@chakra-ui/react'
import { useMemo } from 'react'
import { CREDENTIAL_ID } from '#contract/flow/document/serialize.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { type Inputs, isParam, visibleParams } from '#contract/flow/params/params.ts'
import { Collapsible } from '../ui/Collapsible.tsx'
import { type FieldProps, type GroupInputProps, InputEnvironmentProvider, useInputEnvironment } from './types.ts'

type ConfigFieldsProps = Omit<FieldProps, 'scope' | 'error'> & Pick<GroupInputProps, 'Field'>

/** The inputs of the chosen component, stored as `<param>Config`. */
export function ConfigFields({ prefix, param, values, onPatch, onDone, Field }: ConfigFieldsProps) {
  const world = useInputEnvironment()
  const definition = world.component(String(values[param.name]))
  const inner = useMemo(() => ({ ...world, owner: definition?.name ?? '' }), [world, definition])
  if (!definition) return null
  const key = `${param.name}Config`
  const config = asRecord(values[key])
  const params = configParams(definition)
  const scope = { params, inputs: config }
  const shown = visibleParams(params, config)
  if (shown.length === 0) return null
  const change = (patch: Inputs) => onPatch({ [key]: { ...config, ...patch, [param.name]: values[param.name] } })
  const fields = (params: readonly InputParam[]) =>
    params.map((each) => (
      <Field
        key={`${each.name}-${each.type}`}
        prefix={prefix}
        param={each}
        values={config}
        scope={scope}
        onPatch={change}
        onDone={onDone}
      />
    ))
  const more = shown.filter((each) => each.additionalParams)
  return (
    <Box
      role="group"
      aria-label={definition.label}
      borderLeftWidth="2px"
      borderColor="border.emphasized"
      pl="3"
      mt="3"
      ml="1"
    >
      <InputEnvironmentProvider value={inner}>
        <Stack gap="3">
          {fields(shown.filter((each) => !each.additionalParams))}
          {more.length > 0 && (
            <Collapsible title="More settings">
              <Stack gap="3" mt="3">
                {fields(more)}
              </Stack>
            </Collapsible>
          )}
        </Stack>
      </InputEnvironmentProvider>
    </Box>
  )
}

/** Returns a component's inputs with its credential first, without those that only chat flows connect. */
function configParams({ credential, inputs }: ComponentDefinition): InputParam[] {
  const own = inputs.filter(({ type }) => isParam(type))
  return credential ? [{ ...credential, name: CREDENTIAL_ID, type: 'credential' }, ...own] : own
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
