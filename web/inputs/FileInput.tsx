import { Button, Flex, IconButton, Text } from '@chakra-ui/react'
import { IconUpload, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { fileNameOf, readFile } from './file-value.ts'
import { asText, type InputProps } from './types.ts'

/** One file, kept in the flow as a data URI with its name, as files have it. */
export function FileInput({ id, param, value, onChange }: InputProps) {
  const picker = useRef<HTMLInputElement>(null)
  const name = fileNameOf(asText(value))
  return (
    <Flex align="center" gap="2">
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={`File for ${param.label}`}
        onChange={async (event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) onChange(await readFile(file))
        }}
      />
      <Button id={id} size="sm" variant="outline" onClick={() => picker.current?.click()}>
        <IconUpload size={16} aria-hidden /> {name ? 'Replace' : 'Choose a file'}
      </Button>
      <Text fontSize="sm" truncate flex="1" color={name ? 'fg' : 'fg.muted'}>
        {name ?? 'No file'}
      </Text>
      {name && (
        <IconButton size="xs" variant="ghost" aria-label={`Remove ${name}`} onClick={() => onChange('')}>
          <IconX size={16} />
        </IconButton>
      )}
    </Flex>
  )
}
