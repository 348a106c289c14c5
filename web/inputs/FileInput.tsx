import { Button, Flex, IconButton, Text } from '@chakra-ui/react'
import { IconUpload, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { FilePicker } from '../ui/forms/FilePicker.tsx'
import { fileNameOf, readFile } from './file-value.ts'
import { asText, type InputProps } from './types.ts'

/** A file, stored in the flow as a data URI with its name. */
export function FileInput({ id, param, value, onChange }: InputProps) {
  const [problem, setProblem] = useState<string>()
  const name = fileNameOf(asText(value))
  const read = (file: File) => {
    setProblem(undefined)
    readFile(file).then(onChange, (error) => setProblem(errorMessage(error)))
  }
  return (
    <>
      <Flex align="center" gap="2">
        <FilePicker label={`File for ${param.label}`} onFile={read}>
          {(open) => (
            <Button id={id} size="sm" variant="outline" onClick={open}>
              <IconUpload size={16} aria-hidden /> {name ? 'Replace' : 'Choose file'}
            </Button>
          )}
        </FilePicker>
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
