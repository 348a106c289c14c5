import { Box, Code, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { JsonSchema } from '#contract/openapi.ts'
import { listFields, type SchemaField, typeText } from './schema.ts'

interface SchemaFieldsProps {
  schema: JsonSchema
  components: Record<string, JsonSchema>
}

/** The fields of an object. Nested objects expand. */
export function SchemaFields({ schema, components }: SchemaFieldsProps) {
  const fields = listFields(schema, components)
  if (fields.length === 0) return <Text textStyle="sm">{typeText(schema)}</Text>
  return (
    <Stack as="ul" gap="2" listStyleType="none" borderStartWidth="2px" ps="3">
      {fields.map((field) => (
        <Field key={field.name} field={field} components={components} />
      ))}
    </Stack>
  )
}

function Field({ field, components }: { field: SchemaField; components: Record<string, JsonSchema> }) {
  const [isOpen, setOpen] = useState(false)
  const inner = listFields(field.schema, components).length > 0
  return (
    <Box as="li" textStyle="sm">
      <Code>{field.name}</Code>{' '}
      <Text as="span" color="fg.muted" overflowWrap="anywhere">
        {field.type}
        {field.isRequired ? ', required' : ''}
      </Text>
      {field.description && <Text>{field.description}</Text>}
      {inner && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <Box as="summary" cursor="pointer" minH="6">
            Fields of {field.name}
          </Box>
          {isOpen && <SchemaFields schema={field.schema} components={components} />}
        </details>
      )}
    </Box>
  )
}
