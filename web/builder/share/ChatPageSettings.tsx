import { Flex, Input, Link, Stack, Text, Textarea } from '@chakra-ui/react'
import { uiBase } from '../../api/client.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { CopyField } from '../../ui/CopyField.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { Tick } from '../../ui/forms/Tick.tsx'
import { ChatLook } from './ChatLook.tsx'
import { ChatPreview } from './ChatPreview.tsx'
import type { ChatValues } from './chat-values.ts'
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
      <Collapsible title="Appearance and texts">
        <Stack gap="4" mt="3">
          <ChatLook chat={chat} errors={errors} set={set} />
          <ChatPreview chat={chat} />
        </Stack>
      </Collapsible>
      <Collapsible title="What visitors are asked and offered">
        <Stack gap="4" mt="3">
          <Toggle
            label="Ratings"
            help="Visitors can rate answers."
            on={chat.feedback}
            onChange={(feedback) => set({ feedback })}
          />
          <Toggle
            label="Text from any file"
            help="PDF, office and other files are read and sent as text."
            on={chat.files}
            onChange={(files) => set({ files })}
          />
          <Toggle
            label="Files from web addresses"
            help="Callers without an API key can name a web address, and Heddle fetches the file. Members and keys always can."
            on={chat.fetchUrls}
            onChange={(fetchUrls) => set({ fetchUrls })}
          />
          <Leads leads={chat.leads} error={errors.leadFields} onChange={(leads) => set({ leads })} />
          <FollowUps values={chat.followUps} errors={errors} onChange={(followUps) => set({ followUps })} />
        </Stack>
      </Collapsible>
      <Collapsible title="Post-processing">
        <Stack gap="3" mt="3">
          <Toggle
            label="Change answers with code"
            help="Answers are not streamed. If the code fails, the run fails."
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
        label="Ask visitors who they are"
        help="Asked before the first message. Visitors can skip it."
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
          <Field label="Thank-you message">
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
