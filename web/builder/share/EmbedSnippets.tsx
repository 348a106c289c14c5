import { Stack, Text } from '@chakra-ui/react'
import { apiBase, uiBase } from '../../api/client.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { CopyBlock } from '../../ui/CopyField.tsx'
import { flowiseSnippet, widgetSnippet } from './samples.ts'

interface Props {
  flowId: string
  isOpen: boolean
  /** The look, as Flowise's widget is told it. */
  theme: object
}

/** Code that puts the chat into a page of another site. */
export function EmbedSnippets({ flowId, isOpen, theme }: Props) {
  return (
    <Stack as="section" aria-label="Embed" gap="3">
      <Text fontWeight="semibold">Embed</Text>
      <Text textStyle="sm" color="fg.muted">
        {isOpen
          ? 'Add this to your page, before </body>.'
          : 'Works when “Certain sites” or “Everyone” may call this flow.'}
      </Text>
      <CopyBlock label="Widget code" value={widgetSnippet(uiBase(), flowId)} />
      <Collapsible title="With Flowise’s widget">
        <CopyBlock label="flowise-embed code" value={flowiseSnippet(apiBase(), flowId, theme)} />
      </Collapsible>
    </Stack>
  )
}
