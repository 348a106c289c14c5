import { Badge } from '@chakra-ui/react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { errorMessage } from '#contract/errors.ts'
import { session } from '../../api/session.ts'
import { switchTo } from '../../api/workspaces.ts'
import { notify } from '../../state/notify.ts'
import { PickerDialog } from '../../ui/lists/PickerDialog.tsx'
import { shell } from '../shell-state.ts'

/** More than these are searched. */
const AT_A_GLANCE = 7

const close = () => {
  shell.workspaces = false
}

/** The workspaces of the person; choosing one leads to its home page. */
export default function WorkspaceSwitcher() {
  const { user } = useSnapshot(session)
  const [search, setSearch] = useState('')
  const [going, setGoing] = useState<string>()
  const all = user?.assignedWorkspaces ?? []
  const wanted = search.trim().toLowerCase()
  const items = all
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ id, name }) => {
      const isCurrent = id === user?.activeWorkspaceId
      return {
        ...{ id, label: name, isCurrent, isBusy: id === going, disabled: isCurrent || going !== undefined },
        mark: isCurrent && <Badge>Here</Badge>,
      }
    })
  const choose = async (id: string) => {
    setGoing(id)
    try {
      await switchTo(id)
    } catch (error) {
      setGoing(undefined)
      notify.error(`Couldn’t switch: ${errorMessage(error)}`)
    }
  }
  return (
    <PickerDialog
      title="Switch workspace"
      noun="workspaces"
      search={search}
      onSearch={setSearch}
      isSearchable={all.length > AT_A_GLANCE}
      groups={items.length > 0 ? [{ items }] : []}
      onPick={choose}
      onClose={close}
    />
  )
}
