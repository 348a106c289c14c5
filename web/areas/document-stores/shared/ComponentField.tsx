import { Box, NativeSelect } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { componentsByName } from '#contract/flow/params/params.ts'
import { componentsQuery } from '../../../api/components.ts'
import { ConfigFields } from '../../../inputs/ConfigFields.tsx'
import { ParamField } from '../../../inputs/ParamField.tsx'
import { type InputEnvironment, InputEnvironmentProvider, type Patch } from '../../../inputs/types.ts'
import { Field } from '../../../ui/forms/Form.tsx'
import { type ComponentChoice, toChoice } from './component-choice.ts'

interface Props {
  /** The DOM id starts with it; unlike any other of the page. */
  name: string
  label: string
  help?: ReactNode
  error?: string | undefined
  /** Undefined while they load. */
  definitions: readonly ComponentDefinition[] | undefined
  choice: ComponentChoice | null
  /** Label of the empty choice. */
  none: string
  onChange(choice: ComponentChoice | null): void
}

/** Chooses a component and shows its inputs, as the inspector of a node does. */
export function ComponentField({ name, label, help, error, definitions = [], choice, none, onChange }: Props) {
  const known = definitions.find((each) => each.name === choice?.name)
  // The models and tools that a component chooses from, with their own inputs.
  const { data: others } = useQuery({ ...componentsQuery, enabled: known?.inputs.some(hasConfig) ?? false })
  const world = useMemo(() => createEnvironment([...definitions, ...(others ?? [])]), [definitions, others])
  const choose = (value: string) => {
    const definition = definitions.find((each) => each.name === value)
    onChange(definition ? toChoice(definition) : null)
  }
  const patch = (change: Patch) => {
    const { [name]: _, ...config } = change[`${name}Config`] as Record<string, unknown>
    if (choice) onChange({ name: choice.name, config })
  }
  return (
    <Box>
      <Field label={label} help={help} error={error}>
        <NativeSelect.Root>
          <NativeSelect.Field value={choice?.name ?? ''} onChange={(event) => choose(event.target.value)}>
            <option value="">{none}</option>
            {choice && !known && <option value={choice.name}>{choice.name}</option>}
            {definitions.map((each) => (
              <option key={each.name} value={each.name}>
                {each.label}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {choice && (
        <InputEnvironmentProvider value={world}>
          <ConfigFields
            prefix={`store-${name}`}
            param={{ label, name, type: 'options' }}
            values={{ [name]: choice.name, [`${name}Config`]: choice.config }}
            onPatch={patch}
            onDone={() => {}}
            Field={ParamField}
          />
        </InputEnvironmentProvider>
      )}
    </Box>
  )
}

const hasConfig = ({ loadConfig }: InputParam) => loadConfig ?? false

function createEnvironment(definitions: readonly ComponentDefinition[]): InputEnvironment {
  const byName = componentsByName(definitions)
  return {
    owner: '',
    flowId: undefined,
    node: () => undefined,
    previousNodes: () => [],
    component: (name) => byName.get(name),
    knownOptions: () => undefined,
    nodeNames: () => new Map(),
    suggestions: () => [],
  }
}
