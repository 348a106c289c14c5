import { Box, Button, Flex, Grid, Stack } from '@chakra-ui/react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import { type CustomDetails, readCustomDetails } from '#contract/flow/kinds/assistant/details.ts'
import { drawAssistant } from '#contract/flow/kinds/assistant/draw.ts'
import { assistant } from '#contract/flow/kinds/assistant/kind.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { LeaveGuard } from '../../../builder/LeaveGuard.tsx'
import { askAndPublish } from '../../../builder/publishing.ts'
import { useCanEdit, viewOnlyText } from '../../../builder/use-can-edit.ts'
import { ChatPanel } from '../../../chat/ChatPanel.tsx'
import { confirm } from '../../../state/confirm.ts'
import { notify } from '../../../state/notify.ts'
import { Notice } from '../../../ui/feedback/Notice.tsx'
import { AssistantForm } from './AssistantForm.tsx'
import { AssistantHeader } from './AssistantHeader.tsx'
import {
  type AssistantDraft,
  detailsOf,
  type Fields,
  hasChanges,
  loadStored,
  problemsOf,
  restoreVersion,
  saveAssistant,
} from './assistant-draft.ts'

const ShareDialog = lazy(() => import('../../../builder/share/ShareDialog.tsx'))
const AssistantVersions = lazy(() => import('./AssistantVersions.tsx'))

interface Props {
  draft: AssistantDraft
  definitions: readonly ComponentDefinition[]
}

/** The form of one assistant, with its chat beside it. */
export function AssistantEditor({ draft, definitions }: Props) {
  const mayEdit = useCanEdit(assistant)
  const [dialog, setDialog] = useState<'share' | 'publish' | 'versions'>()
  const { fields, rest } = useSnapshot(draft.form, { sync: true })
  const details = detailsOf(fields as Fields, rest as CustomDetails)
  const flow = useFlow(details, definitions)

  const { save, problems } = useSave(draft, mayEdit)
  const store = async () => !hasChanges(draft) || save()
  const publishing = { draft, noun: 'assistant', start: () => assistant.startNode(flow), store }
  const saveByHand = async (mayOverwrite = false) => {
    if (await save(mayOverwrite)) notify.success('Saved')
  }
  return (
    <Stack gap="6">
      <AssistantHeader
        draft={draft}
        mayEdit={mayEdit}
        nameError={problems.name}
        onSave={() => void saveByHand()}
        onPublish={() =>
          draft.state.publishedVersion === null ? setDialog('publish') : void askAndPublish(publishing)
        }
        onShare={() => setDialog('share')}
        onVersions={() => setDialog('versions')}
      />
      <Conflict draft={draft} onOverwrite={() => void saveByHand(true)} />
      <Grid
        templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }}
        gap="6"
        alignItems="start"
      >
        <AssistantForm
          draft={draft}
          definitions={definitions}
          flow={flow}
          mayEdit={mayEdit}
          startersError={problems.starters}
        />
        <Box
          borderWidth="1px"
          borderRadius="l3"
          bg="bg.panel"
          h={{ base: '32rem', lg: 'calc(100dvh - 17rem)' }}
          minH="24rem"
          position={{ lg: 'sticky' }}
          top="20"
        >
          <ChatPanel
            flowId={draft.id}
            flow={flow}
            kind={assistant}
            starters={details.starterPrompts}
            beforeSend={async () => ((await store()) ? draft.id : null)}
            onRunEvent={() => {}}
            autoFocus={false}
          />
        </Box>
      </Grid>
      <LeaveGuard hasChanges={() => hasChanges(draft)} mayEdit={mayEdit} onSave={() => save()} />
      <Suspense>
        {dialog === 'versions' && (
          <AssistantVersions
            publishing={publishing}
            mayEdit={mayEdit}
            onRestore={async (version) => (await askAndRestore(draft, version)) && setDialog(undefined)}
            onClose={() => setDialog(undefined)}
          />
        )}
        {(dialog === 'share' || dialog === 'publish') && (
          <ShareDialog publishing={publishing} publishes={dialog === 'publish'} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </Stack>
  )
}

/** Returns a function that saves and returns true when the draft is saved, and the problems that kept it from saving. */
function useSave(draft: AssistantDraft, mayEdit: boolean) {
  const [problems, setProblems] = useState<ReturnType<typeof problemsOf>>({})
  const save = async (mayOverwrite = false): Promise<boolean> => {
    if (draft.state.saving) return false
    if (!mayEdit) {
      notify.info(viewOnlyText(assistant))
      return false
    }
    const found = problemsOf(draft.form.fields)
    setProblems(found)
    if (Object.keys(found).length > 0) return false
    try {
      return (await saveAssistant(draft, mayOverwrite)) === 'saved'
    } catch (error) {
      notify.error(`Couldn’t save the assistant: ${errorMessage(error)}`)
      return false
    }
  }
  return { save, problems }
}

/** The flow that the details draw; redrawn when they change. */
function useFlow(details: CustomDetails, definitions: readonly ComponentDefinition[]) {
  const text = JSON.stringify(details)
  return useMemo(() => drawAssistant(readCustomDetails(text), definitions), [text, definitions])
}

function Conflict({ draft, onOverwrite }: { draft: AssistantDraft; onOverwrite: () => void }) {
  const { conflict } = useSnapshot(draft.state)
  if (conflict === null) return null
  const load = () =>
    loadStored(draft).catch((error: unknown) => notify.error(`Couldn’t load the assistant: ${errorMessage(error)}`))
  return (
    <Notice kind="warning" role="alert">
      This assistant was saved in another tab or by another person since you opened it. Your changes are still here.
      <Flex gap="2" mt="3" wrap="wrap">
        <Button size="xs" variant="outline" onClick={() => void load()}>
          Discard my changes and load theirs
        </Button>
        <Button size="xs" variant="outline" colorPalette="danger" onClick={onOverwrite}>
          Overwrite their version
        </Button>
      </Flex>
    </Notice>
  )
}

/** Returns true when the version was restored. */
async function askAndRestore(draft: AssistantDraft, version: number): Promise<boolean> {
  const isLossy = hasChanges(draft)
  const sure = await confirm({
    title: `Restore version ${version}?`,
    description: `Its model, tools, document stores and instructions become the latest save. Every saved version is kept.${isLossy ? ' Your unsaved changes are lost.' : ''}`,
    confirmButtonName: 'Restore',
    danger: isLossy,
  })
  if (!sure) return false
  try {
    if ((await restoreVersion(draft, version)) === 'saved') notify.success(`Restored version ${version}`)
    return true
  } catch (error) {
    notify.error(`Couldn’t restore the assistant: ${errorMessage(error)}`)
    return false
  }
}
