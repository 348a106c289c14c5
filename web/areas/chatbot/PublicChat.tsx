import { Box, Button, Flex, Heading, Image, Link, Text } from '@chakra-ui/react'
import { IconMessagePlus } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { PublicChatbotConfig } from '#contract/chatflows/chatflows.ts'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { HumanAnswer } from '#contract/runs/events.ts'
import { Bubble } from '../../chat/Bubble.tsx'
import { Composer } from '../../chat/Composer.tsx'
import { ChatLook, type ChatLookValue } from '../../chat/chat-look.ts'
import type { Lead } from '../../chat/chat-storage.ts'
import { type Chat, type Message, openChat } from '../../chat/chat-store.ts'
import { toLook } from '../../chat/colors.ts'
import type { Turn } from '../../chat/conversation.ts'
import { FormInput } from '../../chat/FormInput.tsx'
import { MessageList } from '../../chat/MessageList.tsx'
import { ListeningContext } from '../../chat/speech/listening.ts'
import { useSpokenAnswers } from '../../chat/speech/use-spoken-answers.ts'
import { voice } from '../../chat/speech/voice.ts'
import { type ChatForm, readForm } from '../../chat/start-form.ts'
import { notify } from '../../state/notify.ts'
import { LeadForm } from './LeadForm.tsx'
import { leaveLead, publicServer, readFileText } from './public-server.ts'

const Markdown = lazy(() => import('../../chat/Markdown.tsx'))

interface Props {
  flowId: string
  config: PublicChatbotConfig
  /** In a panel that shows what the settings do: nothing is kept. */
  storage?: Storage
}

const report = (error: unknown) =>
  notify.error(error instanceof Error ? error.message : 'Something went wrong. Try again.')

/** The chat page of a published flow, as its owner wants it to look. */
export function PublicChat({ flowId, config, storage }: Props) {
  const [chat] = useState(() =>
    openChat({ id: flowId }, publicServer(flowId, { beginsAnew: config.overrideConfig.generateNewSession, storage })),
  )
  const { turns, running, loading, loadError } = useSnapshot(chat.state)
  const [asksLead, setAsksLead] = useState(() => asksForLead(config) && chat.lead() === undefined)
  const look = useMemo(() => chatLook(config), [config])
  const hear = useSpokenAnswers()
  const page = toLook({ backgroundColor: config.backgroundColor })
  const form = parseStartForm(config.flowData)
  useEffect(() => {
    void chat.load(hear)
    return () => chat.leave()
  }, [chat, hear])

  const keepLead = (lead: Lead) => {
    chat.keepLead(lead)
    setAsksLead(false)
  }
  const leave = async (lead: Lead) => {
    await leaveLead(flowId, chat.chatId(), lead)
    keepLead(lead)
    notify.success(config.leads.successMessage ?? 'Thank you')
  }
  const startNew = () => {
    voice.stop()
    chat.startNew()
  }
  const send = (message: Message) => void chat.send(message, hear)
  const answer = async (turn: Turn, given: HumanAnswer) => {
    const { conflict } = await chat.answer(turn, given, hear)
    if (conflict) notify.info(conflict)
  }
  return (
    <ChatLook value={look}>
      <Flex
        direction="column"
        h={{ base: 'calc(100dvh - var(--chakra-sizes-top-bar, 64px))' }}
        className={page.mode}
        {...(page.background && { bg: page.background, color: page.color })}
        {...(config.fontSize && { fontSize: `${config.fontSize}px` })}
      >
        <TitleBar config={config} canReset={!running && turns.length > 0} onNew={startNew} />
        <Column>
          {asksLead && turns.length === 0 && !loading ? (
            <Box flex="1" overflowY="auto" pt="4">
              <Welcome config={config} />
              <LeadForm settings={config.leads} onLeave={leave} onSkip={() => keepLead({})} />
            </Box>
          ) : (
            <>
              <ListeningContext value={config.isTTSEnabled ? chat.speak : null}>
                <MessageList
                  turns={turns as Turn[]}
                  loading={loading}
                  loadError={loadError}
                  onReload={() => void chat.load()}
                  empty={<Welcome config={config} />}
                  starters={form ? [] : Object.values(config.starterPrompts).map(({ prompt }) => prompt)}
                  onStart={(question) => send({ question })}
                  running={running}
                  onRetry={(turn) => void chat.retry(turn, hear)}
                  onAnswer={(turn, given) => void answer(turn, given).catch(report)}
                  onRate={chat.rate}
                />
              </ListeningContext>
              <Inputs {...{ chat, config, flowId, form, running, send }} />
            </>
          )}
        </Column>
        <Footer config={config} />
      </Flex>
    </ChatLook>
  )
}

