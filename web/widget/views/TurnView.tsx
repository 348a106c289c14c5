/** @jsxImportSource preact */
/** A question and its answer. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { waitingNote } from '#contract/runs/approvers.ts'
import { isPicture } from '#contract/runs/artifacts.ts'
import type { HumanAnswer } from '#contract/runs/events.ts'
import { requestedCalls, toolTitle, withoutToolCalls } from '../../chat/approvals/approval-text.ts'
import { type Answer, questionOf, type Turn } from '../../chat/conversation.ts'
import { messageOf, type Session } from '../session.ts'
import type { Settings } from '../settings.ts'
import { Failure } from './Failure.tsx'
import { Icon } from './icons.tsx'
import { Markdown } from './Markdown.tsx'
import { Sources } from './Sources.tsx'

interface TurnProps {
  turn: Turn
  session: Session
  settings: Settings
  isRunning: boolean
  /** The message that is being spoken. */
  speaking?: string
}

export function TurnView({ turn, session, settings, isRunning, speaking }: TurnProps) {
  const { question, files = [], answer } = turn
  return (
    <div class="turn">
      {(question !== '' || files.length > 0) && (
        <Row avatar={settings.userAvatar} isUser>
          {files.length > 0 && <SentFiles files={files} />}
          {question}
        </Row>
      )}
      {question === '' && answer.decided && <div class="under">{answer.decided}</div>}
      <AnswerView answer={answer} settings={settings} />
      {answer.state === 'waiting' && (
        <Decision answer={answer} isBusy={isRunning} onDecide={(given) => void session.answer(turn, given)} />
      )}
      {(answer.state === 'failed' || answer.state === 'stopped') && (
        <Ended turn={turn} session={session} errorMessage={settings.errorMessage} isBusy={isRunning} />
      )}
      {answer.sources.length > 0 && <Sources title={settings.sourcesTitle} documents={answer.sources} />}
      {answer.messageId && answer.state === 'done' && (
        <AnswerTools turn={turn} session={session} isRated={settings.isRated}>
          {settings.isSpoken && answer.text.trim() !== '' && (
            <ListenButton
              isSpeaking={speaking === answer.messageId}
              onPress={() => void session.listen(answer.messageId as string)}
            />
          )}
        </AnswerTools>
      )}
    </div>
  )
}

export function Row({
  avatar,
  isUser = false,
  children,
}: {
  avatar?: string
  isUser?: boolean
  children: ComponentChildren
}) {
  return (
    <div class={isUser ? 'row user' : 'row'}>
      {avatar && <img src={avatar} alt="" />}
      <div class={isUser ? 'message user' : 'message'}>
        <span class="hidden">{isUser ? 'You: ' : 'Answer: '}</span>
        {children}
      </div>
    </div>
  )
}

const SentFiles = ({ files }: { files: NonNullable<Turn['files']> }) => (
  <ul class="files" aria-label="Files">
    {files.map(({ upload: { name, mime }, src }) => (
      <li key={name}>
        {src && mime?.startsWith('image/') ? <img class="thumb" src={src} alt={name} /> : <span>{name}</span>}
      </li>
    ))}
  </ul>
)

function AnswerView({ answer, settings }: { answer: Answer; settings: Settings }) {
  const { state, artifacts } = answer
  const note = state === 'waiting' && answer.action ? waitingNote(answer.action) : ''
  const said = withoutToolCalls(state === 'waiting' ? questionOf(answer) : answer.text)
  const text = said.replace(note, '').trimEnd()
  const pictures = artifacts.filter(isPicture)
  const texts = artifacts.filter(({ data }) => !data.startsWith('data:'))
  const isEmpty = text === '' && artifacts.length === 0
  if (isEmpty && state !== 'running') return null
  return (
    <Row avatar={settings.botAvatar}>
      {text !== '' && <Markdown text={text} />}
      {texts.map(({ data }, index) => (
        <Markdown key={index} text={data} />
      ))}
      {pictures.length > 0 && (
        <ul class="pictures" aria-label="Images">
          {pictures.map(({ data }, index) => (
            <li key={index}>
              <img src={data} alt={`Result ${index + 1}`} />
            </li>
          ))}
        </ul>
      )}
      {state === 'running' && <Working answer={answer} showsSteps={settings.showsSteps} />}
    </Row>
  )
}

