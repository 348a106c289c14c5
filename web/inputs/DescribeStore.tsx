import { Button, Text } from '@chakra-ui/react'
import { IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { isRecord } from '#contract/data/json.ts'
import { errorMessage } from '#contract/errors.ts'
import { api } from '../api/client.ts'
import { asText, type FieldProps } from './types.ts'

interface Props extends Pick<FieldProps, 'values' | 'scope'> {
  onWritten(text: string): void
}

/** Lets the model of the form describe the chosen document store. */
export default function DescribeStore({ values, scope, onWritten }: Props) {
  const [writing, setWriting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [storeId = ''] = asText(values.documentStore).split(':')
  const model = asText(scope.inputs.agentModel)
  if (storeId === '' || model === '') return null
  const write = async () => {
    setWriting(true)
    setProblem(undefined)
    try {
      const config = scope.inputs.agentModelConfig
      const { content } = await api.post<{ content: string }>(
        `/document-store/generate-tool-desc/${encodeURIComponent(storeId)}`,
        { selectedChatModel: { name: model, inputs: isRecord(config) ? config : {} } },
      )
      onWritten(content)
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setWriting(false)
    }
  }
  return (
    <>
      <Button size="2xs" variant="outline" loading={writing} loadingText="Writing" onClick={write}>
        <IconWand size={14} aria-hidden /> Generate
      </Button>
      {problem && (
        <Text role="alert" fontSize="xs" color="fg.error" overflowWrap="anywhere">
          Couldn’t write the description: {problem}
        </Text>
      )}
    </>
  )
}
