import { Box, Button, chakra, Flex, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PermissionGroup } from '#contract/access/group.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { PermissionTicks } from '../../ui/forms/PermissionTicks.tsx'
import { FlowPicker } from './FlowPicker.tsx'
import { listPresets, presetFor, RUN_FLOWS } from './presets.ts'
import { grantableQuery } from './queries.ts'

interface Props {
  chosen: string[]
  /** Flows that the key may run besides. */
  flowIds: string[]
  error?: string
  onChange(change: { permissions?: string[]; flowIds?: string[] }): void
}

/** Picks a preset or individual permissions, out of those that the user can grant. */
export function PermissionPicker({ error, ...choice }: Props) {
  const query = useQuery(grantableQuery)
  return (
    <chakra.fieldset aria-describedby={error ? 'permissions-error' : undefined}>
      <chakra.legend textStyle="sm" fontWeight="medium" mb="1.5">
        Permissions
      </chakra.legend>
      {query.isPending && <Skeleton h="48" />}
      {query.error && <Notice kind="danger">Couldn’t load permissions: {query.error.message}</Notice>}
      {query.data && <Choice groups={query.data} {...choice} />}
      {error && (
        <Text id="permissions-error" role="alert" data-part="error-text" mt="1.5" textStyle="xs" color="fg.error">
          {error}
        </Text>
      )}
    </chakra.fieldset>
  )
}

function Choice({ groups, chosen, flowIds, onChange }: Omit<Props, 'error'> & { groups: PermissionGroup[] }) {
  const [customChosen, setCustomChosen] = useState(false)
  const [isLimited, setLimited] = useState(chosen.length === 0 && flowIds.length > 0)
  const presets = listPresets(groups)
  const running = presets.find(({ label }) => label === RUN_FLOWS)
  const preset = isLimited ? running : presetFor(chosen, presets)
  const isCustom = customChosen || (chosen.length > 0 && !preset)
  const choose = (permissions: string[], limited = false) => {
    setCustomChosen(false)
    setLimited(limited)
    onChange({ permissions, flowIds: [] })
  }
  const chooseCustom = () => {
    setCustomChosen(true)
    setLimited(false)
    onChange({ flowIds: [] })
  }
  return (
    <>
      <Flex wrap="wrap" gap="2">
        {presets.map(({ label, permissions }) => (
          <Option
            key={label}
            label={label}
            pressed={!isCustom && preset?.label === label}
            onClick={() => choose(permissions)}
          />
        ))}
        <Option label="Custom" pressed={isCustom} onClick={chooseCustom} />
      </Flex>
      {preset && !isCustom && (
        <Text mt="1.5" textStyle="xs" color="fg.muted">
          {isLimited ? 'Call the flows that you choose, and nothing else.' : preset.help}
        </Text>
      )}
      {running && preset === running && !isCustom && (
        <Flex gap="2" mt="3">
          <Option label="All flows" pressed={!isLimited} onClick={() => choose(running.permissions)} />
          <Option label="Chosen flows" pressed={isLimited} onClick={() => choose([], true)} />
        </Flex>
      )}
      {isLimited && !isCustom && <FlowPicker chosen={flowIds} onChange={(ids) => onChange({ flowIds: ids })} />}
      {isCustom && (
        <Box borderWidth="1px" borderRadius="l2" maxH="72" overflowY="auto" px="4" py="1" mt="3">
          <PermissionTicks groups={groups} chosen={chosen} onChange={(permissions) => onChange({ permissions })} />
        </Box>
      )}
    </>
  )
}

function Option({ label, pressed, onClick }: { label: string; pressed: boolean; onClick(): void }) {
  return (
    <Button
      size="sm"
      variant={pressed ? 'subtle' : 'outline'}
      colorPalette={pressed ? 'accent' : undefined}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
