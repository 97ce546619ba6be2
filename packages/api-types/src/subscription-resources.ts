/** What a system of others may subscribe to. Free of zod, so that a page may load it. */
export const subscriptionResources = ['history', 'person', 'group', 'cohort', 'channel', 'type', 'ownership'] as const
export type SubscriptionResource = (typeof subscriptionResources)[number]

/** Why nothing is sent any more: its owner lost the right to it, or its endpoint took nothing for as long as is tried. */
export const disabledReasons = ['owner', 'gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]
