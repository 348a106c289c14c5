import { createContext, useContext } from 'react'
import type { Canvas } from './store.ts'

const CanvasContext = createContext<Canvas | null>(null)

export const CanvasProvider = CanvasContext.Provider

/** The canvas that the component stands on. */
export function useCanvas(): Canvas {
  const canvas = useContext(CanvasContext)
  if (!canvas) throw new Error('useCanvas needs a CanvasProvider above it')
  return canvas
}
