import { Button, Flex, IconButton, Text } from '@chakra-ui/react'
import { IconFolder, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { countFiles, readFiles } from './file-value.ts'
import type { InputProps } from './types.ts'

/** All files of a folder, stored in the flow as JSON text of a list of data URIs with their names. */
export function FolderInput({ id, param, value, onChange }: InputProps) {
  const picker = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const count = countFiles(value)
  const read = (files: readonly File[]) => {
    setProblem(undefined)
    readFiles(files).then(onChange, (error) => setProblem(errorMessage(error)))
  }
  return (
    <>
      <Flex align="center" gap="2">
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          aria-label={`Folder for ${param.label}`}
          {...{ webkitdirectory: '' }}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            event.target.value = ''
            if (files.length > 0) read(files)
          }}
        />
        <Button id={id} size="sm" variant="outline" onClick={() => picker.current?.click()}>
          <IconFolder size={16} aria-hidden /> {count > 0 ? 'Replace' : 'Choose folder'}
        </Button>
        <Text fontSize="sm" truncate flex="1" color={count > 0 ? 'fg' : 'fg.muted'}>
          {count === 0 ? 'No folder' : count === 1 ? '1 file' : `${count} files`}
        </Text>
        {count > 0 && (
          <IconButton size="xs" variant="ghost" aria-label="Remove the files" onClick={() => onChange('')}>
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
