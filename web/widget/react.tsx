/** The widget as a React component: `import { HeddleChat } from '…/widget-react.js'`. */
import { useEffect, useRef } from 'react'
import { mountChat } from './mount.tsx'
import { completeOptions, type GivenOptions } from './options.ts'

/** Fills its parent, or floats above the page with `mode="bubble"`. Other options than these start another chat. */
export function HeddleChat(given: GivenOptions) {
  const element = useRef<HTMLDivElement>(null)
  const { overrideConfig, ...texts } = { mode: 'inline', ...given }
  const key = JSON.stringify(texts)
  const override = JSON.stringify(overrideConfig)
  useEffect(() => {
    const options = completeOptions(
      { ...JSON.parse(key), ...(override && { overrideConfig: JSON.parse(override) }) },
      import.meta.env.VITE_API_BASE_URL || new URL(import.meta.url).origin,
    )
    const parent = options.mode === 'bubble' ? document.body : element.current
    if (!parent) return
    const mounted = mountChat((host) => parent.append(host), options)
    return () => mounted.unmount()
  }, [key, override])
  return <div ref={element} style={{ height: '100%' }} />
}
