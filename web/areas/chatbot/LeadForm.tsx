import { Button, Flex, Heading, Input } from '@chakra-ui/react'
import type { PublicChatbotSettings } from '#contract/chatflows/chatbot-config.ts'
import type { Lead } from '../../chat/chat-storage.ts'
import { Field, Form } from '../../ui/forms/Form.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'

const FIELDS = [
  { name: 'name', label: 'Name', type: 'text', max: 200, autoComplete: 'name' },
  { name: 'email', label: 'Email', type: 'email', max: 320, autoComplete: 'email' },
  { name: 'phone', label: 'Phone', type: 'tel', max: 50, autoComplete: 'tel' },
] as const

interface Props {
  settings: PublicChatbotSettings['leads']
  /** Rejects when it could not be saved. */
  onLeave: (lead: Lead) => Promise<void>
  onSkip: () => void
}

/** Asks a visitor who they are, before the first message. */
export function LeadForm({ settings, onLeave, onSkip }: Props) {
  const asked = FIELDS.filter(({ name }) => settings[name])
  const form = useForm<Required<Lead>>({
    initial: { name: '', email: '', phone: '' },
    check: (values) =>
      fieldErrors(
        Object.fromEntries(
          asked.map(({ name, label }) => [name, !values[name].trim() && `Enter your ${label.toLowerCase()}.`]),
        ),
      ),
    send: (values) => onLeave(Object.fromEntries(asked.map(({ name }) => [name, values[name].trim()]))),
  })
  return (
    <Flex direction="column" gap="4" w="full" maxW="md" mx="auto" p="4" borderWidth="1px" borderRadius="xl" bg="bg">
      <Heading as="h2" size="sm" whiteSpace="pre-wrap">
        {settings.title ?? 'Before we start, who are you?'}
      </Heading>
      <Form onSubmit={() => void form.submit()} summary={form.errors.summary}>
        {asked.map(({ name, label, type, max, autoComplete }) => (
          <Field key={name} label={label} error={form.errors.fields[name]}>
            <Input
              type={type}
              maxLength={max}
              autoComplete={autoComplete}
              value={form.values[name]}
              onChange={(event) => form.set({ [name]: event.target.value })}
            />
          </Field>
        ))}
        <Flex gap="2" justify="end">
          <Button variant="ghost" onClick={onSkip}>
            Skip
          </Button>
          <Button type="submit" colorPalette="accent" loading={form.busy} loadingText="Start chat">
            Start chat
          </Button>
        </Flex>
      </Form>
    </Flex>
  )
}
