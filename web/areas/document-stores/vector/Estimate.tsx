import { Text } from '@chakra-ui/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { estimateQuery } from '../api.ts'
import type { ComponentChoice } from '../shared/component-choice.ts'
import { describeEstimate } from './describe-estimate.ts'

interface Props {
  storeId: string
  docId: string | undefined
  embedding: ComponentChoice | null
}

/** Estimated cost of an upsert. */
export function Estimate({ storeId, docId, embedding }: Props) {
  const chosen = useDeferredValue(embedding)
  const { data, error } = useQuery({
    ...estimateQuery({ storeId, docId, embedding: chosen }),
    placeholderData: keepPreviousData,
  })
  return (
    <Text textStyle="sm" mb="3" minH="5" role="status" color={error ? 'fg.error' : 'fg'}>
      {error ? `The price is not known: ${error.message}` : data && describeEstimate(data)}
    </Text>
  )
}
