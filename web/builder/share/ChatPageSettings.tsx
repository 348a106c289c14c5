import { Box, Flex, Heading, Input, Link, SimpleGrid, Stack, Text, Textarea } from '@chakra-ui/react'
import { uiBase } from '../../api/client.ts'
import { Bubble } from '../../chat/Bubble.tsx'
import { lookOf } from '../../chat/colors.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { Tick } from '../../ui/forms/Tick.tsx'
import { type ChatValues, COLORS, type ColorName, linesOf } from './chat-values.ts'
import { FollowUps } from './FollowUps.tsx'
import { Toggle } from './Toggle.tsx'

interface Props {
  flowId: string
  isOpen: boolean
  chat: ChatValues
  errors: Readonly<Record<string, string>>
  onChange: (chat: ChatValues) => void
}

/** The chat page of the flow: its address, its look, and what it asks and offers. */
export function ChatPageSettings({ flowId, isOpen, chat, errors, onChange }: Props) {
  const set = (change: Partial<ChatValues>) => onChange({ ...chat, ...change })
  const address = `${uiBase()}/chatbot/${flowId}`
  return (
    <Stack as="section" aria-label="Chat page" gap="4">
      <Text fontWeight="semibold">Chat page</Text>
      <CopyField label="Chat page link" value={address} />
      <Text textStyle="sm" color="fg.muted">
        {isOpen ? 'Anyone with the address can chat. ' : 'Members only, until “Everyone” may call this flow. '}
        <Link href={address} target="_blank" variant="underline" color="inherit">
          Open the chat page
        </Link>
      </Text>
      <Collapsible title="Look and texts">
        <Stack gap="4" mt="3">
          <Look chat={chat} set={set} />
          <Preview chat={chat} />
        </Stack>
      </Collapsible>
      <Collapsible title="What visitors are asked and offered">
        <Stack gap="4" mt="3">
          <Toggle
            label="Ratings"
            help="Visitors rate answers."
            on={chat.feedback}
            onChange={(feedback) => set({ feedback })}
          />
          <Toggle
            label="Text from any file"
            help="PDF, office and other files are read and sent as text."
            on={chat.files}
            onChange={(files) => set({ files })}
          />
          <Leads leads={chat.leads} error={errors.leadFields} onChange={(leads) => set({ leads })} />
          <FollowUps values={chat.followUps} errors={errors} onChange={(followUps) => set({ followUps })} />
        </Stack>
      </Collapsible>
      <Collapsible title="Post-processing">
        <Stack gap="3" mt="3">
          <Toggle
            label="Change answers with code"
            help="Answers are no longer streamed. Code that fails fails the run."
            on={chat.processing.on}
            onChange={(on) => set({ processing: { ...chat.processing, on } })}
          />
          {chat.processing.on && (
            <Field
              label="JavaScript function"
              help="$flow.rawOutput is the answer. Return the new one."
              error={errors.processing}
            >
              <Textarea
                rows={5}
                fontFamily="mono"
                spellCheck={false}
                maxLength={100_000}
                placeholder="return $flow.rawOutput.trim()"
                value={chat.processing.code}
                onChange={(event) => set({ processing: { ...chat.processing, code: event.target.value } })}
              />
            </Field>
          )}
        </Stack>
      </Collapsible>
    </Stack>
  )
}

interface PartProps {
  chat: ChatValues
  set: (change: Partial<ChatValues>) => void
}

function Look({ chat, set }: PartProps) {
  return (
    <>
      <Field label="Title">
        <Input
          maxLength={200}
          placeholder="Chat"
          value={chat.title}
          onChange={(event) => set({ title: event.target.value })}
        />
      </Field>
      <Field label="Welcome message" help="Markdown.">
        <Textarea
          rows={2}
          maxLength={5000}
          placeholder="Hi there! How can I help?"
          value={chat.welcome}
          onChange={(event) => set({ welcome: event.target.value })}
        />
      </Field>
      <Field label="Starter prompts" help="One per line.">
        <Textarea
          rows={3}
          maxLength={12_000}
          placeholder="What are your opening hours?"
          value={chat.starters}
          onChange={(event) => set({ starters: event.target.value })}
        />
      </Field>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        {(Object.keys(COLORS) as ColorName[]).map((name) => (
          <Field key={name} label={COLORS[name]} help={chat.colors[name] ? undefined : 'As in Heddle.'}>
            <ColorInput
              value={chat.colors[name]}
              label={COLORS[name]}
              onChange={(color) => set({ colors: { ...chat.colors, [name]: color } })}
            />
          </Field>
        ))}
      </SimpleGrid>
      <Field label="Footer">
        <Input maxLength={200} value={chat.footer} onChange={(event) => set({ footer: event.target.value })} />
      </Field>
    </>
  )
}

