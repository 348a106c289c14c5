/** Content of a tool template, and the button that creates a tool from it. */
import { Box, Button, List, Text } from '@chakra-ui/react'
import { IconCopyPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { TemplateDetail } from '#contract/marketplaces/marketplaces.ts'
import { parseParameters } from '#contract/tools/parameters.ts'
import { DEFAULT_TOOL_COLOR } from '#contract/tools/tool-file.ts'
import { saveTool } from '../../api/tools.ts'
import { useCan } from '../../api/use-can.ts'
import { notify } from '../../state/notify.ts'
import { TextBlock } from '../../ui/TextBlock.tsx'

type Props = { template: TemplateDetail }

export function ToolPreview({ template: { schema, func } }: Props) {
  const parameters = parseParameters(schema)
  return (
    <Box as="section" aria-label="Preview">
      <Text fontWeight="medium">Parameters</Text>
      {parameters.length === 0 && <Text color="fg.muted">None</Text>}
      <List.Root ps="5" mb="4">
        {parameters.map(({ property, type, description, required }) => (
          <List.Item key={property}>
            {property} ({required ? type : `${type}, optional`}){description && `: ${description}`}
          </List.Item>
        ))}
      </List.Root>
      <Text fontWeight="medium">JavaScript function</Text>
      <TextBlock label="JavaScript function" text={func ?? ''} />
    </Box>
  )
}

export function UseToolButton({ template }: Props) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  if (!useCan()('tools:create')) return null
  const { templateName: name, description, iconSrc = null, schema = null, func = null } = template
  const use = async () => {
    setBusy(true)
    try {
      // Models read the description, so a tool has one.
      await saveTool({ name, description: description || name, color: DEFAULT_TOOL_COLOR, iconSrc, schema, func })
      notify.success(`Added the tool “${name}”`)
      await navigate({ to: '/tools' })
    } catch (error) {
      notify.error(`Couldn’t use the template: ${errorMessage(error)}`)
      setBusy(false)
    }
  }
  return (
    <Button colorPalette="accent" loading={busy} onClick={() => void use()}>
      <IconCopyPlus aria-hidden />
      Use template
    </Button>
  )
}
