import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { Delivery } from '#contract/triggers/index.ts'
import { keys } from '../../../../api/query.ts'
import { deliveryQuery, latestRequest } from '../../../../inputs/trigger/queries.ts'
import { notify } from '../../../../state/notify.ts'

const POLL_MS = 1000

interface Listening {
  triggerId: string
  /** The newest request when it began; null: there was none. */
  after: string | null
}

/** Waits for the next request to a webhook. */
export function useListening(triggerId: string) {
  const [listening, setListening] = useState<Listening | null>(null)
  const [heard, setHeard] = useState<Delivery | null>(null)
  const [isStarting, setStarting] = useState(false)

  useQuery({
    queryKey: keys.list('listening', { triggerId, ...listening }),
    enabled: listening !== null,
    gcTime: 0,
    refetchInterval: POLL_MS,
    queryFn: async () => {
      const latest = await latestRequest(triggerId)
      if (latest && listening && latest.id !== listening.after) {
        setHeard(latest)
        setListening(null)
      }
      return latest?.id ?? null
    },
  })
  const { data: delivery } = useQuery({ ...deliveryQuery(heard?.id ?? ''), enabled: heard !== null })

  const listen = async () => {
    setStarting(true)
    setHeard(null)
    try {
      const latest = await latestRequest(triggerId)
      setListening({ triggerId, after: latest?.id ?? null })
    } catch (error) {
      notify.error(`Couldn’t start listening: ${errorMessage(error)}`)
    } finally {
      setStarting(false)
    }
  }
  return {
    isListening: listening !== null,
    isStarting,
    /** The request that came; undefined until then. */
    delivery: heard ? delivery : undefined,
    listen,
    stop: () => setListening(null),
  }
}
