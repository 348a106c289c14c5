import { Box, chakra, Field, Input, NativeSelect, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowNode } from '#contract/flow/document.ts'
import { defaultPolicy, type RunPolicy, runPolicyOf, runPolicySchema } from '#contract/flow/policy.ts'
import { endGesture } from './canvas.ts'
import { setPolicy } from './commands.ts'
import { useCanvas } from './context.ts'

/** How a node runs, whatever it does: when it starts, how long it may take, and what follows when it fails. */
export function RunSettings({ node }: { node: FlowNode }) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state)
  const policy = runPolicyOf(node.data)
  const incoming = flow.edges.filter((edge) => edge.target === node.id).length
  const set = (change: Partial<RunPolicy>) => setPolicy(canvas, node.id, change)
  const isDefault = Object.entries(defaultPolicy).every(([key, value]) => policy[key as keyof RunPolicy] === value)
  return (
    <chakra.details open={!isDefault} borderTopWidth="1px" pt="3">
      <chakra.summary cursor="pointer" minH="6" fontSize="sm" fontWeight="semibold">
        How it runs
      </chakra.summary>
      <Stack gap="4" mt="3">
        {incoming > 1 && (
          <Choice
            label="Starts when"
            value={policy.join}
            options={{ all: 'All branches that still come have arrived', any: 'The first branch arrives' }}
            help={`${incoming} connections lead here. Branches that were not taken are not waited for.`}
            onChange={(join) => set({ join })}
          />
        )}
        <NumberSetting
          label="Time-out in seconds"
          name="timeoutSeconds"
          value={policy.timeoutSeconds}
          placeholder="None"
          help="Of one attempt. Empty: it may take as long as the run."
          onChange={(timeoutSeconds) => set({ timeoutSeconds })}
        />
        <NumberSetting
          label="Retries"
          name="retries"
          value={policy.retries}
          help="How often it is tried again after it failed."
          onChange={(retries) => set({ retries: retries ?? 0 })}
        />
        {policy.retries > 0 && (
          <NumberSetting
            label="Wait before a retry, in seconds"
            name="retryWaitSeconds"
            value={policy.retryWaitSeconds}
            help="Doubles with each further retry."
            onChange={(seconds) => set({ retryWaitSeconds: seconds ?? defaultPolicy.retryWaitSeconds })}
          />
        )}
        <Choice
          label="When it fails"
          value={policy.onError}
          options={{ stop: 'Stop the run', branch: 'Go on at the error output' }}
          help={
            policy.onError === 'branch'
              ? 'Connect the red output to what is to be done then. The error is this node’s output there.'
              : undefined
          }
          onChange={(onError) => set({ onError })}
        />
      </Stack>
    </chakra.details>
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

/** What cannot be used stays in the field with the reason, and is not set. */
function NumberSetting({ label, name, value, placeholder, help, onChange }: NumberSettingProps) {
  const canvas = useCanvas()
  const [typed, setTyped] = useState<string>()
  const text = typed ?? (value === null ? '' : String(value))
  const number = text.trim() === '' ? null : Number(text)
  const problem = number === null ? undefined : runPolicySchema.shape[name].safeParse(number).error?.issues[0]?.message
  const type = (next: string) => {
    setTyped(next)
    const asked = next.trim() === '' ? null : Number(next)
    if (asked === null || runPolicySchema.shape[name].safeParse(asked).success) onChange(asked)
  }
  return (
    <Field.Root invalid={problem !== undefined}>
      <Field.Label>{label}</Field.Label>
      <Input
        size="sm"
        inputMode="decimal"
        value={text}
        placeholder={placeholder}
        onChange={(event) => type(event.target.value)}
        onBlur={() => {
          if (problem === undefined) setTyped(undefined)
          endGesture(canvas)
        }}
      />
      <Box as="span">
        {problem === undefined ? <Field.HelperText>{help}</Field.HelperText> : <Text color="fg.error">{problem}</Text>}
      </Box>
    </Field.Root>
  )
}