function Working({ answer: { steps, calling, text }, showsSteps }: { answer: Answer; showsSteps: boolean }) {
  const step = steps.findLast(({ status }) => status === 'INPROGRESS')?.nodeLabel
  const doing = calling[0] ? `Using ${toolTitle(calling[0])}` : step
  return (
    <>
      {text === '' && (
        <span class="dots" role="img" aria-label="Answering">
          <i />
          <i />
          <i />
        </span>
      )}
      {showsSteps && text === '' && doing && <div class="status">{doing}</div>}
    </>
  )
}

interface EndedProps {
  turn: Turn
  session: Session
  errorMessage: string
  isBusy: boolean
}

function Ended({ turn, session, errorMessage, isBusy }: EndedProps) {
  const { state, error } = turn.answer
  return (
    <div class="under">
      {state === 'failed' ? (
        <p class="error">{errorMessage || error || 'Something went wrong.'}</p>
      ) : (
        <p class="status">{error || 'Stopped'}</p>
      )}
      {state === 'failed' && (
        <div class="chips">
          <button class="chip" type="button" disabled={isBusy} onClick={() => void session.retry(turn)}>
            Try again
          </button>
        </div>
      )}
    </div>
  )
}

interface DecisionProps {
  answer: Answer
  isBusy: boolean
  onDecide(given: HumanAnswer): void
}

/** The buttons of a run that waits for a person. */
function Decision({ answer: { action }, isBusy, onDecide }: DecisionProps) {
  const [feedback, setFeedback] = useState('')
  if (!action) return null
  const note = waitingNote(action)
  if (note) return <div class="under">{note}</div>
  const { mapping, data } = action
  const decide = (type: HumanAnswer['type']) =>
    onDecide({ type, ...(feedback.trim() && { feedback: feedback.trim() }) })
  return (
    <div class="under">
      {requestedCalls(data.input).map((call, index) => (
        <details key={index} open>
          <summary>{toolTitle(call.tool)}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard */}
          <pre tabIndex={0}>{JSON.stringify(call.toolInput, null, 2)}</pre>
        </details>
      ))}
      {data.input.humanInputEnableFeedback && (
        <label>
          Comment (optional)
          <textarea rows={2} value={feedback} onInput={(event) => setFeedback(event.currentTarget.value)} />
        </label>
      )}
      <div class="chips">
        <button class="solid" type="button" disabled={isBusy} onClick={() => decide('proceed')}>
          {mapping.approve}
        </button>
        <button class="plain" type="button" disabled={isBusy} onClick={() => decide('reject')}>
          {mapping.reject}
        </button>
      </div>
    </div>
  )
}

const ListenButton = ({ isSpeaking, onPress }: { isSpeaking: boolean; onPress(): void }) => (
  <button
    class="small"
    type="button"
    aria-label={isSpeaking ? 'Stop listening' : 'Listen to answer'}
    title={isSpeaking ? 'Stop listening' : 'Listen to answer'}
    onClick={onPress}
  >
    <Icon name={isSpeaking ? 'stop' : 'listen'} />
  </button>
)

const RATINGS = ['THUMBS_UP', 'THUMBS_DOWN'] as const

interface AnswerToolsProps {
  turn: Turn
  session: Session
  isRated: boolean
  /** Buttons before the rating. */
  children: ComponentChildren
}

function AnswerTools({ turn, session, isRated, children }: AnswerToolsProps) {
  const { opinion } = turn.answer
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState('')
  async function rate(rating: 'THUMBS_UP' | 'THUMBS_DOWN', content = '') {
    try {
      await session.rate(turn, { rating, content })
      setError('')
      setAsking(rating === 'THUMBS_DOWN' && content === '')
    } catch (reason) {
      setError(messageOf(reason))
    }
  }
  return (
    <div class="under">
      <div class="tools">
        {children}
        {RATINGS.filter(() => isRated).map((rating) => (
          <button
            key={rating}
            class="small"
            type="button"
            aria-label={rating === 'THUMBS_UP' ? 'Good answer' : 'Bad answer'}
            aria-pressed={opinion?.rating === rating}
            onClick={() => void rate(rating)}
          >
            <Icon name={rating === 'THUMBS_UP' ? 'up' : 'down'} />
          </button>
        ))}
      </div>
      {isAsking && <Comment onSend={(content) => void rate('THUMBS_DOWN', content)} />}
      <Failure message={error} />
    </div>
  )
}

function Comment({ onSend }: { onSend(content: string): void }) {
  const [content, setContent] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (content.trim()) onSend(content.trim())
      }}
    >
      <label>
        What could be better?
        <textarea rows={2} value={content} onInput={(event) => setContent(event.currentTarget.value)} />
      </label>
      <div class="chips">
        <button class="plain" type="submit">
          Send feedback
        </button>
      </div>
    </form>
  )
}
