import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { HumanAnswer, HumanInputAction, TraceItem } from '#contract/runs/events.ts'
import { flowLink } from '../api/flow-link.ts'
import { useCan } from '../api/use-can.ts'
import { type Dock, useDock } from '../canvas/dock/use-dock.ts'
import { Editor } from '../canvas/Editor.tsx'
import type { Runs } from '../canvas/store/run-actions.ts'
import { useIntent } from '../state/intent.ts'
import { notify } from '../state/notify.ts'
import { typeAhead } from '../state/type-ahead.ts'
import { BuilderHeader } from './BuilderHeader.tsx'
import type { CanvasDialog } from './canvas-dialog.ts'
import { type Draft, hasChanges, saveDraft } from './draft.ts'
import { EmptyCanvas } from './EmptyCanvas.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import { answerQuestion, useLastRun } from './live-run.ts'
import { askAndPublish, type Publishing, publishingOf } from './publishing.ts'
import { useCanEdit, viewOnlyText } from './use-can-edit.ts'

const ConflictNotice = lazy(() => import('./ConflictNotice.tsx'))
const VersionsSheet = lazy(() => import('./versions/VersionsSheet.tsx'))
const RunFromHere = lazy(() => import('./RunFromHere.tsx'))
const LimitsDialog = lazy(() => import('./limits/LimitsDialog.tsx'))
const ShareDialog = lazy(() => import('./share/ShareDialog.tsx'))
const DescribeDialog = lazy(() => import('./describe/DescribeDialog.tsx'))
const SaveAsTemplate = lazy(() => import('./templates/SaveAsTemplate.tsx'))
const UpsertSheet = lazy(() => import('./upsert/UpsertSheet.tsx'))
const SaveNote = lazy(() => import('./versions/SaveNote.tsx'))
const DockedChat = lazy(() => import('./DockedChat.tsx'))

/** What a person types or chooses first in the chat. */
const CHAT_FIELD = '[aria-label="Chat"] form :is(input, select, textarea), [aria-label="Chat"] textarea'

/** What is typed while the chat loads is kept for its field. The chat of a flow that a trigger starts has none. */
function showChat({ open, close }: Dock): void {
  const isThere = document.querySelector('section[aria-label="Chat"]') !== null
  open('chat', CHAT_FIELD)
  if (!isThere || document.querySelector(CHAT_FIELD)) typeAhead(CHAT_FIELD, { onEscape: close })
}

/** The editor of one flow with its header, dialogs and chat. */
export function BuilderEditor({ draft, onFirstSave }: { draft: Draft; onFirstSave: (id: string) => void }) {
  const { canvas } = draft
  const { id } = useSnapshot(draft.state)
  const dock = useDock(id === null)
  const [fits, setFits] = useState(0)
  const [isChatAsked, setChatAsked] = useState(false)
  const [dialog, setDialog] = useState<CanvasDialog | null>(null)
  const mayEdit = useCanEdit(canvas.kind)
  const save = useSave(draft, { mayEdit, onFirstSave })
  const { runs, answers, replaying, endReplay } = useRunsOf(draft)
  const publishing = publishingOf(draft, save)
  useLastRun(canvas, id)

  const saveByHand = async () => {
    if (await save()) notify.success('Saved')
  }
  const openChat = () => {
    setChatAsked(true)
    showChat(dock)
  }
  useIntent('chat', () => void openChat())
  useIntent('describe', () => setDialog('describe'))

  return (
    <>
      <Editor
        canvas={canvas}
        flowId={id ?? undefined}
        onSave={() => void saveByHand()}
        header={(controls) => (
          <BuilderHeader
            draft={draft}
            controls={controls}
            chatOpen={dock.tab === 'chat'}
            onSave={() => void saveByHand()}
            onSaveWithNote={() => setDialog('note')}
            onPublish={() => (neverPublished(draft) ? setDialog('publish') : void askAndPublish(publishing))}
            onOpen={setDialog}
            onChat={() => (dock.tab === 'chat' ? dock.close() : openChat())}
          />
        )}
        dock={dock}
        chat={
          <DockedChat
            // An answer given on the canvas reloads the conversation of the open chat.
            key={answers}
            {...{ draft, dock, store: publishing.store }}
            flowId={id}
            // Neither a reload of the page nor one of the chat takes the focus.
            autoFocus={isChatAsked && answers === 0}
          />
        }
        runs={runs}
        fits={fits}
        empty={<EmptyCanvas canvas={canvas} onDescribe={() => setDialog('describe')} />}
        onOpenChat={openChat}
      />
      <LeaveGuard hasChanges={() => hasChanges(draft)} mayEdit={mayEdit} onSave={() => save(undefined, true)} />
      <Suspense>
        <Dialogs
          {...{ dialog, publishing, save }}
          onApplied={() => setFits((count) => count + 1)}
          onClose={() => setDialog(null)}
        />
        {replaying && <RunFromHere draft={draft} item={replaying} save={save} onClose={endReplay} />}
      </Suspense>
    </>
  )
}

