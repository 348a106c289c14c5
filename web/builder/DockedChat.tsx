import { useSnapshot } from 'valtio'
import { parseTextToSpeech } from '#contract/speech/speech.ts'
import type { Dock } from '../canvas/dock/use-dock.ts'
import { useSettledFlow } from '../canvas/store/hooks.ts'
import { applyRunEvent } from '../canvas/store/run-state.ts'
import { select } from '../canvas/store/store.ts'
import { ChatPanel } from '../chat/ChatPanel.tsx'
import { ChatLook, MEMBER_LOOK } from '../chat/chat-look.ts'
import { type Draft, nameByQuestion } from './draft.ts'
import { useCanEdit } from './use-can-edit.ts'

interface DockedChatProps {
  draft: Draft
  flowId: string | null
  store: () => Promise<boolean>
  dock: Dock
  autoFocus: boolean
}

/** The chat of the draft. It saves before it sends, names an untitled flow, and its runs are shown on the canvas. */
export default function DockedChat({ draft, flowId, store, dock, autoFocus }: DockedChatProps) {
  const { canvas } = draft
  const flow = useSettledFlow(canvas, 200)
  const mayEdit = useCanEdit(canvas.kind)
  const { textToSpeech } = useSnapshot(draft.state)
  const openNode = (nodeId: string) => {
    select(canvas, { nodes: [nodeId] })
    dock.open('settings')
  }
  return (
    <ChatLook value={{ ...MEMBER_LOOK, openNode }}>
      <ChatPanel
        flowId={flowId}
        flow={flow}
        kind={canvas.kind.flow}
        beforeSend={async (message) => {
          if (mayEdit) nameByQuestion(draft, message?.question)
          return (await store()) ? draft.state.id : null
        }}
        onRunEvent={(event) => applyRunEvent(canvas.state.run, event)}
        autoFocus={autoFocus}
        speaks={parseTextToSpeech(textToSpeech) !== undefined}
      />
    </ChatLook>
  )
}
