/** Why somebody is erased; no more is kept of it, for words would name them. */
export const erasureReasons = ['own-request', 'left', 'mistake'] as const
export type ErasureReason = (typeof erasureReasons)[number]
