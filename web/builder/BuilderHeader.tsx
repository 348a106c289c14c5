import { Badge, Button, Flex, Heading, IconButton, Input, Text, VisuallyHidden } from '@chakra-ui/react'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconChecklist,
  IconDatabaseImport,
  IconMessageCircle,
  IconShare,
  IconUpload,
  IconWand,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { flowListLink } from '../api/flow-link.ts'
import type { EditorControls } from '../canvas/Editor.tsx'
import type { CanvasKind } from '../canvas/kinds/types.ts'
import { useCanvasValue } from '../canvas/store/hooks.ts'
import { type Canvas, isDirty, redo, undo } from '../canvas/store/store.ts'
import { BuilderMenu } from './BuilderMenu.tsx'
import type { CanvasDialog } from './canvas-dialog.ts'
import type { Draft } from './draft.ts'
import { SaveButton } from './SaveButton.tsx'
import { useCanEdit, viewOnlyText } from './use-can-edit.ts'
import { useMayUpsert } from './use-may-upsert.ts'
import { VersionStatus } from './VersionStatus.tsx'

export interface BuilderHeaderProps {
  draft: Draft
  controls: EditorControls
  chatOpen: boolean
  onSave: () => void
  onSaveWithNote: () => void
  onChat: () => void
  onPublish: () => void
  onOpen: (dialog: CanvasDialog) => void
}

/** Name, undo, checklist, save, publish, chat, and a menu. */
export function BuilderHeader(props: BuilderHeaderProps) {
  const { draft, controls, chatOpen, onSave, onSaveWithNote, onChat, onPublish, onOpen } = props
  const { canvas } = draft
  const { id, name, savedName, saving } = useSnapshot(draft.state, { sync: true })
  const changed = useCanvasValue(canvas, isDirty)
  const dirty = changed || name !== savedName
  const mayDescribe = canvas.kind.flow.generator !== null
  const mayEdit = useCanEdit(canvas.kind)
  return (
    <Flex as="header" align="center" gap="1" px="2" height="56px" flex="none" borderBottomWidth="1px" bg="bg.panel">
      <VisuallyHidden>
        <Heading as="h1">
          {canvas.kind.flow.label}: {name}
        </Heading>
      </VisuallyHidden>
      <ListLink kind={canvas.kind} />
      <NameField draft={draft} readOnly={!mayEdit} />
      <Text fontSize="xs" color="fg.muted" hideBelow="md" minWidth="56px">
        {id === null ? 'Not saved yet' : dirty ? 'Unsaved' : 'Saved'}
      </Text>
      {id !== null && <VersionStatus draft={draft} flowId={id} onOpen={() => onOpen('versions')} />}
      <Flex flex="1" justify="end" align="center" gap="1">
        <HistoryButtons canvas={canvas} />
        <ChecklistButton canvas={canvas} controls={controls} />
        {mayEdit && mayDescribe && <DescribeButton onClick={() => onOpen('describe')} />}
        {mayEdit ? (
          <SaveButton {...{ dirty, saving, onSave, onSaveWithNote, onPublish }} />
        ) : (
          <Badge title={viewOnlyText(canvas.kind)}>View only</Badge>
        )}
        {mayEdit && <PublishButton draft={draft} dirty={dirty} onClick={onPublish} />}
        <UpsertButton canvas={canvas} onClick={() => onOpen('upsert')} />
        {mayEdit && id !== null && <ShareButton onClick={() => onOpen('share')} />}
        {(mayEdit || id !== null) && <ChatButton isOpen={chatOpen} onClick={onChat} />}
        <BuilderMenu draft={draft} controls={controls} onOpen={onOpen} onPublish={onPublish} />
      </Flex>
    </Flex>
  )
}

function ListLink({ kind }: { kind: CanvasKind }) {
  const text = `All ${kind.flow.label.toLowerCase()}s`
  return (
    <IconButton asChild size="sm" variant="ghost" aria-label={text} title={text}>
      <Link {...flowListLink(kind.type)}>
        <IconArrowLeft size={18} />
      </Link>
    </IconButton>
  )
}

