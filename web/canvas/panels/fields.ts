/** Ids of fields in the dock that keys lead to. */

export const CONTAINER_FIELD = 'node-place'
