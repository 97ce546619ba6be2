/** Who may call the API. Free of zod, so that a page may load it. */

/** Of people; each may do what those before it may. An operator (the dean's office) enrols others and reads contacts and the audit. */
export const roles = ['student', 'trainer', 'staff', 'operator', 'admin'] as const
export type Role = (typeof roles)[number]
/** An inbound process, such as the bot, may do little by itself and acts for the person whose contact it names. */
/** A key with the role `presence` is of a system that says who is online, and can do nothing else. */
export const callerRoles = [...roles, 'inbound', 'presence'] as const
export type CallerRole = (typeof callerRoles)[number]

export const maxRoles = 50

/** Of a role that an operator has made, and of one that is always there. */
export const rolePattern = /^[a-z][a-z0-9-]{0,31}$/

/** Whether it is one of the five, which are always there. */
export const isBuiltInRole = (id: string): id is Role => roles.some((role) => role === id)

/** One that an operator has made, as far as it is asked what it may do. */
export interface MadeRole {
  readonly id: string
  readonly rights: Role
}

/** The roles of those that may be named that there are not. */
export const unknownRoles = (made: readonly { readonly id: string }[], named: readonly string[]): string[] =>
  named.filter((id) => !isBuiltInRole(id) && !made.some((role) => role.id === id))

/** Which of the five says what a role may do. @returns undefined for one that there is not: it may do nothing */
export const rightsOf = (made: readonly MadeRole[], id: string): Role | undefined =>
  isBuiltInRole(id) ? id : made.find((role) => role.id === id)?.rights
