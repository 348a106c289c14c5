import { Box, Button, Dialog, Flex, Portal, Text } from '@chakra-ui/react'
import { IconArrowsMaximize, IconBraces } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { type CodeLanguage, checkCode, formatJson } from './code-check.ts'
import { asText, type InputProps, useInputEnvironment } from './types.ts'

const CodeEditor = lazy(() => import('./CodeEditor.tsx'))

/** A code or JSON editor, loaded on first use. */
export function CodeInput({ id, param, value, onChange, onDone }: InputProps) {
  const [expanded, setExpanded] = useState(false)
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : asText(value)
  const language: CodeLanguage =
    param.type === 'json' || param.codeLanguage === 'json' ? 'json' : param.codeLanguage ? 'plain' : 'javascript'
  const names = useInputEnvironment().nodeNames()
  const problem = useMemo(() => checkCode(text, language), [text, language])
  const editor = (height: string) => (
    <Suspense fallback={<Box height={height} bg="bg.muted" rounded="md" />}>
      <CodeEditor
        id={id}
        label={param.label}
        language={language}
        value={text}
        placeholder={param.placeholder ?? param.codeExample ?? ''}
        errorLine={problem?.line}
        height={height}
        names={param.acceptVariable ? names : undefined}
        onChange={onChange}
        onDone={onDone}
      />
    </Suspense>
  )
  const problemText = problem && (
    <Text fontSize="xs" color="fg.error" role="status">
      Line {problem.line}, column {problem.column}: {problem.message}
    </Text>
  )
  const format = () => onChange(formatJson(text))
  return (
    <Box>
      {!expanded && editor('180px')}
      {!expanded && problemText}
      <Flex gap="1" mt="1">
        {language === 'json' && (
          <Button size="2xs" variant="ghost" disabled={problem !== null || text === ''} onClick={format}>
            <IconBraces size={14} /> Format
          </Button>
        )}
        <Button size="2xs" variant="ghost" onClick={() => setExpanded(true)}>
          <IconArrowsMaximize size={14} /> Expand
        </Button>
      </Flex>
      <Dialog.Root size="full" open={expanded} onOpenChange={({ open }) => setExpanded(open)} lazyMount unmountOnExit>
        <Portal>
          <Dialog.Positioner>
            <Dialog.Content>
              <Dialog.Header>
                <Dialog.Title>{param.label}</Dialog.Title>
              </Dialog.Header>
              <Dialog.Body>
                {editor('calc(100vh - 170px)')}
                {problemText}
              </Dialog.Body>
              <Dialog.Footer>
                <Dialog.ActionTrigger asChild>
                  <Button>Done</Button>
                </Dialog.ActionTrigger>
              </Dialog.Footer>
            </Dialog.Content>
          </Dialog.Positioner>
        </Portal>
      </Dialog.Root>
    </Box>
  )
}
