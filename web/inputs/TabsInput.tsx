import { Tabs, Text } from '@chakra-ui/react'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { activeTab, tabKey } from '#contract/flow/params/tabs.ts'
import { type GroupInputProps, useInputEnvironment } from './types.ts'

/** Several inputs of which one is used: that of the open tab. */
export function TabsInput({ id, param, scope, onPatch, onDone, Field }: GroupInputProps) {
  const node = useInputEnvironment().node()?.id ?? ''
  const tabs = param.tabs ?? []
  const open = activeTab(param, scope.inputs, node)
  if (!open) return null
  return (
    <Tabs.Root
      id={id}
      size="sm"
      lazyMount
      unmountOnExit
      value={open.name}
      onValueChange={({ value }) => onPatch({ [tabKey(param, node)]: value })}
    >
      <Tabs.List aria-label={param.label}>
        {tabs.map((tab) => (
          <Tabs.Trigger key={tab.name} value={tab.name}>
            {tab.label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Content key={tab.name} value={tab.name}>
          <Field prefix={id} param={tab} values={scope.inputs} scope={scope} onPatch={onPatch} onDone={onDone} />
          <Hint tab={tab} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

/** Hint on what the code of a condition must return. */
const Hint = ({ tab: { codeExample } }: { tab: InputParam }) =>
  codeExample ? (
    <Text as="pre" mt="2" fontSize="xs" color="fg.muted" whiteSpace="pre-wrap">
      {codeExample}
    </Text>
  ) : null
