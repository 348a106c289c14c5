import { Badge, Box, Code, chakra, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { type ReactNode, useState } from 'react'
import type { DescribedResponse, JsonSchema, Parameter } from '#contract/openapi.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { CopyBlock } from '../../ui/CopyField.tsx'
import { type ApiCall, accessOf, buildCurl } from './calls.ts'
import { SchemaFields } from './SchemaFields.tsx'
import { typeText } from './schema.ts'

interface CallCardProps {
  call: ApiCall
  components: Record<string, JsonSchema>
  server: string
  isSelected: boolean
  onSelect: () => void
}

const METHOD_COLORS: Record<string, string> = { GET: 'accent', DELETE: 'danger', POST: 'success' }

/** An endpoint that expands to its details. */
export function CallCard({ call, components, server, isSelected, onSelect }: CallCardProps) {
  const [isOpen, setOpen] = useState(isSelected)
  return (
    <chakra.details
      id={call.operationId}
      open={isOpen}
      scrollMarginTop="4"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.panel"
      onToggle={(event) => {
        setOpen(event.currentTarget.open)
        if (event.currentTarget.open) onSelect()
      }}
    >
      <chakra.summary cursor="pointer" p="3" display="flex" gap="3" alignItems="center" flexWrap="wrap">
        <Badge colorPalette={METHOD_COLORS[call.method] ?? 'warning'} minW="16" justifyContent="center">
          {call.method}
        </Badge>
        <Code bg="transparent" overflowWrap="anywhere">
          {call.path}
        </Code>
        <Text color="fg.muted" textStyle="sm">
          {call.summary}
        </Text>
      </chakra.summary>
      {isOpen && <CallDetails call={call} components={components} server={server} />}
    </chakra.details>
  )
}

function CallDetails({ call, components, server }: Pick<CallCardProps, 'call' | 'components' | 'server'>) {
  const body = call.requestBody?.content['application/json']
  return (
    <Stack gap="5" p="4" borderTopWidth="1px">
      {call.description && <Text>{call.description}</Text>}
      <Part title="Authorization">
        <Text textStyle="sm">{accessOf(call)}</Text>
        <Flex gap="2" wrap="wrap">
          {call['x-permission']?.map((permission) => (
            <Code key={permission}>{permission}</Code>
          ))}
        </Flex>
      </Part>
      {call.parameters.length > 0 && (
        <Part title="Parameters">
          <Parameters parameters={call.parameters} />
        </Part>
      )}
      {body?.schema && (
        <Part title="Body">
          <SchemaFields schema={body.schema} components={components} />
        </Part>
      )}
      <Part title="Responses">
        {Object.entries(call.responses).map(([status, response]) => (
          <Response key={status} status={status} response={response} components={components} />
        ))}
      </Part>
      <Part title="Try it from a terminal">
        <CopyBlock label={`Command for ${call.method} ${call.path}`} value={buildCurl(call, server)} />
      </Part>
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="2">
      <Heading as="h3" size="sm">
        {title}
      </Heading>
      {children}
    </Stack>
  )
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <Stack as="ul" gap="1" listStyleType="none">
      {parameters.map(({ name, in: place, required, description, schema }) => (
        <Box as="li" key={`${place} ${name}`} textStyle="sm">
          <Code>{name}</Code>{' '}
          <Text as="span" color="fg.muted">
            {typeText(schema)}, in the {place}
            {required ? ', required' : ''}
          </Text>
          {description && <Text>{description}</Text>}
        </Box>
      ))}
    </Stack>
  )
}

interface ResponseProps {
  status: string
  response: DescribedResponse
  components: Record<string, JsonSchema>
}

function Response({ status, response, components }: ResponseProps) {
  const media = Object.entries(response.content ?? {})
  const json = response.content?.['application/json']
  const types = media.map(([type]) => type).filter((type) => type !== 'application/json')
  return (
    <Box textStyle="sm">
      <Flex gap="2" wrap="wrap" align="baseline">
        <Badge colorPalette={Number(status) < 400 ? 'success' : 'gray'}>{status}</Badge>
        <Text>{response.description}</Text>
        {types.map((type) => (
          <Code key={type}>{type}</Code>
        ))}
      </Flex>
      {Number(status) < 400 && json?.schema && (
        <Stack gap="2" mt="2" ms="2">
          <Collapsible title={`Fields of ${typeText(json.schema)}`}>
            <SchemaFields schema={json.schema} components={components} />
          </Collapsible>
          <Collapsible title="Example">
            <CopyBlock label={`Example of ${status}`} value={JSON.stringify(json.example, null, 2)} />
          </Collapsible>
        </Stack>
      )}
    </Box>
  )
}
