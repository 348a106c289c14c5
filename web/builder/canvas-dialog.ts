/** Dialogs over the canvas. */
export type CanvasDialog = 'versions' | 'limits' | 'share' | 'publish' | 'describe' | 'note' | 'template' | 'upsert'
