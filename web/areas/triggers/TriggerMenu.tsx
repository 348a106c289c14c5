import { IconBolt, IconEye, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Trigger } from '#contract/triggers/index.ts'
import { pauseTrigger, resumeTrigger } from '../../inputs/trigger/actions.ts'
import { useRunNow } from '../../inputs/trigger/use-run-now.tsx'
import { deleteAsset } from '../../state/delete-asset.ts'
import { RowMenu } from '../../ui/lists/RowMenu.tsx'
import type { MenuAction } from '../../ui/menu/OpenMenu.tsx'
import { useCanChange } from './access.ts'
import { deleteTrigger } from './queries.ts'

interface TriggerMenuProps {
  trigger: Trigger
  /** Set on the trigger's own page, where the main actions are buttons. */
  isOpen?: boolean
  onEdit: (trigger: Trigger) => void
}

/** The row menu of a trigger. */
export function TriggerMenu({ trigger, isOpen = false, onEdit }: TriggerMenuProps) {
  const navigate = useNavigate()
  const canChange = useCanChange()(trigger)
  const { runNow, dialog } = useRunNow()
  const open = () => navigate({ to: '/triggers/$id', params: { id: trigger.id } })
  const leave = () => (isOpen ? navigate({ to: '/triggers' }) : undefined)
  const actions: MenuAction[] = [
    ...(isOpen ? [] : [{ label: 'Open', icon: IconEye, onSelect: open }]),
    ...(canChange && !isOpen ? quickActions(trigger, () => void runNow(trigger)) : []),
    ...(canChange ? [{ label: 'Edit', icon: IconPencil, onSelect: () => onEdit(trigger) }] : []),
    ...(canChange && isDeletable(trigger)
      ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void confirmDelete(trigger).then(leave) }]
      : []),
  ]
  return (
    <>
      <RowMenu of={trigger.name} actions={actions} />
      {dialog}
    </>
  )
}

function quickActions(trigger: Trigger, runNow: () => void): MenuAction[] {
  const { state } = trigger
  return [
    { label: 'Run now', icon: IconBolt, onSelect: runNow },
    ...(state === 'active'
      ? [{ label: 'Pause', icon: IconPlayerPause, onSelect: () => void pauseTrigger(trigger) }]
      : []),
    ...(state === 'paused' || state === 'failing'
      ? [{ label: 'Resume', icon: IconPlayerPlay, onSelect: () => void resumeTrigger(trigger) }]
      : []),
  ]
}

/** A trigger of a Start node is deleted with its node, unless it has ended. */
const isDeletable = ({ nodeId, state }: Trigger) => nodeId === null || state === 'ended'

const confirmDelete = ({ id, name }: Trigger) =>
  deleteAsset({
    name,
    description: 'The trigger stops and its delivery history is deleted. Executions are kept.',
    remove: () => deleteTrigger(id),
  })
