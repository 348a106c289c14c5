import { Box, Flex, IconButton, Image, Input, SimpleGrid, Text, Textarea } from '@chakra-ui/react'
import { IconUpload, IconX } from '@tabler/icons-react'
import { MAX_AVATAR_CHARACTERS } from '#contract/chatflows/chatbot-config.ts'
import { errorMessage } from '#contract/errors.ts'
import { toLook } from '../../chat/colors.ts'
import { notify } from '../../state/notify.ts'
import { FilePicker } from '../../ui/forms/FilePicker.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { readPicture } from '../../ui/read-picture.ts'
import { AVATARS, type AvatarName, type ChatValues, COLORS, type ColorName, colorIn } from './chat-values.ts'

interface PartProps {
  chat: ChatValues
  errors: Readonly<Record<string, string>>
  set: (change: Partial<ChatValues>) => void
}

/** The texts, colours and pictures of the chat page and of widgets. */
export function ChatLook({ chat, errors, set }: PartProps) {
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
          <Field key={name} label={COLORS[name]} help={chat.colors[name] ? undefined : 'Heddle’s default.'}>
            <ColorInput
              value={chat.colors[name]}
              label={COLORS[name]}
              onChange={(color) => set({ colors: { ...chat.colors, [name]: color } })}
            />
          </Field>
        ))}
      </SimpleGrid>
      {(Object.keys(AVATARS) as AvatarName[]).map((name) => (
        <AvatarInput
          key={name}
          label={AVATARS[name]}
          value={chat.avatars[name]}
          onChange={(src) => set({ avatars: { ...chat.avatars, [name]: src } })}
        />
      ))}
      {errors.avatars && (
        <Text color="fg.error" textStyle="sm" role="alert">
          {errors.avatars}
        </Text>
      )}
      <Field label="Footer">
        <Input maxLength={200} value={chat.footer} onChange={(event) => set({ footer: event.target.value })} />
      </Field>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <Field label="Company" help="Shown after the footer.">
          <Input maxLength={100} value={chat.company} onChange={(event) => set({ company: event.target.value })} />
        </Field>
        <Field label="Company link" error={errors.companyLink}>
          <Input
            type="url"
            maxLength={2000}
            placeholder="https://example.com"
            value={chat.companyLink}
            onChange={(event) => set({ companyLink: event.target.value })}
          />
        </Field>
      </SimpleGrid>
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
        bg={toLook({ backgroundColor: colorIn(value) }).background}
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

interface AvatarInputProps {
  label: string
  value: string
  onChange: (src: string) => void
}

/** As base64 in a data: address. */
const MAX_PICTURE_BYTES = Math.floor(MAX_AVATAR_CHARACTERS * 0.74)

/** A picture from a file or on the web. Pages of this server show files only. */
function AvatarInput({ label, value, onChange }: AvatarInputProps) {
  const isFile = value.startsWith('data:')
  const take = (file: File) =>
    void readPicture(file, MAX_PICTURE_BYTES).then(onChange, (error: unknown) => notify.error(errorMessage(error)))
  return (
    <Field
      label={label}
      help={isFile || !value ? undefined : 'The chat page shows images from files only; widgets show this one too.'}
    >
      <Flex gap="2" align="center" w="full">
        {isFile && <Image src={value} alt="" boxSize="8" borderRadius="full" objectFit="cover" flex="none" />}
        <Input
          aria-label={label}
          readOnly={isFile}
          maxLength={2000}
          placeholder="https://"
          value={isFile ? 'From a file' : value}
          onChange={(event) => onChange(event.target.value)}
        />
        <FilePicker
          label={`File: ${label}`}
          accept="image/png,image/jpeg,image/gif,image/webp,image/svg+xml"
          onFile={take}
        >
          {(open) => (
            <IconButton size="sm" variant="outline" aria-label={`Choose file: ${label}`} onClick={open}>
              <IconUpload aria-hidden />
            </IconButton>
          )}
        </FilePicker>
        {value && (
          <IconButton size="sm" variant="ghost" aria-label={`Remove: ${label}`} onClick={() => onChange('')}>
            <IconX aria-hidden />
          </IconButton>
        )}
      </Flex>
    </Field>
  )
}
