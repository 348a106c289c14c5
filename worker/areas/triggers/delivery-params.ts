/** The parameters of an instance that runs the attempts of a delivery. */
export interface DeliveryParams {
  kind: 'delivery'
  deliveryId: string
  triggerId: string
  flowId: string
  workspaceId: string
  /** Attempts that were made before. */
  attempt: number
  /** The conversation that the run belongs to; null: a new one. */
  chatId: string | null
  /** ISO; null: at once. */
  notBefore: string | null
  /** When it was dispatched, others waited for a place. */
  isMoreWaiting?: boolean
}
