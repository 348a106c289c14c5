import { Box, Field, Flex, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { defaultInputs } from '#contract/flow/document/create.ts'
import type { ComponentDefinition, InputParam } from '#contract/flow/params/definition.ts'
import { ConfigFields } from './ConfigFields.tsx'
import { inputFor } from './index.ts'
import { type FieldProps, type Patch, useInputEnvironment } from './types.ts'

const DescribeStore = lazy(() => import('./DescribeStore.tsx'))

/** Types without a single field for the label to reference. */
const GROUPS = new Set([
  'array',
  'multiOptions',
  'asyncMultiOptions',
  'code',
  'json',
  'weekDaysPicker',
  'monthDaysPicker',
  'datagrid',
  'tabs',
  'conditionFunction',
])

/** An input with its label, help text and error. */
export function ParamField({ prefix, param, values, scope, onPatch, onDone, error }: FieldProps) {
  const id = `${prefix}-${param.name}`
  const world = useInputEnvironment()
  const Control = inputFor(param.type)
  const value = values[param.name]
  const inline = param.type === 'boolean'
  const isGroup = GROUPS.has(param.type)
  const label = (
    <Text
      id={`${id}-label`}
      as={isGroup ? 'span' : 'label'}
      {...(isGroup ? {} : { htmlFor: id })}
      // An editor of rich text is no form control, which a label would focus by itself.
      {...(param.acceptVariable && !isGroup && { onClick: () => document.getElementById(id)?.focus() })}
      fontSize="sm"
      fontWeight="medium"
    >
      {param.label}
      {!param.optional && !inline && (
        <Text as="span" color="fg.error" aria-hidden>
          {' *'}
        </Text>
      )}
    </Text>
  )
  const control = (
    <Control
      id={id}
      param={param}
      value={value ?? param.default}
      scope={scope}
      Field={ParamField}
      onPatch={onPatch}
      onDone={onDone}
      onChange={(next, move) =>
        onPatch({ [param.name]: next, ...freshConfig(param, world.component(String(next))) }, move)
      }
    />
  )
  return (
    <Box data-param={param.name}>
      <Field.Root invalid={error !== undefined}>
        {inline ? (
          <Flex align="center" justify="space-between" width="full" gap="3">
            {label}
            {control}
          </Flex>
        ) : (
          <>
            {label}
            <Box width="full">{control}</Box>
            {param.generateDocStoreDescription && (
              <Suspense>
                <DescribeStore values={values} scope={scope} onWritten={(text) => onPatch({ [param.name]: text })} />
              </Suspense>
            )}
          </>
        )}
        {error && <Field.ErrorText>{error}</Field.ErrorText>}
        {param.description && (
          <Text fontSize="xs" color="fg.muted">
            {param.description}
          </Text>
        )}
        {param.warning && (
          <Text fontSize="xs" color="fg.warning">
            {param.warning}
          </Text>
        )}
      </Field.Root>
      {param.loadConfig && typeof value === 'string' && value !== '' && (
        <ConfigFields prefix={id} param={param} values={values} onPatch={onPatch} onDone={onDone} Field={ParamField} />
      )}
    </Box>
  )
}

/** Returns the default configuration of a newly chosen component. */
function freshConfig(param: InputParam, chosen: ComponentDefinition | undefined): Patch {
  if (!param.loadConfig) return {}
  const config = chosen && { ...defaultInputs(chosen.inputs), [param.name]: chosen.name }
  return { [`${param.name}Config`]: config }
}
