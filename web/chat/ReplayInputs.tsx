import { Box, Field } from '@chakra-ui/react'
import { CodeInput } from '../inputs/CodeInput.tsx'
import { type Inputs, readInputs } from './replay-inputs.ts'

interface ReplayInputsProps {
  before: Inputs
  /** Undefined until the user changes something. */
  text: string | undefined
  onChange: (text: string) => void
}

/** A JSON editor for the inputs of a replayed step. */
export function ReplayInputs({ before, text, onChange }: ReplayInputsProps) {
  const read = text === undefined ? undefined : readInputs(text)
  const problem = read && 'problem' in read ? read.problem : undefined
  return (
    <Field.Root invalid={problem !== undefined}>
      <Field.Label htmlFor="replay-inputs">Step inputs</Field.Label>
      <Box w="full">
        <CodeInput
          id="replay-inputs"
          param={{ label: 'Step inputs', name: 'inputs', type: 'json' }}
          value={text ?? JSON.stringify(before, null, 2)}
          onChange={(value) => onChange(String(value))}
          onDone={() => {}}
          scope={{ params: [], inputs: {} }}
        />
      </Box>
      <Field.HelperText>
        Changed values are used exactly as written; references in {'{{ }}'} are not resolved. Unchanged values are
        resolved as usual.
      </Field.HelperText>
      <Field.ErrorText>{problem}</Field.ErrorText>
    </Field.Root>
  )
}