type Save = (note?: string, isLeaving?: boolean) => Promise<boolean>

/** Returns the function that saves the draft. It returns true when the draft is saved, and says why when it is not. */
function useSave(
  draft: Draft,
  { mayEdit, onFirstSave }: { mayEdit: boolean; onFirstSave: (id: string) => void },
): Save {
  const navigate = useNavigate()
  const { kind } = draft.canvas
  return async (note, isLeaving = false) => {
    if (draft.state.saving) return false
    if (!mayEdit) {
      notify.info(viewOnlyText(kind))
      return false
    }
    const isNew = draft.state.id === null
    try {
      if ((await saveDraft(draft, note)) === 'conflict') return false
    } catch (error) {
      notify.error(`Couldn’t save the flow: ${error instanceof Error ? error.message : 'try again'}`)
      return false
    }
    if (isNew && draft.state.id !== null && !isLeaving) {
      onFirstSave(draft.state.id)
      await navigate({ ...flowLink(kind.type, draft.state.id), replace: true, ignoreBlocker: true })
    }
    return true
  }
}

/** What can be done with the last run of a stored flow. `answers` counts the questions that were answered here. */
function useRunsOf({ canvas, state }: Draft) {
  const { id } = useSnapshot(state)
  const [answers, setAnswers] = useState(0)
  const [replaying, setReplaying] = useState<TraceItem>()
  const mayReplay = useCan()('executions:create')
  const answer = async (flowId: string, question: HumanInputAction, given: HumanAnswer) => {
    await answerQuestion(canvas, { flowId, question, given })
    setAnswers((count) => count + 1)
  }
  const runs: Runs | null =
    id === null
      ? null
      : {
          answer: (question, given) => answer(id, question, given),
          ...(mayReplay ? { askReplay: setReplaying } : {}),
        }
  return { runs, answers, replaying, endReplay: () => setReplaying(undefined) }
}

interface DialogsProps {
  dialog: CanvasDialog | null
  publishing: Publishing
  save: Save
  /** A described flow was applied. */
  onApplied: () => void
  onClose: () => void
}

function Dialogs({ dialog, publishing, save, onApplied, onClose }: DialogsProps) {
  const { draft } = publishing
  const { conflict } = useSnapshot(draft.state)
  return (
    <>
      {conflict !== null && <ConflictNotice draft={draft} />}
      {dialog === 'limits' && <LimitsDialog draft={draft} onClose={onClose} />}
      {(dialog === 'share' || dialog === 'publish') && (
        <ShareDialog publishing={publishing} publishes={dialog === 'publish'} onClose={onClose} />
      )}
      {dialog === 'describe' && <DescribeDialog canvas={draft.canvas} onApplied={onApplied} onClose={onClose} />}
      <FlowSheet {...{ dialog, publishing, onClose }} />
      {dialog === 'template' && <SaveAsTemplate draft={draft} onClose={onClose} />}
      {dialog === 'note' && <SaveNote draft={draft} save={save} onClose={onClose} />}
    </>
  )
}

interface SheetProps {
  dialog: CanvasDialog | null
  publishing: Publishing
  onClose: () => void
}

function FlowSheet({ dialog, ...sheet }: SheetProps) {
  if (dialog === 'versions') return <VersionsSheet {...sheet} />
  return dialog === 'upsert' ? <UpsertSheet {...sheet} /> : null
}

const neverPublished = ({ state }: Draft) => state.publishedVersion === null