const Column = ({ children }: { children: ReactNode }) => (
  <Flex as="section" aria-label="Chat" direction="column" flex="1" minH="0" gap="3" p="3" w="full" maxW="3xl" mx="auto">
    {children}
  </Flex>
)

const asksForLead = ({ leads }: PublicChatbotConfig) => leads.status && (leads.name || leads.email || leads.phone)

function chatLook(config: PublicChatbotConfig): ChatLookValue {
  return {
    forMembers: false,
    rates: config.chatFeedback.status,
    showsSteps: config.showAgentMessages,
    ...(config.sourceDocsTitle && { sourcesTitle: config.sourceDocsTitle }),
    ...(config.errorMessage && { errorMessage: config.errorMessage }),
    question: toLook(config.userMessage),
    answer: toLook(config.botMessage),
  }
}

/** Returns the form of the Start node, the only node that anonymous callers get. */
function parseStartForm(flowData: string): ChatForm | undefined {
  const drawing = tryParseJson(flowData)
  const nodes = isRecord(drawing) && Array.isArray(drawing.nodes) ? drawing.nodes : []
  const inputs = nodes.map((node) => node?.data?.inputs).find((each) => isRecord(each) && 'startInputType' in each)
  return readForm(inputs as Record<string, unknown> | undefined)
}

interface InputsProps {
  chat: Chat
  config: PublicChatbotConfig
  flowId: string
  form: ChatForm | undefined
  running: boolean
  send: (message: Message) => void
}

function Inputs({ chat, config, flowId, form, running, send }: InputsProps) {
  const { uploads, fullFileUpload, textInput } = config
  const stop = () => void chat.stop().catch(report)
  if (form) {
    return (
      <>
        <FormInput form={form} disabled={running} onSend={(values) => send({ form: values })} />
        {running && (
          <Button variant="surface" onClick={stop}>
            Stop
          </Button>
        )}
      </>
    )
  }
  const supports = {
    images: uploads.isImageUploadAllowed,
    sound: uploads.isSpeechToTextEnabled,
    ...(fullFileUpload.status && { readText: (file: File) => readFileText(flowId, chat.chatId(), file) }),
  }
  return (
    <Composer
      running={running}
      supports={supports}
      placeholder={textInput.placeholder}
      maxCharacters={textInput.maxChars}
      tooLong={textInput.maxCharsWarningMessage}
      onSend={(question, attachments) =>
        send({ question, ...(attachments.length > 0 && { uploads: attachments.map(({ upload }) => upload) }) })
      }
      onStop={stop}
    />
  )
}

interface TitleBarProps {
  config: PublicChatbotConfig
  canReset: boolean
  onNew: () => void
}

function TitleBar({ config, canReset, onNew }: TitleBarProps) {
  const { title, titleAvatarSrc, titleBackgroundColor, titleTextColor } = config
  const look = toLook({
    backgroundColor: titleBackgroundColor,
    textColor: titleTextColor,
    showAvatar: titleAvatarSrc !== undefined,
    avatarSrc: titleAvatarSrc,
  })
  return (
    <Flex
      className={look.mode}
      align="center"
      gap="3"
      px="4"
      py="2"
      borderBottomWidth="1px"
      {...(look.background && { bg: look.background, color: look.color })}
    >
      {look.avatar && <Image src={look.avatar} alt="" boxSize="8" borderRadius="full" objectFit="cover" />}
      <Heading as="h1" size="md" me="auto" overflowWrap="anywhere" color="inherit">
        {title ?? 'Chat'}
      </Heading>
      <Button size="sm" variant="ghost" color="inherit" disabled={!canReset} onClick={onNew}>
        <IconMessagePlus size={16} aria-hidden /> New chat
      </Button>
    </Flex>
  )
}

function Welcome({ config: { welcomeMessage } }: { config: PublicChatbotConfig }) {
  const text = welcomeMessage ?? 'Hi there! How can I help?'
  return (
    <Bubble look={toLook({})} bg="bg.subtle" px="4" py="3" mb="2">
      <Suspense fallback={<Text whiteSpace="pre-wrap">{text}</Text>}>
        <Markdown text={text} />
      </Suspense>
    </Bubble>
  )
}

function Footer({ config: { footer } }: { config: PublicChatbotConfig }) {
  const { showFooter, text, company, companyLink } = footer
  if (!showFooter || (!text && !company)) return null
  return (
    <Text as="footer" textStyle="xs" textAlign="center" px="3" pb="2" opacity="0.85">
      {text}{' '}
      {company && companyLink ? (
        <Link href={companyLink} target="_blank" rel="noreferrer noopener" variant="underline" color="inherit">
          {company}
        </Link>
      ) : (
        company
      )}
    </Text>
  )
}
