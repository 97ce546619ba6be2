/** Who may call the API. Free of zod, so that a page may load it. */

/** Of people; each may do what those before it may. An operator (the dean's office) enrols others and reads contacts and the audit. */
export const roles = ['student', 'trainer', 'staff', 'operator', 'admin'] as const
export type Role = (typeof roles)[number]
/** An inbound process, such as the bot, may do little by itself and acts for the person whose contact it names. */
/** A key with the role `presence` is of a system that says who is online, and can do nothing else. */
export const callerRoles = [...roles, 'inbound', 'presence'] as const
export type CallerRole = (typeof callerRoles)[number]
