import { Button, Flex, IconButton, Text } from '@chakra-ui/react'
import { IconUpload, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { fileNameOf, readFile } from './file-value.ts'
import { asText, type InputProps } from './types.ts'

/** One file, kept in the flow as a data URI with its name, as files have it. */
export function FileInput({ id, param, value, onChange }: InputProps) {
  const picker = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const name = fileNameOf(asText(value))
  const read = (file: File) => {
    setProblem(undefined)
    readFile(file).then(onChange, (thrown) => setProblem(errorMessage(thrown)))
  }
  return (
    <>
      <Flex align="center" gap="2">
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={`File for ${param.label}`}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file) read(file)
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
      {problem && (
        <Text mt="1" fontSize="xs" color="fg.error" role="alert">
          {problem}
        </Text>
      )}
    </>
  )
}
