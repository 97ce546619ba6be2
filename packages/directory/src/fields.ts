/** What people, groups and cohorts may be called; the same rules for the API and for a roster. */
import {
  callerRoles,
  fieldNamePattern,
  hiddenIn,
  idPattern,
  isTimeZone,
  type MadeRole,
  maxFieldLength,
  maxFields,
  ownFields,
  Problem,
  rightsOf,
  roles,
  systemSender,
} from '@courier-fleet/api-types'

export const maxNameLength = 200

const reject = (field: string, detail: string) => new Problem(422, 'bad-field', detail, field)
const short = (text: string) => text.slice(0, 80)

/** @throws Problem 422 `bad-field` */
export function checkId(text: string, field: string): string {
  if (text === systemSender) throw reject(field, `"${text}" is what the fleet calls itself`)
  if (idPattern.test(text)) return text
  throw reject(field, `"${short(text)}" is not an id: 1 to 64 letters a-z, digits, - and _`)
}

/** @throws Problem 422 `bad-field` */
export function checkName(text: string, field: string): string {
  const name = text.trim()
  if (name === '') throw reject(field, 'must not be empty')
  if (name.length > maxNameLength) throw reject(field, `is longer than ${maxNameLength} characters`)
  const hidden = hiddenIn(name)
  if (hidden !== undefined) throw reject(field, hidden)
  return name
}

/** Roles that operators have made. */
type Made = readonly MadeRole[]

const namesOf = (always: readonly string[], made: Made) =>
  [...new Set([...always, ...made.map(({ id }) => id)])].join(', ')

/** @throws Problem 422 `bad-field` */
export function checkRole(text: string, field: string, made: Made): string {
  const role = text.trim().toLowerCase()
  if (rightsOf(made, role)) return role
  throw reject(field, `"${short(text)}" is not a role: ${namesOf(roles, made)}`)
}

/** @throws Problem 422 `bad-field` */
export function checkCallerRole(text: string, field: string, made: Made): string {
  if (callerRoles.some((name) => name === text) || rightsOf(made, text)) return text
  throw reject(field, `"${short(text)}" is not a role of API keys: ${namesOf(callerRoles, made)}`)
}

/** @throws Problem 422 `bad-field` */
export function checkTimeZone(text: string, field: string): string {
  const zone = text.trim()
  if (isTimeZone(zone)) return zone
  throw reject(field, `"${short(text)}" is not a time zone such as Europe/Moscow`)
}

/** @throws Problem 422 `bad-field` */
export function checkLanguage(text: string, field: string): string {
  try {
    const [language] = Intl.getCanonicalLocales(text.trim())
    if (language) return language
  } catch {
    // said below
  }
  throw reject(field, `"${short(text)}" is not a language tag such as ru or en-GB`)
}

/** The name of a field of a person, as texts name it. @throws Problem 422 `bad-field` */
export function checkFieldName(text: string, field: string): string {
  const name = text.trim()
  if (ownFields.some((own) => own === name)) throw reject(field, `"${name}" is known of everybody`)
  if (fieldNamePattern.test(name)) return name
  throw reject(
    field,
    `"${short(text)}" is not the name of a field: a letter, then letters, digits, - and _, at most 32`,
  )
}

/** @throws Problem 422 `bad-field` */
export function checkFieldValue(text: string, field: string): string {
  const value = text.trim()
  if (value === '') throw reject(field, 'must not be empty')
  if (value.length > maxFieldLength) throw reject(field, `is longer than ${maxFieldLength} characters`)
  if (/\p{Cc}/u.test(value)) throw reject(field, 'has control characters in it')
  return value
}

/** @throws Problem 422 `bad-field` */
export function checkFields(
  fields: Readonly<Record<string, string>> | undefined,
  field: string,
): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(fields ?? {})
  if (entries.length === 0) return undefined
  if (entries.length > maxFields) throw reject(field, `are more than ${maxFields}`)
  return Object.fromEntries(
    entries.map(([name, value]) => [checkFieldName(name, field), checkFieldValue(value, `${field}.${name}`)]),
  )
}