interface ColorInputProps {
  label: string
  value: string
  onChange: (color: string) => void
}

/** A colour as text. */
function ColorInput({ value, label, onChange }: ColorInputProps) {
  return (
    <Flex gap="2" align="center" w="full">
      <Box
        boxSize="8"
        flex="none"
        borderWidth="1px"
        borderRadius="l1"
        bg={lookOf({ backgroundColor: hex(value) }).background}
      />
      <Input
        aria-label={label}
        fontFamily="mono"
        maxLength={9}
        placeholder="#rrggbb"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Flex>
  )
}

const hex = (text: string) => (/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text) ? text : undefined)

/** What the chosen colours and texts look like. */
function Preview({ chat: { title, welcome, starters, colors, footer } }: { chat: ChatValues }) {
  const [bar, answer, question, page] = (['title', 'answer', 'question', 'page'] as const).map((name) =>
    lookOf({ backgroundColor: hex(colors[name]) }),
  )
  const [starter] = linesOf(starters)
  return (
    <Box
      as="figure"
      aria-label="Preview"
      className={page?.mode}
      borderWidth="1px"
      borderRadius="l2"
      overflow="hidden"
      {...(page?.background && { bg: page.background, color: page.color })}
    >
      <Box px="3" py="2" borderBottomWidth="1px" {...(bar?.background && { bg: bar.background, color: bar.color })}>
        <Heading as="p" size="sm" color="inherit">
          {title || 'Chat'}
        </Heading>
      </Box>
      <Stack gap="2" p="3" textStyle="sm">
        <Bubble look={answer ?? {}} bg="bg.subtle" px="3" py="2" me="8">
          <Text whiteSpace="pre-wrap">{welcome || 'Hi there! How can I help?'}</Text>
        </Bubble>
        <Bubble look={question ?? {}} bg="accent.subtle" alignSelf="flex-end" px="3" py="2" ms="8">
          <Text>{starter ?? 'What are your opening hours?'}</Text>
        </Bubble>
        {footer && (
          <Text textStyle="xs" textAlign="center">
            {footer}
          </Text>
        )}
      </Stack>
    </Box>
  )
}

interface LeadsProps {
  leads: ChatValues['leads']
  error: string | undefined
  onChange: (leads: ChatValues['leads']) => void
}

function Leads({ leads, error, onChange }: LeadsProps) {
  const set = (change: Partial<ChatValues['leads']>) => onChange({ ...leads, ...change })
  return (
    <Stack gap="3">
      <Toggle
        label="Ask who visitors are"
        help="Before the first message. They may skip it."
        on={leads.on}
        onChange={(on) => set({ on })}
      />
      {leads.on && (
        <>
          <Field label="Question">
            <Input
              maxLength={500}
              placeholder="Before we start, who are you?"
              value={leads.title}
              onChange={(event) => set({ title: event.target.value })}
            />
          </Field>
          <Flex gap="4" wrap="wrap" role="group" aria-label="Fields">
            <Tick checked={leads.name} onChange={(name) => set({ name })}>
              Name
            </Tick>
            <Tick checked={leads.email} onChange={(email) => set({ email })}>
              Email
            </Tick>
            <Tick checked={leads.phone} onChange={(phone) => set({ phone })}>
              Phone
            </Tick>
          </Flex>
          {error && (
            <Text color="fg.error" textStyle="sm" role="alert">
              {error}
            </Text>
          )}
          <Field label="Thanks">
            <Input
              maxLength={1000}
              placeholder="Thank you"
              value={leads.thanks}
              onChange={(event) => set({ thanks: event.target.value })}
            />
          </Field>
        </>
      )}
    </Stack>
  )
}
