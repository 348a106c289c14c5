import { Box, Field } from '@chakra-ui/react'
import { CodeInput } from '../inputs/CodeInput.tsx'
import { type Inputs, readInputs } from './replay-inputs.ts'

interface ReplayInputsProps {
  before: Inputs
  /** Undefined until a person changed something. */
  text: string | undefined
  onChange: (text: string) => void
}

/** The inputs of a step that is run again, as JSON to edit. */
export function ReplayInputs({ before, text, onChange }: ReplayInputsProps) {
  const read = text === undefined ? undefined : readInputs(text)
  const problem = read && 'problem' in read ? read.problem : undefined
  return (
    <Field.Root invalid={problem !== undefined}>
      <Field.Label htmlFor="replay-inputs">Inputs of this step</Field.Label>
      <Box w="full">
        <CodeInput
          id="replay-inputs"
          param={{ label: 'Inputs of this step', name: 'inputs', type: 'json' }}
          value={text ?? JSON.stringify(before, null, 2)}
          onChange={(value) => onChange(String(value))}
          onDone={() => {}}
          scope={{ params: [], inputs: {} }}
        />
      </Box>
      <Field.HelperText>
        Change any value. A changed value goes in exactly as it stands here, so references in {'{{ }}'} are not filled
        in; values that you leave are resolved as always.
      </Field.HelperText>
      <Field.ErrorText>{problem}</Field.ErrorText>
    </Field.Root>
  )
}
