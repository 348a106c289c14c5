/** @jsxImportSource preact */
/** The chat: header, messages, and what a visitor can say next. */
import { useEffect, useRef } from 'preact/hooks'
import type { Session, State } from '../session.ts'
import type { Settings } from '../settings.ts'
import { Composer } from './Composer.tsx'
import { Failure } from './Failure.tsx'
import { LeadForm, StartForm } from './Forms.tsx'
import { Icon } from './icons.tsx'
import { Markdown } from './Markdown.tsx'
import { Row, TurnView } from './TurnView.tsx'
import { useSession } from './use-session.ts'

interface ChatProps {
  session: Session
  title?: string
  /** Absent inline. */
  onClose?(): void
}

export function Chat({ session, title, onClose }: ChatProps) {
  const state = useSession(session)
  const { settings, loadError, turns, isRunning, announcement } = state
  return (
    <section class="chat" aria-label={title ?? settings?.title ?? 'Chat'}>
      <Header
        title={title ?? settings?.title ?? ''}
        avatar={settings?.avatar}
        onRenew={turns.length > 0 ? () => session.startNew() : undefined}
        onClose={onClose}
      />
      {loadError && <LoadError message={loadError} onRetry={() => void session.load()} />}
      {!settings && !loadError && (
        <div class="log" role="status" aria-label="Loading the chat">
          <span class="dots">
            <i />
            <i />
            <i />
          </span>
        </div>
      )}
      {settings && (
        <Conversation key={state.lead ? 'known' : 'new'} session={session} settings={settings} state={state} />
      )}
      {settings?.footer.text || settings?.footer.company ? <Footer {...settings.footer} /> : null}
      <div class="hidden" role="status" aria-live="polite">
        {isRunning ? 'Answering' : announcement}
      </div>
    </section>
  )
}

interface HeaderProps {
  title: string
  avatar?: string
  onRenew?(): void
  onClose?(): void
}

const Header = ({ title, avatar, onRenew, onClose }: HeaderProps) => (
  <header>
    {avatar && <img src={avatar} alt="" />}
    {title && <h2>{title}</h2>}
    {onRenew && (
      <button class="icon" type="button" aria-label="New chat" title="New chat" onClick={onRenew}>
        <Icon name="renew" />
      </button>
    )}
    {onClose && (
      <button class="icon" type="button" aria-label="Close chat" onClick={onClose}>
        <Icon name="close" />
      </button>
    )}
  </header>
)

const LoadError = ({ message, onRetry }: { message: string; onRetry(): void }) => (
  <div class="log">
    <p class="error" role="alert">
      {message}
    </p>
    <div class="chips">
      <button class="chip" type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  </div>
)

interface ConversationProps {
  session: Session
  settings: Settings
  state: State
}

function Conversation({ session, settings, state }: ConversationProps) {
  const { turns, isRunning, lead, followUps, speaking, silence = '' } = state
  const log = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (isAtEnd.current) log.current?.scrollTo({ top: log.current.scrollHeight })
  })
  const { form } = settings
  const isNew = turns.length === 0
  const prompts = isNew ? settings.prompts : isRunning ? [] : followUps
  const mustLeave = settings.lead && isNew && !lead
  return (
    <>
      <div
        ref={log}
        class="log"
        role="log"
        aria-label="Messages"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the messages are scrolled by keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight > scrollHeight - 40
        }}
      >
        <Row avatar={settings.botAvatar}>
          <Markdown text={settings.welcome} />
        </Row>
        {lead && isNew && settings.lead && <p class="status">{settings.lead.successMessage}</p>}
        {turns.map((turn) => (
          <TurnView key={turn.id} {...{ turn, session, settings, isRunning, speaking }} />
        ))}
        <Failure message={silence} />
        {prompts.length > 0 && !mustLeave && !form && (
          <div class="chips">
            {prompts.map((prompt) => (
              <button key={prompt} class="chip" type="button" onClick={() => void session.send({ question: prompt })}>
                {prompt}
              </button>
            ))}
          </div>
        )}
      </div>
      {mustLeave && settings.lead ? (
        <LeadForm {...settings.lead} onLeave={(given) => session.leave(given)} />
      ) : form ? (
        <StartForm form={form} isBusy={isRunning} onSend={(values) => void session.send({ form: values })} />
      ) : (
        <Composer
          session={session}
          settings={settings}
          isRunning={isRunning}
          onSend={() => {
            isAtEnd.current = true
          }}
        />
      )}
    </>
  )
}

const Footer = ({ text, company, link }: Settings['footer']) => (
  <footer>
    {text}{' '}
    {link && company ? (
      <a href={link} target="_blank" rel="noopener noreferrer">
        {company}
      </a>
    ) : (
      company
    )}
  </footer>
)
