import { Button, Flex, Text } from '@chakra-ui/react'
import { IconDownload, IconLayoutGridAdd, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import { parseParameters } from '#contract/tools/parameters.ts'
import type { ListedTool, Tool } from '#contract/tools/schemas.ts'
import { readToolFile, type ToolFile, toolFile } from '#contract/tools/tool-file.ts'
import { useCan } from '../../api/use-can.ts'
import { useIntent } from '../../state/intent.ts'
import { notify } from '../../state/notify.ts'
import { downloadJson } from '../../ui/download.ts'
import { FilePicker } from '../../ui/forms/FilePicker.tsx'
import { AssetPage } from '../../ui/lists/AssetPage.tsx'
import { NameButton } from '../../ui/lists/NameButton.tsx'
import { deleteUsedAsset } from '../../usages/delete-used-asset.ts'
import { UsedBy } from '../../usages/UsedBy.tsx'
import { deleteTool, toolsQuery } from './queries.ts'
import { ToolIcon } from './ToolIcon.tsx'
import { ToolTabs } from './ToolTabs.tsx'

const TemplateDialog = lazy(() => import('../../builder/templates/TemplateDialog.tsx'))
const ToolDialog = lazy(() => import('./ToolDialog.tsx'))

/** What the dialog edits: a stored tool, the content of a file, or a new tool. */
type Editing = { tool: Tool } | { file: ToolFile } | 'new'

/** The list of tools that the workspace wrote itself. */
export function ToolsPage() {
  const can = useCan()
  const [editing, setEditing] = useState<Editing>()
  const [template, setTemplate] = useState<Tool>()
  useIntent('tool', () => setEditing('new'))
  const edit = can('tools:update,tools:create') && ((tool: Tool) => setEditing({ tool }))
  const importFile = (file: File) =>
    void file
      .text()
      .then(readToolFile)
      .then(
        (content) => setEditing({ file: content }),
        (error: unknown) => notify.error(errorMessage(error)),
      )
  return (
    <AssetPage
      title="Tools"
      purpose="Functions that agents and Tool nodes of this workspace can call."
      noun="tools"
      below={<ToolTabs current="tools" />}
      query={useQuery(toolsQuery)}
      nameOf={({ name }) => name}
      textOf={({ name, description }) => `${name}\n${description}`}
      columns={[
        {
          header: 'Name',
          wide: true,
          cell: (tool) => (
            <Flex gap="3" align="center">
              <ToolIcon tool={tool} />
              <NameButton name={tool.name} onOpen={edit && (() => edit(tool))} />
            </Flex>
          ),
        },
        { header: 'Description', cell: ({ description }) => <Text lineClamp="2">{description}</Text> },
        { header: 'Parameters', cell: parameterNames, minor: true },
        {
          header: 'Used by',
          cell: ({ id, name, usageCount }: ListedTool) => (
            <UsedBy of={{ kind: 'tool', asset: id }} name={name} count={usageCount} />
          ),
          minor: true,
        },
      ]}
      create={can('tools:create') && { label: 'New tool', onClick: () => setEditing('new') }}
      links={can('tools:create') && <ImportButton onFile={importFile} />}
      onEdit={edit}
      onDelete={can('tools:delete') && confirmDelete}
      actionsOf={(tool) => [
        {
          label: 'Export',
          icon: IconDownload,
          onSelect: () => downloadJson(`${tool.name}-CustomTool.json`, toolFile(tool)),
        },
        ...(can('templates:create')
          ? [{ label: 'Save as template', icon: IconLayoutGridAdd, onSelect: () => setTemplate(tool) }]
          : []),
      ]}
      empty={{
        title: 'No tools yet',
        text: 'Write a function in JavaScript, describe it, and let your agents call it.',
      }}
    >
      {editing && (
        <Suspense>
          <ToolDialog {...(editing === 'new' ? {} : editing)} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
      {template && (
        <Suspense>
          <TemplateDialog of={{ tool: template }} onClose={() => setTemplate(undefined)} />
        </Suspense>
      )}
    </AssetPage>
  )
}

function ImportButton({ onFile }: { onFile(file: File): void }) {
  return (
    <FilePicker label="Tool file" accept=".json" onFile={onFile}>
      {(open) => (
        <Button variant="outline" onClick={open}>
          <IconUpload aria-hidden />
          Import
        </Button>
      )}
    </FilePicker>
  )
}

const parameterNames = ({ schema }: Tool) =>
  parseParameters(schema)
    .map(({ property }) => property)
    .join(', ') || 'None'

const confirmDelete = ({ id, name }: Tool) =>
  deleteUsedAsset({
    name,
    of: { kind: 'tool', asset: id },
    until: 'you choose another tool',
    note: 'This can’t be undone.',
    remove: () => deleteTool(id),
  })
