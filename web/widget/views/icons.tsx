/** @jsxImportSource preact */
/** The icons of the widget's buttons. */

const PATHS = {
  chat: 'M4 5h16v11H9l-5 4z',
  close: 'M6 6l12 12M18 6L6 18',
  renew: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v5h5',
  send: 'M5 12l15-7-5 15-3-6z',
  stop: 'M7 7h10v10H7z',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 5 5l-8.5 8.4a1.7 1.7 0 0 1-2.4-2.4L15 7.5',
  listen: 'M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11',
  up: 'M7 11v9H4v-9zM7 11l4-8a2.5 2.5 0 0 1 2.5 2.5V9H19a2 2 0 0 1 2 2.3l-1 7a2 2 0 0 1-2 1.7H7',
  down: 'M7 13V4H4v9zM7 13l4 8a2.5 2.5 0 0 0 2.5-2.5V15H19a2 2 0 0 0 2-2.3l-1-7A2 2 0 0 0 18 4H7',
} as const

export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
