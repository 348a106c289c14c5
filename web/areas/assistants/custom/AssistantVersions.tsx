import { IconRestore, IconUpload, IconWorldOff } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import type { FlowVersionHead } from '#contract/chatflows/chatflows.ts'
import { askAndPublish, askAndUnpublish, type Publishable } from '../../../builder/publishing.ts'
import { useVersions } from '../../../builder/versions/use-versions.ts'
import { VersionList } from '../../../builder/versions/VersionList.tsx'
import { ContentDialog } from '../../../ui/feedback/ContentDialog.tsx'

interface Props {
  publishing: Publishable
  mayEdit: boolean
  onRestore(version: number): void
  onClose(): void
}

/** Every saved version of an assistant, newest first; callers get the one that is published. */
export default function AssistantVersions({ publishing, mayEdit, onRestore, onClose }: Props) {
  const { publishedVersion } = useSnapshot(publishing.draft.state)
  const versions = useVersions(publishing.draft.state.id as string)
  const actionsOf = ({ version, isDraft, isPublished }: FlowVersionHead) => {
    const action = isPublished
      ? { label: 'Unpublish', icon: IconWorldOff, onSelect: () => void askAndUnpublish(publishing) }
      : { label: 'Publish', icon: IconUpload, onSelect: () => void askAndPublish(publishing, version) }
    return isDraft ? [action] : [action, { label: 'Restore', icon: IconRestore, onSelect: () => onRestore(version) }]
  }
  return (
    <ContentDialog title="Versions" size="sm" onClose={onClose}>
      <VersionList
        versions={versions}
        publishedVersion={publishedVersion}
        draft={{ name: 'latest save', badge: 'Latest' }}
        actionsOf={mayEdit ? actionsOf : () => []}
      />
    </ContentDialog>
  )
}
