import { Box, Button, Code, Flex, IconButton, Stack, Text } from '@chakra-ui/react'
import { IconCheck, IconCopy, IconPlus, IconTextPlus } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { copyText } from '../../../../ui/CopyField.tsx'
import { setInputs } from '../../../store/commands.ts'
import { useCanvas } from '../../../store/context.ts'
import { announce } from '../../../store/store.ts'
import { expecting, isExpected, type Part, type RequestField } from './request-fields.ts'

const PARTS: Record<Part, string> = { body: 'Body', query: 'Query', headers: 'Headers' }

interface FieldListProps {
  nodeId: string
  fields: readonly RequestField[]
}

/** The fields of a captured request, to expect and to reference. */
export function FieldList({ nodeId, fields }: FieldListProps) {
  if (fields.length === 0) {
    return (
      <Text textStyle="sm" color="fg.muted">
        The request has no fields.
      </Text>
    )
  }
  return (
    <Stack gap="3">
      <Text textStyle="xs" color="fg.muted">
        Choose the fields that the flow needs. Every request is then expected to have them, and you can insert them by
        typing {'{{'}.
      </Text>
      {(Object.keys(PARTS) as Part[]).map((part) => (
        <FieldsOfPart key={part} nodeId={nodeId} part={part} fields={fields.filter((field) => field.part === part)} />
      ))}
    </Stack>
  )
}

function FieldsOfPart({ nodeId, part, fields }: FieldListProps & { part: Part }) {
  if (fields.length === 0) return null
  return (
    <Box>
      <Text textStyle="xs" fontWeight="semibold" mb="1" id={`fields-${part}`}>
        {PARTS[part]}
      </Text>
      <Stack as="ul" listStyleType="none" gap="1" aria-labelledby={`fields-${part}`}>
        {fields.map((field) => (
          <Field key={field.reference} nodeId={nodeId} field={field} />
        ))}
      </Stack>
    </Box>
  )
}

function Field({ nodeId, field }: { nodeId: string; field: RequestField }) {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state)
  const inputs = flow.nodes.find((node) => node.id === nodeId)?.data.inputs ?? {}
  const { name, sample, reference, canBeExpected } = field
  const isTaken = isExpected(inputs, field)
  const braces = `{{ ${reference} }}`
  const take = () => {
    setInputs(canvas, nodeId, { patch: expecting(inputs, field) })
    announce(canvas, `${name} is expected in each request`)
  }
  const insert = () => {
    const text = typeof inputs.webhookDefaultInput === 'string' ? inputs.webhookDefaultInput : ''
    setInputs(canvas, nodeId, { patch: { webhookDefaultInput: text === '' ? braces : `${text} ${braces}` } })
    announce(canvas, `Added ${name} to the message`)
  }
  return (
    <Box as="li" borderWidth="1px" borderRadius="l2" px="2" py="1.5">
      <Flex align="center" gap="2">
        <Box flex="1" minW="0">
          <Text textStyle="sm" fontWeight="medium" truncate>
            {name}
          </Text>
          <Text textStyle="xs" color="fg.muted" truncate>
            {sample}
          </Text>
        </Box>
        {canBeExpected && (
          <Button
            size="xs"
            variant={isTaken ? 'ghost' : 'outline'}
            aria-label={isTaken ? `${name} is expected` : `Expect ${name}`}
            disabled={isTaken}
            onClick={take}
          >
            {isTaken ? <IconCheck aria-hidden /> : <IconPlus aria-hidden />}
            {isTaken ? 'Expected' : 'Expect'}
          </Button>
        )}
      </Flex>
      {(isTaken || !canBeExpected) && (
        <Flex align="center" gap="1" mt="1">
          <Code flex="1" minW="0" size="sm" truncate>
            {braces}
          </Code>
          {(inputs.webhookInputMode ?? 'text') === 'text' && (
            <IconButton
              size="2xs"
              variant="ghost"
              aria-label={`Insert ${name} into the message`}
              title="Insert into the message"
              onClick={insert}
            >
              <IconTextPlus aria-hidden />
            </IconButton>
          )}
          <IconButton
            size="2xs"
            variant="ghost"
            aria-label={`Copy the reference to ${name}`}
            title="Copy"
            onClick={() => void copyText(braces, 'Reference')}
          >
            <IconCopy aria-hidden />
          </IconButton>
        </Flex>
      )}
    </Box>
  )
}
