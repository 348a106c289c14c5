import { Stack } from '@chakra-ui/react'
import { Fragment, type ReactNode } from 'react'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { type Inputs, offeredParams, visibleParams } from '#contract/flow/params/params.ts'
import { ParamField } from './ParamField.tsx'
import type { ArrayMove, Patch } from './types.ts'

interface ParamFormProps {
  prefix: string
  params: readonly InputParam[]
  values: Inputs
  onPatch: (patch: Patch, move?: ArrayMove) => void
  /** Called when a field loses focus. */
  onDone?: () => void
  /** Messages by parameter name. */
  errors?: Readonly<Record<string, string>>
  /** Content below one of the parameters. */
  below?: { param: string; content: ReactNode }
}

/** A form of all parameters that are visible for the values. */
export function ParamForm({ prefix, params, values, onPatch, onDone = () => {}, errors = {}, below }: ParamFormProps) {
  return (
    <Stack gap="4">
      {offeredParams(visibleParams(params, values), values).map((param) => (
        <Fragment key={`${param.name}-${param.type}`}>
          <ParamField
            prefix={prefix}
            param={param}
            values={values}
            scope={{ params, inputs: values }}
            onPatch={onPatch}
            onDone={onDone}
            {...(errors[param.name] === undefined ? {} : { error: errors[param.name] as string })}
          />
          {below?.param === param.name && below.content}
        </Fragment>
      ))}
    </Stack>
  )
}
