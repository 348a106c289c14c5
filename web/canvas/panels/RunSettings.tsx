import { Box, Field, Input, NativeSelect, Stack } from '@chakra-ui/react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { defaultPolicy, fitsPolicy, type RunPolicy, runPolicyOf } from '#contract/flow/params/run-policy.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { setPolicy } from '../store/commands.ts'
import { useCanvas } from '../store/context.ts'
import { endGesture } from '../store/store.ts'
import { errorTexts, joinTexts, numberTexts } from './policy-texts.ts'

/** Run settings of a step: join, timeout, retries and error handling. */
export function RunSettings({ node }: { node: FlowNode }) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state)
  const policy = runPolicyOf(node.data)
  const incoming = flow.edges.filter((edge) => edge.target === node.id).length
  const set = (change: Partial<RunPolicy>) => setPolicy(canvas, node.id, change)
  const isDefault = Object.entries(defaultPolicy).every(([key, value]) => policy[key as keyof RunPolicy] === value)
  return (
    <Box borderTopWidth="1px" pt="3">
      <Collapsible title="Execution" open={!isDefault}>
        <Stack gap="4" mt="3">
          {incoming > 1 && (
            <Choice
              label="Starts when"
              value={policy.join}
              options={joinTexts}
              help={`${incoming} connections lead here. Branches that did not run are ignored.`}
              onChange={(join) => set({ join })}
            />
          )}
          <NumberSetting
            label="Timeout (seconds)"
            name="timeoutSeconds"
            value={policy.timeoutSeconds}
            placeholder="None"
            help="Per attempt. Leave empty for no limit."
            onChange={(timeoutSeconds) => set({ timeoutSeconds })}
          />
          <NumberSetting
            label="Retries"
            name="retries"
            value={policy.retries}
            help="Attempts after the first one fails."
            onChange={(retries) => set({ retries: retries ?? 0 })}
          />
          {policy.retries > 0 && (
            <NumberSetting
              label="Wait before first retry (seconds)"
              name="retryWaitSeconds"
              value={policy.retryWaitSeconds}
              help="Doubles with each retry."
              onChange={(seconds) => set({ retryWaitSeconds: seconds ?? defaultPolicy.retryWaitSeconds })}
            />
          )}
          <Choice
            label="On failure"
            value={policy.onError}
            options={errorTexts}
            help={
              policy.onError === 'branch'
                ? 'Connect the red output to the steps that handle the error. The error is the output there.'
                : undefined
            }
            onChange={(onError) => set({ onError })}
          />
        </Stack>
      </Collapsible>
    </Box>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: Record<T, string>
  help: string | undefined
  onChange: (value: T) => void
}

function Choice<T extends string>({ label, value, options, help, onChange }: ChoiceProps<T>) {
  return (
    <Field.Root>
      <Field.Label>{label}</Field.Label>
      <NativeSelect.Root size="sm">
        <NativeSelect.Field value={value} onChange={(event) => onChange(event.target.value as T)}>
          {Object.entries<string>(options).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
      {help && <Field.HelperText>{help}</Field.HelperText>}
    </Field.Root>
  )
}

interface NumberSettingProps {
  label: string
  name: 'timeoutSeconds' | 'retries' | 'retryWaitSeconds'
  value: number | null
  placeholder?: string
  help: string
  /** Null: the field is empty. */
  onChange: (value: number | null) => void
}

/** Invalid text stays in the field with an error and is not applied. */
function NumberSetting({ label, name, value, placeholder, help, onChange }: NumberSettingProps) {
  const canvas = useCanvas()
  const [typed, setTyped] = useState<string>()
  const text = typed ?? (value === null ? '' : String(value))
  const isWrong = !fits(name, numberIn(text))
  const type = (next: string) => {
    setTyped(next)
    const number = numberIn(next)
    if (fits(name, number)) onChange(number)
  }
  return (
    <Field.Root invalid={isWrong}>
      <Field.Label>{label}</Field.Label>
      <Input
        size="sm"
        inputMode="decimal"
        value={text}
        placeholder={placeholder}
        onChange={(event) => type(event.target.value)}
        onBlur={() => {
          if (!isWrong) setTyped(undefined)
          endGesture(canvas)
        }}
      />
      {isWrong ? <Field.ErrorText>{numberTexts[name]}</Field.ErrorText> : <Field.HelperText>{help}</Field.HelperText>}
    </Field.Root>
  )
}

const numberIn = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const fits = (name: NumberSettingProps['name'], number: number | null): boolean =>
  number === null || fitsPolicy(name, number)
