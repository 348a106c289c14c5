import { Badge, Button, Field, Flex, Heading, Input, Stack, Text, VisuallyHidden } from '@chakra-ui/react'
import { IconArrowLeft, IconDeviceFloppy, IconHistory, IconShare, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { type AssistantDraft, hasChanges } from './assistant-draft.ts'

interface Props {
  draft: AssistantDraft
  mayEdit: boolean
  nameError: string | undefined
  onSave: () => void
  onPublish: () => void
  onShare: () => void
  onVersions: () => void
}

/** Name and state of an assistant, with save, publish and share. */
export function AssistantHeader({ draft, mayEdit, nameError, onSave, onPublish, onShare, onVersions }: Props) {
  const { fields } = useSnapshot(draft.form, { sync: true })
  const { saving, publishedVersion, hasUnpublishedChanges } = useSnapshot(draft.state)
  const dirty = hasChanges(draft)
  const isPublished = !dirty && publishedVersion !== null && !hasUnpublishedChanges
  return (
    <Stack gap="3">
      <VisuallyHidden>
        <Heading as="h1">Assistant: {fields.name}</Heading>
      </VisuallyHidden>
      <Button asChild variant="ghost" size="sm" alignSelf="start" ms="-3" color="fg.muted">
        <Link to="/assistants/custom">
          <IconArrowLeft size={16} aria-hidden /> Custom assistants
        </Link>
      </Button>
      <Flex gap="3" wrap="wrap" align="start">
        <Field.Root invalid={nameError !== undefined} flex="1" minW="min(100%, 16rem)">
          <Input
            aria-label="Assistant name"
            size="lg"
            fontWeight="semibold"
            maxLength={200}
            readOnly={!mayEdit}
            value={fields.name}
            onChange={(event) => {
              draft.form.fields = { ...draft.form.fields, name: event.target.value }
            }}
          />
          <Field.ErrorText>{nameError}</Field.ErrorText>
        </Field.Root>
        {mayEdit ? (
          <Flex gap="2" wrap="wrap">
            <Button colorPalette="accent" variant={dirty ? 'solid' : 'outline'} loading={saving} onClick={onSave}>
              <IconDeviceFloppy size={18} aria-hidden />
              Save
            </Button>
            <Button
              variant="outline"
              disabled={isPublished}
              title={isPublished ? 'This version is published' : undefined}
              onClick={onPublish}
            >
              <IconUpload size={18} aria-hidden />
              Publish
            </Button>
            <Button variant="outline" onClick={onShare}>
              <IconShare size={18} aria-hidden />
              Share
            </Button>
            <Button variant="outline" onClick={onVersions}>
              <IconHistory size={18} aria-hidden />
              Versions
            </Button>
          </Flex>
        ) : (
          <Badge>View only</Badge>
        )}
      </Flex>
      <Text color="fg.muted" textStyle="sm" role="status">
        {dirty ? 'Unsaved' : 'Saved'} · {publishedText(publishedVersion, hasUnpublishedChanges)}
      </Text>
    </Stack>
  )
}

function publishedText(published: number | null, hasUnpublishedChanges: boolean): string {
  if (published === null) return 'Not published: callers always get the latest save'
  return hasUnpublishedChanges ? `Callers get version ${published} until you publish again` : 'Published'
}
