import { Text } from '@chakra-ui/react'
import { conditionAlert } from '#contract/flow/kinds/chatflow/condition.ts'
import { storedParams } from '#contract/flow/params/params.ts'
import { TabsInput } from './TabsInput.tsx'
import { type GroupInputProps, useInputEnvironment } from './types.ts'

/** A condition as a table or as code, with what it lacks. The outputs of its node follow it. */
export function ConditionInput(props: GroupInputProps) {
  const id = useInputEnvironment().node()?.id
  const { params, inputs } = props.scope
  const found = id && conditionAlert({ id, data: { inputParams: storedParams([...params]), inputs } })
  return (
    <>
      <TabsInput {...props} />
      {found && (
        <Text mt="2" fontSize="xs" color="fg.error" role="status">
          {found.alert}
        </Text>
      )}
    </>
  )
}
