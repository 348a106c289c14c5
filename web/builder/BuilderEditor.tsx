import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { HumanAnswer, HumanInputAction, TraceItem } from '#contract/runs/events.ts'
import { flowLink } from '../api/flow-link.ts'
import { useCan } from '../api/use-can.ts'
import { type Dock, useDock } from '../canvas/dock/use-dock.ts'
import { Editor } from '../canvas/Editor.tsx'
import { useIntent } from '../state/intent.ts'
import { notify } from '../state/notify.ts'
import { typeAhead } from '../state/type-ahead.ts'
import { BuilderHeader, type CanvasDialog } from './BuilderHeader.tsx'
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
  const navigate = useNavigate()
  const { id, conflict } = useSnapshot(draft.state)
  const dock = useDock(id === null)
  const [fits, setFits] = useState(0)
  const [chatRound, setChatRound] = useState(0)
  const [isChatAsked, setChatAsked] = useState(false)
  const [replaying, setReplaying] = useState<TraceItem>()
  const mayEdit = useCanEdit(draft.canvas.kind)
  const [dialog, setDialog] = useState<CanvasDialog | null>(null)

  /** Returns true when the draft is saved. */
  const save = async (note?: string, isLeaving = false): Promise<boolean> => {
    if (draft.state.saving) return false
    if (!mayEdit) {
      notify.info(viewOnlyText(draft.canvas.kind))
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
      await navigate({ ...flowLink(draft.canvas.kind.type, draft.state.id), replace: true, ignoreBlocker: true })
    }
    return true
  }
  const saveByHand = async () => {
    if (await save()) notify.success('Saved')
  }
  const openChat = () => {
    setChatAsked(true)
    showChat(dock)
  }

  const publishing = publishingOf(draft, save)
  useLastRun(draft.canvas, id)
  const mayReplay = useCan()('executions:create')
  const runs =
    id === null
      ? null
      : {
          answer: async (question: HumanInputAction, given: HumanAnswer) => {
            await answerQuestion(draft.canvas, { flowId: id, question, given })
            // Reloads the conversation of the open chat.
            setChatRound((round) => round + 1)
          },
          ...(mayReplay ? { askReplay: setReplaying } : {}),
        }
  useIntent('chat', () => void openChat())
  useIntent('describe', () => setDialog('describe'))
  const close = () => setDialog(null)

  return (
    <>
      <Editor
        canvas={draft.canvas}
        flowId={draft.state.id ?? undefined}
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
            key={chatRound}
            {...{ draft, dock, store: publishing.store }}
            flowId={id}
            // Neither a reload of the page nor one of the chat takes the focus.
            autoFocus={isChatAsked && chatRound === 0}
          />
        }
        runs={runs}
        fits={fits}
        empty={<EmptyCanvas canvas={draft.canvas} onDescribe={() => setDialog('describe')} />}
        onOpenChat={openChat}
      />
      <LeaveGuard hasChanges={() => hasChanges(draft)} mayEdit={mayEdit} onSave={() => save(undefined, true)} />
      <Suspense>
        {conflict !== null && <ConflictNotice draft={draft} />}
        {dialog === 'limits' && <LimitsDialog draft={draft} onClose={close} />}
        {(dialog === 'share' || dialog === 'publish') && (
          <ShareDialog publishing={publishing} publishes={dialog === 'publish'} onClose={close} />
        )}
        {dialog === 'describe' && (
          <DescribeDialog canvas={draft.canvas} onApplied={() => setFits((count) => count + 1)} onClose={close} />
        )}
        <FlowSheet {...{ dialog, publishing }} onClose={close} />
        {replaying && (
          <RunFromHere draft={draft} item={replaying} save={save} onClose={() => setReplaying(undefined)} />
        )}
        {dialog === 'template' && <SaveAsTemplate draft={draft} onClose={close} />}
        {dialog === 'note' && <SaveNote draft={draft} save={save} onClose={close} />}
      </Suspense>
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