function NameField({ draft, readOnly }: { draft: Draft; readOnly: boolean }) {
  const { name } = useSnapshot(draft.state, { sync: true })
  return (
    <Input
      aria-label="Flow name"
      size="sm"
      flex="1"
      minWidth="60px"
      maxWidth="320px"
      fontWeight="semibold"
      textOverflow="ellipsis"
      borderColor="transparent"
      _hover={{ borderColor: 'border.control' }}
      maxLength={200}
      readOnly={readOnly}
      value={name}
      onChange={(event) => {
        draft.state.name = event.target.value
      }}
    />
  )
}

function HistoryButtons({ canvas }: { canvas: Canvas }) {
  const undoName = useCanvasValue(canvas, (state) => state.history.past.at(-1)?.name)
  const redoName = useCanvasValue(canvas, (state) => state.history.future[0]?.name)
  return (
    <>
      <HeaderButton
        label={undoName ? `Undo ${undoName}` : 'Nothing to undo'}
        disabled={!undoName}
        onClick={() => undo(canvas)}
      >
        <IconArrowBackUp size={18} />
      </HeaderButton>
      <HeaderButton
        label={redoName ? `Redo ${redoName}` : 'Nothing to redo'}
        disabled={!redoName}
        hideBelow="md"
        onClick={() => redo(canvas)}
      >
        <IconArrowForwardUp size={18} />
      </HeaderButton>
    </>
  )
}

function ChecklistButton({ canvas, controls }: { canvas: Canvas; controls: EditorControls }) {
  const issues = useCanvasValue(canvas, (state) => state.problems.all.length)
  return (
    <Button
      size="sm"
      variant="ghost"
      px="2"
      aria-label={`Checklist: ${issues} ${issues === 1 ? 'issue' : 'issues'}`}
      title="Checklist"
      onClick={() => controls.openPanel(controls.panel === 'checklist' ? null : 'checklist')}
    >
      <IconChecklist size={18} />
      <Badge colorPalette={issues > 0 ? 'warning' : 'success'}>{issues}</Badge>
    </Button>
  )
}

const DescribeButton = ({ onClick }: { onClick: () => void }) => (
  <Button
    size="sm"
    variant="ghost"
    px="2"
    aria-label="Describe what you want"
    title="Describe what you want"
    hideBelow="md"
    onClick={onClick}
  >
    <IconWand size={18} />
    <Text as="span" hideBelow="xl">
      Describe
    </Text>
  </Button>
)

function PublishButton({ draft, dirty, onClick }: { draft: Draft; dirty: boolean; onClick: () => void }) {
  const { publishedVersion, hasUnpublishedChanges } = useSnapshot(draft.state)
  const isPublished = !dirty && publishedVersion !== null && !hasUnpublishedChanges
  return (
    <Button
      size="sm"
      variant="outline"
      hideBelow="lg"
      disabled={isPublished}
      title={isPublished ? 'This version is published' : undefined}
      onClick={onClick}
    >
      <IconUpload size={18} aria-hidden />
      Publish
    </Button>
  )
}

const ChatButton = ({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) => (
  <Button
    size="sm"
    variant={isOpen ? 'subtle' : 'outline'}
    px="3"
    aria-label="Chat"
    aria-pressed={isOpen}
    onClick={onClick}
  >
    <IconMessageCircle size={18} />
    <Text as="span" hideBelow="md">
      Chat
    </Text>
  </Button>
)

function UpsertButton({ canvas, onClick }: { canvas: Canvas; onClick: () => void }) {
  if (!useMayUpsert(canvas)) return null
  return (
    <HeaderButton label="Upsert documents" disabled={false} hideBelow="md" onClick={onClick}>
      <IconDatabaseImport size={18} />
    </HeaderButton>
  )
}

const ShareButton = ({ onClick }: { onClick: () => void }) => (
  <HeaderButton label="Share" disabled={false} hideBelow="md" onClick={onClick}>
    <IconShare size={18} />
  </HeaderButton>
)

interface HeaderButtonProps {
  label: string
  disabled: boolean
  hideBelow?: 'md'
  onClick: () => void
  children: ReactNode
}

function HeaderButton({ label, children, ...rest }: HeaderButtonProps) {
  return (
    <IconButton size="sm" variant="ghost" aria-label={label} title={label} {...rest}>
      {children}
    </IconButton>
  )
}
