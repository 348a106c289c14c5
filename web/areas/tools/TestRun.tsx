import { Box, Button, Heading, Stack, Text } from '@chakra-ui/react'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { exampleArguments } from '#contract/tools/parameters.ts'
import { CodeInput } from '../../inputs/CodeInput.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { serverErrors } from '../../ui/forms/form-errors.ts'
import { TextBlock } from '../../ui/TextBlock.tsx'
import { testTool } from './queries.ts'
import { type ParameterRow, schemaOf } from './tool-form.ts'

const ARGUMENTS = { label: 'Test arguments', name: 'arguments', type: 'json' }
const NO_SCOPE = { params: [], inputs: {} }

interface Outcome {
  text: string
  failed: boolean
  logs: string[]
  milliseconds: number
}

/** Runs the function as it stands, with arguments that are filled in from the parameters. */
export function TestRun({ parameters, func }: { parameters: ParameterRow[]; func: string }) {
  const [typed, setTyped] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [running, setRunning] = useState(false)
  const example = JSON.stringify(exampleArguments(parameters.filter(({ property }) => property !== '')), null, 2)
  const text = typed ?? example
  const run = async () => {
    setRunning(true)
    setOutcome(await runTool({ parameters, func, text }))
    setRunning(false)
  }
  return (
    <Box as="section" aria-label="Test" borderWidth="1px" borderRadius="l3" p="4">
      <Heading as="h3" size="sm" mb="3">
        Test
      </Heading>
      <Stack gap="3">
        <CodeInput
          id="tool-arguments"
          param={ARGUMENTS}
          value={text}
          onChange={(value) => setTyped(String(value))}
          onDone={() => {}}
          scope={NO_SCOPE}
        />
        <Box>
          <Button variant="outline" loading={running} loadingText="Running" disabled={func.trim() === ''} onClick={run}>
            <IconPlayerPlay aria-hidden />
            Run
          </Button>
        </Box>
        <Box aria-live="polite">{outcome && <Result {...outcome} />}</Box>
      </Stack>
    </Box>
  )
}

function Result({ text, failed, logs, milliseconds }: Outcome) {
  return (
    <Stack gap="3">
      {failed ? <Notice kind="danger">{text}</Notice> : <TextBlock label="Result" text={text} />}
      {logs.length > 0 && (
        <Box>
          <Text fontSize="sm" fontWeight="medium">
            Console
          </Text>
          <TextBlock label="Console" text={logs.join('\n')} />
        </Box>
      )}
      <Text fontSize="xs" color="fg.muted">
        Took {milliseconds} ms, including the network.
      </Text>
    </Stack>
  )
}

async function runTool({ parameters, func, text }: { parameters: ParameterRow[]; func: string; text: string }) {
  const given = text.trim() === '' ? {} : tryParseJson(text)
  const started = performance.now()
  const done = (outcome: Omit<Outcome, 'milliseconds'>): Outcome => ({
    ...outcome,
    milliseconds: Math.round(performance.now() - started),
  })
  if (!isRecord(given)) return done({ text: 'The test arguments must be a JSON object.', failed: true, logs: [] })
  try {
    const { result, error, logs } = await testTool({ schema: schemaOf(parameters), func, arguments: given })
    if (error !== null) return done({ text: error, failed: true, logs })
    return done({ text: typeof result === 'string' ? result : JSON.stringify(result, null, 2), failed: false, logs })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return done({ text: serverErrors(error).summary ?? '', failed: true, logs: [] })
  }
}
